package testbackend

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/tool/backend"
)

// StandIn answers as it is told to.
type StandIn struct {
	Abilities backend.Abilities
	// by command line, without the session; a line that is missing succeeds with no data
	Answers map[string]backend.Answer
	Ran     []backend.Invocation
}

// Name returns the name of no real backend.
func (*StandIn) Name() backend.Name { return "stand-in" }

// Can returns the abilities that it was given.
func (s *StandIn) Can() backend.Abilities { return s.Abilities }

// Close ends nothing.
func (*StandIn) Close(context.Context) error { return nil }

// Place allows each file.
func (*StandIn) Place(_ backend.Invocation, file string) (policy.Destination, error) {
	return policy.Roots{}.Destination(file)
}

// Run answers a command line. It is not for several goroutines.
func (s *StandIn) Run(_ context.Context, inv backend.Invocation) backend.Answer {
	s.Ran = append(s.Ran, inv)
	a, told := s.Answers[Line(inv)]
	a.Started = true
	if !told {
		a.Success = true
	}
	if !a.Success {
		a.ExitCode = max(a.ExitCode, 1)
	}
	a.ReadFacts(inv.Args)
	return a
}

// Lines are the command lines that were run, without their sessions.
func (s *StandIn) Lines() []string {
	lines := make([]string, 0, len(s.Ran))
	for _, inv := range s.Ran {
		lines = append(lines, Line(inv))
	}
	return lines
}

// Line is the command line of an invocation, without --json and the session.
func Line(inv backend.Invocation) string {
	args := slices.Clone(inv.Args)
	for _, flag := range []string{"--session", "--namespace"} {
		if i := slices.Index(args, flag); i >= 0 && i+1 < len(args) {
			args = slices.Delete(args, i, i+2)
		}
	}
	args = slices.DeleteFunc(args, func(word string) bool { return word == "--json" })
	return strings.Join(args, " ")
}

// Log drops what is logged.
func Log() *slog.Logger { return slog.New(slog.DiscardHandler) }
