package session

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/gate"
	"github.com/skua-browser/skua/policy"
)

// gateFlags are the launch flags that say what a session may reach. What one of them said stands until the session is closed, or another call says
// something else with it: a call that leaves it out does not lift it.
var gateFlags = []string{policy.FlagDomains, policy.FlagResources, policy.FlagBlockPrivate, policy.FlagAllowPrivate}

func isGateFlag(name string) bool {
	return slices.Contains(gateFlags, name)
}

// maxCeilings bounds the lists that environments and configuration files have put above those of the session's calls.
const maxCeilings = 32

// gatedAs is the launch with what the session may reach: what the call says, and where it says nothing what was said before. What the owner of the
// process, the environment and configuration files say counts beside that, whatever the call says.
func (s *Session) gatedAs(in *actions.Input, getenv func(string) string, l launch) (launch, error) {
	s.mu.Lock()
	before := s.gates
	l.ceilings = s.ceilings
	s.mu.Unlock()
	_, ceilings := networkRules(in, getenv)
	for _, c := range ceilings {
		if slices.Contains(l.ceilings, c) {
			continue
		}
		if len(l.ceilings) == maxCeilings {
			return l, fault.New(fault.PolicyBlocked, "The session has %d lists of hosts already, which all count.", maxCeilings).
				WithHint("`close` ends the session and its rules.")
		}
		l.ceilings = append(slices.Clip(l.ceilings), c)
	}
	l.network = s.manager.owner.Network()
	for _, c := range l.ceilings {
		n, err := policy.NewNetwork(c)
		if err != nil {
			return l, err
		}
		l.network = n.Within(l.network)
	}
	l.above = l.network
	merged := map[string]string{}
	for _, name := range gateFlags {
		if v := l.given[name]; v != "" {
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
	l.gates, l.network = merged, n.Within(l.network)
	return l, err
}

// withGates is the launch with its rules among the options that it was given.
func (l launch) withGates() launch {
	if len(l.gates) > 0 {
		l.given = maps.Clone(l.given)
		maps.Copy(l.given, l.gates)
	}
	return l
}

// gateOptions are how the host itself reaches what the session may reach.
func (s *Session) gateOptions(l launch) gate.Options {
	return gate.Options{
		Rules: l.network, Proxy: l.context.Proxy, ProxyBypass: l.context.ProxyBypass, Getenv: os.Getenv,
		Resolver: s.manager.resolver, HostRules: hostResolverRules(l.browser.Args), Refuse: s.refuse,
	}
}

// notAbove returns the rules above those of the call that a running browser was not started under, as flags.
func (l launch) notAbove(running launch) []string {
	if running.network.Holds(l.above) {
		return nil
	}
	var flags []string
	for _, r := range l.above.Rules() {
		flags = append(flags, r.From+" ("+r.Text+")")
	}
	return flags
}

// notGated refuses to work in a browser that runs without the rules of the call.
func (s *Session) notGated(differ []string) error {
	for _, flag := range differ {
		if name, _, _ := strings.Cut(strings.TrimPrefix(flag, "--"), " "); isGateFlag(name) {
			return fault.New(fault.PolicyBlocked, "the session's browser runs already, and not with %s; nothing was done", flag).About("--" + name).
				WithHint("`open` an address with it to start the browser anew, `close` the session first, or use another --session.")
		}
	}
	return nil
}

// Gate returns what connects as the session's rules allow, and why they do not let an address be asked. Both are nil when everything is allowed.
func (s *inCall) Gate() (dial func(ctx context.Context, network, address string) (net.Conn, error), allow func(address string) error, err error) {
	if s.launch.network == nil {
		return nil, nil, nil
	}
	o := s.gateOptions(s.launch)
	o.Getenv = s.getenv
	d, err := gate.NewDialer(o)
	if err != nil {
		return nil, nil, err
	}
	return d.DialContext, func(address string) error {
		err := s.launch.network.Navigable(address)
		if err != nil {
			s.tellRefused(address, err)
		}
		return err
	}, nil
}

// hostResolverRules is what the switches say of names.
func hostResolverRules(args []string) string {
	rules := ""
	for _, a := range args {
		if v, ok := strings.CutPrefix(a, "--host-resolver-rules="); ok {
			rules = v // the last one counts
		}
	}
	return rules
}

// gateFor opens the gate of a browser that is to be started as l says, and has l start one that uses it. Without rules there is none, and
// nothing is changed, unless the user's proxy wants a name and a password: browsers take none with its address, and workers have nobody who could
// answer for them. The gate tells the proxy, and no browser gets to know them.
func (s *Session) gateFor(l launch) (launch, *gate.Gate, error) {
	if l.network == nil && !secretAddress(l.context.Proxy) {
		return l, nil, nil
	}
	g, err := gate.Open(s.gateOptions(l))
	if err != nil {
		return l, nil, err
	}
	if g.Upstream() && l.network.BlocksPrivate() {
		s.tell("names are resolved by the proxy, so that --" + policy.FlagBlockPrivate + " sees only addresses that are named as such")
	}
	l.browser.Gated = true
	l.context.Proxy, l.context.ProxyBypass = g.Address(), "<-loopback>"
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
func (s *Session) gated(ctx context.Context, c *engine.Context, l launch, g *gate.Gate) error {
	if l.network == nil && g == nil {
		return nil
	}
	rules := &engine.Gating{Navigable: l.network.Navigable, Loadable: l.network.Loadable, Refused: s.onRefused, Hosts: l.network.Hosts()}
	if g == nil && l.network.BlocksPrivate() {
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
		s.tell("refused: " + plain(why).Error() + "; the tab stays where it was")
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
