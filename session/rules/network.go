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

// WithNetwork returns the launch of a call with the session's network rules: those of the call, or else of earlier
// calls. The rules of the process owner, the environment and configuration files apply in addition.
func (r *Set) WithNetwork(l launch.Options, in *actions.Input, getenv func(string) string) (launch.Options, error) {
	r.mu.Lock()
	before := r.gates
	l.Ceilings = r.ceilings
	r.mu.Unlock()
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
	l.Network = r.owner.Network()
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

// Started remembers the network rules that a browser has got, which apply to the session's later calls.
func (r *Set) Started(l *launch.Options) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gates, r.ceilings = l.Gates, l.Ceilings
}

// SetUnruled remembers the running browser that the session got before it had rules.
func (r *Set) SetUnruled(b *launch.External) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unruled = b
}

// IsUnruled reports whether the session got a running browser before it had rules.
func (r *Set) IsUnruled(b *launch.External) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return b != nil && r.unruled == b
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
