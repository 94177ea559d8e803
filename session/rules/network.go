package rules

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/launch"
)

// maxCeilings bounds the host lists from environments and configuration files, which apply above those of the calls.
const maxCeilings = 32

// WithNetwork returns the launch with the network rules of a session, whose calls before this one gave the flags in before. l.Ceilings are the lists above
// those of the calls, to which this call may add.
func WithNetwork(l launch.Options, in *actions.Input, getenv func(string) string, owner *policy.Network, before map[string]string) (launch.Options, error) {
	_, ceilings := NetworkRules(in, getenv)
	for _, c := range ceilings {
		if slices.Contains(l.Ceilings, c) {
			continue
		}
		if len(l.Ceilings) == maxCeilings {
			return l, fault.New(fault.PolicyBlocked, "The session already has %d host lists, which all apply.", maxCeilings).
				WithHint("`close` ends the session and its rules.")
		}
		l.Ceilings = append(slices.Clip(l.Ceilings), c)
	}
	l.Network = owner
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

// RefusedAddress returns how a refused address is recorded.
func RefusedAddress(address string, why error) (kind policy.Kind, subject, rule string) {
	kind, rule = policy.Domain, "--"+policy.FlagDomains
	if ruleOf(why) == policy.FlagBlockPrivate {
		kind, rule = policy.Address, "--"+policy.FlagBlockPrivate
	}
	subject = address
	if path, is := policy.FilePath(address); is && ruleOf(why) != policy.FlagDomains {
		return policy.File, path, ruleOf(why)
	}
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		subject = policy.Host(u.Hostname())
	} else if scheme, _, ok := strings.Cut(address, ":"); ok {
		kind, subject = policy.Address, scheme+":"
	}
	return kind, subject, rule
}

// ruleOf returns the rule that a refusal names.
func ruleOf(why error) string {
	f, ok := errors.AsType[*fault.Error](why)
	if !ok {
		return ""
	}
	rule, _ := f.Facts["rule"].(string)
	return rule
}
