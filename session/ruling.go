package session

import (
	"context"
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
	"github.com/skua-browser/skua/policy"
)

// ruling is what the owner of a session has said about actions. It is only ever added to until the session is closed, and the strictest of
// all rules counts: a call that leaves a flag out, or that names a laxer file, loosens nothing.
type ruling struct {
	mu     sync.Mutex
	rules  []*policy.Actions
	files  []policyFile     // which are among the rules
	broken map[string]error // files that could not be read, by path

	// granted is what allows by name what would get around rules: the policies that came with the session's first rules. Who works under rules
	// cannot add one.
	granted []*policy.Actions
	sealed  bool // the session has had rules, so that no more is granted

	roots policy.Roots
	gated bool    // there are rules about hosts
	held  []*held // commands that wait to be confirmed, the oldest first
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

// heed adds what a call says to the rules: on its command line, in the environment and in configuration files, since a command line must not
// hide what the others forbid. A wrong list is an error: a policy file that cannot be used denies by itself.
func (s *Session) heed(in *actions.Input, getenv func(string) string, path func(string) string) error {
	if err := s.heedRoots(in, getenv, path); err != nil {
		return err
	}
	if in.Ruled("confirm-actions") {
		for _, said := range in.Statements("confirm-actions", getenv) {
			if err := s.heedConfirm(said); err != nil {
				return err
			}
		}
	}
	if in.Ruled("action-policy") || legacyPolicyFile(getenv) != "" {
		for _, said := range policyFiles(in, getenv) {
			s.heedFile(path(fromHome(said.Words[0], getenv)))
		}
	}
	return nil
}

// seal ends what the session's rules grant with the call that brought the first of them. That call itself is free to say how its browser is
// started: who wrote it wrote the rules.
func (s *Session) seal(in *actions.Input, gated bool) (first bool) {
	r := &s.ruling
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gated = r.gated || gated
	if r.sealed || !s.ruledLocked() {
		return false
	}
	r.sealed, r.granted = true, slices.Clone(r.rules)
	s.inspection.close() // what was opened without rules would get around them
	return !s.manager.owner.Any() && slices.ContainsFunc(ruleFlags, in.Typed)
}

// fromHome is a path that may begin with the caller's home.
func fromHome(path string, getenv func(string) string) string {
	if home := getenv("HOME"); home != "" && (path == "~" || strings.HasPrefix(path, "~/")) {
		return home + path[1:]
	}
	return path
}

func (s *Session) heedConfirm(said actions.Statement) error {
	list, err := confirmList(said, s.manager.words())
	if err != nil {
		return err
	}
	s.ruling.mu.Lock()
	defer s.ruling.mu.Unlock()
	for _, a := range slices.Concat(s.manager.owner.Actions(), s.ruling.rules) {
		if len(a.Allow)+len(a.Deny) == 0 && a.Default == "" && slices.Equal(a.Confirm, list.Confirm) {
			return nil
		}
	}
	return s.ruling.addLocked(list)
}

func (r *ruling) addLocked(a *policy.Actions) error {
	if len(r.rules) == maxRules {
		return fault.New(fault.PolicyBlocked, "The session has %d lists of rules already, which all count.", maxRules).
			WithHint("`close` ends the session and its rules.")
	}
	r.rules = append(r.rules, a)
	return nil
}

// heedFile reads a policy file, unless it is among the rules as it is.
func (s *Session) heedFile(path string) {
	data, err := readPolicy(path)
	sum := sha256.Sum256(data)
	r := &s.ruling
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
			return
		}
	}
	var rules *policy.Actions
	if err == nil {
		rules, err = policy.Parse(data, path, s.manager.words())
	}
	if err == nil && !s.manager.owner.Has(rules) {
		err = r.addLocked(rules)
	}
	if err != nil {
		if r.broken == nil {
			r.broken = map[string]error{}
		}
		r.broken[path] = err
		return
	}
	delete(r.broken, path)
	r.files = append(r.files, policyFile{path, sum})
	if former {
		s.tell("the policy " + path + " has changed; what it said before stands, too, until the session is closed")
	}
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

