package forms

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/internal/wording"
)

func typingCommands() []actions.Command {
	return []actions.Command{
		{
			Name:     "fill",
			Upstream: []string{"fill <sel> <text>", "fill <selector> <text>"},
			Group:    actions.GroupActions, Summary: "Replace the content of a field",
			Help: "Clears the field and puts the text in, then reads back what the page kept. Works on text fields, " +
				"contenteditable elements, editors in pages, and date, time, color and range inputs. A text field's change event comes when the field " +
				"loses the focus, as when a person types. A picked value (a date, a color) is committed at once.",
			Args:   []actions.Arg{actions.SelectorArg(), {Name: "text", Kind: actions.Text, Optional: true, Kept: true, Typed: true, Help: "The new content; nothing to clear the field"}},
			Effect: actions.InTab | actions.Mutates, Traits: trait.Replaces | trait.TypesText | trait.LookAgain, Refs: trait.Refs{Kept: true},
			Examples:   []actions.Example{{Line: `fill @e3 "a@b.c"`}, {Line: "fill @e3", Note: "clear the field"}},
			Playwright: []string{"await {selector}.fill({text});", "await {selector}.clear();"},
			Tools: []actions.AgentTool{{
				Name: "browser_fill", Title: "Fill", About: "Replace what is in a field.",
				Params: []actions.Param{{Name: "selector"}, {Name: "value", Of: "text", Required: true}},
			}},
			Data:   []any{FilledResult{}},
			Run:    element.OnTarget(runFill),
			Policy: actions.Policy{Families: policy.Does(policy.ActsByKeyboard)},
		},
		{
			Name:     "type",
			Upstream: []string{"type <sel> <text>", "type <selector> <text>"},
			Group:    actions.GroupActions, Summary: "Type text into a field, key by key",
			Help: "Focuses the field, puts the caret at its end and sends a key event for each character. It succeeds when the keys were delivered; if the " +
				"field shows something else, as one with an input mask does, the reply says what. Use `fill` if the field must have exactly the text.",
			Args: []actions.Arg{actions.SelectorArg(), {Name: "text", Kind: actions.Text, Optional: true, Kept: true, Typed: true, Help: "What to type; a newline is the Enter key"}},
			Flags: []actions.Flag{
				{Name: "clear", Kind: actions.Bool, Help: "Empty the field first"},
				{Name: "delay", Kind: actions.Duration, Value: "ms", Help: "Pause between the keys"},
			},
			Effect: actions.InTab | actions.Mutates | actions.Navigates, Traits: trait.TypesText | trait.LookAgain, Playwright: []string{"await {selector}.pressSequentially({text});"},
			Tools: []actions.AgentTool{{
				Name: "browser_type", Title: "Type", About: "Type text into a field, key by key.",
				Params: []actions.Param{{Name: "selector"}, {Name: "text", Required: true}, {Name: "clear", About: "empty it first"}},
			}},
			Data:   []any{TypedResult{}},
			Run:    element.OnTarget(runType),
			Policy: actions.Policy{Families: policy.Does(policy.ActsByKeyboard)},
		},
		{
			Name:     "focus",
			Upstream: []string{"focus <sel>", "focus <selector>"},
			Group:    actions.GroupActions, Summary: "Give an element the keyboard focus", Args: []actions.Arg{actions.SelectorArg()},
			Effect: actions.InTab | actions.Mutates, Refs: trait.Refs{Kept: true},
			Playwright: []string{"await {selector}.focus();"},
			Data:       []any{FocusedResult{}},
			Run:        element.OnTarget(Focused),
			Policy:     actions.Policy{Families: policy.Does(policy.ActsByKeyboard)},
		},
	}
}

// filled is the result of the in-page op fill.
type filled struct {
	element.Located
	Done  bool   `json:"done"`
	Kind  string `json:"kind"`
	Value string `json:"value"`

	Secret bool `json:"secret"` // what the field holds is not shown

	Into int64 `json:"into"` // what takes the text of an editor that keeps it elsewhere

	Refused bool   `json:"refused"` // a picked value, such as a date, that the field does not take
	Format  string `json:"format"`  // how such a value has to look
}

