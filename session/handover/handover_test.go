package handover

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/ledger"
)

// fakeHost is a host's sessions without browsers: busy has those with a command under way.
type fakeHost struct {
	mu     sync.Mutex
	open   []string
	busy   map[string]bool
	closed []string
	came   chan Moved
}

func newFakeHost(open ...string) *fakeHost {
	return &fakeHost{open: open, busy: map[string]bool{}, came: make(chan Moved, 10)}
}

func (h *fakeHost) Retire(begin func([]string)) ([]string, []Moved) {
	begin(h.open)
	return h.open, nil
}

func (h *fakeHost) Idle(session string, claim func() bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.busy[session] && claim()
}

func (h *fakeHost) Close(_ context.Context, session string) Moved {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = append(h.closed, session)
	return Moved{
		Name: session, Open: &ledger.Session{Active: "t1"},
		Cookies: []storage.NewCookie{{Name: "login", Value: session}},
	}
}

func (h *fakeHost) Arrive(m Moved) { h.came <- m }

func caller(session string) Caller { return Caller{Session: session, Limit: time.Minute} }

// between connects an older host with a newer one, and returns what ends the connection and what is closed after the
// last session.
func between(t *testing.T, older, newer *Mover) (cut func(), followed <-chan struct{}) {
	t.Helper()
	r, w := io.Pipe()
	go func() { _ = w.CloseWithError(older.HandOver(t.Context(), nil, w)) }()
	follow := newer.TakeOver(r, func(session string) error { return older.HandOver(t.Context(), []string{session}, nil) })
	done := make(chan struct{})
	go func() {
		defer close(done)
		follow()
	}()
	return func() { _ = r.CloseWithError(errors.New("cut")) }, done
}

func newHosts(t *testing.T, open ...string) (from *fakeHost, older *Mover, to *fakeHost, newer *Mover) {
	t.Helper()
	from, to = newFakeHost(open...), newFakeHost()
	older, newer = NewMover(from, slog.New(slog.DiscardHandler)), NewMover(to, slog.New(slog.DiscardHandler))
	t.Cleanup(older.Close)
	t.Cleanup(newer.Close)
	return from, older, to, newer
}

// A session comes when its last command has ended; the others come at once.
func TestSessionsComeWhenTheyAreFree(t *testing.T) {
	t.Parallel()
	from, older, to, newer := newHosts(t, "idle", "busy")
	from.busy["busy"] = true
	left := older.Leave()
	require.True(t, older.Serves("busy"))
	require.False(t, older.Serves("idle"))
	require.False(t, older.Serves("new"))
	_, followed := between(t, older, newer)
	idle := <-to.came
	require.Equal(t, "idle", idle.Name)
	require.Equal(t, []storage.NewCookie{{Name: "login", Value: "idle"}}, idle.Cookies)
	require.NoError(t, newer.Await(t.Context(), caller("unknown")))
	late := newer.Await(t.Context(), Caller{Command: "click", Session: "busy"})
	require.True(t, fault.Is(late, fault.Timeout), late)
	require.ErrorContains(t, late, "`click` was not run")

	from.mu.Lock()
	from.busy["busy"] = false
	from.mu.Unlock()
	older.Freed("busy")
	require.NoError(t, newer.Await(t.Context(), caller("busy")))
	require.Equal(t, "busy", (<-to.came).Name)
	<-followed
	<-left
	require.False(t, newer.Coming())
}

// Demand closes a session whose command goes on.
func TestDemandedSessionComesAtOnce(t *testing.T) {
	t.Parallel()
	from, older, to, newer := newHosts(t, "busy")
	from.busy["busy"] = true
	left := older.Leave()
	_, followed := between(t, older, newer)
	require.NoError(t, newer.Await(t.Context(), Caller{Session: "unknown", Limit: time.Minute, Ends: true}))
	require.True(t, newer.Coming())
	require.NoError(t, newer.Await(t.Context(), Caller{Session: "unknown", Limit: time.Minute, Ends: true, All: true}))
	require.Equal(t, "busy", (<-to.came).Name)
	older.Freed("busy") // its command ends now
	<-followed
	<-left
	require.Equal(t, []string{"busy"}, from.closed)
}

// When the older host is gone, no command waits for its sessions; what was not sent stays there for another successor.
func TestCutHandover(t *testing.T) {
	t.Parallel()
	from, older, _, newer := newHosts(t, "busy")
	from.busy["busy"] = true
	older.Leave()
	cut, followed := between(t, older, newer)
	require.True(t, newer.Coming())
	cut()
	<-followed
	require.NoError(t, newer.Await(t.Context(), caller("busy")))
	require.False(t, newer.Coming())

	from.mu.Lock()
	from.busy["busy"] = false
	from.mu.Unlock()
	older.Freed("busy")
	next := newFakeHost()
	third := NewMover(next, slog.New(slog.DiscardHandler))
	defer third.Close()
	between(t, older, third)
	require.Equal(t, "busy", (<-next.came).Name)
}

// A host that makes way itself passes on what still comes from an older one.
func TestSessionsPassThroughAHostThatLeaves(t *testing.T) {
	t.Parallel()
	from, older, _, middle := newHosts(t, "busy")
	from.busy["busy"] = true
	older.Leave()
	_, followed := between(t, older, middle)
	middle.Leave()
	from.mu.Lock()
	from.busy["busy"] = false
	from.mu.Unlock()
	older.Freed("busy")
	<-followed
	last := newFakeHost()
	third := NewMover(last, slog.New(slog.DiscardHandler))
	defer third.Close()
	between(t, middle, third)
	require.Equal(t, "busy", (<-last.came).Name)
}

func TestUnreadableHandover(t *testing.T) {
	t.Parallel()
	_, _, _, newer := newHosts(t)
	r, w := io.Pipe()
	go func() { _, _ = w.Write([]byte("what?\n")) }()
	newer.TakeOver(r, nil)()
	require.False(t, newer.Coming())
}
