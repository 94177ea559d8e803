package session

import (
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/policy"
)

// refuse notes that something was refused in the session. Subject is the action, host, address or file; command is empty when it was a page
// that asked. It may be called from any goroutine, as often as a page likes.
func (s *Session) refuse(kind policy.Kind, subject, rule, command string) {
	s.refused.Add(kind, subject, rule, command)
}

// rules is what a session's owner forbids, for the commands that show it.
type rules struct{ s *inCall }

var _ actions.Rules = rules{}

// Rules returns what the session's owner forbids.
func (s *inCall) Rules() actions.Rules { return rules{s} }

// Standing returns the rules that stand, in the order in which they are asked.
func (r rules) Standing() []policy.Rule {
	rules := []policy.Rule{}
	for _, rule := range slices.Concat(r.s.ruling.standing(), r.s.launch.Network.Rules(), r.s.manager.owner.Rules()) { // networks are within the owner's
		if !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// Refused returns what was refused since the session began, and how much is not among it.
func (r rules) Refused() ([]policy.Refusal, map[policy.Kind]int) { return r.s.refused.Entries() }
