package run

import (
	"errors"
	"strings"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/grammar"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// dialogWatch is what a call knows of the dialogs that came before and during its command.
type dialogWatch struct {
	policy *dialogs.Policy      // of --dialog
	end    func()               // ends the policy; nil means that it was not set yet
	open   map[*actions.Tab]int // how many the tab had opened before the command, where one was open
	said   map[*actions.Tab]dialogs.Dialog
}

// beginDialogs reads --dialog and looks which dialogs are open before the command does anything.
func beginDialogs(c *actions.Call) error {
	w := &state(c).dialogs
	w.open, w.said = map[*actions.Tab]int{}, map[*actions.Tab]dialogs.Dialog{}
	if c.Has("dialog") {
		policy, err := parseDialogPolicy(c.String("dialog"))
		if err != nil {
			return err
		}
		w.policy = &policy
	}
	if c.Command().Effect.Has(actions.NoBrowser) {
		return nil
	}
	tabs, _ := c.Tabs.All()
	for _, t := range tabs {
		if t.Page.Dialogs().Open() != nil {
			w.open[t] = t.Page.Dialogs().Opened()
		}
	}
	return nil
}

// AnswerDialogs makes --dialog hold for the tab, and the tabs that come of it, until the command ends.
func AnswerDialogs(c *actions.Call, tab *actions.Tab) {
	if w := &state(c).dialogs; w.policy != nil && w.end == nil {
		w.end = tab.Page.Dialogs().Override(*w.policy)
	}
}

// endDialogs reports the dialogs that no reply has reported yet. A command that does not wait for its turn leaves
// answered ones to the command that does, which may be running and have caused them.
func endDialogs(c *actions.Call) {
	if end := state(c).dialogs.end; end != nil {
		end()
	}
	if effect := c.Command().Effect; effect.Has(actions.NoBrowser) || effect.Has(actions.Control) && Of(c) == nil {
		return
	}
	_, active := c.Tabs.All()
	dialogNotes(c, active)
	openDialogs(c, active)
}

// openDialogs reports the dialogs that opened during the command, and returns that of its own tab, else that of
// another one.
func openDialogs(c *actions.Call, own *actions.Tab) *fact.ShownDialog {
	var shown *fact.ShownDialog
	tabs, _ := c.Tabs.All()
	for _, t := range tabs {
		d := t.Page.Dialogs().Open()
		if d == nil || state(c).dialogs.open[t] == t.Page.Dialogs().Opened() || t != own && c.Beside(t) {
			continue
		}
		NoteOpenDialog(c, t, own, *d)
		if s := DescribeDialog(t, own, *d); shown == nil || s.Tab == "" {
			shown = &s
		}
	}
	return shown
}

// DescribeDialog is a dialog as replies show it. It names its tab when that is not the command's own.
func DescribeDialog(t, own *actions.Tab, d dialogs.Dialog) fact.ShownDialog {
	s := fact.ShownDialog{Type: d.Type, Message: d.Message, Open: !d.Answered}
	if t != own {
		s.Tab = t.ID
	}
	switch {
	case !d.Answered:
	case d.Accepted:
		s.Answer = "accepted"
		if d.Type == "prompt" {
			s.Text = &d.Text
		}
	default:
		s.Answer = "dismissed"
	}
	return s
}

// maxDialogNotes is how many of the dialogs of a page that were answered have a line of their own.
const maxDialogNotes = 5

// dialogNotes reports the dialogs that were answered by themselves, in any tab. Own is the tab that the command is
// about.
func dialogNotes(c *actions.Call, own *actions.Tab) {
	tabs, _ := c.Tabs.All()
	for _, t := range tabs {
		if t != own && c.Beside(t) {
			continue // the command that works there reports them
		}
		taken, more := t.Page.Dialogs().Take()
		for i, d := range taken {
			s := DescribeDialog(t, own, d)
			if i < maxDialogNotes {
				c.Note(s.Sentence())
			}
			if Of(c) != nil && Of(c).begun {
				Of(c).Effect.Answered = append(Of(c).Effect.Answered, s)
			}
		}
		if Of(c) != nil && Of(c).begun {
			Of(c).Effect.MoreAnswered += more
		}
		if rest := len(taken) + more - maxDialogNotes; rest > 0 {
			c.Note("and " + wording.Plural(rest, "more dialog") + " of the page")
		}
	}
}

// NoteOpenDialog says once that a dialog waits for an answer.
func NoteOpenDialog(c *actions.Call, t, own *actions.Tab, d dialogs.Dialog) {
	if state(c).dialogs.said[t] == d {
		return
	}
	state(c).dialogs.said[t] = d
	if t == own {
		c.Note("A JavaScript " + d.Type + " dialog is blocking the page: " + wording.Quote(d.Message) +
			" — use `dialog accept [text]` or `dialog dismiss`" + wayOutOfNote(c, t))
		return
	}
	c.Note("A JavaScript " + d.Type + " dialog is open in tab " + t.ID + ": " + wording.Quote(d.Message) +
		" — use `--tab " + t.ID + " dialog accept [text]` or `--tab " + t.ID + " dialog dismiss`" + wayOutOfNote(c, t))
}

// wayOutOfNote continues a note with it.
func wayOutOfNote(c *actions.Call, t *actions.Tab) string {
	if way := WayOut(c, t); way != "" {
		return "." + way
	}
	return ""
}

// WayOut says what ends dialogs of a tab that come again whenever one is answered; "" where they may end by themselves.
// The last tab cannot be closed.
func WayOut(c *actions.Call, t *actions.Tab) string {
	d := t.Page.Dialogs().Open()
	if d == nil || !d.Endless {
		return ""
	}
	const said = " The page opens one dialog after another: "
	if tabs, _ := c.Tabs.All(); len(tabs) == 1 {
		return said + "`tab new` and then `tab close " + t.ID + "` end that."
	}
	return said + "`tab close " + t.ID + "` ends that."
}

// Interrupted sorts out why waiting for what was sent to a page ended. A dialog and the end of the tab are effects of
// it; everything else is an error, and so is a dialog that opened before anything was sent. If a page got its input and
// the caller were told that it failed, the caller would send it again. Whether the dialog opened before or after the
// input, in this tab or in another one of the same process, cannot be known, and it makes no difference: the page goes
// on with the input when the dialog is closed.
func Interrupted(c *actions.Call, tab *actions.Tab, err error) error {
	a := Of(c)
	if fault.Is(err, fault.PageGone) && fault.Is(tab.Page.Err(), fault.PageGone) {
		c.Tabs.All() // the session says itself which tab takes its place
		if !tab.Page.EndedByCaller() {
			return nil
		}
		if a == nil || !a.begun || tab.Page.Acts() == a.Acts {
			return ErrTabClosed(c, tab)
		}
		c.Note("the input was sent; another command closed the tab before the page reported the result")
		return nil
	}
	if !fault.Is(err, fault.DialogOpen) || a == nil || !a.begun || tab.Page.Acts() == a.Acts {
		return err
	}
	if d := tab.Page.Dialogs().Open(); d != nil {
		NoteOpenDialog(c, tab, tab, *d)
		return nil
	}
	if other, d := shownElsewhere(c, err); other != nil {
		NoteOpenDialog(c, other, tab, d)
	}
	if !a.blocked {
		a.blocked = true
		c.Note(
			"The input was sent to the page, which cannot report the result while a dialog is open: answer the dialog, and " +
				"look at the page before you repeat the command")
	}
	return nil
}

// ErrTabClosed is the error of a command whose tab another one closed before it had done its work.
func ErrTabClosed(c *actions.Call, tab *actions.Tab) error {
	return fault.New(fault.PageGone,
		"`%s`: another command closed the tab meanwhile; it is not known how far this one got", c.Name()).About(tab.ID).
		WithHint("Use `tab list` to see the open tabs.")
}

// Blocked reports whether a dialog keeps the page from reporting the result of the input.
func Blocked(c *actions.Call, tab *actions.Tab) bool {
	return tab.Page.Dialogs().Open() != nil || Of(c) != nil && Of(c).blocked
}

// shownElsewhere returns the tab whose dialog is the reason of an error, and the dialog; nil when it is closed, or that
// of no tab yet.
func shownElsewhere(c *actions.Call, err error) (*actions.Tab, dialogs.Dialog) {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return nil, dialogs.Dialog{}
	}
	tabs, _ := c.Tabs.All()
	for _, t := range tabs {
		if d := t.Page.Dialogs().Open(); d != nil && t.Page.ID() == f.Facts["targetId"] {
			return t, *d
		}
	}
	return nil, dialogs.Dialog{}
}

