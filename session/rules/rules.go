package rules

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/guard/flow"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
	"github.com/skua-browser/skua/session/launch"
)

// Set are the rules of a session. Calls only add to them until the session closes, and the strictest rule counts: a
// call that omits a flag or names a laxer file changes nothing.
type Set struct {
	owner    *policy.Owner // of the process; never changes
	registry *actions.Registry
	words    func() policy.Vocabulary // the names that rules may use

	mu     sync.Mutex
	rules  []*policy.Actions
	files  []policyFile     // which are among the rules
	broken map[string]error // unusable policy files, by path

	// granted are the policies that may allow by name what would get around rules: those of the session's first rules. A
	// caller under rules cannot add one.
	granted []*policy.Actions
	sealed  bool // the session has rules, so that nothing more is granted

	roots policy.Roots
	gated bool // there are network rules

	gates    map[string]string     // the network rules of earlier calls, by flag
	ceilings []policy.NetworkRules // the network rules of environments and configuration files
	unruled  *launch.External      // the running browser that the session had before it had rules
}

// New returns the rules of a new session: only the owner's apply.
func New(owner *policy.Owner, registry *actions.Registry, words func() policy.Vocabulary) *Set {
	return &Set{owner: owner, registry: registry, words: words}
}

// policyFile is a policy file and the checksum of what was read.
type policyFile struct {
	path string
	sum  [sha256.Size]byte
}

// Limits of a set.
const (
	maxRules    = 32      // files, versions of files and lists
	policyBytes = 1 << 20 // of a file
)

// legacyPolicy is the older name of the variable for --action-policy, after SKUA_ or AGENT_BROWSER_.
const legacyPolicy = "POLICY"

// Apply adds the rules of a call: of its command line, environment and configuration files, since none of them may hide
// another's rules. A wrong list is an error; an unusable policy file denies everything.
//
// The notes are for the session's user.
func (r *Set) Apply(
	in *actions.Input, getenv func(string) string, path func(string) string,
) (notes []string, err error) {
	if err := r.applyRoots(in, getenv, path); err != nil {
		return nil, err
	}
	if in.Ruled("confirm-actions") {
		for _, source := range in.Statements("confirm-actions", getenv) {
			if err := r.applyConfirmList(source); err != nil {
				return nil, err
			}
		}
	}
	if in.Ruled("flows") {
		for _, source := range in.Statements("flows", getenv) {
			if err := r.applyFlows(source, in.String("known")); err != nil {
				return nil, err
			}
		}
	}
	if in.Ruled("action-policy") || legacyPolicyFile(getenv) != "" {
		for _, source := range policyFiles(in, getenv) {
			if note := r.applyPolicyFile(path(expandHome(source.Words[0], getenv))); note != "" {
				notes = append(notes, note)
			}
		}
	}
	return notes, nil
}

// Seal fixes what the session's rules grant, with the call that brought the first rules. That call itself may choose
// how its browser starts, since its author wrote the rules. The caller must close what was opened without rules.
func (r *Set) Seal(in *actions.Input, gated bool) (sealed, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gated = r.gated || gated
	if r.sealed || !r.ruledLocked() {
		return false, false
	}
	r.sealed, r.granted = true, slices.Clone(r.rules)
	return true, !r.owner.Any() && slices.ContainsFunc(ruleFlags, in.Typed)
}

// expandHome expands a path that may start with ~.
func expandHome(path string, getenv func(string) string) string {
	if home := getenv("HOME"); home != "" && (path == "~" || strings.HasPrefix(path, "~/")) {
		return home + path[1:]
	}
	return path
}

func (r *Set) applyConfirmList(source grammar.FlagSource) error {
	list, err := confirmList(source, r.words())
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range slices.Concat(r.owner.Actions(), r.rules) {
		if len(a.Allow)+len(a.Deny) == 0 && a.Default == "" && slices.Equal(a.Confirm, list.Confirm) {
			return nil
		}
	}
	return r.addLocked(list)
}

// applyFlows adds a rule for what goes from one site to another.
func (r *Set) applyFlows(source grammar.FlagSource, known string) error {
	a, err := flowRules(source, known)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	same := func(other *policy.Actions) bool {
		return other.Flows.Mode == a.Flows.Mode && (r.sealed || slices.Equal(other.Known, a.Known))
	}
	if slices.ContainsFunc(slices.Concat(r.owner.Actions(), r.rules), same) {
		return nil
	}
	return r.addLocked(a)
}

// Flows returns what the rules say of a text of one site that would go to another, and the texts that the owner of the
// task gave. several says that the session's pages may be of several hosts by its network rules.
func (r *Set) Flows(several bool) (flows flow.Rules, known []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.rules) > 0 || r.owner.Any() {
		flows, known = policy.Flows(slices.Concat(r.owner.Actions(), r.rules), r.grantingLocked())
	}
	if several && flows.Mode == flow.Off {
		flows.Mode = flow.Log
	}
	return flows, known
}

func (r *Set) addLocked(a *policy.Actions) error {
	if len(r.rules) == maxRules {
		return fault.New(fault.PolicyBlocked, "The session already has %d lists of rules, which all apply.", maxRules).
			WithHint("`close` ends the session and its rules.")
	}
	r.rules = append(r.rules, a)
	return nil
}

