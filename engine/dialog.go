package engine

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/internal/fault"
)

// Dialog is a JavaScript dialog: alert, confirm, prompt or beforeunload.
type Dialog struct {
	Type          string // "alert", "confirm", "prompt", "beforeunload"
	Message       string
	DefaultPrompt string
	URL           string // of the frame that opened it
	Endless       bool   // so many opened one after another that the page may never stop

	// Of a dialog that the policy answered.
	Answered bool
	Accepted bool
	Text     string // what a prompt was answered with
}

// Err returns the error of what cannot be done while the dialog is open.
func (d *Dialog) Err() *fault.Error {
	return fault.New(fault.DialogOpen, "A JavaScript %s dialog is blocking the page: %q.", d.Type, d.Message).
		WithHint("Resolve it with `dialog accept` or `dialog dismiss`, then try again.").
		With("type", d.Type).With("message", d.Message)
}

// errBeside is the error of a page that does not answer while another one, which runs in its process, shows the dialog.
func (d *Dialog) errBeside(shownBy *Page) *fault.Error {
	return fault.New(fault.DialogOpen, "The page does not answer while a JavaScript %s dialog is open in another tab: %q.", d.Type, d.Message).
		WithHint("Resolve it with `dialog accept` or `dialog dismiss` in that tab, then try again.").
		With("type", d.Type).With("message", d.Message).With("targetId", shownBy.id)
}

// DialogAnswer is what a policy does with a dialog.
type DialogAnswer string

// The answers. The empty one accepts alert and beforeunload, which ask nothing that the page's own people would have to decide, and leaves
// confirm and prompt to the caller.
const (
	DialogDefault DialogAnswer = ""
	DialogAccept  DialogAnswer = "accept"
	DialogDismiss DialogAnswer = "dismiss"
	DialogKeep    DialogAnswer = "keep" // every dialog stays open
)

// DialogPolicy says which dialogs are answered as soon as they open.
type DialogPolicy struct {
	Answer DialogAnswer
	Text   *string // what prompts are answered with; nil: what they propose
}

// apply answers the dialog, or leaves it as it is.
func (policy DialogPolicy) apply(d *Dialog) {
	switch policy.Answer {
	case DialogAccept:
		d.Answered, d.Accepted = true, true
	case DialogDismiss:
		d.Answered = true
	case DialogDefault:
		d.Answered = d.Type == "alert" || d.Type == "beforeunload"
		d.Accepted = d.Answered
	}
	if d.Accepted && d.Type == "prompt" {
		d.Text = d.DefaultPrompt
		if policy.Text != nil {
			d.Text = *policy.Text
		}
	}
}

// dialogOverride is a policy that holds for a page while a command acts on it, and for the pages that come of that.
type dialogOverride struct {
	page   *Page
	policy DialogPolicy
}

// SetDialogPolicy sets how dialogs of the context's pages that open from now on are treated.
func (c *Context) SetDialogPolicy(policy DialogPolicy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.policy = policy
}

// OverrideDialogs treats the dialogs of the page, and of pages that are opened meanwhile, as the policy says, until end is called.
func (p *Page) OverrideDialogs(policy DialogPolicy) (end func()) {
	c, o := p.ctxt, &dialogOverride{page: p, policy: policy}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialogOverrides = append(c.dialogOverrides, o)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for i, other := range c.dialogOverrides {
			if other == o {
				c.dialogOverrides = append(c.dialogOverrides[:i:i], c.dialogOverrides[i+1:]...)
				return
			}
		}
	}
}