// DialogError names the tab whose dialog keeps this one from answering.
func DialogError(c *actions.Call, err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Code != fault.DialogOpen {
		return err
	}
	target, _ := f.Facts["targetId"].(string)
	tabs, own := c.Tabs.All()
	if target == "" && own != nil {
		copied := *f
		return copied.WithHint("%s%s", f.Hint, WayOut(c, own))
	}
	for _, t := range tabs {
		if t.Page.ID() != target {
			continue
		}
		return fault.New(fault.DialogOpen, "The page does not answer while a JavaScript %v dialog is open in tab %s: %q.",
			f.Facts["type"], t.ID, f.Facts["message"]).
			WithHint("Resolve it with `--tab %s dialog accept` or `--tab %s dialog dismiss`, then try again.%s", t.ID, t.ID,
				WayOut(c, t)).
			With("type", f.Facts["type"]).With("message", f.Facts["message"]).With("tab", t.ID)
	}
	return err
}

// parseDialogPolicy reads the value of --dialog.
func parseDialogPolicy(s string) (dialogs.Policy, error) {
	if text, ok := strings.CutPrefix(s, "text="); ok {
		return dialogs.Policy{Answer: dialogs.Accept, Text: &text}, nil
	}
	switch answer := dialogs.Answer(s); answer {
	case dialogs.Accept, dialogs.Dismiss, dialogs.Keep:
		return dialogs.Policy{Answer: answer}, nil
	}
	return dialogs.Policy{}, grammar.UsageErrorf("--dialog expects accept, dismiss, keep or text=<answer>, got '%s'",
		wording.OneLine(s))
}