// kept is the result of the in-page op value.
type kept struct {
	Value  string `json:"value"`
	Secret bool   `json:"secret"`
	Kept   bool   `json:"kept"` // it holds the expected text, as far as its kind of field can

	Connected bool `json:"connected"` // it is there, or what has taken its place is
	Late      bool `json:"late"`      // the text had not arrived when it was read

	Effects *run.SeenEffects `json:"effects"`

	length int // of a secret value that was not handed out
}

// valuePatience is how long a field may take to show inserted text. Editors that render their own model need a frame or two.
const valuePatience = 500 * time.Millisecond

// Fill replaces the content of a field and reads it back.
func Fill(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, text string) (actions.Result, error) {
	return FillField(ctx, c, tab, t, text, FillOptions{})
}

// FillOptions is what else is asked of a field that is filled.
type FillOptions struct {
	Password bool // it is a password field, also at the moment when the text comes
}

// FillField fills a field as Fill does, with options that no flag sets.
func FillField(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, text string, wants FillOptions) (actions.Result, error) {
	run.Start(c, tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	var res filled
	arg := map[string]any{"value": text}
	if wants.Password {
		arg["password"] = true
	}
	if err := element.RunOp(watched, c, t, "fill", arg, &res); err != nil {
		return actions.Result{}, halfFilled(c, t, err)
	}
	run.NoteSecret(c, res.Secret)
	if res.Refused {
		return actions.Result{}, fault.New(fault.ValueNotKept, "'%s' does not take %s; it still holds %s.", t.Label, wording.Quote(text), wording.Quote(res.Value)).
			About(t.Label).WithHint("Write it as %s.", res.Format)
	}
	switch {
	case res.Done && !strings.EqualFold(res.Value, strings.TrimSpace(text)):
		c.Note("the field shows it as " + wording.Quote(res.Value))
	case res.Done:
	case res.Kind == editorKind:
		if err := fillEditor(watched, c, tab, t, res.Into, text); err != nil {
			return actions.Result{}, err
		}
	default:
		if err := insert(watched, c, tab, t, res.Token, text); err != nil {
			return actions.Result{}, err
		}
	}
	if err := run.Settle(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: FilledResult{t.Label}, Text: "✓ Done"}, nil
}

// halfFilled is the error if a dialog opened before the field had its text, or, for a picker such as a date field, while its events were dispatched.
func halfFilled(c *actions.Call, t *element.Target, err error) error {
	f, ok := errors.AsType[*fault.Error](run.DialogError(c, err))
	if !ok || f.Code != fault.DialogOpen {
		return err
	}
	said := *f
	said.Message = "'" + t.Label + "' may not be filled: " + said.Message
	return said.About(t.Label)
}

// insert replaces the selected content of the focused field and reads back what the page kept.
func insert(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, token int64, text string) error {
	var now kept
	var err error
	arg := map[string]any{"token": token, "expect": text, "wait": valuePatience.Milliseconds(), "inserted": true, "effects": !c.Bool("settle")}
	if text != "" {
		err = input.InsertAndCall(ctx, t.Frame, text, "value", arg, &now)
		if err == nil && now.Late {
			// A busy browser passes text on later than it answers scripts. By now it has said that the text was inserted.
			delete(arg, "inserted")
			err = t.Frame.Call(ctx, "value", arg, &now)
		}
	} else if err = input.PressKeys(ctx, tab.Page, []input.Stroke{input.DeleteStroke()}); err == nil {
		err = t.Frame.Call(ctx, "value", arg, &now)
		if err == nil && !now.Kept {
			// A page that keeps the key from the field may still let it be emptied, as from the browser's menu.
			now = kept{}
			err = input.InsertAndCall(ctx, t.Frame, text, "value", arg, &now)
		}
	}
	switch {
	case engine.IsNavigated(err):
		return nil // the page left as soon as it had the text
	case err != nil:
		return run.Interrupted(c, tab, err)
	}
	run.Of(c).Seen, run.Of(c).Settled = now.Effects, true
	switch {
	case now.Kept && !now.Connected:
		c.Note("the page has removed the field since it had the text")
		return nil
	case now.Kept:
		return nil
	case !now.Secret && showsAs(now.Value, text):
		c.Note("the field shows it as " + wording.Quote(now.Value))
		return nil
	}
	return notKept(t.Label, now)
}

// mostPrefix is how many letters and digits a mask may put before the text: a country's code, a currency.
const mostPrefix = 3

// showsAs reports whether a field that normalizes what it gets shows the text: with punctuation of a mask, behind the mask's own prefix, or as
// the same number.
func showsAs(value, text string) bool {
	want := bare(text)
	if want == "" {
		return false
	}
	if have, number, ok := numbersOf(value, text); ok {
		return have == number
	}
	if bare(value) == want {
		return true
	}
	// Behind a prefix there is punctuation; what merely ends with the text is something else.
	prefix := strings.TrimSuffix(bare(value), want)
	if len(want) <= mostPrefix || len(prefix) > mostPrefix || prefix+want != bare(value) {
		return false
	}
	for i, r := range value {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && bare(value[:i]) == prefix {
			return true
		}
	}
	return false
}

// numbersOf reads both as numbers, the value with thousands grouped by commas or spaces, and a currency.
func numbersOf(value, text string) (have, want float64, ok bool) {
	want, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return 0, 0, false
	}
	have, err = strconv.ParseFloat(strings.Map(func(r rune) rune {
		if r == ',' || unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) || r == '%' {
			return -1
		}
		return r
	}, value), 64)
	return have, want, err == nil
}