// applyPolicyFile reads a policy file, unless this version of it was read already.
func (r *Set) applyPolicyFile(path string) (note string) {
	data, err := readPolicy(path)
	sum := sha256.Sum256(data)
	r.mu.Lock()
	defer r.mu.Unlock()
	former := false
	for _, f := range r.files {
		if f.path != path {
			continue
		}
		former = true
		if err == nil && f.sum == sum {
			delete(r.broken, path)
			return ""
		}
	}
	var rules *policy.Actions
	if err == nil {
		rules, err = policy.Parse(data, path, r.words())
	}
	if err == nil && !r.owner.Has(rules) {
		err = r.addLocked(rules)
	}
	if err != nil {
		if r.broken == nil {
			r.broken = map[string]error{}
		}
		r.broken[path] = err
		return ""
	}
	delete(r.broken, path)
	r.files = append(r.files, policyFile{path, sum})
	if former {
		note = "the policy " + path + " has changed; its earlier rules also apply until the session is closed"
	}
	return note
}

// readPolicy reads a policy. Rules are asked at places without a deadline; the reader has its own.
func readPolicy(path string) ([]byte, error) {
	return userfile.Read(context.Background(), path, policyBytes)
}

// Forget removes the rules when the session closes.
func (r *Set) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rules, r.files, r.broken, r.roots = nil, nil, nil, policy.Roots{}
	r.granted, r.sealed, r.gated = nil, false, false
	r.gates, r.ceilings, r.unruled = nil, nil, nil
}

// InForce returns the rules that apply, for display.
func (r *Set) InForce() []policy.Rule {
	r.mu.Lock()
	defer r.mu.Unlock()
	rules := []policy.Rule{}
	for _, path := range slices.Sorted(maps.Keys(r.broken)) {
		rules = append(rules, policy.Rule{
			Kind: policy.Action,
			Text: "deny all, since the policy failed to load: " + r.broken[path].Error(),
			From: path,
		})
	}
	for _, a := range r.rules {
		rules = append(rules, a.Rules()...)
	}
	return append(rules, r.roots.Rules()...)
}

// ruledLocked reports whether any rule of the owner or the session applies. The caller holds r.mu.
func (r *Set) ruledLocked() bool {
	return r.owner.Any() || len(r.rules)+len(r.broken) > 0 || r.roots.Given() || r.gated
}

// ungrantedLocked returns what a command does that would get around rules and that no rule allows by name; nil:
// nothing.
func (r *Set) ungrantedLocked(in *actions.Input, requests []policy.ActionRequest, by *Requester) *policy.ActionRequest {
	for i := range requests {
		d := &requests[i]
		free := !d.Granted || by.First && (d.Option != "" || d.Remote != nil) || d.Remote != nil && by.names(in, d)
		if !free && !policy.Grants(r.grantingLocked(), *d) {
			return d
		}
	}
	return nil
}

// grantingLocked returns the policies that may allow by name what would get around rules.
func (r *Set) grantingLocked() []*policy.Actions {
	if r.owner.Any() {
		return r.owner.Actions()
	}
	return r.granted
}

// Judge returns the verdict of the rules on a command: the first of the strictest ones. What would get around rules
// altogether is refused if there are any, unless their owner allows it by name.
func (r *Set) Judge(in *actions.Input, by Requester) policy.Verdict {
	cmd := in.Command()
	// Outside the lock: a session takes the rules' lock under its own, so the rules must not wait for the session.
	launches := !cmd.Effect.Has(actions.NoBrowser) && !cmd.Rows && !by.Running()
	if by.Browser != nil {
		by.browser = by.Browser()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ruledLocked() {
		return policy.Verdict{}
	}
	requests := r.registry.ActionRequests(in, by.Agent)
	if launches {
		launch := policy.ActionRequest{
			Action: actions.LaunchAction,
			Names:  []string{actions.LaunchAction},
			Reach:  policy.WhenNamed,
		}
		requests = append([]policy.ActionRequest{launch}, requests...)
	}
	for path, err := range r.broken {
		if cmd.EndsSession() || cmd.Safety.Reach == policy.Never {
			break
		}
		action := requests[len(requests)-1].Action
		return policy.Verdict{
			Effect: policy.Forbid,
			Action: action,
			Rule:   "policy failed to load",
			From:   path,
			Reason: "action policy failed to load: " + strings.TrimSuffix(err.Error(), ".") + " (" + path + ")",
		}
	}
	v := policy.Strictest(slices.Concat(r.owner.Actions(), r.rules), requests)
	if v.Effect < policy.Forbid {
		if d := r.ungrantedLocked(in, requests, &by); d != nil {
			return policy.NotAllowedByName(*d)
		}
		if r.signsInElsewhereLocked(in, requests, &by) {
			return policy.UnnamedBrowser(requests[0].Action)
		}
	}
	return v
}

// Any reports whether the session has rules that would be lost with it.
func (r *Set) Any() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.rules)+len(r.broken)+len(r.granted) > 0 || r.roots.Given()
}
