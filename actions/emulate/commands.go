package emulate

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Commands returns the commands that change what the browser reports to pages about itself and its environment.
func Commands() []actions.Command {
	commands := []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "set viewport",
				Group:   actions.GroupEmulation,
				Summary: "Set the size of the viewport",
				Help: "In CSS pixels, for all present and future tabs of the session. Replaces the settings of `set device`. 0 0 " +
					"restores the browser's own size.",
				Args: []actions.Arg{
					{Name: "width", Kind: actions.Int, Help: "CSS pixels"},
					{Name: "height", Kind: actions.Int, Help: "CSS pixels"},
					{Name: "scale", Kind: actions.Number, Optional: true, Help: "Device pixels for each CSS pixel"},
				},
				Flags: []actions.Flag{
					{Name: "mobile", Kind: actions.Bool, Help: "Behave like a phone: respect the viewport meta tag"},
					{Name: "touch", Kind: actions.Bool, Help: "Emulate a touch screen"},
				},
				Examples: []actions.Example{{Line: "set viewport 1920 1080"}, {
					Line: "set viewport 390 844 3 --mobile --touch",
				}},
				Upstream:     []string{"set viewport <w> <h>", "set viewport <w> <h> [scale]", "set <setting> [args]"},
				UpstreamHelp: "With --json the scale is deviceScaleFactor.",
				Heading:      "Browser Settings:  agent-browser set <setting> [value]",
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Action: "viewport", Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Viewport{}}},
			Run:      runSetViewport,
		},
		{
			Spec: actions.Spec{
				Name:    "set device",
				Group:   actions.GroupEmulation,
				Summary: "Show pages as a phone or tablet does",
				Help: "Sets size, scale, touch and user agent with its client hints, for all tabs of the session. `set " +
					"device list` prints the names; `set device none` turns it off. Servers see the user agent from the next " +
					"navigation on.",
				Args:     []actions.Arg{{Name: "name", Kind: actions.Text, Help: "A device such as iPhone 15, or list, or none"}},
				Examples: []actions.Example{{Line: "set device iPhone 15"}, {Line: "set device none"}},
			},
			Schedule: actions.Schedule{
				Effect: actions.Reads, Alters: func(in *actions.Input) bool { return in.String("name") != deviceList },
			},
			Safety:   actions.Safety{Action: "device", Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Device{}, DeviceNames{}}},
			Run:      runSetDevice,
		},
		{
			Spec: actions.Spec{
				Name:    "set geo",
				Aliases: []string{"set geolocation"},
				Group:   actions.GroupEmulation,
				Summary: "Set where the device is",
				Help: "Pages also get the permission to ask for it. `set geo off` undoes both. Browsers give it only to https " +
					"and localhost pages.",
				Args: []actions.Arg{
					{Name: "latitude", Value: "latitude|off", Help: "Degrees, north is positive; or off"},
					{Name: "longitude", Kind: actions.Number, Optional: true, Help: "Degrees, east is positive"},
				},
				Flags: []actions.Flag{{
					Name:    "accuracy",
					Kind:    actions.Number,
					Value:   "meters",
					Default: "1",
					Help:    "The accuracy",
				}},
				Examples: []actions.Example{{Line: "set geo 48.137 11.575"}, {Line: "set geo off"}},
				Upstream: []string{"set geo <lat> <lng>"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Action: "geolocation", Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Place{}}},
			Run:      runSetGeo,
		},
		{
			Spec: actions.Spec{
				Name:    "set media",
				Group:   actions.GroupEmulation,
				Summary: "Set what media queries see",
				Help:    "Each call replaces the one before: features that it does not name have the browser's own value.",
				Args: []actions.Arg{{
					Name: "features", Kind: actions.List, Optional: true,
					Help: "Any of " + strings.Join(mediaWords(), ", "),
				}},
				Examples: []actions.Example{{Line: "set media dark reduced-motion"}, {Line: "set media print"}, {
					Line: "set media",
					Note: "the browser's own values",
				}},
				Upstream: []string{"set media [dark|light] [reduced-motion]"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Action: "emulatemedia", Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Media{}}},
			Run:      runSetMedia,
		},
		{
			Spec: actions.Spec{
				Name:     "set timezone",
				Group:    actions.GroupEmulation,
				Summary:  "Set the time zone of pages",
				Help:     "Takes a name of the tz database. `none` restores the machine's own zone.",
				Args:     []actions.Arg{{Name: "zone", Help: "Such as Europe/Berlin"}},
				Examples: []actions.Example{{Line: "set timezone Asia/Tokyo"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Timezone{}}},
			Run:      runSetTimezone,
		},
		{
			Spec: actions.Spec{
				Name:    "set locale",
				Group:   actions.GroupEmulation,
				Summary: "Set the language and formats of pages",
				Help: "Pages see it in navigator.languages and in dates and numbers, servers in the header Accept-Language. " +
					"`none` restores the browser's own.",
				Args:     []actions.Arg{{Name: "locale", Help: "Such as de-CH"}},
				Examples: []actions.Example{{Line: "set locale de-CH"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Locale{}}},
			Run:      runSetLocale,
		},
		{
			Spec: actions.Spec{
				Name:    "set user-agent",
				Aliases: []string{"set useragent", "set ua"},
				Group:   actions.GroupEmulation,
				Summary: "Set the user agent",
				Help: "Applies to all tabs of the session from now on, with matching client hints. `none` restores the " +
					"browser's own. --user-agent sets it when the browser starts.",
				Args:     []actions.Arg{{Name: "text", Kind: actions.Text, Help: "The user agent string"}},
				Examples: []actions.Example{{Line: `set user-agent "Mozilla/5.0 (X11; Linux x86_64) Probe/1.0"`}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does(), Gives: actions.ToAll},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{UserAgent{}}},
			Run:      runSetUserAgent,
		},
		{
			Spec: actions.Spec{
				Name:    "set permissions",
				Aliases: []string{"set permission"},
				Group:   actions.GroupEmulation,
				Summary: "Grant or deny permissions before pages ask for them",
				Help: "Names are those of the Permissions standard: geolocation, notifications, camera, microphone, " +
					"clipboard-read, midi, local-fonts, storage-access and others. `reset` removes all settings.",
				Args: []actions.Arg{{Name: "names", Kind: actions.List, Help: "Permissions, or reset"}},
				Flags: []actions.Flag{
					{Name: "deny", Kind: actions.Bool, Help: "Deny them"},
					{Name: "prompt", Kind: actions.Bool, Help: "Let the browser ask for them"},
					{Name: "origin", Value: "url", Help: "Only for this origin"},
				},
				Examples: []actions.Example{{Line: "set permissions camera microphone"}, {
					Line: "set permissions notifications --deny",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Permissions{}}},
			Run:      runSetPermissions,
		},
		{
			Spec: actions.Spec{
				Name:    "set cpu",
				Group:   actions.GroupEmulation,
				Summary: "Slow pages down, as on a weak machine",
				Args: []actions.Arg{{
					Name: "rate",
					Kind: actions.Number,
					Help: "How many times slower; 1 is the machine's own speed",
				}},
				Examples: []actions.Example{{Line: "set cpu 4"}, {Line: "set cpu 1"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{CPU{}}},
			Run:      runSetCPU,
		},
	}
	for i := range commands {
		commands[i].Steps = true // pages are not the same without them
	}
	return append(commands, deviceCommands()...)
}

// none is the word for what the browser has of its own.
const none = "none"

// environment is the result of the in-page op of that name.
type environment struct {
	Width        int      `json:"width"`
	Height       int      `json:"height"`
	ScreenWidth  int      `json:"screenWidth"`
	ScreenHeight int      `json:"screenHeight"`
	Scale        float64  `json:"scale"`
	Touch        int      `json:"touch"`
	UserAgent    string   `json:"userAgent"`
	Languages    []string `json:"languages"`
	Locale       string   `json:"locale"`
	Timezone     string   `json:"timezone"`
}

// emulate has the active tab's context changed and returns what the page sees then.
func emulate(
	ctx context.Context, c *actions.Call, change func(*engine.Context, *engine.Page) error,
) (*actions.Tab, *environment, error) {
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if err := change(tab.Page.Context(), tab.Page); err != nil {
		return nil, nil, err
	}
	var seen environment
	return tab, &seen, tab.Page.Main().Call(watched, "environment", nil, &seen)
}

// unseenSetting is the error for a setting that the page does not see.
func unseenSetting(what, want, seen string) error {
	return fault.New(fault.ValueNotKept, "%s was set to %s, and the page sees %s.", what, wording.Quote(want),
		wording.Quote(seen)).About(want).With("value", seen)
}
