package policy

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// Owner are the rules of a process's owner for all sessions that it serves. They are read once, at the start, and never
// change: requests and sessions only add rules. A nil Owner forbids nothing.
type Owner struct {
	actions     []*Actions
	roots       Roots
	network     *Network
	selfConfirm bool
	boundaries  bool
	maxOutput   *int
}

// OwnerRules are the contents of an Owner.
type OwnerRules struct {
	Actions     []*Actions
	Roots       Roots
	Networks    []NetworkRules // all of which apply
	SelfConfirm bool           // an agent may confirm its own commands
	Boundaries  bool           // page text is marked
	MaxOutput   *int           // maximum characters of a reply; nil means no limit
}

// NewOwner returns the owner's rules, or nil if there are none.
func NewOwner(r OwnerRules) (*Owner, error) {
	o := &Owner{
		actions:     slices.Clone(r.Actions),
		roots:       r.Roots,
		selfConfirm: r.SelfConfirm,
		boundaries:  r.Boundaries,
		maxOutput:   r.MaxOutput,
	}
	for _, rules := range r.Networks {
		n, err := NewNetwork(rules)
		if err != nil {
			return nil, err
		}
		o.network = n.Within(o.network)
	}
	if reflect.DeepEqual(o, &Owner{}) {
		return nil, nil
	}
	return o, nil
}

// Any reports whether something is forbidden or needs confirmation.
func (o *Owner) Any() bool {
	return o != nil && (len(o.actions) > 0 || o.network != nil || o.roots.Given())
}

// Actions returns the rules about actions. Callers must not change them.
func (o *Owner) Actions() []*Actions {
	if o == nil {
		return nil
	}
	return o.actions
}

// Has reports whether the owner has these rules.
func (o *Owner) Has(a *Actions) bool {
	return slices.ContainsFunc(o.Actions(), func(own *Actions) bool { return reflect.DeepEqual(own, a) })
}

// Roots returns the folders that may contain files.
func (o *Owner) Roots() Roots {
	if o == nil {
		return Roots{}
	}
	return o.roots
}

// Network returns the network rules, or nil.
func (o *Owner) Network() *Network {
	if o == nil {
		return nil
	}
	return o.network
}

// SelfConfirm reports whether an agent may confirm its own commands.
func (o *Owner) SelfConfirm() bool { return o != nil && o.selfConfirm }

// Boundaries reports whether page text is always marked.
func (o *Owner) Boundaries() bool { return o != nil && o.boundaries }

// MaxOutput returns the maximum number of characters of a reply; nil means no limit.
func (o *Owner) MaxOutput() *int {
	if o == nil {
		return nil
	}
	return o.maxOutput
}

// Grants reports whether one of several rules allows by name what would get around rules.
func Grants(rules []*Actions, d ActionRequest) bool {
	return slices.ContainsFunc(rules, func(a *Actions) bool { return a.grants(d) })
}

// Strictest returns the strictest verdict of several rules, the first of those.
func Strictest(rules []*Actions, requests []ActionRequest) Verdict {
	worst := Verdict{}
	for _, a := range rules {
		if v := a.Judge(requests); v.Effect > worst.Effect {
			worst = v
		}
	}
	return worst
}

// Rules returns the rules for display.
func (o *Owner) Rules() []Rule {
	if o == nil {
		return nil
	}
	var rules []Rule
	for _, a := range o.actions {
		rules = append(rules, a.Rules()...)
	}
	rules = append(rules, o.network.Rules()...)
	return append(rules, o.roots.Rules()...)
}

// Judge returns the verdict of the owner's rules alone.
func (o *Owner) Judge(requests []ActionRequest) Verdict {
	v := Strictest(o.Actions(), requests)
	if v.Effect == Forbid || !o.Any() {
		return v
	}
	for _, d := range requests {
		if d.Granted && !Grants(o.actions, d) {
			return NotAllowedByName(d)
		}
	}
	return v
}

// RuleNotAllowedByName is the rule of a refusal because the owner has not allowed the action by name.
const RuleNotAllowedByName = "not allowed by name"

// NotAllowedByName is the verdict on what would get around rules.
func NotAllowedByName(d ActionRequest) Verdict {
	return Verdict{
		Effect: Forbid,
		Action: d.Action,
		Rule:   RuleNotAllowedByName,
		Reason: "it would get around the rules, and their owner has not allowed it by name",
	}
}

// RuleUnnamedBrowser is the rule of a refusal to sign in because the session's browser is the caller's choice.
const RuleUnnamedBrowser = "browser not allowed by name"

// UnnamedBrowser is the verdict on signing in in a browser that a caller has chosen before there were rules, and that
// their owner has not named.
func UnnamedBrowser(action string) Verdict {
	return Verdict{
		Effect: Forbid, Action: action, Rule: RuleUnnamedBrowser,
		Reason: "the password would be typed into a browser that the owner of the rules has not named",
	}
}

// AgentBrowserRules are rules as options of agent-browser. Each is empty where there is no such rule.
type AgentBrowserRules struct {
	Domains string // a list of hosts
	File    string // of a policy
	Confirm string // a list of actions
}

// ForAgentBrowser returns the rules as options of agent-browser. The error names a rule that agent-browser cannot
// apply. knows reports whether agent-browser has an action with that name.
func (o *Owner) ForAgentBrowser(knows func(action string) bool) (rules AgentBrowserRules, err error) {
	cannot := func(what, from string) error {
		return fault.New(fault.Usage, "%s: agent-browser cannot keep %s", from, what).About(from).
			WithHint("Use the native backend.")
	}
	if o == nil {
		return rules, nil
	}
	for _, r := range o.roots.Rules() {
		return AgentBrowserRules{}, cannot("roots of files", r.From)
	}
	for n := o.network; n != nil; n = n.within {
		if n.blockPrivate || n.rules.Resources != "" || rules.Domains != "" {
			return AgentBrowserRules{}, cannot("more than one list of hosts, and no addresses", "--"+FlagDomains)
		}
		rules.Domains = n.rules.Domains
	}
	for _, a := range o.actions {
		for _, name := range slices.Concat(a.Allow, a.Deny, a.Confirm) {
			if !knows(name) {
				return AgentBrowserRules{}, cannot("a rule about '"+name+"', which it does not know by that name", a.From)
			}
		}
		isList := a.Default == "" && len(a.Allow)+len(a.Deny) == 0 && len(a.Confirm) > 0 && !filepath.IsAbs(a.From)
		switch {
		case isList && rules.Confirm == "":
			rules.Confirm = strings.Join(a.Confirm, ",")
		case !isList && rules.File == "":
			rules.File = a.From
		default:
			return AgentBrowserRules{}, cannot("several policies", a.From)
		}
	}
	return rules, nil
}
