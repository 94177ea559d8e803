package emulate

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/emulation"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/wording"
)

func runSetGeo(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.String("latitude") == "off" || c.String("latitude") == none {
		_, _, err := emulate(ctx, c, func(browser *engine.Context, page *engine.Page) error {
			return emulation.SetPlace(ctx, browser, page, nil)
		})
		return actions.Result{Data: Place{}, Text: "✓ Done"}, err
	}
	latitude, err := strconv.ParseFloat(c.String("latitude"), 64)
	if err != nil || math.IsNaN(latitude) || math.Abs(latitude) > 90 {
		return actions.Result{}, c.Invalid("set geo latitude expects degrees from -90 to 90, or off, got " +
			wording.Quote(c.String("latitude")))
	}
	longitude := c.Float("longitude")
	if !c.Has("longitude") {
		return actions.Result{}, c.Invalid("set geo expects a latitude and a longitude")
	}
	if math.Abs(longitude) > 180 {
		return actions.Result{}, c.Invalid("set geo longitude expects degrees from -180 to 180, got " +
			wording.Quote(c.String("longitude")))
	}
	if c.Float("accuracy") < 0 {
		return actions.Result{}, c.Invalid("--accuracy expects meters, got " + wording.Quote(c.String("accuracy")))
	}
	place := &emulation.Place{Latitude: latitude, Longitude: longitude, Accuracy: c.Float("accuracy")}
	tab, _, err := emulate(ctx, c, func(browser *engine.Context, page *engine.Page) error {
		return emulation.SetPlace(ctx, browser, page, place)
	})
	if err != nil {
		return actions.Result{}, err
	}
	if secure, err := tab.Page.Evaluate(ctx, "isSecureContext"); err == nil && string(secure.JSON) == "false" &&
		strings.HasPrefix(tab.Page.URL(), "http:") {
		c.Note("this page cannot see it: browsers give the location only to https and localhost pages")
	}
	return actions.Result{Data: Place{&place.Accuracy, &latitude, &longitude}, Text: "✓ Done"}, nil
}

// mediaFeatures are the words of `set media`, with what they stand for.
var mediaFeatures = []struct{ word, feature, value string }{
	{"dark", "prefers-color-scheme", "dark"},
	{"light", "prefers-color-scheme", "light"},
	{"no-preference", "prefers-color-scheme", "no-preference"},
	{"reduced-motion", "prefers-reduced-motion", "reduce"},
	{"no-reduced-motion", "prefers-reduced-motion", "no-preference"},
	{"reduced-transparency", "prefers-reduced-transparency", "reduce"},
	{"reduced-data", "prefers-reduced-data", "reduce"},
	{"more-contrast", "prefers-contrast", "more"},
	{"less-contrast", "prefers-contrast", "less"},
	{"forced-colors", "forced-colors", "active"},
	{"print", "", "print"},
	{"screen", "", "screen"},
}

func mediaWords() []string {
	var words []string
	for _, f := range mediaFeatures {
		words = append(words, f.word)
	}
	return words
}

func runSetMedia(ctx context.Context, c *actions.Call) (actions.Result, error) {
	media := emulation.Media{Features: map[string]string{}}
	for _, word := range c.Strings("features") {
		at := slices.IndexFunc(mediaFeatures, func(f struct{ word, feature, value string }) bool {
			return strings.EqualFold(f.word, word)
		})
		if at < 0 {
			return actions.Result{}, c.Invalid("set media expects " + strings.Join(mediaWords(), ", ") + ", got " +
				wording.Quote(word))
		}
		f := mediaFeatures[at]
		given := media.Features[f.feature]
		if f.feature == "" {
			given, media.Type = media.Type, f.value
		} else {
			media.Features[f.feature] = f.value
		}
		if given != "" && given != f.value {
			return actions.Result{}, c.Invalid("set media was given both " + given + " and " + f.value)
		}
	}
	_, _, err := emulate(ctx, c, func(browser *engine.Context, page *engine.Page) error {
		if len(c.Strings("features")) == 0 {
			return emulation.SetMedia(ctx, browser, page, nil)
		}
		return emulation.SetMedia(ctx, browser, page, &media)
	})
	return actions.Result{Data: Media{media.Features, media.Type, true}, Text: "✓ Done"}, err
}