// bare is what is left of a value when a mask's punctuation and spaces are taken out.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

func notKept(label string, now kept) error {
	e := fault.New(fault.ValueNotKept, "The page did not keep the value of '%s': it now holds %s.", label, wording.Quote(now.Value)).
		About(label).With("seen", now.Value)
	if now.Secret {
		e = fault.New(fault.ValueNotKept, "The page did not keep the value of '%s'; it holds %s.", label,
			wording.Plural(max(now.length, len([]rune(now.Value))), "character")).About(label)
	}
	return e.WithHint("The field may take another format, fewer characters, or be controlled by the page's script.")
}

// focusResult is the result of the in-page op focus.
type focusResult struct {
	element.Located
	Focused  bool `json:"focused"`
	Editable bool `json:"editable"`

	Passed  *element.Located `json:"passed"` // what has the focus, when the target got it and passed it on at once
	Effects *run.SeenEffects `json:"effects"`
	typedInto
}

// Focus gives the target the focus. More are arguments of the op besides.
func Focus(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, more map[string]any) (*focusResult, error) {
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	var res focusResult
	if err := element.RunOp(watched, c, t, "focus", more, &res); err != nil {
		return nil, err
	}
	if !res.Focused {
		return nil, fault.New(fault.TargetUnsuitable, "Element '%s' did not take the focus.", t.Label).About(t.Label).
			WithHint("Only links, controls, editable elements and elements with a tabindex do.")
	}
	switch {
	case res.Passed == nil:
	case res.Passed.Token == 0:
		c.Note(t.Label + " got the focus and lost it at once; no element has it")
	default:
		c.Note(t.Label + " got the focus and passed it on at once to " + element.ElementName(res.Passed))
	}
	return &res, nil
}

// Focused gives an element the focus and checks that it has it.
func Focused(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	run.Start(c, tab)
	run.Of(c).Focuses = true
	if err := engine.ActingByOp(ctx, tab.Page); err != nil {
		return actions.Result{}, err
	}
	switch res, err := Focus(ctx, c, tab, t, map[string]any{"effects": !c.Bool("settle")}); {
	case err == nil:
		run.Of(c).Seen = res.Effects
	default:
		if err := run.Interrupted(c, tab, err); err != nil {
			return actions.Result{}, err
		}
	}
	return actions.Result{Data: FocusedResult{t.Label}, Text: "✓ Done"}, run.Settle(ctx, c, tab)
}

