package forms

import (
	"context"
	"unicode/utf8"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// clipboardCommands work on the browser's clipboard: in a headless browser its own, which the sessions that share the
// browser share.
func clipboardCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "clipboard read",
				Aliases: []string{"clipboard"},
				Group:   actions.GroupClipboard,
				Summary: "Print the text on the clipboard",
				Help: "Includes what a page put there, for instance with a Copy button. The page needs no permission, and " +
					"its permissions do not change. Sessions that share a browser share its clipboard.",
				Upstream: []string{"clipboard <op> [text]", "clipboard <operation> [text]", "clipboard read"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.AboutClipboard},
			Bindings: actions.Bindings{Data: []any{ClipboardTextResult{}}},
			Run:      runClipboardRead,
		},
		{
			Spec: actions.Spec{
				Name: "clipboard write", Group: actions.GroupClipboard, Summary: "Put text on the clipboard",
				Args: []actions.Arg{{Name: "text", Kind: actions.Text, Secret: true, Help: "The text"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does(), Gives: actions.ToAll},
			Showing:  actions.Showing{Traits: trait.AboutClipboard | trait.Sets},
			Bindings: actions.Bindings{Data: []any{ClipboardWrittenResult{}}},
			Run:      runClipboardWrite,
		},
		{
			Spec: actions.Spec{
				Name: "clipboard copy", Group: actions.GroupClipboard,
				Summary: "Copy the page's selection with the keyboard shortcut",
			},
			Schedule: actions.Schedule{Effect: actions.Mutates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByKeyboard)},
			Showing:  actions.Showing{Traits: trait.AboutClipboard, Refs: trait.Refs{Kept: true}},
			Bindings: actions.Bindings{Data: []any{ClipboardCopiedResult{}}},
			Run:      runClipboardCopy,
		},
		{
			Spec: actions.Spec{
				Name: "clipboard paste", Group: actions.GroupClipboard,
				Summary: "Paste into the element that has the focus, with the keyboard shortcut",
				Help:    "The page sees the keys and the paste event with its data. The field's content is read back.",
			},
			Schedule: actions.Schedule{Effect: actions.Mutates | actions.Navigates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByKeyboard)},
			Showing:  actions.Showing{Traits: trait.AboutClipboard},
			Bindings: actions.Bindings{Data: []any{ClipboardPastedResult{}}},
			Run:      runClipboardPaste,
		},
	}
}

// catchClipArg is the argument of the in-page op catchClip.
type catchClipArg struct {
	Type string `json:"type"` // copy, cut or paste
	How  string `json:"how"`  // see, take or give
	Text string `json:"text"` // to give
}

// caughtArg is the argument of the in-page op caught.
type caughtArg struct {
	Wait int64 `json:"wait"` // in ms
}

var (
	opCatchClip = inpage.Define[catchClipArg, any]("catchClip")
	opCaught    = inpage.Define[caughtArg, caught]("caught")
)

// caught is the result of the in-page op caught.
type caught struct {
	Seen    bool   `json:"seen"`
	Text    string `json:"text"`
	Handled bool   `json:"handled"` // by a handler of the page's
	Files   int    `json:"files"`
}

// clip has one clipboard event come where the focus is, and returns what it was like.
func clip(
	ctx context.Context, c *actions.Call, tab *actions.Tab, frame *engine.Frame, kind, how, text string,
	send func(context.Context) error,
) (now caught, dialog bool, err error) {
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if _, err := opCatchClip.In(watched, frame, catchClipArg{kind, how, text}); err != nil {
		return now, false, err
	}
	if dialog, err := SendInput(ctx, c, tab, send); err != nil || dialog {
		return now, dialog, err
	}
	now, err = opCaught.In(watched, frame, caughtArg{valuePatience.Milliseconds()})
	if engine.IsNavigated(err) {
		return now, true, nil // the page left for what it got
	}
	if fault.Is(err, fault.DialogOpen) {
		err = run.Interrupted(c, tab, err)
		return now, err == nil, err
	}
	return now, false, err
}