func runSetTimezone(ctx context.Context, c *actions.Call) (actions.Result, error) {
	zone := c.String("zone")
	if zone == none {
		zone = ""
	}
	_, seen, err := emulate(ctx, c, func(browser *engine.Context, page *engine.Page) error {
		return emulation.SetTimezone(ctx, browser, page, zone)
	})
	if refusal := emulation.Refused(err); refusal != "" {
		return actions.Result{}, c.Invalid("set timezone expects a name of the tz database such as Europe/Berlin, got " +
			wording.Quote(zone) + " (" + refusal + ")")
	}
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: Timezone{seen.Timezone}, Text: "✓ Done"}, nil
}

func runSetLocale(ctx context.Context, c *actions.Call) (actions.Result, error) {
	locale := c.String("locale")
	if locale == none {
		locale = ""
	}
	_, seen, err := emulate(ctx, c, func(browser *engine.Context, page *engine.Page) error {
		return emulation.SetLocale(ctx, browser, page, locale)
	})
	if refusal := emulation.Refused(err); refusal != "" {
		return actions.Result{}, c.Invalid("set locale expects the code of a language such as de-CH, got " +
			wording.Quote(locale) + " (" + refusal + ")")
	}
	if err != nil {
		return actions.Result{}, err
	}
	if locale != "" && (len(seen.Languages) == 0 || !strings.EqualFold(seen.Languages[0], locale)) {
		return actions.Result{}, unseenSetting("the language", locale, strings.Join(seen.Languages, ", "))
	}
	return actions.Result{Data: Locale{seen.Languages, seen.Locale}, Text: "✓ Done"}, nil
}

func runSetUserAgent(ctx context.Context, c *actions.Call) (actions.Result, error) {
	text := strings.TrimSpace(c.String("text"))
	if text == none {
		text = ""
	} else if text == "" || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
		return actions.Result{}, c.Invalid("set user-agent expects a line of text, or none, got " +
			wording.Quote(c.String("text")))
	}
	_, seen, err := emulate(ctx, c, func(browser *engine.Context, page *engine.Page) error {
		return emulation.SetUserAgent(ctx, browser, page, text)
	})
	if err != nil {
		return actions.Result{}, err
	}
	if text != "" && seen.UserAgent != text {
		return actions.Result{}, unseenSetting("the user agent", text, seen.UserAgent)
	}
	return actions.Result{Data: UserAgent{seen.UserAgent}, Text: "✓ Done"}, nil
}

func runSetPermissions(ctx context.Context, c *actions.Call) (actions.Result, error) {
	names, setting := c.Strings("names"), "granted"
	switch {
	case c.Bool("deny") && c.Bool("prompt"):
		return actions.Result{}, c.Invalid("--deny and --prompt exclude each other.")
	case c.Bool("deny"):
		setting = "denied"
	case c.Bool("prompt"):
		setting = "prompt"
	}
	origin := ""
	if c.Has("origin") {
		if origin = urls.Origin(c.String("origin")); origin == "" {
			return actions.Result{}, c.Invalid("--origin expects an address such as https://example.com, got " +
				wording.Quote(c.String("origin")))
		}
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	browser := tab.Page.Context()
	if slices.Equal(names, []string{"reset"}) {
		return actions.Result{Data: Permissions{Reset: true}, Text: "✓ Done"}, emulation.ResetPermissions(ctx, browser)
	}
	for _, name := range names {
		err := emulation.SetPermission(ctx, browser, name, setting, origin)
		if refusal := emulation.Refused(err); refusal != "" {
			return actions.Result{}, c.Invalid("set permissions: the browser refuses " + wording.Quote(name) + ": " + refusal)
		}
		if err != nil {
			return actions.Result{}, err
		}
	}
	return actions.Result{Data: Permissions{Permissions: names, Setting: setting}, Text: "✓ Done"}, nil
}

func runSetCPU(ctx context.Context, c *actions.Call) (actions.Result, error) {
	rate := c.Float("rate")
	if rate < 1 || rate > 1000 {
		return actions.Result{}, c.Invalid("set cpu expects how many times slower, from 1 to 1000, got " +
			wording.Quote(c.String("rate")))
	}
	tab, err := run.Reachable(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	if err := emulation.SetCPU(ctx, tab.Page.Context(), tab.Page, rate); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: CPU{rate}, Text: "✓ Done"}, nil
}