func runType(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	if c.Bool("clear") {
		if _, err := Fill(ctx, c, tab, t, ""); err != nil {
			return actions.Result{}, err
		}
		run.Of(c).Seen, run.Of(c).Settled = nil, false // the effect is that of the text
	}
	return TypeInto(ctx, c, tab, t, c.String("text"), c.Duration("delay"))
}

// TypeInto types a text into an element behind what it holds, with a delay between the keys.
func TypeInto(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, text string, delay time.Duration) (actions.Result, error) {
	run.Start(c, tab)
	res, err := Focus(ctx, c, tab, t, map[string]any{"caretAtEnd": true, "typing": typingTakes(text, delay)})
	if err != nil {
		return actions.Result{}, err
	}
	if !res.Editable {
		c.Note(t.Label + " is a " + element.ElementName(&res.Located) + " that takes no text; the keys were sent to it all the same")
	}
	if res.Picker {
		if _, err := SendInput(ctx, c, tab, func(ctx context.Context) error {
			return input.PressKeys(ctx, tab.Page, []input.Stroke{input.EscapeStroke()})
		}); err != nil {
			return actions.Result{}, err
		}
		c.Note("the browser's picker was open on " + t.Label + " and would have taken the keys; it was closed")
	}
	if res.Editor {
		if _, err := SendInput(ctx, c, tab, func(ctx context.Context) error {
			return input.PressKeys(ctx, tab.Page, []input.Stroke{input.EndStroke()})
		}); err != nil {
			return actions.Result{}, err
		}
	}
	typed, err := typeText(ctx, c, tab, typingAt{frame: t.Frame, label: t.Label, checked: res.Editable, keys: true, typedInto: res.typedInto}, text, delay)
	if err != nil {
		return actions.Result{}, err
	}
	if err := run.Settle(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: TypedResult{typed}, Text: "✓ Done"}, nil
}

// strokesAtOnce is how many keys are on their way to a page at the same time. A page takes about 1 ms for each: what was sent when the
// time is up keeps it busy, and everybody who waits for it.
const strokesAtOnce = 100

// typedInto is what the ops focus and active say of a field that is going to be typed into.
type typedInto struct {
	Editor bool `json:"editor"` // it takes the keys for an editor that keeps the text elsewhere
	Secret bool `json:"secret"`
	Picker bool `json:"picker"` // a calendar of the browser's own is open on it, and takes all keys
}

// typingAt is where text is typed.
type typingAt struct {
	frame   *engine.Frame
	label   string // what errors call it
	checked bool   // it edits what it gets, so that it can be read back

	anywhere bool // the page has taken it, and may show it elsewhere
	keys     bool // keys are what was promised, whatever the field makes of them
	typedInto
}

// keyTakes is more than a page needs for a key, in ms.
const keyTakes = 20

// typingTakes is how long typing a text may take, in ms.
func typingTakes(text string, delay time.Duration) int64 {
	return int64(len(text)) * (delay.Milliseconds() + keyTakes)
}

// hiddenText is what replies show in place of secret text.
const hiddenText = "***"

