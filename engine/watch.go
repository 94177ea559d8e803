package engine

import "context"

// watch is one caller whose context ends when something makes its page unable to answer.
type watch struct {
	cancel  context.CancelCauseFunc
	dialogs bool
}

// Watch derives a context that ends, with a *fault.Error as its cause, when the page is closed or crashes, and, if dialogs is set,
// when a JavaScript dialog that the policy leaves open blocks the page. The caller calls stop when done.
func (p *Page) Watch(ctx context.Context, dialogs bool) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{cancel: cancel, dialogs: dialogs}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.errLocked(); err != nil {
		cancel(err)
	} else if dialogs && p.dialog != nil {
		cancel(p.dialog.Err())
	}
	p.watches[w] = struct{}{}
	return ctx, func() {
		p.mu.Lock()
		delete(p.watches, w)
		p.mu.Unlock()
		cancel(nil)
	}
}

// interruptLocked ends the contexts of all watchers. The caller holds p.mu.
func (p *Page) interruptLocked(err error) {
	for w := range p.watches {
		w.cancel(err)
	}
}

// interruptByDialogLocked ends the contexts of those who cannot go on while a dialog is open. The caller holds p.mu.
func (p *Page) interruptByDialogLocked(err error) {
	for w := range p.watches {
		if w.dialogs {
			w.cancel(err)
		}
	}
}
