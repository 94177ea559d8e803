package forms

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// editorKind is what the op fill calls an editor that keeps its text in a model of its own and shows a part of it
// (Monaco, ACE, CodeMirror 5).
const editorKind = "editor"

// copiedArg is the argument of the in-page op copied.
type copiedArg struct {
	Token int64 `json:"token"`
}

// pasteArg is the argument of the in-page op paste.
type pasteArg struct {
	Token int64  `json:"token"`
	Text  string `json:"text"`
	Wait  int64  `json:"wait"` // in ms
}

type pasted struct {
	Handled bool `json:"handled"`
}

var (
	opCopied = inpage.Define[copiedArg, copied]("copied")
	opPaste  = inpage.Define[pasteArg, pasted]("paste")
)

// copied is the result of the in-page op copied.
type copied struct {
	Text   string `json:"text"`
	Secret bool   `json:"secret"`
	Gone   bool   `json:"gone"`
	// the text is not in the page, such as one that is drawn on a canvas, and the editor copies nothing itself
	Unread bool `json:"unread"`
}

// fillEditor replaces the text of such an editor as a person would: everything is selected by its keys, the text goes
// in as pasted, so that no brackets are closed and no lines indented, and comes back out as copied. The clipboard is
// not touched.
func fillEditor(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, token int64, text string,
) error {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if err := replaceAll(ctx, c, tab, t, token, text); err != nil {
		return run.Interrupted(c, tab, err)
	}
	var now copied
	var seen string
	for range copyTries {
		var err error
		if now, err = copyAll(ctx, tab, t, token); err != nil {
			return run.Interrupted(c, tab, err)
		}
		if seen = strings.ReplaceAll(now.Text, "\r\n", "\n"); now.Gone || now.Unread || sameLines(seen, text) {
			break
		}
	}
	switch {
	case now.Gone:
		c.Note("the page has removed the editor since it had the text")
	case now.Unread:
		c.Note(textUnread)
	case sameLines(seen, text):
	case text != "" && strings.Join(strings.Fields(seen), " ") == strings.Join(strings.Fields(text), " "):
		c.Note("the editor shows it as " + wording.Quote(seen))
	default:
		return notKept(t.Label, kept{Value: seen, Secret: now.Secret})
	}
	return nil
}

// textUnread is what replies say of text that went to an editor whose own text is not in the page.
const textUnread = "the editor was given the text; it draws what it holds itself, so its own text could not be read " +
	"back: look at it with `screenshot`"

// copyTries is how often an editor is asked for its text: some are busy with what was pasted for a while.
const copyTries = 3

// copyAll selects everything in the editor, asks what copying that would give, and puts the caret at the end.
func copyAll(ctx context.Context, tab *actions.Tab, t *element.Target, token int64) (now copied, err error) {
	if _, err := element.OpSettled.In(ctx, t.Frame, element.SettledArg{}); err != nil {
		return now, err
	}
	if err := input.PressKeys(ctx, tab.Page, []input.Stroke{input.SelectAllStroke()}); err != nil {
		return now, err
	}
	if now, err = opCopied.In(ctx, t.Frame, copiedArg{token}); err != nil {
		return now, err
	}
	return now, input.PressKeys(ctx, tab.Page, []input.Stroke{input.EndStroke()})
}

// sameLines compares texts except for a trailing line break: without a selection, editors copy the line with its line
// break.
func sameLines(a, b string) bool { return strings.TrimRight(a, "\n") == strings.TrimRight(b, "\n") }

func replaceAll(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, token int64, text string,
) error {
	strokes := []input.Stroke{input.SelectAllStroke()}
	if text == "" {
		strokes = append(strokes, input.DeleteStroke())
	}
	if err := input.PressKeys(ctx, tab.Page, strokes); err != nil || text == "" {
		return err
	}
	if now, err := opPaste.In(ctx, t.Frame, pasteArg{token, text, valuePatience.Milliseconds()}); err != nil ||
		now.Handled {
		return err
	}
	return input.InsertText(ctx, tab.Page, text)
}

// focusedFrame returns the frame that has the focus, through frames in frames, with what the op active says there.
// Where the command has not begun to watch, it watches the page.
func focusedFrame(
	ctx context.Context, c *actions.Call, tab *actions.Tab, arg activeArg,
) (*engine.Frame, *activeResult, error) {
	frame := tab.Page.Main()
	watched := arg
	if run.Of(c) != nil && run.Of(c).Frame == nil {
		watched.Watch, run.Of(c).Frame = true, frame
	}
	for now := watched; ; now = arg {
		var active activeResult
		value, doc, err := opActive.Raw(ctx, frame, now)
		if err == nil {
			err = opActive.Read(value, &active)
		}
		if err != nil {
			return nil, nil, err
		}
		active.Doc = doc
		if active.Tag != "iframe" && active.Tag != "frame" {
			return frame, &active, nil
		}
		child, err := childOf(ctx, frame, active.Token)
		if err != nil {
			return nil, nil, err
		}
		frame = child
	}
}

// activeArg is the argument of the in-page op active.
type activeArg struct {
	Typing *int64 `json:"typing,omitempty"` // how long typing that follows may take, in ms; nil means that none does
	Watch  bool   `json:"watch,omitzero"`   // for effects
}

var opActive = inpage.Define[activeArg, activeResult]("active")

// activeResult is the result of the in-page op active.
type activeResult struct {
	Tag      string `json:"tag"`
	Role     string `json:"role"`
	Name     string `json:"name"`
	Token    int64  `json:"token"`
	Editable bool   `json:"editable"` // inserted text ends up in it
	Keys     bool   `json:"keys"`     // keys change it

	Doc string `json:"-"` // the document that Token holds in
	typedInto
}

func (a *activeResult) located() *element.Located {
	if a.Tag == "" {
		return &element.Located{Tag: "body"}
	}
	return &element.Located{Tag: a.Tag, Role: a.Role, Name: a.Name}
}

// instead names what has the focus in place of something editable.
func (a *activeResult) instead() string {
	if a.Tag == "" {
		return ""
	}
	return ", but " + element.ElementName(a.located())
}

// place names the element, or the page.
func (a *activeResult) place() string {
	if a.Tag == "" {
		return "the page"
	}
	return element.ElementName(a.located())
}

// to is what replies say of the element that got the input.
func (a *activeResult) to() FocusedElement { return FocusedElement{a.Name, a.Role} }

// childOf returns the child frame whose element has the token.
func childOf(ctx context.Context, frame *engine.Frame, token int64) (*engine.Frame, error) {
	children, err := frame.Children(ctx)
	if err != nil {
		return nil, err
	}
	for _, child := range children {
		owner, _, err := child.OwnerToken(ctx)
		if err == nil && owner == token {
			return child, nil
		}
	}
	return nil, fault.New(fault.FrameGone, "the frame that has the focus cannot be reached").
		WithHint("Take a new snapshot.")
}
