package session

import (
	"context"
	"maps"
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/provider"
)

// rented is a browser that a provider starts for the session, and that ends there when the session leaves it.
func rented(in *actions.Input, l launch, getenv func(string) string) *foreign {
	name := in.String("provider")
	request := provider.Request{
		Name: name, Getenv: getenv,
		Launch: provider.Launch{
			Given: slices.Sorted(maps.Keys(l.given)), Headed: in.Bool("headed"), Args: in.Strings("args"), ExecutablePath: l.browser.ExecutablePath,
			Proxy: in.String("proxy"), ProxyBypass: in.String("proxy-bypass"),
		},
	}
	return &foreign{name: "provider " + engine.ShownAddress(name), provider: engine.ShownAddress(name), find: func(ctx context.Context) (endpoint, error) {
		for _, other := range []string{"cdp", "auto-connect"} {
			if _, given := l.given[other]; given {
				return endpoint{}, fault.New(fault.Usage, "Cannot use --%s and -p/--provider together", other).About("--"+other).
					WithHint("Leave one of them out; %s comes from %s.", "--"+other, in.Source(other))
			}
		}
		b, err := provider.Start(ctx, request)
		if err != nil {
			return endpoint{}, err
		}
		return endpoint{address: b.Address, headers: b.Header, about: b.About, release: b.Release, hide: b.Hide}, nil
	}}
}

// said tells in a sentence what the session's browser is.
func (l *lease) said() string {
	if l.about != "" {
		return l.about
	}
	return l.browser.About()
}
