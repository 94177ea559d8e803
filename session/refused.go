package session

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/rules"
)

// refuse notes that something was refused in the session. Subject is the action, host, address or file; command is empty when it was a page
// that asked. It may be called from any goroutine, as often as a page likes.
func (s *Session) refuse(kind policy.Kind, subject, rule, command string) {
	s.refused.Add(kind, subject, rule, command)
}

// sessionRules is what a session's owner forbids, for the commands that show it.
type sessionRules struct{ s *inCall }

var _ actions.Rules = sessionRules{}

// Rules returns what the session's owner forbids.
func (s *inCall) Rules() actions.Rules { return sessionRules{s} }

// Standing returns the rules that stand, in the order in which they are asked.
func (r sessionRules) Standing() []policy.Rule {
	rules := []policy.Rule{}
	for _, rule := range slices.Concat(r.s.ruling.Standing(), r.s.launch.Network.Rules(), r.s.manager.owner.Rules()) { // networks are within the owner's
		if !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// Refused returns what was refused since the session began, and how much is not among it.
func (r sessionRules) Refused() ([]policy.Refusal, map[policy.Kind]int) { return r.s.refused.Entries() }

// allowed acts on what the rules say of a command. It returns nil when it may run, and else the reply in place of its own.
func (r *runner) allowed(ctx context.Context, in *actions.Input) (*actions.Result, error) {
	v := r.session.ruling.Judge(in, rules.Requester{Agent: r.req.Agent, First: r.first, Running: r.session.running})
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