// dialogPolicy returns the policy for a page: the newest override that concerns it, else the context's.
func (c *Context) dialogPolicy(p *Page) DialogPolicy {
	if p.background.Load() {
		return dismissing
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range slices.Backward(c.dialogOverrides) {
		if o.page == p || p.cause == o {
			return o.policy
		}
	}
	return c.policy
}

// causeLocked returns the override under which a page with this opener came to be. A page without an opener may be anybody's. The caller
// holds c.mu.
func (c *Context) causeLocked(opener string) *dialogOverride {
	for _, o := range slices.Backward(c.dialogOverrides) {
		if opener == "" || o.page.id == opener {
			return o
		}
	}
	return nil
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

// DialogsOpened returns how many dialogs the page has opened: the same words may come again in another one.
func DialogsOpened(p *Page) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialogsOpened
}

// TakeDialogs returns the dialogs that the policy answered since the last call, and how many more there were than are kept.
func (p *Page) TakeDialogs() (taken []Dialog, more int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	taken, more = p.handled, p.handledMore
	p.handled, p.handledMore = nil, 0
	return taken, more
}

// AnswerDialog accepts or dismisses the open dialog and returns when it is closed. Without one it fails with NoDialog.
func (p *Page) AnswerDialog(ctx context.Context, accept bool, text string) error {
	p.mu.Lock()
	open := p.dialog
	p.mu.Unlock()
	if open == nil {
		return fault.New(fault.NoDialog, "No dialog is showing.")
	}
	if err := p.handleDialog(ctx, accept, text); err != nil {
		return err
	}
	return p.mu.Await(ctx, "closing the dialog", func() bool { return p.dialog != open }) // the page may have opened the next one
}

// endDialogRow is called when the caller does something else to the page than to answer a dialog.
func (p *Page) endDialogRow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialogsInRow = 0
}

func (p *Page) handleDialog(ctx context.Context, accept bool, text string) error {
	_, err := p.sess.CallRaw(ctx, "Page.handleJavaScriptDialog", map[string]any{"accept": accept, "promptText": text})
	return err
}

const (
	// maxHandledDialogs bounds what a page that opens alerts in a loop can make us keep.
	maxHandledDialogs = 20
	// maxAnswered is after how many dialogs the next one stays open: a page that never ends asking would keep its command for ever.
	maxAnswered = 300
	// manyInRow is from how many dialogs on, with nothing else done to the page in between, a reply names the way out.
	manyInRow = 5
)

func (p *Page) dialogOpenedLocked(d *Dialog) {
	p.lastDialog = d.Type
	p.dialogsInRow++
	p.dialogsOpened++
	d.Endless = p.dialogsInRow >= manyInRow
	if len(p.handled)+p.handledMore < maxAnswered || p.background.Load() {
		p.ctxt.dialogPolicy(p).apply(d)
	}
	if !d.Answered {
		p.showLocked(d)
		p.interruptByDialogLocked(d.Err())
		p.ctxt.browser.Spawn(func(ctx context.Context) { p.ctxt.dialogShown(ctx, p) })
		return
	}
	if d.Type == "beforeunload" && !d.Accepted {
		p.declined++ // a navigation may get the browser's answer before the event that the dialog closed
	}
	if len(p.handled) < maxHandledDialogs {
		p.handled = append(p.handled, *d)
	} else {
		p.handledMore++
	}
	p.ctxt.browser.Spawn(func(ctx context.Context) {
		if err := p.handleDialog(ctx, d.Accepted, d.Text); err != nil {
			p.ctxt.browser.log.Debug("dialog not answered", "type", d.Type, "err", err)
		}
	})
}

// dialogClosedLocked is told how a dialog was closed, by whomever.
func (p *Page) dialogClosedLocked(accepted bool) {
	p.showLocked(nil)
	if !accepted && p.lastDialog == "beforeunload" {
		p.declined++
	}
}

// showLocked sets the dialog that is open; nil: none. The caller holds p.mu.
func (p *Page) showLocked(d *Dialog) {
	switch was := p.dialog; {
	case was == nil && d != nil:
		p.ctxt.shown.Add(1)
	case was != nil && d == nil:
		p.ctxt.shown.Add(-1)
	}
	p.dialog = d
	p.ctxt.notice.tell()
}
