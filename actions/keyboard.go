package actions

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/policy"
)

// keyArg is a key or a chord.
func keyArg() Arg {
	return Arg{Name: "key", Kept: true, Typed: true, Help: "A character or a name such as Enter, Tab, ArrowDown, F5"}
}

// keyboardCommands go to what has the focus.
func keyboardCommands() []Command {
	return []Command{
		{
			Name: "press", Blind: true, Aliases: []string{"key"}, Group: GroupActions, Summary: "Press a key or a chord",
			Help: "Goes to the element that has the focus. Modifiers stand before the key: Control+a, Shift+Tab. Keys that `keydown` holds " +
				"down are held meanwhile.",
			Args:   []Arg{keyArg()},
			Effect: Mutates | Navigates, Traits: trait.PressesKey | trait.TakesOneKey | trait.LookAgain,
			Examples:   []Example{{Line: "press Enter"}, {Line: "press Control+a"}},
			Playwright: []string{"await page.keyboard.press({key});"},
			Run:        runPress,
			Policy:     Policy{Families: policy.Does(policy.ActsByKeyboard), Further: entersForm, Implies: activates},
		},
		{
			Name: "keydown", Blind: true, Group: GroupActions, Summary: "Press a key and hold it down",
			Help: "It stays down until `keyup` releases it or the tab is closed; later keys, clicks and pointer moves come with it when it is a " +
				"modifier. Pressing a key that is down already is what a held key does by itself: it repeats.",
			Args: []Arg{keyArg()}, Effect: Mutates | Navigates, Traits: trait.TakesOneKey | trait.LookAgain,
			Examples:   []Example{{Line: "keydown Shift", Note: "what follows happens with Shift held"}},
			Playwright: []string{"await page.keyboard.down({key});"},
			Run:        runKeyDown,
			Policy:     Policy{Families: policy.Does(policy.ActsByKeyboard), Further: entersForm, Implies: activates},
		},
		{
			Name: "keyup", Group: GroupActions, Summary: "Release a key that is held down", Args: []Arg{keyArg()}, Effect: Mutates | Navigates, Traits: trait.TakesOneKey | trait.LookAgain,
			Playwright: []string{"await page.keyboard.up({key});"}, Run: runKeyUp,
			Policy: Policy{Families: policy.Does(policy.ActsByKeyboard)},
		},
		{
			Name:     "keyboard type",
			Upstream: []string{"keyboard type <text>", "keyboard <subcommand> <text>"},
			Group:    GroupActions, Summary: "Type text into the element that has the focus, key by key",
			Args: []Arg{{Name: "text", Kind: Text, Kept: true, Typed: true, Help: "What to type"}}, Effect: Mutates | Navigates, Traits: trait.LookAgain,
			Help:       "The reply says which element that is. Where none is edited, as on a page with shortcuts, the keys go to the page.",
			Playwright: []string{"await page.keyboard.type({text});"},
			Run:        runKeyboardType,
			Policy:     Policy{Families: policy.Does(policy.ActsByKeyboard)},
		},
		{
			Name: "keyboard inserttext", Group: GroupActions, Summary: "Insert text at the caret without key events",
			Args: []Arg{{Name: "text", Kind: Text, Kept: true, Typed: true, Help: "What to insert"}}, Effect: Mutates, Traits: trait.LookAgain,
			Playwright: []string{"await page.keyboard.insertText({text});"}, Run: runInsertText,
			Policy: Policy{Families: policy.Does(policy.ActsByKeyboard)},
		},
		{
			Name: "keyboard compose", Group: GroupActions, Summary: "Insert text at the caret as an input method composes it",
			Help: "The page sees compositionstart, an update for each character, and compositionend, as when Chinese, Japanese or Korean is typed.",
			Args: []Arg{{Name: "text", Kind: Text, Kept: true, Typed: true, Help: "What to compose"}}, Effect: Mutates, Traits: trait.LookAgain,
			Run:    runCompose,
			Policy: Policy{Families: policy.Does(policy.ActsByKeyboard)},
		},
	}
}

func runPress(ctx context.Context, c *Call) (Result, error) {
	return c.keys(ctx, "pressed", func(ctx context.Context, tab *Tab, stroke engine.Stroke) error {
		return tab.Page.Keys(ctx, []engine.Stroke{stroke})
	})
}

func runKeyDown(ctx context.Context, c *Call) (Result, error) {
	return c.keys(ctx, "keydown", func(ctx context.Context, tab *Tab, stroke engine.Stroke) error {
		return tab.Page.KeyDown(ctx, stroke)
	})
}

func runKeyUp(ctx context.Context, c *Call) (Result, error) {
	return c.keys(ctx, "keyup", func(ctx context.Context, tab *Tab, stroke engine.Stroke) error {
		was, err := tab.Page.KeyUp(ctx, stroke)
		if !was {
			c.Note(c.String("key") + " was not held down")
		}
		return err
	})
}

