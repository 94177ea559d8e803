package conversation

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/limits"
)

// Options are what [New] has to know. All fields are needed.
type Options struct {
	Backend backend.Backend
	Env     map[string]string // of the commands that run in the sessions
	Cwd     string
	Limits  limits.Limits
	Names   *Names // of managed sessions
	Log     *slog.Logger
	Ended   func(gone func(Key) bool) // is called when sessions have ended
}

// Sessions are what a tool knows of those of one backend.
type Sessions struct {
	Turn Turn // of calls in the managed session

	o Options

	mu      sync.Mutex
	managed Managed
	known   map[Key]*State
	gates   map[string]*Gate // by namespace
	owned   map[Key]bool     // that the tool began, and has not seen closed

	idle idle
}

// New returns the sessions of a backend, of which none has been used yet.
func New(o Options) *Sessions {
	if variable := o.Backend.Can().IdleVariable; variable != "" { // a backstop for a tool that is killed
		o.Env = maps.Clone(o.Env)
		o.Env[variable] = strconv.FormatInt(o.Limits.ManagedIdle.Milliseconds(), 10)
	}
	return &Sessions{
		Turn:    newTurn(),
		o:       o,
		managed: Managed{Name: o.Names.Base()},
		known:   map[Key]*State{},
		gates:   map[string]*Gate{},
		owned:   map[Key]bool{},
	}
}

// Env is the environment of commands that run in the sessions.
func (s *Sessions) Env() map[string]string { return s.o.Env }

// Cwd is what the relative paths of those commands are relative to.
func (s *Sessions) Cwd() string { return s.o.Cwd }

// Backend is where the sessions are.
func (s *Sessions) Backend() backend.Backend { return s.o.Backend }

// Limits returns the limits of calls in these sessions.
func (s *Sessions) Limits() limits.Limits { return s.o.Limits }

// FreshName is a name for a managed session that was not given before.
func (s *Sessions) FreshName() string { return s.o.Names.Fresh() }

// State is the known facts about a session.
func (s *Sessions) State(key Key) *State {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.known[key]
	if state == nil {
		state = &State{Turn: newTurn()}
		s.known[key] = state
	}
	return state
}

// Attached reports for each session that was not closed whether it works in a browser that was not started for it. It
// reads States without their turns, so call it right after [Sessions.Restore] only, before another call can have one.
func (s *Sessions) Attached() map[Key]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	attached := make(map[Key]bool, len(s.known))
	for key, state := range s.known {
		attached[key] = state.Attached
	}
	return attached
}

// Gate is what calls of a namespace go through.
func (s *Sessions) Gate(namespace string) *Gate {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.gates[namespace]
	if g == nil {
		g = newGate()
		s.gates[namespace] = g
	}
	return g
}

// Managed is the session that calls work in which name none.
func (s *Sessions) Managed() Managed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.managed
}

// SetManaged makes another session the managed one.
func (s *Sessions) SetManaged(m Managed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.managed = m
}

// Hides reports whether a name is that of a session of another tool.
func (s *Sessions) Hides(name string) bool {
	if !IsReserved(name) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.owned {
		if key.Name == name {
			return false
		}
	}
	return true
}

// Own notes that the tool began a session, so that its end is the tool's business.
func (s *Sessions) Own(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owned[key] = true
}

func (s *Sessions) Owns(key Key) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.owned[key]
}

// Forget drops what is known about a session that was closed.
func (s *Sessions) Forget(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, key)
	delete(s.owned, key)
	s.o.Ended(func(gone Key) bool { return gone == key })
}

// ForgetAll drops what is known about all sessions of a namespace.
func (s *Sessions) ForgetAll(namespace string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.known {
		if key.Namespace == namespace {
			delete(s.known, key)
		}
	}
	for key := range s.owned {
		if key.Namespace == namespace {
			delete(s.owned, key)
		}
	}
	s.o.Ended(func(gone Key) bool { return gone.Namespace == namespace })
}

// Close ends one session that the tool began, and returns what the command answered. What the caller or the environment
// say of namespaces, restored states and configurations does not count: the session is where it was begun.
func (s *Sessions) Close(ctx context.Context, key Key) backend.Answer {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.Limits.Close+closeGrace)
	defer cancel()
	answer := s.o.Backend.Run(ctx, backend.Invocation{
		Args:      key.Line("close"),
		Cwd:       s.o.Cwd,
		Env:       s.o.Env,
		Timeout:   s.o.Limits.Close,
		Session:   key.Name,
		Namespace: key.Namespace,
		NoBrowser: true,
	})
	if !answer.Success {
		s.o.Log.Warn("managed session not closed cleanly", "session", key.Name, "error", answer.Error)
	}
	if answer.ClosedSession() {
		s.Forget(key)
	}
	return answer
}

// End closes a session as close does, and reports whether it is closed.
func (s *Sessions) End(ctx context.Context, key Key) bool {
	answer := s.Close(ctx, key)
	return answer.ClosedSession()
}

// closeGrace is how much longer than its limit a close may take to report its result.
const closeGrace = time.Second

// CloseOwned closes all sessions that the tool opened, except keep if it is set.
func (s *Sessions) CloseOwned(ctx context.Context, keep *Key) {
	s.idle.stop()
	s.mu.Lock()
	owned := slices.Collect(maps.Keys(s.owned))
	s.mu.Unlock()
	var wg sync.WaitGroup
	for _, key := range owned {
		if keep == nil || key != *keep {
			wg.Go(func() { s.Close(ctx, key) })
		}
	}
	wg.Wait()
}
