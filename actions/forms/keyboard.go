package forms

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/snapshot"
)

// keyArg is a key or a chord.
func keyArg() actions.Arg {
	return actions.Arg{
		Name:  "key",
		Kept:  true,
		Typed: true,
		Help:  "A character or a name such as Enter, Tab, ArrowDown, F5",
	}
}

// keyboardCommands go to what has the focus.
func keyboardCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name: "press",
				Synonyms: []string{
					"send-keys", "press-key", "keypress", "key-press",
					"sendkeys",
				},
				Aliases: []string{"key"},
				Group:   actions.GroupActions,
				Summary: "Press a key or a chord",
				Help: "The key goes to the element that has the focus, or to the given one, which gets it first. Keys have " +
					"the names Enter, Tab, Escape, Backspace, Delete, Space, ArrowUp, ArrowDown, ArrowLeft, ArrowRight, Home, End, " +
					"PageUp, PageDown and F1 to F12; the modifiers Control, Alt, Shift and Meta come before the key: Control+a, " +
					"Shift+Tab. Keys held down with `keydown` apply, too.\n\n" +
					"In a desktop app, keys of an item of the menu bar choose the item, as on a keyboard, if the page does not take " +
					"them for itself.",
				Args: []actions.Arg{keyArg(), {
					Name:     "selector",
					Kind:     actions.Selector,
					Optional: true,
					Help:     "The element that gets the focus first",
				}},
				Examples: []actions.Example{{Line: "press Enter"}, {Line: "press Control+a"}, {Line: "press Enter @e5"}},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
			Safety: actions.Safety{
				Families: policy.Does(policy.ActsByKeyboard),
				Further:  entersForm,
				Implies:  activates,
				Blind:    true,
			},
			Showing: actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{
				Data: []any{PressedResult{}},
				Tools: []actions.AgentTool{{
					Name:   "browser_press",
					Title:  "Press a key",
					About:  "Press a key or a chord: Enter, Tab, Control+a.",
					Params: []actions.Param{{Name: "key"}},
				}},
				Playwright: []string{"await page.keyboard.press({key});"},
			},
			Run: runPress,
		},
		{
			Spec: actions.Spec{
				Name:    "keydown",
				Group:   actions.GroupActions,
				Summary: "Press a key and hold it down",
				Help: "The key stays down until `keyup` releases it or the tab is closed. A modifier applies to later keys, " +
					"clicks and pointer moves. Pressing a key that is already down repeats it, as holding a key does.",
				Args:     []actions.Arg{keyArg()},
				Examples: []actions.Example{{Line: "keydown Shift", Note: "Shift is held for what follows"}},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
			Safety: actions.Safety{
				Families: policy.Does(policy.ActsByKeyboard),
				Further:  entersForm,
				Implies:  activates,
				Blind:    true,
			},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{PressedResult{}}, Playwright: []string{"await page.keyboard.down({key});"}},
			Run:      runKeyDown,
		},
		{
			Spec: actions.Spec{
				Name: "keyup", Group: actions.GroupActions, Summary: "Release a key that is held down",
				Args: []actions.Arg{keyArg()},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByKeyboard)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{PressedResult{}}, Playwright: []string{"await page.keyboard.up({key});"}},
			Run:      runKeyUp,
		},
		{
			Spec: actions.Spec{
				Name:     "keyboard type",
				Synonyms: []string{"type-text"},
				Group:    actions.GroupActions,
				Summary:  "Type text into the element that has the focus, key by key",
				Help: "The reply says which element that is. If no field has the focus, as on a page with shortcuts, the " +
					"keys go to the page.",
				Args: []actions.Arg{{
					Name:  "text",
					Kind:  actions.Text,
					Kept:  true,
					Typed: true,
					Help:  "What to type",
				}},
				Upstream: []string{"keyboard type <text>", "keyboard <subcommand> <text>"},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByKeyboard)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{
				Data:       []any{KeyboardTypedResult{}},
				Playwright: []string{"await page.keyboard.type({text});"},
			},
			Run: runKeyboardType,
		},
		{
			Spec: actions.Spec{
				Name: "keyboard inserttext", Group: actions.GroupActions, Summary: "Insert text at the caret without key events",
				Args: []actions.Arg{{
					Name:  "text",
					Kind:  actions.Text,
					Kept:  true,
					Typed: true,
					Help:  "What to insert",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByKeyboard)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{
				Data:       []any{EnteredResult{}},
				Playwright: []string{"await page.keyboard.insertText({text});"},
			},
			Run: runInsertText,
		},
		{
			Spec: actions.Spec{
				Name:    "keyboard compose",
				Group:   actions.GroupActions,
				Summary: "Insert text at the caret as an input method (IME) composes it",
				Help: "The page sees compositionstart, an update for each character, and compositionend, as when Chinese, " +
					"Japanese or Korean is typed.",
				Args: []actions.Arg{{
					Name:  "text",
					Kind:  actions.Text,
					Kept:  true,
					Typed: true,
					Help:  "What to compose",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByKeyboard)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{EnteredResult{}}},
			Run:      runCompose,
		},
	}
}

func runPress(ctx context.Context, c *actions.Call) (actions.Result, error) {
	data := PressedResult{Pressed: c.String("key")}
	return keys(ctx, c, &data, func(ctx context.Context, tab *actions.Tab, stroke input.Stroke) (*element.Flushed, error) {
		item, done := pressMenuKeys(ctx, c, tab, stroke)
		if data.MenuItem = item; done {
			return nil, nil
		}
		behind := element.FlushBehind(c, tab, "keyup", input.Releases(tab.Page, stroke))
		return behind, input.PressKeys(ctx, tab.Page, []input.Stroke{stroke}, behind.Sent)
	})
}

func runKeyDown(ctx context.Context, c *actions.Call) (actions.Result, error) {
	return keys(ctx, c, &PressedResult{
		KeyDown: c.String("key"),
	}, func(ctx context.Context, tab *actions.Tab, stroke input.Stroke) (*element.Flushed, error) {
		return nil, input.KeyDown(ctx, tab.Page, stroke)
	})
}

func runKeyUp(ctx context.Context, c *actions.Call) (actions.Result, error) {
	return keys(ctx, c, &PressedResult{
		KeyUp: c.String("key"),
	}, func(ctx context.Context, tab *actions.Tab, stroke input.Stroke) (*element.Flushed, error) {
		was, err := input.KeyUp(ctx, tab.Page, stroke)
		if !was {
			c.Note(c.String("key") + " was not held down")
		}
		return nil, err
	})
}

// keys sends the stroke that the argument "key" was parsed to, and returns what it sent behind it. The data says what
// was done with it.
func keys(
	ctx context.Context, c *actions.Call, data *PressedResult,
	send func(context.Context, *actions.Tab, input.Stroke) (*element.Flushed, error),
) (actions.Result, error) {
	stroke, err := input.ParseKey(c.String("key"))
	if err != nil {
		if _, swapped := input.ParseKey(c.String("selector")); swapped == nil && c.Has("selector") {
			return actions.Result{}, c.Invalid("The key comes first: `" + c.Name() + " " + c.String("selector") + " " +
				c.String("key") + "`")
		}
		return actions.Result{}, err
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	run.Start(c, tab)
	if err := focusGiven(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	var behind *element.Flushed
	dialog, err := SendInput(ctx, c, tab, func(ctx context.Context) (err error) {
		behind, err = send(ctx, tab, stroke)
		return err
	})
	if err != nil {
		return actions.Result{}, err
	}
	if !dialog {
		// What a key leads to, such as submitting a form, starts in a task after the key event; the answer of the page
		// comes behind it.
		if err := element.Flush(ctx, c, tab, behind); err != nil {
			return actions.Result{}, err
		}
		if err := run.Settle(ctx, c, tab); err != nil {
			return actions.Result{}, err
		}
	}
	return actions.Result{Data: *data, Text: "✓ Done"}, nil
}

// focusGiven gives the focus to the element that the key is for, if the command names one.
func focusGiven(ctx context.Context, c *actions.Call, tab *actions.Tab) error {
	if !c.Has("selector") {
		return nil
	}
	selector := c.String("selector")
	if _, err := input.ParseKey(selector); err == nil {
		return c.Invalid("press takes one key, and got " + c.String("key") + " and " + selector +
			": write a combination as one word, " + c.String("key") + "+" + selector)
	}
	t, err := element.Resolve(ctx, c, tab, selector)
	if err != nil {
		return err
	}
	_, err = Focus(ctx, c, tab, t, FocusArg{})
	return err
}

// SendInput sends input and waits until the page has handled it. It reports whether a dialog ended that early.
func SendInput(
	ctx context.Context, c *actions.Call, tab *actions.Tab, send func(context.Context) error,
) (dialog bool, err error) {
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if err := send(watched); err != nil {
		err = run.Interrupted(c, tab, err)
		return err == nil, err
	}
	return false, nil
}

// textOfRef refuses a text that begins with a ref, which is meant as the target.
func textOfRef(c *actions.Call, text string) error {
	ref, rest, _ := strings.Cut(text, " ")
	if c.UpstreamText() || rest == "" || !strings.HasPrefix(ref, "@") || !snapshot.IsRef(ref) {
		return nil
	}
	return fault.New(fault.Usage, "%s is a ref, and the text goes to what has the focus.", ref).About(ref).
		WithHint("`type %s <text>` types into that element; `keyboard inserttext` takes a text that begins so.", ref)
}

func runKeyboardType(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := run.TabForOp(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	text := c.String("text")
	if err := textOfRef(c, text); err != nil {
		return actions.Result{}, err
	}
	run.Start(c, tab)
	held := heldField(tab)
	frame, active, err := focusedFrame(ctx, c, tab, activeArg{Typing: new(typingTakes(text, 0))})
	if err != nil {
		return actions.Result{}, err
	}
	if held != nil && active.Tag == "" {
		at, err := focusAgain(ctx, c, tab, held, text)
		if err != nil {
			return actions.Result{}, err
		}
		if at != nil {
			return typeAgain(ctx, c, tab, *at, text)
		}
	}
	if !active.Keys {
		c.Note("no text field has the focus; the keys went to " + element.ElementName(active.located()))
	}
	label := element.ElementName(active.located())
	target := element.NewTarget(tab, frame, active.Doc, active.Token, label)
	at := typingAt{
		frame:     frame,
		label:     label,
		target:    target,
		focused:   true,
		checked:   active.Keys,
		keys:      true,
		typedInto: active.typedInto,
	}
	return typeHere(ctx, c, tab, at, held, text, active.to())
}

// typeAgain types a text into a field that has got the focus back.
func typeAgain(
	ctx context.Context, c *actions.Call, tab *actions.Tab, at typingAt, text string,
) (actions.Result, error) {
	_, active, err := focusedFrame(ctx, c, tab, activeArg{})
	if err != nil {
		return actions.Result{}, err
	}
	return typeHere(ctx, c, tab, at, at.target, text, active.to())
}

// typeHere types a text into what has the focus. Held is the field that `focus` chose, or nil.
func typeHere(
	ctx context.Context, c *actions.Call, tab *actions.Tab, at typingAt, held *element.Target, text string,
	to FocusedElement,
) (actions.Result, error) {
	shown, err := typeText(ctx, c, tab, at, text, 0)
	if err != nil {
		return actions.Result{}, err
	}
	if held != nil && !leavesField(text) {
		holdFocus(tab, held)
	}
	if err := run.Settle(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: KeyboardTypedResult{to, shown}, Text: "✓ Done"}, nil
}

func runInsertText(ctx context.Context, c *actions.Call) (actions.Result, error) {
	return putIn(ctx, c, EnteredResult{Inserted: true}, func(ctx context.Context, page *engine.Page, text string) error {
		return input.InsertText(ctx, page, text)
	})
}

func runCompose(ctx context.Context, c *actions.Call) (actions.Result, error) {
	return putIn(ctx, c, EnteredResult{Composed: true}, func(ctx context.Context, page *engine.Page, text string) error {
		return input.Compose(ctx, page, text)
	})
}

// putIn puts the text of the command in at the caret, without the keys of its characters, and looks at what the field
// made of it.
func putIn(
	ctx context.Context, c *actions.Call, data EnteredResult, put func(context.Context, *engine.Page, string) error,
) (actions.Result, error) {
	tab, err := run.TabForOp(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	run.Start(c, tab)
	text := c.String("text")
	frame, active, err := focusedFrame(ctx, c, tab, activeArg{Typing: new(typingTakes("", 0))})
	if err != nil {
		return actions.Result{}, err
	}
	if !active.Editable {
		return actions.Result{}, fault.New(fault.TargetUnsuitable, "No editable element has the focus%s.", active.instead()).
			WithHint("Use `focus <selector>` or `click` first.")
	}
	dialog, err := SendInput(ctx, c, tab, func(ctx context.Context) error { return put(ctx, tab.Page, text) })
	if err != nil {
		return actions.Result{}, err
	}
	if !dialog {
		at := typingAt{frame: frame, label: element.ElementName(active.located()), checked: true, typedInto: active.typedInto}
		if err := checkTyped(ctx, c, tab, at, text); err != nil {
			return actions.Result{}, err
		}
		if err := run.Settle(ctx, c, tab); err != nil {
			return actions.Result{}, err
		}
	}
	data.To = active.to()
	return actions.Result{Data: data, Text: "✓ Done"}, nil
}

// activating reports whether a key or chord activates what has the focus.
func activating(in *actions.Input) (enter, any bool) {
	word := in.String("key")
	key := strings.ToLower(word[strings.LastIndex(word, "+")+1:])
	enter = key == "enter" || key == "return" || key == "numpadenter" || key == "\n" || key == "\r"
	return enter, enter || key == "space" || key == " "
}

// activates is the click that a key is on a button or a link that has the focus.
func activates(in *actions.Input) []string {
	if _, yes := activating(in); yes {
		return []string{policy.Click}
	}
	return nil
}

// entersForm is the form that the key sends in a field.
func entersForm(in *actions.Input) []policy.Family {
	if enter, _ := activating(in); enter {
		return policy.Does(policy.Sends)
	}
	return nil
}
