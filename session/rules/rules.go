package rules

import (
	"crypto/sha256"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
)

// Set is what the owner of a session has said about actions. It is only ever added to until the session is closed, and the strictest of
// all rules counts: a call that leaves a flag out, or that names a laxer file, loosens nothing.
type Set struct {
	owner    *policy.Owner // of the process; never changes
	registry *actions.Registry
	words    func() policy.Vocabulary // the names that rules may use

	mu     sync.Mutex
	rules  []*policy.Actions
	files  []policyFile     // which are among the rules
	broken map[string]error // files that could not be read, by path

	// granted is what allows by name what would get around rules: the policies that came with the session's first rules. Who works under rules
	// cannot add one.
	granted []*policy.Actions
	sealed  bool // the session has had rules, so that no more is granted

	roots policy.Roots
	gated bool // there are rules about hosts
}

// New returns the rules of a session that has none of its own: the owner's hold.
func New(owner *policy.Owner, registry *actions.Registry, words func() policy.Vocabulary) *Set {
	return &Set{owner: owner, registry: registry, words: words}
}

// policyFile is a policy file as it was read.
type policyFile struct {
	path string
	sum  [sha256.Size]byte
}

// Bounds of a ruling.
const (
	maxRules    = 32      // files, versions of files and lists
	policyBytes = 1 << 20 // of a file
)

// legacyPolicy is the older name of the variable for --action-policy, after SKUA_ or AGENT_BROWSER_.
const legacyPolicy = "POLICY"

// Heed adds what a call says to the rules: on its command line, in the environment and in configuration files, since a command line must not
// hide what the others forbid. A wrong list is an error: a policy file that cannot be used denies by itself.
//
// The notes are what the session's user has to know of it.
func (r *Set) Heed(in *actions.Input, getenv func(string) string, path func(string) string) (notes []string, err error) {
	if err := r.heedRoots(in, getenv, path); err != nil {
		return nil, err
	}
	if in.Ruled("confirm-actions") {
		for _, said := range in.Statements("confirm-actions", getenv) {
			if err := r.heedConfirm(said); err != nil {
				return nil, err
			}
		}
	}
	if in.Ruled("action-policy") || legacyPolicyFile(getenv) != "" {
		for _, said := range policyFiles(in, getenv) {
			if note := r.heedFile(path(fromHome(said.Words[0], getenv))); note != "" {
				notes = append(notes, note)
			}
		}
	}
	return notes, nil
}

// Seal ends what the session's rules grant with the call that brought the first of them. That call itself is free to say how its browser is
// started: who wrote it wrote the rules. What was opened without rules would get around them.
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

// fromHome is a path that may begin with the caller's home.
func fromHome(path string, getenv func(string) string) string {
	if home := getenv("HOME"); home != "" && (path == "~" || strings.HasPrefix(path, "~/")) {
		return home + path[1:]
	}
	return path
}

func (r *Set) heedConfirm(said actions.Statement) error {
	list, err := confirmList(said, r.words())
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

func (r *Set) addLocked(a *policy.Actions) error {
	if len(r.rules) == maxRules {
		return fault.New(fault.PolicyBlocked, "The session has %d lists of rules already, which all count.", maxRules).
			WithHint("`close` ends the session and its rules.")
	}
	r.rules = append(r.rules, a)
	return nil
}

// heedFile reads a policy file, unless it is among the rules as it is.
func (r *Set) heedFile(path string) (note string) {
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
		note = "the policy " + path + " has changed; what it said before stands, too, until the session is closed"
	}
	return note
}

func readPolicy(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		if cause, ok := errors.AsType[*os.PathError](err); ok {
			err = cause.Err
		}
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("it is no file")
	}
	return io.ReadAll(io.LimitReader(f, policyBytes+1))
}

// Forget ends the rules with the session.
func (r *Set) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rules, r.files, r.broken, r.roots = nil, nil, nil, policy.Roots{}
	r.granted, r.sealed, r.gated = nil, false, false
}

// Standing returns the rules as they are shown.
func (r *Set) Standing() []policy.Rule {
	r.mu.Lock()
	defer r.mu.Unlock()
	rules := []policy.Rule{}
	for _, path := range slices.Sorted(maps.Keys(r.broken)) {
		rules = append(rules, policy.Rule{Kind: policy.Action, Text: "deny all, since the policy failed to load: " + r.broken[path].Error(), From: path})
	}
	for _, a := range r.rules {
		rules = append(rules, a.Rules()...)
	}
	return append(rules, r.roots.Rules()...)
}

// ruledLocked reports whether any rule stands, of the process's owner or of the session. The caller holds r.mu.
func (r *Set) ruledLocked() bool {
	return r.owner.Any() || len(r.rules)+len(r.broken) > 0 || r.roots.Given() || r.gated
}

// ungrantedLocked returns what a command does that would get around rules and that nobody has allowed by name; nil: nothing.
func (r *Set) ungrantedLocked(deeds []policy.Deed, by Requester) *policy.Deed {
	granting := r.granted
	if r.owner.Any() {
		granting = r.owner.Actions()
	}
	for i := range deeds {
		d := &deeds[i]
		free := !d.Granted || by.First && (d.Action == actions.ExecutableAction || d.Action == actions.SwitchesAction)
		if !free && !policy.Grants(granting, *d) {
			return d
		}
	}
	return nil
}

// Requester is who asks for a command, as far as rules mind.
type Requester struct {
	Agent bool // it came by way of the tool
	First bool // it is of the call that brought the first rules

	Running func() bool // reports whether the command's session has a browser, so that none has to be started
}

// Judge asks the rules about a command. The first of the strictest verdicts counts.
//
// What would get around rules altogether is refused wherever there are some, unless their owner allows it by name.
func (r *Set) Judge(in *actions.Input, by Requester) policy.Verdict {
	cmd := in.Command()
	// Before the lock: a session that is locked locks its rules, so that the rules must not wait for the session.
	launches := !cmd.Effect.Has(actions.NoBrowser) && !cmd.Rows && !by.Running()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ruledLocked() {
		return policy.Verdict{}
	}
	deeds := r.registry.ActionRequests(in, by.Agent)
	if launches {
		launch := policy.Deed{Action: actions.LaunchAction, Names: []string{actions.LaunchAction}, Reach: policy.WhenNamed}
		deeds = append([]policy.Deed{launch}, deeds...)
	}
	for path, err := range r.broken {
		if cmd.Is(trait.EndsSession) || cmd.Policy.Reach == policy.Never {
			break
		}
		action := deeds[len(deeds)-1].Action
		return policy.Verdict{
			Effect: policy.Forbid, Action: action, Rule: "policy failed to load", From: path,
			Reason: "action policy failed to load: " + strings.TrimSuffix(err.Error(), ".") + " (" + path + ")",
		}
	}
	v := policy.Strictest(slices.Concat(r.owner.Actions(), r.rules), deeds)
	if v.Effect < policy.Forbid {
		if d := r.ungrantedLocked(deeds, by); d != nil {
			return policy.NotNamed(*d)
		}
	}
	return v
}

// Any reports whether there are rules that would be lost with the session: they hold until it is closed.
func (r *Set) Any() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.rules)+len(r.broken)+len(r.granted) > 0 || r.roots.Given()
}
