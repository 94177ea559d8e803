package launch

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/browsers/provider"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/internal/fault"
)

// providerBrowser returns a browser that a provider starts for the session and ends when the session leaves it.
func providerBrowser(in *actions.Input, l Options, getenv func(string) string) *External {
	name := in.String("provider")
	given, notes := forProvider(in, l, name)
	request := provider.Request{
		Name: name, Getenv: getenv,
		Launch: provider.Launch{
			Given:          given,
			Headed:         in.Bool("headed"),
			Args:           in.Strings("args"),
			ExecutablePath: l.Browser.ExecutablePath,
			Proxy:          in.String("proxy"),
			ProxyBypass:    in.String("proxy-bypass"),
		},
	}
	return &External{
		Name:     "provider " + endpoint.ShownAddress(name),
		Provider: endpoint.ShownAddress(name),
		Find: func(ctx context.Context) (Endpoint, error) {
			for _, other := range []string{"cdp", "auto-connect"} {
				if _, also := l.Given[other]; also {
					return Endpoint{}, fault.New(fault.Usage, "Cannot use --%s and -p/--provider together", other).About("--"+other).
						WithHint("Leave one of them out; %s comes from %s.", "--"+other, in.Source(other))
				}
			}
			b, err := provider.Start(ctx, request)
			if err != nil {
				return Endpoint{}, err
			}
			return Endpoint{
				Address: b.Address,
				Headers: b.Header,
				About:   b.About,
				Release: b.Release,
				Hide:    b.Hide,
				Notes:   notes,
			}, nil
		},
	}
}

// forProvider returns the launch options to send to a provider. Variables of the environment are often meant for local
// browsers: those that the provider cannot use are skipped with a note.
func forProvider(in *actions.Input, l Options, name string) (given, notes []string) {
	for _, flag := range slices.Sorted(maps.Keys(l.Given)) {
		source := in.Source(flag)
		if !strings.HasPrefix(source, "-") && provider.Check(provider.Request{
			Name:   name,
			Launch: provider.Launch{Given: []string{flag}},
		}) != nil {
			notes = append(notes, source+" does not apply to provider "+endpoint.ShownAddress(name)+" and is ignored")
			continue
		}
		given = append(given, flag)
	}
	return given, notes
}
