package dialogs

import (
	"context"
	"log/slog"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/monitor"
	"github.com/skua-browser/skua/internal/fault"
)

// Dialogs are the dialogs of one page. What is said to be called with the lock held is called so by those who handle
// the page's events or wait for it.
type Dialogs struct {
	page Owner

	// Guarded by the page's lock.
	open     *Dialog
	handled  []Dialog // those that the policy answered, until Take
	more     int      // how many more there were than are kept
	last     string   // type of the one that opened last
	inRow    int      // how many opened since something else was done to the page
	opened   int      // how many opened at all
	declined int      // how often the page asked whether it may be left, and was told to stay
}

// Owner is the page that the dialogs are of.
type Owner struct {
	ID       string // target id
	State    *monitor.Monitor
	Session  *cdp.Session
	Policies *Policies
	Cause    *Override   // of the command that opened the page, or nil
	Unseen   func() bool // whether no user sees the page, so that its dialogs are dismissed
	Opened   func(*Dialog)
	// called when a dialog opens or closes; both are called with the lock held, Opened for dialogs that stay open
	Changed func()
	Spawn   func(func(context.Context))
	Log     *slog.Logger
}

// New returns the dialogs of a page.
func New(page Owner) *Dialogs { return &Dialogs{page: page} }

const (
	// maxHandled bounds what a page that opens alerts in a loop can make us keep.
	maxHandled = 20
	// maxAnswered is after how many dialogs the next one stays open: a page that never ends asking would keep its command
	// for ever.
	maxAnswered = 300
	// manyInRow is from how many dialogs on, with nothing else done to the page in between, a reply names the way out.
	manyInRow = 5
)

// Open returns the dialog that is open, or nil.
func (s *Dialogs) Open() *Dialog {
	s.page.State.Lock()
	defer s.page.State.Unlock()
	if s.open == nil {
		return nil
	}
	d := *s.open
	return &d
}

// OpenNow is Open with the lock held. The dialog is the same as long as it is open, and not to be changed.
func (s *Dialogs) OpenNow() *Dialog { return s.open }

// Opened returns how many dialogs the page has opened: the same words may come again in another one.
func (s *Dialogs) Opened() int {
	s.page.State.Lock()
	defer s.page.State.Unlock()
	return s.opened
}

// Declined returns how often the page asked whether it may be left and stayed. It is called with the lock held.
func (s *Dialogs) Declined() int { return s.declined }

// Take returns the dialogs that the policy answered since the last call, and how many more were answered than the list
// keeps.
func (s *Dialogs) Take() (taken []Dialog, more int) {
	s.page.State.Lock()
	defer s.page.State.Unlock()
	taken, more = s.handled, s.more
	s.handled, s.more = nil, 0
	return taken, more
}

// Override treats the dialogs of the page, and of pages that are opened meanwhile, as the policy says, until end is
// called.
func (s *Dialogs) Override(policy Policy) (end func()) {
	return s.page.Policies.override(s.page.ID, policy)
}

// Policy returns how the page treats a dialog that opens now.
func (s *Dialogs) Policy() Policy {
	if s.page.Unseen() {
		return Policy{Answer: Dismiss}
	}
	return s.page.Policies.of(s.page.ID, s.page.Cause)
}

// Answer accepts or dismisses the open dialog and returns when it is closed. Without one it fails with NoDialog.
func (s *Dialogs) Answer(ctx context.Context, accept bool, text string) error {
	s.page.State.Lock()
	open := s.open
	s.page.State.Unlock()
	if open == nil {
		return fault.New(fault.NoDialog, "No dialog is showing.")
	}
	if err := s.handle(ctx, accept, text); err != nil {
		return err
	}
	// the page may have opened the next one
	return s.page.State.Await(ctx, "closing the dialog", func() bool { return s.open != open })
}

func (s *Dialogs) handle(ctx context.Context, accept bool, text string) error {
	_, err := s.page.Session.CallRaw(ctx, "Page.handleJavaScriptDialog", struct {
		Accept bool   `json:"accept"`
		Text   string `json:"promptText"`
	}{accept, text})
	return err
}

// EndRow is called, with the lock held, when the caller does anything to the page other than answering a dialog.
func (s *Dialogs) EndRow() { s.inRow = 0 }

// OnOpening is called, with the lock held, when a dialog opens: the policy answers it, or it stays open.
func (s *Dialogs) OnOpening(d *Dialog) {
	s.last = d.Type
	s.inRow++
	s.opened++
	d.Endless = s.inRow >= manyInRow
	if len(s.handled)+s.more < maxAnswered || s.page.Unseen() {
		s.Policy().apply(d)
	}
	if !d.Answered {
		s.show(d)
		s.page.Opened(d)
		return
	}
	if d.Type == "beforeunload" && !d.Accepted {
		s.declined++ // a navigation may get the browser's answer before the event that the dialog closed
	}
	if len(s.handled) < maxHandled {
		s.handled = append(s.handled, *d)
	} else {
		s.more++
	}
	s.page.Spawn(func(ctx context.Context) {
		if err := s.handle(ctx, d.Accepted, d.Text); err != nil {
			s.page.Log.Debug("dialog not answered", "type", d.Type, "err", err)
		}
	})
}

// OnClosed is called, with the lock held, when a dialog was closed, by the policy, a caller or a person.
func (s *Dialogs) OnClosed(accepted bool) {
	s.show(nil)
	if !accepted && s.last == "beforeunload" {
		s.declined++
	}
}

// End is called, with the lock held, when the page can no longer show a dialog, since it crashed or is gone.
func (s *Dialogs) End() { s.show(nil) }

// show sets the dialog that is open, or nil.
func (s *Dialogs) show(d *Dialog) {
	switch was := s.open; {
	case was == nil && d != nil:
		s.page.Policies.shown.Add(1)
	case was != nil && d == nil:
		s.page.Policies.shown.Add(-1)
	}
	s.open = d
	s.page.Changed()
}
