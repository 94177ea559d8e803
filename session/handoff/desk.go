package handoff

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/turn"
)

// Desk keeps the handoff of a session. The zero value has none. Its methods may be called from several goroutines.
type Desk struct {
	turn turn.Takeover // commands wait for its end

	mu   sync.Mutex
	last *handoff
	lost *actions.Handoff // one that ended with an earlier host, until another begins
}

// Lose takes over a handoff that waited when its host ended: its address is gone, and what the person did is not known.
func (d *Desk) Lose(h actions.Handoff) {
	d.mu.Lock()
	defer d.mu.Unlock()
	h.End, h.Reason, h.Ended = actions.HandoffCanceled,
		"the host that showed the page has ended, and what the person did is not known", time.Now()
	d.lost = &h
}

// Ended returns a channel that is closed when the handoff that waits has ended, when it began, and what is asked; nil:
// none waits.
func (d *Desk) Ended() (freed <-chan struct{}, since time.Time, text string) {
	freed, since = d.turn.Ended()
	if h := d.current(); h != nil {
		text = h.snapshot().Text
	}
	return freed, since, text
}

// Active reports whether a handoff waits.
func (d *Desk) Active() bool { return d.turn.Active() }

func (d *Desk) current() *handoff {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last
}

// Current returns the handoff that waits, or else the last one, or nil.
func (d *Desk) Current() *actions.Handoff {
	d.mu.Lock()
	h, lost := d.last, d.lost
	d.mu.Unlock()
	if h == nil {
		return lost
	}
	return new(h.snapshot())
}

// Begin hands a session over.
func (d *Desk) Begin(host Host, r actions.HandoffRequest) (actions.Handoff, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.turn.Active() {
		return actions.Handoff{}, fault.New(fault.TakenOver, "the session already waits for a person: %q", d.last.snapshot().
			Text).
			WithHint("Wait for it with `handoff wait`, or end it with `handoff cancel`.")
	}
	if d.last != nil {
		d.last.server.Close() // it may still show how the last one ended
	}
	ctx, cancel := context.WithTimeout(context.Background(), collectLimit)
	defer cancel()
	h := newHandoff(host, r)
	h.state.From = pageOf(ctx, r.Tab)
	server, err := listen(h, func(how actions.HandoffEnd, reason string) { d.end(h, how, reason, false) })
	if err != nil {
		return actions.Handoff{}, err
	}
	h.server, h.state.Address = server, server.url()
	d.last, d.lost = h, nil
	d.turn.Take()
	h.begin()
	h.timer = time.AfterFunc(r.Within, func() { d.end(h, actions.HandoffTimedOut, "", false) })
	server.serve()
	host.Changed()
	return h.snapshot(), nil
}

func newID() string {
	const length = 6
	return "h" + strings.ToLower(rand.Text()[:length])
}

// end ends a handoff, and lets commands go on.
func (d *Desk) end(h *handoff, how actions.HandoffEnd, reason string, closes bool) {
	d.mu.Lock() // Begin may still be about to keep the timer that calls this
	timer := h.timer
	d.mu.Unlock()
	timer.Stop()
	h.end(how, reason, closes)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last == h {
		d.turn.Release()
	}
}

// End ends the handoff with the id, if it still waits. It returns when what the person did is known.
func (d *Desk) End(id string, how actions.HandoffEnd, reason string) (actions.Handoff, error) {
	h := d.current()
	if h == nil || h.snapshot().ID != id {
		return actions.Handoff{}, noHandoff(id)
	}
	d.end(h, how, reason, false)
	return h.snapshot(), nil
}

func noHandoff(id string) error {
	return fault.New(fault.Usage, "handoff %s: no such handoff is in this session; `handoff status` shows the last one",
		id).About(id)
}

// Await returns when the handoff has ended, or as it is when ctx ends.
func (d *Desk) Await(ctx context.Context, id string) actions.Handoff {
	h := d.current()
	if h == nil || h.snapshot().ID != id {
		if lost := d.Current(); lost != nil && lost.ID == id {
			return *lost
		}
		return actions.Handoff{}
	}
	select {
	case <-h.ended:
	case <-ctx.Done():
	}
	return h.snapshot()
}

// Close ends the handoff with its server, and forgets it.
func (d *Desk) Close(why string) {
	d.mu.Lock()
	h := d.last
	d.lost = nil
	d.mu.Unlock()
	if h == nil {
		return
	}
	d.end(h, actions.HandoffCanceled, why, true)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last == h {
		d.last = nil
	}
	h.server.Close()
}
