package conversation

import (
	"context"
	"encoding/json"
	"time"

	"github.com/skua-browser/skua/tool/backend"
)

// Visit is the stay of a call in a session, whose turn it has.
type Visit struct {
	Sessions *Sessions
	Key      Key
	State    *State
}

// Can returns what the session's backend does.
func (v *Visit) Can() backend.Abilities { return v.Sessions.o.Backend.Can() }

// Invocation is a command line in the session, without one.
func (v *Visit) Invocation(timeout time.Duration) backend.Invocation {
	s := v.Sessions
	return backend.Invocation{
		Cwd:       s.o.Cwd,
		Env:       s.o.Env,
		Timeout:   timeout,
		Session:   v.Key.Name,
		Namespace: v.Key.Namespace,
		Attached:  v.State.Attached,
	}
}

// Run runs a command line.
func (v *Visit) Run(ctx context.Context, inv backend.Invocation) backend.Answer {
	return v.Sessions.o.Backend.Run(ctx, inv)
}

// Ask runs a further command in the session, for what the tool itself wants to know.
func (v *Visit) Ask(ctx context.Context, timeout time.Duration, args ...string) backend.Answer {
	inv := v.Invocation(timeout)
	inv.Args = v.Key.Line(args...)
	return v.Run(ctx, inv)
}

// Get asks the session for a text; empty means that it has none, or did not answer.
func (v *Visit) Get(ctx context.Context, timeout time.Duration, what string) string {
	a := v.Ask(ctx, timeout, "get", what)
	return backend.Read[map[string]string](&a)[what]
}

// AskRows runs further commands in the session, in one go.
func (v *Visit) AskRows(ctx context.Context, timeout time.Duration, rows [][]string) []backend.Row {
	if len(rows) == 0 {
		return nil
	}
	stdin, err := json.Marshal(rows)
	if err != nil {
		return nil
	}
	inv := v.Invocation(timeout)
	inv.Args, inv.Stdin = v.Key.Line("batch"), stdin
	return v.Run(ctx, inv).Rows
}
