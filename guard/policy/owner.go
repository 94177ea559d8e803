package policy

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/fault"
)

// Owner is what the owner of a process that serves others has forbidden for all of its sessions. It is made once, when the process starts, and
// never changes: what requests and sessions say is only added to it. A nil Owner forbids nothing.
type Owner struct {
	actions     []*Actions
	roots       Roots
	network     *Network
	selfConfirm bool
	boundaries  bool
	maxOutput   *int
}

// OwnerRules are what an Owner is made of.
type OwnerRules struct {
	Actions     []*Actions
	Roots       Roots
	Networks    []NetworkRules // all of which count
	SelfConfirm bool           // who asked for a command that has to be confirmed may confirm it
	Boundaries  bool           // what pages wrote is marked
	MaxOutput   *int           // characters that a reply may print; nil: all
}

// NewOwner makes the owner's rules. It returns nil when nothing was said.
func NewOwner(r OwnerRules) (*Owner, error) {
	o := &Owner{actions: slices.Clone(r.Actions), roots: r.Roots, selfConfirm: r.SelfConfirm, boundaries: r.Boundaries, maxOutput: r.MaxOutput}
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

// Any reports whether something is forbidden, or has to be confirmed.
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

// Has reports whether the rules are among the owner's.
func (o *Owner) Has(a *Actions) bool {
	return slices.ContainsFunc(o.Actions(), func(own *Actions) bool { return reflect.DeepEqual(own, a) })
}

// Roots returns the folders that files must lie below.
func (o *Owner) Roots() Roots {
	if o == nil {
		return Roots{}
	}
	return o.roots
}

// Network returns what may be reached; nil: everything.
func (o *Owner) Network() *Network {
	if o == nil {
		return nil
	}
	return o.network
}

// SelfConfirm reports whether who asked for a command that has to be confirmed may confirm it.
func (o *Owner) SelfConfirm() bool { return o != nil && o.selfConfirm }

// Boundaries reports whether what pages wrote is marked in any case.
func (o *Owner) Boundaries() bool { return o != nil && o.boundaries }

// MaxOutput returns how many characters a reply may print at most; nil: all.
func (o *Owner) MaxOutput() *int {
	if o == nil {
		return nil
	}
	return o.maxOutput
}

// Grants reports whether one of several rules allows by name what would get around rules.
func Grants(rules []*Actions, d Deed) bool {
	return slices.ContainsFunc(rules, func(a *Actions) bool { return a.grants(d) })
}

// Strictest asks several rules about what is to be done. The first of the strictest verdicts counts.
func Strictest(rules []*Actions, deeds []Deed) Verdict {
	worst := Verdict{}
	for _, a := range rules {
		if v := a.Judge(deeds); v.Effect > worst.Effect {
			worst = v
		}
	}
	return worst
}

// Rules returns the rules as they are shown.
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

// Judge asks the owner's rules alone about what is to be done.
func (o *Owner) Judge(deeds []Deed) Verdict {
	v := Strictest(o.Actions(), deeds)
	if v.Effect == Forbid || !o.Any() {
		return v
	}
	for _, d := range deeds {
		if d.Granted && !Grants(o.actions, d) {
			return NotNamed(d)
		}
	}
	return v
}

// RuleNotNamed is the rule of what is refused because its owner has not allowed it by name.
const RuleNotNamed = "not allowed by name"

// NotNamed is the verdict on what would get around rules.
func NotNamed(d Deed) Verdict {
	return Verdict{
		Effect: Forbid, Action: d.Action, Rule: RuleNotNamed, Reason: "it would get around the rules, whose owner has not allowed it by name",
	}
}

// ForOther returns what another program has to be told to keep the rules: hosts, a policy file, and actions to confirm. The error says which rule it
// cannot keep. Knows reports whether the program knows the name of an action.
func (o *Owner) ForOther(knows func(action string) bool) (domains, file, confirm string, err error) {
	cannot := func(what, from string) error {
		return fault.New(fault.Usage, "%s: agent-browser cannot keep %s", from, what).About(from).WithHint("Use the native backend.")
	}
	if o == nil {
		return "", "", "", nil
	}
	for _, r := range o.roots.Rules() {
		return "", "", "", cannot("roots of files", r.From)
	}
	for n := o.network; n != nil; n = n.within {
		if n.blockPrivate || n.rules.Resources != "" || domains != "" {
			return "", "", "", cannot("more than one list of hosts, and no addresses", "--"+FlagDomains)
		}
		domains = n.rules.Domains
	}
	for _, a := range o.actions {
		for _, name := range slices.Concat(a.Allow, a.Deny, a.Confirm) {
			if !knows(name) {
				return "", "", "", cannot("a rule about '"+name+"', which it does not know by that name", a.From)
			}
		}
		isList := a.Default == "" && len(a.Allow)+len(a.Deny) == 0 && len(a.Confirm) > 0 && !filepath.IsAbs(a.From)
		switch {
		case isList && confirm == "":
			confirm = strings.Join(a.Confirm, ",")
		case !isList && file == "":
			file = a.From
		default:
			return "", "", "", cannot("several policies", a.From)
		}
	}
	return domains, file, confirm, nil
}
