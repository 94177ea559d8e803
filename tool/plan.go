package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// plan is where a call runs.
type plan struct {
	effective []string // the whole command line
	key       sessionKey
	stateless bool // it needs no session
	implicit  bool
}

// sessionKey names a session.
type sessionKey struct{ namespace, name string }

// managed is the session that the tool keeps for its caller.
type managed struct {
	name   string
	active bool
}

// sessionState is what the tool knows of a session.
type sessionState struct {
	turn chan struct{} // holds one token; who has it runs, and may read and write what follows

	target contract.PageTarget // the page that it shows, as far as answers have told
}

func (t *Tool) session(key sessionKey) *sessionState {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.sessions[key]
	if s == nil {
		s = &sessionState{turn: make(chan struct{}, 1)}
		t.sessions[key] = s
	}
	return s
}

// planSession decides which session the call works in and what is really run.
func (c *call) planSession() *refusal {
	c.plan.key.name = c.words.Session
	c.plan.effective = append([]string{"--json"}, c.args...)
	if c.plan.key.name == "" {
		sum := sha256.Sum256([]byte("cwd:" + c.tool.options.Cwd + c.tool.options.SessionID))
		c.plan.key.name, c.plan.implicit = "piab-"+hex.EncodeToString(sum[:6]), true
		c.plan.effective = slices.Insert(c.plan.effective, 1, "--session", c.plan.key.name)
	}
	c.details.SessionName, c.details.UsedImplicitSession = c.plan.key.name, &c.plan.implicit
	c.state = c.tool.session(c.plan.key)
	return nil
}

// enter waits for the session's turn.
func (c *call) enter(ctx context.Context) (leave func(), err error) {
	select {
	case c.state.turn <- struct{}{}:
		return func() { <-c.state.turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// closeManaged ends the sessions that the tool made.
func (t *Tool) closeManaged(ctx context.Context) error {
	t.mu.Lock()
	active, name := t.managed.active, t.managed.name
	t.mu.Unlock()
	if active {
		t.backend.Run(ctx, backend.Invocation{Args: []string{"--json", "--session", name, "close"}, Cwd: t.options.Cwd, Env: t.options.Env})
	}
	return nil
}
