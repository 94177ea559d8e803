package lease

import (
	"cmp"
	"context"
	"os"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/guard/gate"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/fetch"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/rules"
)

// gateOptions are the options for the host's own connections under the session's rules.
func (s *Starter) gateOptions(l launch.Options) gate.Options {
	return gate.Options{
		Rules:       l.Network,
		Proxy:       l.Context.Proxy,
		ProxyBypass: l.Context.ProxyBypass,
		Getenv:      os.Getenv,
		Resolver:    s.Resolver,
		HostRules:   l.HostResolverRules(),
		Refuse:      s.Refused.Add,
	}
}

// Road returns how this process makes requests of its own for a session whose browser has the options l.
func (s *Starter) Road(ctx context.Context, l launch.Options, getenv func(string) string) (fetch.Options, error) {
	o := s.gateOptions(l)
	o.Getenv = getenv
	return l.Road(ctx, o, s.refuseAddress)
}

// openGate opens the gate for a browser that is about to start with l, and returns l with the gate as its proxy. It
// opens one only under rules, or where the user's proxy needs credentials: Chromium takes none from the proxy's
// address, and workers cannot answer an authentication request. The gate sends them, so the browser never sees them.
func (s *Starter) openGate(l launch.Options) (launch.Options, *gate.Gate, error) {
	if l.Network == nil && !launch.SecretAddress(l.Context.Proxy) {
		return l, nil, nil
	}
	g, err := gate.Open(s.gateOptions(l))
	if err != nil {
		return l, nil, err
	}
	if g.Upstream() && l.Network.BlocksPrivate() {
		s.Notices.Add("the proxy resolves names, so --" + policy.FlagBlockPrivate +
			" sees only addresses that are given literally")
	}
	l.Browser.Gated = true
	l.Context.Proxy, l.Context.ProxyBypass = g.Address(), "<-loopback>"
	return l, g, nil
}

// gateCloser returns a function that closes the gate, if there is one.
func gateCloser(g *gate.Gate) func() {
	return func() {
		if g != nil {
			g.Close()
		}
	}
}

// applyGate applies the network rules to a context. Without a gate, the engine checks the browser's requests.
func (s *Starter) applyGate(ctx context.Context, c *engine.Context, l launch.Options, g *gate.Gate) error {
	if l.Network == nil && g == nil {
		return s.gateFiles(ctx, c, l)
	}
	files := s.Rules.Shows(l.Private)
	rules := &interception.Rules{Refused: s.onRefused, Hosts: l.Network.Hosts()}
	rules.Navigable = func(address string) error { return cmp.Or(files(address), l.Network.Navigable(address)) }
	rules.Loadable = func(address string) error { return cmp.Or(files(address), l.Network.Loadable(address)) }
	if g == nil && l.Network.BlocksPrivate() {
		o := s.gateOptions(l)
		o.Refuse = nil // the engine reports refusals
		dialer, err := gate.NewDialer(o)
		if err != nil {
			return err
		}
		rules.Lookup = dialer.CheckHost
	}
	if g != nil {
		user, password := g.Credentials()
		rules.Proxy = &interception.Proxy{
			Address:  g.Address(),
			User:     user,
			Password: password,
			Greeting: g.ProbeURL(),
			Failed:   g.Failed,
		}
	}
	return c.Gate(ctx, rules)
}

// gateFiles has the rules about files apply to what a context shows at file: addresses, once there are any rules.
func (s *Starter) gateFiles(ctx context.Context, c *engine.Context, l launch.Options) error {
	if !s.Rules.Ruled() {
		return nil
	}
	files := s.Rules.Shows(l.Private)
	return c.Gate(ctx, &interception.Rules{Navigable: files, Loadable: files, Refused: s.onRefused, FilesOnly: true})
}

// GateOpen has the rules about files apply to the browser that the session got before it had any rules. l are the
// options of a call that has them.
func (s *Starter) GateOpen(ctx context.Context, open *Lease, l launch.Options) error {
	if open == nil || open.Browser.Err() != nil || open.Launch.Network != nil || open.Launch.Browser.Gated {
		return nil
	}
	return s.gateFiles(ctx, open.Context, l)
}

// onRefused records what the engine refused. address is empty if the gate has recorded it.
func (s *Starter) onRefused(address string, why error, shown bool) {
	if address != "" {
		s.refuseAddress(address, why)
	}
	if shown {
		s.Notices.Add("refused: " + fault.WithoutHint(why).Error() + "; the tab stays where it was")
	}
}

// refuseAddress records a refused address.
func (s *Starter) refuseAddress(address string, why error) {
	kind, subject, rule := rules.RefusedAddress(address, why)
	s.Refused.Add(kind, subject, rule, "")
}
