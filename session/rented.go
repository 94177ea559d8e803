package session

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/provider"
)

// rented is a browser that a provider starts for the session, and that ends there when the session leaves it.
func rented(in *actions.Input, l launch, getenv func(string) string) *foreign {
	name := in.String("provider")
	given, notes := forProvider(in, l, name)
	request := provider.Request{
		Name: name, Getenv: getenv,
		Launch: provider.Launch{
			Given: given, Headed: in.Bool("headed"), Args: in.Strings("args"), ExecutablePath: l.browser.ExecutablePath,
			Proxy: in.String("proxy"), ProxyBypass: in.String("proxy-bypass"),
		},
	}
	return &foreign{name: "provider " + engine.ShownAddress(name), provider: engine.ShownAddress(name), find: func(ctx context.Context) (endpoint, error) {
		for _, other := range []string{"cdp", "auto-connect"} {
			if _, also := l.given[other]; also {
				return endpoint{}, fault.New(fault.Usage, "Cannot use --%s and -p/--provider together", other).About("--"+other).
					WithHint("Leave one of them out; %s comes from %s.", "--"+other, in.Source(other))
			}
		}
		b, err := provider.Start(ctx, request)
		if err != nil {
			return endpoint{}, err
		}
		return endpoint{address: b.Address, headers: b.Header, about: b.About, release: b.Release, hide: b.Hide, notes: notes}, nil
	}}
}

// forProvider returns the launch options that a provider is asked for. Variables of the environment are often there for browsers of this
// machine: those that the provider cannot take are left out, and a note says so.
func forProvider(in *actions.Input, l launch, name string) (given, notes []string) {
	for _, flag := range slices.Sorted(maps.Keys(l.given)) {
		source := in.Source(flag)
		if !strings.HasPrefix(source, "-") && provider.Check(provider.Request{Name: name, Launch: provider.Launch{Given: []string{flag}}}) != nil {
			notes = append(notes, source+" says nothing to provider "+engine.ShownAddress(name)+" and is left out")
			continue
		}
		given = append(given, flag)
	}
	return given, notes
}

func rentedEnded(session, provider string) *fault.Error {
	return fault.New(fault.BrowserGone, "the browser that provider %s gave session %s has ended", provider, session).About(provider).
		WithHint("Give -p %s again for a new one, or `close` the session: after that it starts a browser of its own.", provider)
}

// said tells in a sentence what the session's browser is.
func (l *lease) said() string {
	if l.about != "" {
		return l.about
	}
	return l.browser.About()
}
