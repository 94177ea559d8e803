package network

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/header"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

// networkSetCommands set how the whole session is connected, and what it says of itself to servers.
func networkSetCommands() []actions.Command {
	var presets []string
	for _, p := range connections() {
		presets = append(presets, p.name)
	}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "set offline",
				Group:   actions.GroupNetwork,
				Summary: "Take the session offline, or online again",
				Help: "Applies to all present and future tabs, their frames and workers. Pages see navigator.onLine and the " +
					"events. Settings of `set network` apply again when the session is back online.",
				Args:     []actions.Arg{{Name: "offline", Value: "on|off", Optional: true, Help: "on when not given"}},
				Examples: []actions.Example{{Line: "set offline"}, {Line: "set offline off"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Action: "offline", Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Offline{}}},
			Run:      runSetOffline,
		},
		{
			Spec: actions.Spec{
				Name:    "set network",
				Group:   actions.GroupNetwork,
				Summary: "Slow the network down",
				Help: "The presets are those of DevTools: slow-3g 400 kbit/s and 2 s, fast-3g and slow-4g 1.4 Mbit/s (up 675 " +
					"kbit/s) and 562 ms, fast-4g 8.1 Mbit/s (up 1.35 Mbit/s) and 165 ms; offline; none. Or give your own figures. " +
					"Applies to the whole session, as `set offline` does.",
				Args: []actions.Arg{{Name: "preset", Optional: true, OneOf: presets, Help: "A preset of DevTools"}},
				Flags: []actions.Flag{
					{Name: "latency", Value: "ms", Kind: actions.Number, Help: "The delay before each response"},
					{Name: "down", Value: "kbit/s", Kind: actions.Number, Help: "The download speed"},
					{Name: "up", Value: "kbit/s", Kind: actions.Number, Help: "The upload speed"},
				},
				Examples: []actions.Example{{Line: "set network slow-3g"}, {Line: "set network --latency 300 --down 1000"}, {
					Line: "set network none",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Connection{}}},
			Run:      runSetNetwork,
		},
		{
			Spec: actions.Spec{
				Name:    "set headers",
				Group:   actions.GroupNetwork,
				Summary: "Add headers to all requests",
				Help: "Replaces headers that were set before; {} removes them. They go to the servers of all origins; `open " +
					"--headers` is for one origin. As if the page had set them, they may cause a CORS preflight request before a " +
					"request to another origin.",
				Args: []actions.Arg{{
					Name:   "headers",
					Value:  "json",
					Secret: true,
					Help:   `The headers, as an object: {"X-Name":"value"}`,
				}},
				Examples: []actions.Example{{Line: `set headers '{"X-Test":"1"}'`}, {
					Line: `set headers {}`,
					Note: "none any more",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Action: "headers", Families: policy.Does(), Gives: actions.ToAll},
			Showing:  actions.Showing{Traits: trait.SecretInput | trait.Sets},
			Bindings: actions.Bindings{Data: []any{HeadersSet{}}},
			Run:      runSetHeaders,
		},
		{
			Spec: actions.Spec{
				Name:    "set credentials",
				Aliases: []string{"set auth"},
				Group:   actions.GroupNetwork,
				Summary: "Set the user name and password for HTTP authentication",
				Help: "For HTTP authentication (basic, digest), not for login forms. If the server refuses the credentials, " +
					"the page shows its error response. The browser keeps accepted credentials until the session is closed.",
				Args: []actions.Arg{{Name: "username", Optional: true, Secret: true, Help: "The name"}, {
					Name:     "password",
					Optional: true,
					Secret:   true,
					Help:     "The password",
				}},
				Flags: []actions.Flag{
					{Name: "origin", Value: "address", Help: "Send them only to the server of this address"},
					{Name: "clear", Kind: actions.Bool, Help: "Remove the credentials"},
				},
				Examples: []actions.Example{{Line: "set credentials ada secret"}, {
					Line: "set credentials ada secret --origin https://intranet.example.com",
				}},
				Upstream: []string{"set credentials <user> <pass>"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety: actions.Safety{
				Action:   "credentials",
				Families: policy.Does(),
				Gives:    actions.ToNamed([]string{actions.AllSites}, "origin"),
			},
			Showing:  actions.Showing{Traits: trait.SecretInput | trait.Sets},
			Bindings: actions.Bindings{Data: []any{CredentialsSet{}}},
			Run:      runSetCredentials,
		},
	}
}

func runSetOffline(ctx context.Context, c *actions.Call) (actions.Result, error) {
	off := true
	if c.Has("offline") {
		var err error
		if off, err = grammar.ParseBool(c.String("offline")); err != nil {
			return actions.Result{}, c.Invalid("set offline expects on or off, got " + wording.Quote(c.String("offline")))
		}
	}
	tab, err := run.Reachable(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	to := network.ConditionsOf(tab.Page.Context())
	to.Offline = off
	if err := network.SetConditions(ctx, tab.Page.Context(), tab.Page, &to); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: Offline{off}, Text: "✓ Done"}, nil
}

// connection is a preset of `set network`.
type connection struct {
	name string
	to   network.Conditions
}

// connections are the presets, with the figures that the browser's developer tools have.
func connections() []connection {
	slow4g := network.Conditions{Latency: 562.5, Down: 180_000, Up: 84_375, Connection: "cellular3g"}
	fast4g := network.Conditions{Latency: 165, Down: 1_012_500, Up: 168_750, Connection: "cellular4g"}
	return []connection{
		{"offline", network.Conditions{Offline: true}},
		{"slow-3g", network.Conditions{Latency: 2000, Down: 50_000, Up: 50_000, Connection: "cellular3g"}},
		{"fast-3g", slow4g},
		{"slow-4g", slow4g},
		{"fast-4g", fast4g},
		{"none", network.Conditions{}},
	}
}

func runSetNetwork(ctx context.Context, c *actions.Call) (actions.Result, error) {
	own := c.Has("latency") || c.Has("down") || c.Has("up")
	if !c.Has("preset") && !own {
		return actions.Result{}, c.Missing("preset")
	}
	var to network.Conditions
	if i := slices.IndexFunc(connections(), func(p connection) bool { return p.name == c.String("preset") }); i >= 0 {
		to = connections()[i].to
		if own && (to.Offline || to == (network.Conditions{})) {
			return actions.Result{}, c.Invalid("--latency, --down and --up have no effect with " + c.String("preset") +
				": leave them out.")
		}
	}
	for _, flag := range []struct {
		name string
		to   *float64
		unit float64
	}{{"latency", &to.Latency, 1}, {"down", &to.Down, 125}, {"up", &to.Up, 125}} {
		if !c.Has(flag.name) {
			continue
		}
		n := c.Float(flag.name)
		if n < 0 || n == 0 && flag.name != "latency" {
			return actions.Result{}, c.Invalid("--" + flag.name + " expects a number above 0, got " + c.String(flag.name))
		}
		*flag.to = n * flag.unit
	}
	tab, err := run.Reachable(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	if err := network.SetConditions(ctx, tab.Page.Context(), tab.Page, &to); err != nil {
		return actions.Result{}, err
	}
	data := Connection{
		Offline: to.Offline,
		Latency: to.Latency,
		Down:    to.Down / 125,
		Up:      to.Up / 125,
		Network: c.String("preset"),
	}
	return actions.Result{Data: data, Text: "✓ Done"}, nil
}

func runSetHeaders(ctx context.Context, c *actions.Call) (actions.Result, error) {
	headers, err := header.ParseJSON(c.String("headers"))
	if err != nil {
		return actions.Result{}, c.Invalid("set headers: " + err.Error())
	}
	tab, err := run.Reachable(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	all := map[string]string{}
	names := []string{}
	for _, h := range headers {
		all[h.Name] = h.Value
		names = append(names, h.Name)
	}
	if err := network.SetHeaders(ctx, tab.Page.Context(), tab.Page, all); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: HeadersSet{Set: true, Headers: names}, Text: "✓ Done"}, nil
}

func runSetCredentials(ctx context.Context, c *actions.Call) (actions.Result, error) {
	to := &interception.Credentials{User: c.String("username"), Password: c.String("password")}
	switch {
	case c.Bool("clear") && (c.Has("username") || c.Has("origin")):
		return actions.Result{}, c.Invalid("--clear: it takes no other flag or argument")
	case c.Bool("clear"):
		to = nil
	case !c.Has("password"):
		return actions.Result{}, c.Missing("username", "password")
	case strings.Contains(to.User, ":"):
		return actions.Result{}, c.Invalid("A user name cannot contain a colon in HTTP.")
	}
	if c.Has("origin") {
		address, err := navigate.Address(c, c.String("origin"))
		if err != nil {
			return actions.Result{}, err
		}
		if to.Origin = urls.Origin(address); !strings.HasPrefix(to.Origin, "http") {
			return actions.Result{}, c.Invalid("--origin expects an address such as https://example.com, got " +
				strconv.Quote(c.String("origin")))
		}
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	if err := tab.Page.Context().Requests(tab.Page).SetCredentials(ctx, to); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: CredentialsSet{to != nil}, Text: "✓ Done"}, nil
}
