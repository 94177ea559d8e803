package engine

import (
	"context"
	"errors"
	"time"

	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// watches are the callers that watch a page. Its methods are called with the page's lock held.
type watches map[*watch]struct{}

// watch is one caller whose context ends when something makes its page unable to answer.
type watch struct {
	cancel  context.CancelCauseFunc
	dialogs bool
}

// Watch derives a context that ends, with a *fault.Error as its cause, when the page is closed or crashes, and, if
// dialogs is set, when a JavaScript dialog that the policy leaves open blocks the page. The caller calls stop when
// done.
func (p *Page) Watch(ctx context.Context, dialogs bool) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{cancel: cancel, dialogs: dialogs}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.life.errLocked(); err != nil {
		cancel(err)
	} else if d := p.dialogs.OpenNow(); dialogs && d != nil {
		cancel(d.Err())
	} else if dialogs && p.ctxt.policies.Shown() {
		p.ctxt.browser.Spawn(func(context.Context) {
			if err := besideDialog(ctx, p); err != nil {
				cancel(err)
			}
		})
	}
	p.watches[w] = struct{}{}
	return ctx, func() {
		p.mu.Lock()
		delete(p.watches, w)
		p.mu.Unlock()
		cancel(nil)
	}
}

// interrupt ends the contexts of all.
func (all watches) interrupt(err error) {
	for w := range all {
		w.cancel(err)
	}
}

// interruptByDialog ends the contexts of those who cannot go on while a dialog is open.
func (all watches) interruptByDialog(err error) {
	for w := range all {
		if w.dialogs {
			w.cancel(err)
		}
	}
}

// forDialogs reports whether a dialog would end the context of any.
func (all watches) forDialogs() bool {
	for w := range all {
		if w.dialogs {
			return true
		}
	}
	return false
}

// A dialog stops the whole process that its document lives in. A page of the same site may live there too, most of all
// one that opened the other, and nothing tells which do. So a page is asked whether it answers as long as another one
// of the context shows a dialog.

// How long a page may take to answer before the dialog of another page is taken for the reason. Pages that opened each
// other can be expected to share a process; others do when the browser has very many. Either has several times as long
// while it is on its way to another document, since a page answers nothing while it changes processes.
const (
	relatedPatience = 600 * time.Millisecond
	besidePatience  = 5 * time.Second
	besideTries     = 4
)

// Answers returns nil, or the error of a page that does not answer because of a dialog: its own, or that of another
// page.
func (p *Page) Answers(ctx context.Context) error {
	if d := p.Dialogs().Open(); d != nil {
		return d.Err()
	}
	if !p.ctxt.policies.Shown() {
		return nil
	}
	return besideDialog(ctx, p)
}

// besideDialog asks the page for a sign of life while another page of the context shows a dialog.
func besideDialog(ctx context.Context, p *Page) error {
	for try := 1; ; try++ {
		_, d, patience := showingBeside(p)
		if d == nil || givesSign(ctx, p, patience) {
			return nil
		}
		other, d, _ := showingBeside(p)
		if d == nil {
			return nil
		}
		if p.Loading().To() == "" || try == besideTries {
			return d.ErrBeside(other.id)
		}
	}
}

// givesSign reports whether the page answers in time. The end of ctx counts as an answer.
func givesSign(ctx context.Context, p *Page, patience time.Duration) bool {
	patient, cancel := context.WithTimeoutCause(ctx, patience, errBesidePatience)
	defer cancel()
	_, err := p.sess.CallRaw(patient, "Runtime.evaluate", world.Params{Expression: "1"})
	return err == nil || ctx.Err() != nil || !errors.Is(context.Cause(patient), errBesidePatience)
}

var errBesidePatience = fault.New(fault.Timeout, "the page does not answer")

// showingBeside returns another page than p that shows a dialog, the dialog, and for how long p may be silent. One that
// is related to p comes first.
func showingBeside(p *Page) (other *Page, shown *dialogs.Dialog, patience time.Duration) {
	pages := p.ctxt.pages.all()
	openers := make(map[string]string, len(pages))
	for _, q := range pages {
		openers[q.id] = q.Opener()
	}
	first := func(id string) string {
		for range pages {
			if openers[id] == "" {
				break
			}
			id = openers[id]
		}
		return id
	}
	for _, q := range pages {
		d := q.Dialogs().Open()
		if q == p || d == nil {
			continue
		}
		if first(q.id) == first(p.id) {
			return q, d, relatedPatience
		}
		other, shown, patience = q, d, besidePatience
	}
	return other, shown, patience
}

// dialogShown ends the waits of other pages' watchers that the dialog keeps from an answer.
func dialogShown(ctx context.Context, p *Page) {
	c := p.ctxt
	for _, q := range c.pages.all() {
		if q == p {
			continue
		}
		watched := false
		q.mu.Do(func() { watched = q.watches.forDialogs() })
		if !watched {
			continue
		}
		c.browser.Spawn(func(context.Context) {
			if err := besideDialog(ctx, q); err != nil {
				q.mu.Lock()
				defer q.mu.Unlock()
				q.watches.interruptByDialog(err)
			}
		})
	}
}
