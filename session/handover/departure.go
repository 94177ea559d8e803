package handover

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/ledger"
)

// ErrMoved is the error of a command for a session that was handed over. It has not run.
var ErrMoved error = fault.New(fault.HostUnreachable, "the session was handed over to the host of a newer build").
	WithHint("Send the command again.")

// Moved is what a session leaves to its successor. It has more than the ledger, since it is never in a file.
type Moved struct {
	Name      string              `json:"name"`
	Open      *ledger.Session     `json:"open,omitempty"`      // nil means nothing, or
	Kept      bool                `json:"kept,omitempty"`      // what the ledger has
	Addresses map[string]string   `json:"addresses,omitempty"` // whole addresses of tabs, by id
	Cookies   []storage.NewCookie `json:"cookies,omitempty"`
	Notes     []string            `json:"notes,omitempty"` // for the session's next reply
}

// MovedOf returns what the next host restores of a session that had something open.
func MovedOf(session string, open *ledger.Session) Moved {
	m := Moved{
		Name:      session,
		Open:      open,
		Addresses: map[string]string{},
		Cookies:   open.Cookies,
		Notes:     open.Notes,
	}
	for _, t := range open.Tabs {
		m.Addresses[t.ID] = t.FullURL()
	}
	return m
}

// Entry returns what will be restored of a session, or nil. kept is its entry in the ledger, or nil.
func (m Moved) Entry(kept *ledger.Session) *ledger.Session {
	open := m.Open
	switch {
	case m.Kept:
		open = kept
	case open == nil && len(m.Notes) > 0:
		open = &ledger.Session{RulesOnly: true}
	}
	if open == nil {
		return nil
	}
	open.Moved, open.Cookies, open.Notes = true, m.Cookies, m.Notes
	for i, t := range open.Tabs {
		open.Tabs[i].Address = m.Addresses[t.ID]
	}
	return open
}

// message is a line from a host to its successor.
type message struct {
	Expect []string `json:"expect,omitempty"` // the sessions that will come
	Moved  *Moved   `json:"moved,omitempty"`
}

// takeLimit is how long a host that has closed its sessions waits for a successor to fetch them.
const takeLimit = 20 * time.Second

// Departure is the account of a host that makes way. The zero value is that of a host that stays. Its methods may be
// called from several goroutines.
type Departure struct {
	mu      sync.Mutex
	begun   bool
	here    map[string]bool // sessions that have to be handed over; true: being closed
	closed  []Moved         // that no successor has
	changed chan struct{}   // closed when here or closed changes
}

// Begin says which sessions have to be handed over.
func (d *Departure) Begin(sessions []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begun, d.here, d.changed = true, map[string]bool{}, make(chan struct{})
	for _, name := range sessions {
		d.here[name] = false
	}
}

// Begun reports whether the host makes way.
func (d *Departure) Begun() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.begun
}

// Serves reports whether a session takes commands that were accepted before.
func (d *Departure) Serves(session string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	closing, here := d.here[session]
	return !d.begun || here && !closing
}

// Claim reports whether the caller has to close a session and tell Leave. It does so once for each session.
func (d *Departure) Claim(session string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	closing, here := d.here[session]
	if closing || !here {
		return false
	}
	d.here[session] = true
	return true
}

// Leave says that a session is closed, and what it leaves.
func (d *Departure) Leave(m Moved) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.here, m.Name)
	d.closed = append(d.closed, m)
	d.notifyLocked()
}

func (d *Departure) notifyLocked() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// Send writes to a successor which sessions will come, and each session when it has left, and returns after the last
// one.
func (d *Departure) Send(ctx context.Context, to io.Writer) error {
	d.mu.Lock()
	expect := slices.Sorted(maps.Keys(d.here))
	for _, m := range d.closed {
		expect = append(expect, m.Name)
	}
	d.mu.Unlock()
	if err := write(to, message{Expect: expect}); err != nil {
		return err
	}
	for {
		m, more, changed := d.next()
		switch {
		case m != nil:
			if err := write(to, message{Moved: m}); err != nil {
				d.Leave(*m)
				return err
			}
		case !more:
			return nil
		default:
			select {
			case <-changed:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
}

// next takes a session that has left, or says whether more will.
func (d *Departure) next() (m *Moved, more bool, changed <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.closed) == 0 {
		return nil, len(d.here) > 0, d.changed
	}
	m = &d.closed[0]
	d.closed = slices.Clone(d.closed[1:])
	d.notifyLocked()
	return m, true, nil
}

func write(to io.Writer, m message) error {
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = to.Write(append(line, '\n'))
	return err
}

// Await returns when all sessions have left and were sent, when no successor has come for them, or when ctx ends.
func (d *Departure) Await(ctx context.Context) {
	var late <-chan time.Time
	for {
		d.mu.Lock()
		here, closed, changed := len(d.here), len(d.closed), d.changed
		d.mu.Unlock()
		switch {
		case here > 0:
			late = nil
		case closed == 0:
			return
		case late == nil:
			late = time.After(takeLimit)
		}
		select {
		case <-changed:
		case <-late:
			return
		case <-ctx.Done():
			return
		}
	}
}
