package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/fault"
)

// Dialog is a JavaScript dialog: alert, confirm, prompt or beforeunload.
type Dialog struct {
	Type          string // "alert", "confirm", "prompt", "beforeunload"
	Message       string
	DefaultPrompt string
	URL           string // of the frame that opened it
	Accepted      bool   // set in dialogs that the policy answered
}

// Err returns the error of what cannot be done while the dialog is open.
func (d *Dialog) Err() *fault.Error {
	return fault.New(fault.DialogOpen, "A JavaScript %s dialog is blocking the page: %q.", d.Type, d.Message).
		WithHint("Resolve it with `dialog accept` or `dialog dismiss`, then try again.").
		With("type", d.Type).With("message", d.Message)
}

// DialogPolicy says which dialogs are answered at once. The zero value answers alert and beforeunload, whose answer carries no
// decision of the page's, and leaves confirm and prompt to the caller.
type DialogPolicy struct {
	KeepAlerts bool // leave alert and beforeunload open, too
}

// SetDialogPolicy sets how dialogs that open from now on are treated.
func (p *Page) SetDialogPolicy(policy DialogPolicy) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.policy = policy
}

// Dialog returns the dialog that is open, or nil.
func (p *Page) Dialog() *Dialog {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dialog == nil {
		return nil
	}
	d := *p.dialog
	return &d
}

// TakeDialogs returns the dialogs that the policy answered since the last call.
func (p *Page) TakeDialogs() []Dialog {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.handled
	p.handled = nil
	return d
}

// AnswerDialog accepts or dismisses the open dialog and returns when it is closed. Without one it fails with NoDialog.
func (p *Page) AnswerDialog(ctx context.Context, accept bool, text string) error {
	p.mu.Lock()
	open := p.dialog
	p.mu.Unlock()
	if open == nil {
		return fault.New(fault.NoDialog, "No dialog is showing.")
	}
	if _, err := p.sess.CallRaw(ctx, "Page.handleJavaScriptDialog", map[string]any{"accept": accept, "promptText": text}); err != nil {
		return err
	}
	return p.await(ctx, "closing the dialog", func() bool { return p.dialog != open }) // the page may have opened the next one
}

// maxHandledDialogs bounds what a page that opens alerts in a loop can make us keep.
const maxHandledDialogs = 20

func (p *Page) dialogOpenedLocked(d *Dialog) {
	auto := (d.Type == "alert" || d.Type == "beforeunload") && !p.policy.KeepAlerts
	if !auto {
		p.dialog = d
		p.interruptByDialogLocked(d.Err())
		return
	}
	d.Accepted = true
	if len(p.handled) < maxHandledDialogs {
		p.handled = append(p.handled, *d)
	}
	p.ctxt.browser.spawn(func(ctx context.Context) {
		if _, err := p.sess.CallRaw(ctx, "Page.handleJavaScriptDialog", map[string]any{"accept": true}); err != nil {
			p.ctxt.browser.log.Debug("dialog not answered", "type", d.Type, "err", err)
		}
	})
}