// typeText sends the keys of a text to the focused element and looks at what the field made of them. It returns the text as replies may
// show it.
func typeText(ctx context.Context, c *actions.Call, tab *actions.Tab, at typingAt, text string, delay time.Duration) (shown string, err error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	shown = text
	if at.Secret {
		run.NoteSecret(c, true)
		shown = hiddenText
	}
	var strokes []input.Stroke
	for _, r := range text {
		strokes = append(strokes, input.CharStroke(r))
	}
	size := strokesAtOnce
	if delay > 0 {
		size = 1
	}
	typed := 0
	for batch := range slices.Chunk(strokes, size) {
		if typed > 0 && delay > 0 {
			if err := pause.For(ctx, delay); err != nil {
				return "", halfTyped(err, typed, len(strokes))
			}
		}
		if done, err := SendInput(ctx, c, tab, func(ctx context.Context) error { return input.PressKeys(ctx, tab.Page, batch) }); err != nil || done {
			if rest := len(strokes) - typed - len(batch); done && rest > 0 {
				c.Note("the last " + wording.Plural(rest, "character") + " were not typed, since a dialog opened before")
			}
			return shown, halfTyped(err, typed, len(strokes))
		}
		typed += len(batch)
	}
	// Enter submits in a task after the key event; see keys.
	if !at.checked || input.HeldModifiers(tab.Page) != 0 { // with keys held, others come of it than were asked for
		return shown, element.Flush(ctx, c, tab)
	}
	return shown, checkTyped(ctx, c, tab, at, text)
}

// typed is the result of the in-page op typed.
type typed struct {
	Outcome string `json:"outcome"`
	Value   string `json:"value"`
	Length  int    `json:"length"`
	Secret  bool   `json:"secret"`
	Editor  bool   `json:"editor"`
	Fields  int    `json:"fields"`
	Keys    int    `json:"keys"` // that came to the document

	Effects *run.SeenEffects `json:"effects"`
}

// checkTyped reads back what the fields show of a text that was typed.
func checkTyped(ctx context.Context, c *actions.Call, tab *actions.Tab, at typingAt, text string) error {
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	var now typed
	effects := run.CollectsEffects(c, at.frame)
	arg := map[string]any{"text": text, "wait": valuePatience.Milliseconds(), "anywhere": at.anywhere, "effects": effects}
	err := at.frame.Call(watched, "typed", arg, &now)
	if effects {
		run.Of(c).Seen = now.Effects
	}
	switch {
	case engine.IsNavigated(err) || fault.Is(err, fault.PageGone) || fault.Is(err, fault.FrameGone):
		return nil // the page left with what it had
	case fault.Is(err, fault.DialogOpen):
		return run.Interrupted(c, tab, err)
	case err != nil:
		return err
	}
	run.NoteSecret(c, now.Secret)
	if now.Fields > 1 {
		c.Note("the text went into " + wording.Plural(now.Fields, "field") + ", one after another")
	}
	switch {
	case now.Outcome == "taken":
		c.Note("the page handled the text itself; it is not in the field")
	case now.Outcome == "shown" && !now.Secret:
		c.Note("the field shows it as " + wording.Quote(now.Value))
	case now.Outcome == "lost" && at.keys && now.Keys > 0:
		c.Note("the keys were delivered, and " + otherThanTyped(&now))
	case now.Outcome == "lost" && now.Editor:
		return fault.New(fault.ValueNotKept, "The editor at '%s' does not show the text that was typed.", at.label).About(at.label).
			WithHint("It may be read-only, or have turned the text into something else; look at it with a snapshot.")
	case now.Outcome == "lost":
		seen := kept{Value: now.Value, Secret: now.Secret, length: now.Length}
		return notKept(at.label, seen)
	}
	return nil
}

// otherThanTyped says what a field shows that made something else of the keys than their text.
func otherThanTyped(now *typed) string {
	switch {
	case now.Editor:
		return "the editor does not show the text"
	case now.Secret:
		return "the field holds " + wording.Plural(now.Length, "character") + ", which are not the text"
	case now.Value == "":
		return "the field does not show the text"
	}
	return "the field shows " + wording.Quote(now.Value)
}

// halfTyped says how much of a text the page has when the time is up.
func halfTyped(err error, typed, all int) error {
	if typed == 0 || !fault.Is(err, fault.Timeout) {
		return err
	}
	return fault.New(fault.Timeout, "The time limit was reached after %d of %d characters: %w.", typed, all, err).
		WithHint("Use `fill`, which enters a text at once, or raise --timeout.").With("typed", typed)
}

func runFill(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	return Fill(ctx, c, tab, t, c.String("text"))
}