// keys sends what became of the argument "key", and says so under the name in the data.
func (c *Call) keys(ctx context.Context, name string, send func(context.Context, *Tab, engine.Stroke) error) (Result, error) {
	stroke, err := engine.ParseKey(c.String("key"))
	if err != nil {
		return Result{}, err
	}
	tab, err := c.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	c.before(tab)
	dialog, err := c.SendInput(ctx, tab, func(ctx context.Context) error { return send(ctx, tab, stroke) })
	if err != nil {
		return Result{}, err
	}
	if !dialog {
		// What a key leads to, such as submitting a form, starts in a task after the key event; a round trip through the page
		// comes behind it.
		if err := c.flush(ctx, tab); err != nil {
			return Result{}, err
		}
		if err := c.after(ctx, tab); err != nil {
			return Result{}, err
		}
	}
	return Result{Data: map[string]any{name: c.String("key")}, Text: "✓ Done"}, nil
}

// SendInput sends input and waits until the page has handled it. It reports whether a dialog ended that early.
func (c *Call) SendInput(ctx context.Context, tab *Tab, send func(context.Context) error) (dialog bool, err error) {
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if err := send(watched); err != nil {
		err = c.interrupted(tab, err)
		return err == nil, err
	}
	return false, nil
}

func runKeyboardType(ctx context.Context, c *Call) (Result, error) {
	tab, err := c.pageForOp(ctx)
	if err != nil {
		return Result{}, err
	}
	c.before(tab)
	text := c.String("text")
	frame, active, err := c.focusedFrame(ctx, tab, map[string]any{"typing": typingTakes(text, 0)})
	if err != nil {
		return Result{}, err
	}
	if !active.Keys {
		c.Note("nothing that takes text has the focus; the keys went to " + elementName(active.located()))
	}
	at := typingAt{frame: frame, label: elementName(active.located()), checked: active.Keys, keys: true, typedInto: active.typedInto}
	shown, err := c.typeText(ctx, tab, at, text, 0)
	if err != nil {
		return Result{}, err
	}
	if err := c.after(ctx, tab); err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"typed": shown, "to": active.to()}, Text: "✓ Done"}, nil
}

func runInsertText(ctx context.Context, c *Call) (Result, error) {
	return c.putIn(ctx, "inserted", func(ctx context.Context, page *engine.Page, text string) error { return page.InsertText(ctx, text) })
}

func runCompose(ctx context.Context, c *Call) (Result, error) {
	return c.putIn(ctx, "composed", func(ctx context.Context, page *engine.Page, text string) error { return page.Compose(ctx, text) })
}

// putIn puts the text of the command in at the caret, without the keys of its characters, and looks at what the field made of it.
func (c *Call) putIn(ctx context.Context, name string, put func(context.Context, *engine.Page, string) error) (Result, error) {
	tab, err := c.pageForOp(ctx)
	if err != nil {
		return Result{}, err
	}
	c.before(tab)
	text := c.String("text")
	frame, active, err := c.focusedFrame(ctx, tab, map[string]any{"typing": typingTakes("", 0)})
	if err != nil {
		return Result{}, err
	}
	if !active.Editable {
		return Result{}, fault.New(fault.TargetUnsuitable, "No editable element has the focus%s.", active.instead()).
			WithHint("Use `focus <selector>` or `click` first.")
	}
	dialog, err := c.SendInput(ctx, tab, func(ctx context.Context) error { return put(ctx, tab.Page, text) })
	if err != nil {
		return Result{}, err
	}
	if !dialog {
		at := typingAt{frame: frame, label: elementName(active.located()), checked: true, typedInto: active.typedInto}
		if err := c.checkTyped(ctx, tab, at, text); err != nil {
			return Result{}, err
		}
		if err := c.after(ctx, tab); err != nil {
			return Result{}, err
		}
	}
	return Result{Data: map[string]any{name: true, "to": active.to()}, Text: "✓ Done"}, nil
}

// activating reports whether a key or chord activates what has the focus.
func activating(in *Input) (enter, any bool) {
	word := in.String("key")
	key := strings.ToLower(word[strings.LastIndex(word, "+")+1:])
	enter = key == "enter" || key == "return" || key == "numpadenter" || key == "\n" || key == "\r"
	return enter, enter || key == "space" || key == " "
}

// activates is the click that a key is on a button or a link that has the focus.
func activates(in *Input) []string {
	if _, yes := activating(in); yes {
		return []string{policy.Click}
	}
	return nil
}

// entersForm is the form that the key sends in a field.
func entersForm(in *Input) []policy.Family {
	if enter, _ := activating(in); enter {
		return policy.Does(policy.Sends)
	}
	return nil
}
