package launch

import (
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// GateFlags are the launch flags for network rules. The value of a flag applies until the session closes or a call
// gives the flag again: a call without it does not lift the rule.
var GateFlags = []string{policy.FlagDomains, policy.FlagResources, policy.FlagBlockPrivate, policy.FlagAllowPrivate}

func isGateFlag(name string) bool {
	return slices.Contains(GateFlags, name)
}

// WithGates returns the launch with its network rules among the given options.
func (l Options) WithGates() Options {
	if len(l.Gates) > 0 {
		l.Given = maps.Clone(l.Given)
		maps.Copy(l.Given, l.Gates)
	}
	return l
}

// missingRules returns, as flags, the rules above those of the call that the running browser was started without.
func (l Options) missingRules(running Options) []string {
	if running.Network.Includes(l.Above) {
		return nil
	}
	var flags []string
	for _, r := range l.Above.Rules() {
		flags = append(flags, r.From+" ("+r.Text+")")
	}
	return flags
}

// CheckGated returns an error if the running browser lacks network rules of the call.
func CheckGated(differ []string) error {
	for _, flag := range differ {
		if name, _, _ := strings.Cut(strings.TrimPrefix(flag, "--"), " "); isGateFlag(name) {
			return fault.New(fault.PolicyBlocked, "the session's browser is already running without %s; nothing was done", flag).
				About("--" + name).
				WithHint("`open` a URL with it to restart the browser, `close` the session first, or use another --session.")
		}
	}
	return nil
}

// HostResolverRules returns the value of the launch's --host-resolver-rules switch.
func (l Options) HostResolverRules() string {
	rules := ""
	for _, a := range l.Browser.Args {
		if v, ok := strings.CutPrefix(a, "--host-resolver-rules="); ok {
			rules = v // the last one applies
		}
	}
	return rules
}