// forget ends the rules, and what waits, with the session.
func (r *ruling) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, h := range r.held {
		h.timer.Stop()
	}
	r.rules, r.files, r.broken, r.held, r.roots = nil, nil, nil, nil, policy.Roots{}
	r.granted, r.sealed, r.gated = nil, false, false
}

// standing returns the rules as they are shown.
func (r *ruling) standing() []policy.Rule {
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

// ruledLocked reports whether any rule stands, of the process's owner or of the session. The caller holds s.ruling.mu.
func (s *Session) ruledLocked() bool {
	r := &s.ruling
	return s.manager.owner.Any() || len(r.rules)+len(r.broken) > 0 || r.roots.Given() || r.gated
}

// ungrantedLocked returns what a command does that would get around rules and that nobody has allowed by name; nil: nothing.
func (s *Session) ungrantedLocked(deeds []policy.Deed, by requester) *policy.Deed {
	granting := s.ruling.granted
	if owner := s.manager.owner; owner.Any() {
		granting = owner.Actions()
	}
	for i := range deeds {
		d := &deeds[i]
		free := !d.Granted || by.first && (d.Action == actions.ExecutableAction || d.Action == actions.SwitchesAction)
		if !free && !policy.Grants(granting, *d) {
			return d
		}
	}
	return nil
}

// judge asks the rules about a command. The first of the strictest verdicts counts.
//
// What would get around rules altogether is refused wherever there are some, unless their owner allows it by name.
func (r *runner) judge(in *actions.Input) policy.Verdict {
	return r.session.judge(in, requester{agent: r.req.Agent, first: r.first})
}

// requester is who asks for a command, as far as rules mind.
type requester struct {
	agent bool // it came by way of the tool
	first bool // it is of the call that brought the first rules
}

func (s *Session) judge(in *actions.Input, by requester) policy.Verdict {
	r := &s.ruling
	r.mu.Lock()
	defer r.mu.Unlock()
	if !s.ruledLocked() {
		return policy.Verdict{}
	}
	cmd := in.Command()
	deeds := s.manager.registry.Deeds(in, by.agent)
	if !cmd.Effect.Has(actions.NoBrowser) && !cmd.Rows && !s.running() {
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
	v := policy.Strictest(slices.Concat(s.manager.owner.Actions(), r.rules), deeds)
	if v.Effect < policy.Forbid {
		if d := s.ungrantedLocked(deeds, by); d != nil {
			return policy.NotNamed(*d)
		}
	}
	return v
}

// allowed acts on what the rules say of a command. It returns nil when it may run, and else the reply in place of its own.
func (r *runner) allowed(ctx context.Context, in *actions.Input) (*actions.Result, error) {
	v := r.judge(in)
	switch {
	case v.Effect == policy.Permit, v.Effect == policy.Ask && r.approved == in:
		return nil, nil
	case v.Effect == policy.Ask && r.req.Approve != nil:
		switch asked, err := r.askElsewhere(ctx, in, v); {
		case err != nil:
			return nil, err
		case !asked:
			return r.hold(in, v)
		}
		return nil, nil
	case v.Effect == policy.Ask && in.Bool("confirm-interactive"):
		return nil, r.askPerson(ctx, in, v)
	case v.Effect == policy.Ask:
		return r.hold(in, v)
	}
	line, _ := in.Masked()
	r.session.refuse(policy.Action, v.Action, v.Rule, line)
	err := fault.New(fault.PolicyBlocked, "Action '%s' denied by policy: %s", v.Action, v.Reason).About(v.Action).
		With("action", v.Action).With("rule", v.Rule).With("from", v.From)
	switch v.Rule {
	case "policy failed to load":
		err.WithHint("Repair the file, or end the session with `close`.")
	case policy.RuleNotNamed:
		err.WithHint("The owner of the rules can name '%s' in the list \"allow\" of the action policy.", v.Action)
	}
	return nil, err
}
