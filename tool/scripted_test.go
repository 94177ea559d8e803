package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
)

// scripted answers as the agent-browser program would in states that it cannot be brought to at will, such as a tab
// that takes the place of another one. It keeps the lines that it was given, without the session.
type scripted struct {
	answer func(line string, stdin string) backend.Answer

	mu    sync.Mutex
	lines []string
	env   []map[string]string
}

func (s *scripted) Name() backend.Name   { return backend.NameSubprocess }
func (*scripted) Can() backend.Abilities { return new(backend.Subprocess).Can() }

func (s *scripted) Close(context.Context) error { return nil }

func (s *scripted) Place(_ backend.Invocation, file string) (policy.Destination, error) {
	return policy.Roots{}.Destination(file)
}

func (s *scripted) Run(_ context.Context, inv backend.Invocation) backend.Answer {
	var words []string
	for i := 0; i < len(inv.Args); i++ {
		switch inv.Args[i] {
		case "--json":
		case "--session":
			i++
		default:
			words = append(words, inv.Args[i])
		}
	}
	line := strings.Join(words, " ")
	if len(inv.Stdin) > 0 {
		line += " < " + string(inv.Stdin)
	}
	s.mu.Lock()
	s.lines, s.env = append(s.lines, line), append(s.env, inv.Env)
	s.mu.Unlock()
	a := s.answer(strings.Join(words, " "), string(inv.Stdin))
	a.Started = true
	a.ReadFacts(inv.Args)
	if !a.Success {
		a.ExitCode = 1
	}
	return a
}

// ran returns the lines since the last time that it was asked.
func (s *scripted) ran() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := s.lines
	s.lines = nil
	return lines
}

// asJSON is data as a program prints it.
func asJSON(data any) (shaped any) {
	text, err := json.Marshal(data)
	if err != nil || json.Unmarshal(text, &shaped) != nil {
		panic(err)
	}
	return shaped
}

type object = map[string]any

func ok(data any) backend.Answer { return backend.Answer{Success: true, Data: data} }

// answers returns the answer of the longest beginning of a line.
func answers(table map[string]backend.Answer) func(line, stdin string) backend.Answer {
	return func(line, _ string) backend.Answer {
		best := ""
		for start := range table {
			if strings.HasPrefix(line, start) && len(start) > len(best) {
				best = start
			}
		}
		if best == "" {
			return ok(object{})
		}
		return table[best]
	}
}

func newScripted(t testing.TB, answer func(line, stdin string) backend.Answer) (*caller, *scripted) {
	t.Helper()
	s := &scripted{answer: answer}
	return newCallerWith(t, tool.Options{Backend: s, SessionID: t.Name()}), s
}

func requireRan(t testing.TB, s *scripted, want ...string) {
	t.Helper()
	require.Equal(t, want, s.ran())
}
