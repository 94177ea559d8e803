package launch

import (
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
)

// GateFlags are the launch flags that say what a session may reach. What one of them said stands until the session is closed, or another call says
// something else with it: a call that leaves it out does not lift it.
var GateFlags = []string{policy.FlagDomains, policy.FlagResources, policy.FlagBlockPrivate, policy.FlagAllowPrivate}

func isGateFlag(name string) bool {
	return slices.Contains(GateFlags, name)
}

// WithGates is the launch with its rules among the options that it was given.
func (l Options) WithGates() Options {
	if len(l.Gates) > 0 {
		l.Given = maps.Clone(l.Given)
		maps.Copy(l.Given, l.Gates)
	}
	return l
}

// NotAbove returns the rules above those of the call that a running browser was not started under, as flags.
func (l Options) NotAbove(running Options) []string {
	if running.Network.Holds(l.Above) {
		return nil
	}
	var flags []string
	for _, r := range l.Above.Rules() {
		flags = append(flags, r.From+" ("+r.Text+")")
	}
	return flags
}

// NotGated refuses to work in a browser that runs without the rules of the call.
func NotGated(differ []string) error {
	for _, flag := range differ {
		if name, _, _ := strings.Cut(strings.TrimPrefix(flag, "--"), " "); isGateFlag(name) {
			return fault.New(fault.PolicyBlocked, "the session's browser runs already, and not with %s; nothing was done", flag).About("--" + name).
				WithHint("`open` an address with it to start the browser anew, `close` the session first, or use another --session.")
		}
	}
	return nil
}

// HostResolverRules is what the switches of the launch say of names.
func (l Options) HostResolverRules() string {
	rules := ""
	for _, a := range l.Browser.Args {
		if v, ok := strings.CutPrefix(a, "--host-resolver-rules="); ok {
			rules = v // the last one counts
		}
	}
	return rules
}
