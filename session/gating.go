package session

import (
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/gate"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/rules"
)

// maxCeilings bounds the lists that environments and configuration files have put above those of the session's calls.
const maxCeilings = 32

// gatedAs is the launch with what the session may reach: what the call says, and where it says nothing what was said before. What the owner of the
// process, the environment and configuration files say counts beside that, whatever the call says.
func (s *Session) gatedAs(in *actions.Input, getenv func(string) string, l launch.Options) (launch.Options, error) {
	s.mu.Lock()
	before := s.gates
	l.Ceilings = s.ceilings
	s.mu.Unlock()
	_, ceilings := rules.NetworkRules(in, getenv)
	for _, c := range ceilings {
		if slices.Contains(l.Ceilings, c) {
			continue
		}
		if len(l.Ceilings) == maxCeilings {
			return l, fault.New(fault.PolicyBlocked, "The session has %d lists of hosts already, which all count.", maxCeilings).
				WithHint("`close` ends the session and its rules.")
		}
		l.Ceilings = append(slices.Clip(l.Ceilings), c)
	}
	l.Network = s.manager.owner.Network()
	for _, c := range l.Ceilings {
		n, err := policy.NewNetwork(c)
		if err != nil {
			return l, err
		}
		l.Network = n.Within(l.Network)
	}
	l.Above = l.Network
	merged := map[string]string{}
	for _, name := range launch.GateFlags {
		if v := l.Given[name]; v != "" {
			merged[name] = v
		} else if v := before[name]; v != "" {
			merged[name] = v
		}
	}
	if len(merged) == 0 {
		return l, nil
	}
	n, err := policy.NewNetwork(policy.NetworkRules{
		Domains: merged[policy.FlagDomains], Resources: merged[policy.FlagResources],
		BlockPrivate: merged[policy.FlagBlockPrivate] != "", AllowPrivate: merged[policy.FlagAllowPrivate],
	})
	l.Gates, l.Network = merged, n.Within(l.Network)
	return l, err
}

// gateOptions are how the host itself reaches what the session may reach.
func (s *Session) gateOptions(l launch.Options) gate.Options {
	return gate.Options{
		Rules: l.Network, Proxy: l.Context.Proxy, ProxyBypass: l.Context.ProxyBypass, Getenv: os.Getenv,
		Resolver: s.manager.resolver, HostRules: l.HostResolverRules(), Refuse: s.refuse,
	}
}

// Gate returns what connects as the session's rules allow, and why they do not let an address be asked. Both are nil when everything is allowed.
func (s *inCall) Gate() (dial func(ctx context.Context, network, address string) (net.Conn, error), allow func(address string) error, err error) {
	if s.launch.Network == nil {
		return nil, nil, nil
	}
	o := s.gateOptions(s.launch)
	o.Getenv = s.getenv
	d, err := gate.NewDialer(o)
	if err != nil {
		return nil, nil, err
	}
	return d.DialContext, func(address string) error {
		err := s.launch.Network.Navigable(address)
		if err != nil {
			s.tellRefused(address, err)
		}
		return err
	}, nil
}

// gateFor opens the gate of a browser that is to be started as l says, and has l start one that uses it. Without rules there is none, and
// nothing is changed, unless the user's proxy wants a name and a password: browsers take none with its address, and workers have nobody who could
// answer for them. The gate tells the proxy, and no browser gets to know them.
func (s *Session) gateFor(l launch.Options) (launch.Options, *gate.Gate, error) {
	if l.Network == nil && !launch.SecretAddress(l.Context.Proxy) {
		return l, nil, nil
	}
	g, err := gate.Open(s.gateOptions(l))
	if err != nil {
		return l, nil, err
	}
	if g.Upstream() && l.Network.BlocksPrivate() {
		s.tell("names are resolved by the proxy, so that --" + policy.FlagBlockPrivate + " sees only addresses that are named as such")
	}
	l.Browser.Gated = true
	l.Context.Proxy, l.Context.ProxyBypass = g.Address(), "<-loopback>"
	return l, g, nil
}

// closing is how a gate is closed; nil: there is none.
func closing(g *gate.Gate) func() {
	return func() {
		if g != nil {
			g.Close()
		}
	}
}

// gated has the rules apply to a context. Without a gate the browser is watched in its place.
func (s *Session) gated(ctx context.Context, c *engine.Context, l launch.Options, g *gate.Gate) error {
	if l.Network == nil && g == nil {
		return nil
	}
	rules := &engine.Gating{Navigable: l.Network.Navigable, Loadable: l.Network.Loadable, Refused: s.onRefused, Hosts: l.Network.Hosts()}
	if g == nil && l.Network.BlocksPrivate() {
		o := s.gateOptions(l)
		o.Refuse = nil // the engine tells
		dialer, err := gate.NewDialer(o)
		if err != nil {
			return err
		}
		rules.Lookup = dialer.Look
	}
	if g != nil {
		user, password := g.Credentials()
		rules.Proxy = &engine.GateProxy{Address: g.Address(), User: user, Password: password, Greeting: g.Greeting(), Failed: g.Failed}
	}
	return c.Gate(ctx, rules)
}

// onRefused is told of what the engine refused. An empty address: the gate has told of it.
func (s *Session) onRefused(address string, why error, shown bool) {
	if address != "" {
		s.tellRefused(address, why)
	}
	if shown {
		s.tell("refused: " + fault.WithoutHint(why).Error() + "; the tab stays where it was")
	}
}

// ruleOf is the rule that a refusal names.
func ruleOf(why error) string {
	f, ok := errors.AsType[*fault.Error](why)
	if !ok {
		return ""
	}
	rule, _ := f.Facts["rule"].(string)
	return rule
}

// tellRefused puts a refusal on record.
func (s *Session) tellRefused(address string, why error) {
	kind, rule := policy.Domain, "--"+policy.FlagDomains
	if ruleOf(why) == policy.FlagBlockPrivate {
		kind, rule = policy.Address, "--"+policy.FlagBlockPrivate
	}
	subject := address
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		subject = policy.Host(u.Hostname())
	} else if scheme, _, ok := strings.Cut(address, ":"); ok {
		kind, subject = policy.Address, scheme+":"
	}
	s.refuse(kind, subject, rule, "")
}
