package tool

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/planning"
)

// sessionKey names a session.
type sessionKey struct{ namespace, name string }

// sessionState is what the tool knows of a session.
type sessionState struct {
	turn turn // who has it runs, and may read and write what follows

	target   contract.PageTarget // the page that it shows, as far as answers have told
	refs     refState
	domains  string // of --allowed-domains
	attached bool   // its browser is not one that was started for it
	drifts   bool   // its active tab has been seen to be another one than what was opened
	unseen   bool   // it shows a page that was not seen yet
	routes   judging.Routes
	tracing  judging.Tracing
}

// sees adds what is newly known of the session's page. Only who has the session's turn may call it.
func (s *sessionState) sees(page contract.PageTarget, ok bool) {
	if ok {
		s.target = planning.Merge(s.target, page)
	}
}

// sessions are what a tool knows of those of one backend.
type sessions struct {
	tool    *Tool
	backend backend.Backend
	env     map[string]string
	turn    turn // of calls in the managed session

	mu      sync.Mutex
	managed planning.Managed
	known   map[sessionKey]*sessionState
	gates   map[string]*gate    // by namespace
	owned   map[sessionKey]bool // that the tool began, and has not seen closed

	idle idle
}

// on returns the sessions of a backend.
func (t *Tool) on(b backend.Backend) *sessions {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.sessions[b]
	if s == nil {
		s = &sessions{
			tool: t, backend: b, env: t.options.Env, turn: newTurn(), managed: planning.Managed{Name: t.names.Base()},
			known: map[sessionKey]*sessionState{}, gates: map[string]*gate{}, owned: map[sessionKey]bool{},
		}
		if b.Name() == backend.NameSubprocess {
			// A backstop for a tool that is killed. Natively a session does not outlive the process, and the tool itself looks after its idle one.
			s.env = maps.Clone(s.env)
			s.env["AGENT_BROWSER_IDLE_TIMEOUT_MS"] = strconv.FormatInt(t.limits.ManagedIdle.Milliseconds(), 10)
		}
		t.sessions[b] = s
	}
	return s
}

// all returns the sessions of all backends that were used.
func (t *Tool) all() []*sessions {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.sessions))
}

func (s *sessions) state(key sessionKey) *sessionState {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.known[key]
	if state == nil {
		state = &sessionState{turn: newTurn()}
		s.known[key] = state
	}
	return state
}

func (s *sessions) gate(namespace string) *gate {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.gates[namespace]
	if g == nil {
		g = newGate()
		s.gates[namespace] = g
	}
	return g
}

func (s *sessions) current() planning.Managed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.managed
}

func (s *sessions) setManaged(m planning.Managed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.managed = m
}

// own notes that the tool began a session, so that its end is the tool's business.
func (s *sessions) own(key sessionKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owned[key] = true
}

func (s *sessions) owns(key sessionKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.owned[key]
}

// forget drops what is known of a session that was closed.
func (s *sessions) forget(key sessionKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, key)
	delete(s.owned, key)
	s.tool.apps.detach(func(gone appSession) bool { return gone == appSession{s.backend, key} })
}

// forgetAll drops what is known of all sessions of a namespace.
func (s *sessions) forgetAll(namespace string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.known {
		if key.namespace == namespace {
			delete(s.known, key)
		}
	}
	for key := range s.owned {
		if key.namespace == namespace {
			delete(s.owned, key)
		}
	}
	s.tool.apps.detach(func(gone appSession) bool { return gone.backend == s.backend && gone.key.namespace == namespace })
}

// close ends one session that the tool began, and returns what the command answered. What the caller or the environment say of namespaces, restored states and configurations does
// not count: the session is where it was begun.
func (s *sessions) close(ctx context.Context, key sessionKey) backend.Answer {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.tool.limits.Close+closeGrace)
	defer cancel()
	answer := s.backend.Run(ctx, backend.Invocation{
		Args: lineIn(key, "close"), Cwd: s.tool.options.Cwd, Env: s.env, Timeout: s.tool.limits.Close,
		Session: key.name, Namespace: key.namespace, NoBrowser: true,
	})
	if !answer.Success {
		s.tool.log.Warn("managed session not closed cleanly", "session", key.name, "error", answer.Error)
	}
	if answer.ClosedSession() {
		s.forget(key)
	}
	return answer
}

// end closes a session as close does, and reports whether it is closed.
func (s *sessions) end(ctx context.Context, key sessionKey) bool {
	answer := s.close(ctx, key)
	return answer.ClosedSession()
}

// closeGrace is how much longer than its limit a close may take to report its result.
const closeGrace = time.Second

// lineIn is a command line of the tool's own in a session.
func lineIn(key sessionKey, args ...string) []string {
	line := []string{"--json"}
	if key.namespace != "" {
		line = append(line, "--namespace", key.namespace)
	}
	return append(append(line, "--session", key.name), args...)
}

// closeOwned closes all sessions that the tool opened, except keep if it is set.
func (s *sessions) closeOwned(ctx context.Context, keep *sessionKey) {
	s.idle.stop()
	s.mu.Lock()
	owned := slices.Collect(maps.Keys(s.owned))
	s.mu.Unlock()
	var wg sync.WaitGroup
	for _, key := range owned {
		if keep == nil || key != *keep {
			wg.Go(func() { s.close(ctx, key) })
		}
	}
	wg.Wait()
}
