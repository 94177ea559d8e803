package session

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/rules"
)

// recordRefusal records something that was refused in the session. subject is the action, host, address or file;
// command is empty if a page asked. It may be called from any goroutine, as often as a page likes.
func (s *Session) recordRefusal(kind policy.Kind, subject, rule, command string) {
	s.refused.Add(kind, subject, rule, command)
}

// sessionRules are the session's rules, for the commands that show them.
type sessionRules struct{ s *callSession }

// InForce returns the rules that apply, in the order in which they are checked.
func (r sessionRules) InForce() []policy.Rule {
	rules := []policy.Rule{}
	for _, rule := range slices.Concat(r.s.ruling.InForce(), r.s.Launch.Network.Rules(), r.s.manager.owner.Rules()) {
		// the owner's network rules are among the launch's
		if !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// Refused returns what was refused since the session began, and how much is not listed.
func (r sessionRules) Refused() ([]policy.Refusal, map[policy.Kind]int) { return r.s.refused.Entries() }

// hold puts a command to a person for what is known only when it runs.
func (r *runner) hold(ctx context.Context, in *actions.Input, why string) (*actions.Result, error) {
	return r.askPerson(ctx, in, policy.Verdict{Effect: policy.Ask, Action: in.Name(), Reason: why, Rule: why})
}

// askPerson returns nil if a person has confirmed the command, or else the reply to give instead.
func (r *runner) askPerson(ctx context.Context, in *actions.Input, v policy.Verdict) (*actions.Result, error) {
	switch {
	case r.approved == in || r.asked == in:
		return nil, nil
	case r.req.Approve != nil:
		switch asked, err := r.askApprover(ctx, in, v); {
		case err != nil:
			return nil, err
		case !asked:
			return r.holdForConfirmation(in, v)
		}
	case in.Bool("confirm-interactive"):
		if err := r.askAtTerminal(ctx, in, v); err != nil {
			return nil, err
		}
	default:
		return r.holdForConfirmation(in, v)
	}
	r.asked = in
	return nil, nil
}

// ruledBrowser describes the session's browser to the rules.
func (s *callSession) ruledBrowser() rules.Browser {
	lease := s.Lease()
	if lease == nil {
		return rules.Browser{}
	}
	b := rules.Browser{Has: func(option string) bool {
		return lease.Launch.Given[option] == s.Launch.Given[option] || option == "auto-connect" && lease.Launch.Connect != nil
	}}
	if s.ruling.IsUnruled(lease.Launch.Connect) {
		b.Unruled = lease.Launch.Remote()
	}
	return b
}