// silently runs an editing command that only we serve.
func silently(ctx context.Context, c *actions.Call, command, how, text string) (caught, error) {
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return caught{}, err
	}
	frame, _, err := focusedFrame(ctx, c, tab, activeArg{})
	if err != nil {
		return caught{}, err
	}
	now, _, err := clip(ctx, c, tab, frame, command, how, text, func(ctx context.Context) error {
		return input.Edit(ctx, tab.Page, command)
	})
	if err == nil && !now.Seen {
		err = fault.New(fault.TargetUnsuitable, "The page blocks the clipboard: no %s event came.", command).
			WithHint("Click into the page or open another one, then try again.")
	}
	return now, err
}

func runClipboardRead(ctx context.Context, c *actions.Call) (actions.Result, error) {
	now, err := silently(ctx, c, "paste", "take", "")
	if err != nil {
		return actions.Result{}, err
	}
	if now.Text == "" && now.Files > 0 {
		c.Note("there is no text on the clipboard, but " + wording.Plural(now.Files, "file"))
	}
	return actions.Result{Data: ClipboardTextResult{now.Text}, Text: now.Text}, nil
}

func runClipboardWrite(ctx context.Context, c *actions.Call) (actions.Result, error) {
	text := c.String("text")
	if _, err := silently(ctx, c, "copy", "give", text); err != nil {
		return actions.Result{}, err
	}
	now, err := silently(ctx, c, "paste", "take", "")
	if err != nil {
		return actions.Result{}, err
	}
	if now.Text != text {
		return actions.Result{}, fault.New(fault.ValueNotKept, "The clipboard did not keep the text: it holds %s.",
			wording.Plural(utf8.RuneCountInString(now.Text), "character")).
			WithHint("Another program or page may use the clipboard at the same time.")
	}
	return actions.Result{Data: ClipboardWrittenResult{true}, Text: "✓ Done"}, nil
}

func runClipboardCopy(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	run.Start(c, tab)
	frame, active, err := focusedFrame(ctx, c, tab, activeArg{})
	if err != nil {
		return actions.Result{}, err
	}
	now, dialog, err := clip(ctx, c, tab, frame, "copy", "see", "", pressing(tab, input.CopyStroke()))
	switch {
	case err != nil:
		return actions.Result{}, err
	case dialog:
	case !now.Seen:
		return actions.Result{}, fault.New(fault.TargetUnsuitable, "The page prevented the copying.").
			WithHint("A handler of the page took the key; `get text` reads the text.")
	case now.Text == "" && !now.Handled:
		return actions.Result{}, fault.New(fault.TargetUnsuitable, "Nothing is selected in %s, so there is nothing to copy.",
			active.place()).
			WithHint("Select something first, as with `press Control+a`.")
	}
	if err := run.Settle(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: ClipboardCopiedResult{utf8.RuneCountInString(now.Text), true}, Text: "✓ Done"}, nil
}

func runClipboardPaste(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	run.Start(c, tab)
	frame, active, err := focusedFrame(ctx, c, tab, activeArg{Typing: new(typingTakes("", 0))})
	if err != nil {
		return actions.Result{}, err
	}
	now, dialog, err := clip(ctx, c, tab, frame, "paste", "see", "", pressing(tab, input.PasteStroke()))
	switch {
	case err != nil:
		return actions.Result{}, err
	case dialog:
	case now.Seen && now.Text == "" && now.Files == 0:
		return actions.Result{}, fault.New(fault.TargetUnsuitable, "The clipboard is empty, so there is nothing to paste.").
			WithHint("Use `clipboard write <text>` first.")
	case !active.Editable && !now.Handled:
		return actions.Result{}, fault.New(fault.TargetUnsuitable,
			"No editable element has the focus%s, and the page did not take the paste.", active.instead()).
			WithHint("Use `focus <selector>` or `click` first.")
	case now.Text != "" && active.Editable:
		at := typingAt{
			frame:     frame,
			label:     element.ElementName(active.located()),
			checked:   true,
			anywhere:  now.Handled,
			typedInto: active.typedInto,
		}
		if err := checkTyped(ctx, c, tab, at, now.Text); err != nil {
			return actions.Result{}, err
		}
	}
	if err := run.Settle(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: ClipboardPastedResult{true, active.to()}, Text: "✓ Done"}, nil
}

func pressing(tab *actions.Tab, strokes ...input.Stroke) func(context.Context) error {
	return func(ctx context.Context) error { return input.PressKeys(ctx, tab.Page, strokes) }
}
