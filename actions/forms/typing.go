package forms

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/internal/wording"
)

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
func TypeInto(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, text string, delay time.Duration,
) (actions.Result, error) {
	run.Start(c, tab)
	res, err := focusToType(ctx, c, tab, t, text, delay, c.Patience())
	if err != nil {
		return actions.Result{}, err
	}
	if res.Replaced && res.Passed != nil && res.Passed.Token == 0 {
		return actions.Result{}, replacedAtFocus(t.Label)
	}
	if !res.Editable {
		c.Note(t.Label + " is a " + element.ElementName(&res.Located) +
			" that takes no text; the keys were sent to it all the same")
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
	typed, err := typeText(ctx, c, tab, typingAt{
		frame:     t.Frame,
		label:     t.Label,
		target:    t,
		checked:   res.Editable,
		keys:      true,
		typedInto: res.typedInto,
	}, text, delay)
	if err != nil {
		return actions.Result{}, err
	}
	if err := run.Settle(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: TypedResult{typed}, Text: "✓ Done"}, nil
}

// focusToType gives the focus to an element that a text is going to be typed into, behind what it holds.
func focusToType(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, text string, delay, patience time.Duration,
) (*focusResult, error) {
	return Focus(ctx, c, tab, t, FocusArg{
		Targeted:   element.Targeted{Within: patience},
		CaretAtEnd: true,
		Typing:     new(typingTakes(text, delay)),
	})
}

// strokesAtOnce is how many keys are on their way to a page at the same time. A page takes about 1 ms for each: what
// was sent when the time is up keeps it busy, and everybody who waits for it.
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
	label   string          // what errors call it
	target  *element.Target // finds it, or what has replaced it; nil if no keys are sent to it
	focused bool            // what had the focus is meant, whatever it was
	checked bool            // it edits what it gets, so that it can be read back

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

// typeText sends the keys of a text to the focused element and looks at what the field made of them. It returns the
// text as replies may show it.
func typeText(
	ctx context.Context, c *actions.Call, tab *actions.Tab, at typingAt, text string, delay time.Duration,
) (shown string, err error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	shown = text
	run.NoteSecret(c, at.Secret)
	if at.Secret {
		shown = hiddenText
	}
	var sent []input.Sent
	behind := readBehind(c, tab, at, text, delay)
	if behind != nil {
		sent = append(sent, behind.Sent)
	}
	if done, err := sendText(ctx, c, tab, text, delay, sent...); err != nil || done {
		return shown, err
	}
	// Enter submits in a task after the key event; see keys.
	if !at.checked || input.HeldModifiers(tab.Page) != 0 { // with keys held, others come of it than were asked for
		return shown, element.Flush(ctx, c, tab, nil)
	}
	now, err := readTyped(ctx, c, tab, at, text, behind)
	if err == nil && now != nil && now.Stray > 0 {
		now, err = retype(ctx, c, tab, at, text, delay)
	}
	if err != nil || now == nil {
		return shown, err
	}
	return shown, judgeTyped(c, at, now)
}

// sendText sends the keys of a text. It reports whether a dialog ended that.
func sendText(
	ctx context.Context, c *actions.Call, tab *actions.Tab, text string, delay time.Duration, sent ...input.Sent,
) (done bool, err error) {
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
				return false, halfTyped(err, typed, len(strokes))
			}
		}
		if done, err := SendInput(ctx, c, tab, func(ctx context.Context) error {
			return input.PressKeys(ctx, tab.Page, batch, sent...)
		}); err != nil || done {
			if sent := typed + len(batch); done && err == nil && sent < len(strokes) {
				return true, fault.New(fault.DialogOpen,
					"A dialog opened while the text was typed: the last %s of %d were not typed.",
					wording.Plural(len(strokes)-sent, "character"), len(strokes)).With("typed", sent).
					WithHint("Answer the dialog, look at the field, and type the rest.")
			}
			return done, halfTyped(err, typed, len(strokes))
		}
		typed += len(batch)
	}
	return false, nil
}

// typedArg is the argument of the in-page op typed.
type typedArg struct {
	Text     string `json:"text"`
	Wait     int64  `json:"wait"` // in ms
	Anywhere bool   `json:"anywhere"`
	Effects  bool   `json:"effects"`

	Behind *element.InputEnd `json:"behind,omitempty"`
}

var opTyped = inpage.Define[typedArg, typed]("typed")

// typed is the result of the in-page op typed.
type typed struct {
	Outcome  string `json:"outcome"`
	Value    string `json:"value"`
	Length   int    `json:"length"`
	Secret   bool   `json:"secret"`
	Editor   bool   `json:"editor"`
	Fields   int    `json:"fields"`
	Keys     int    `json:"keys"`     // that came to the document
	Stray    int    `json:"stray"`    // that came when no field had the focus, and were kept from the page
	Replaced bool   `json:"replaced"` // the field is gone, and another one is there

	Effects *run.SeenEffects `json:"effects"`
}

// readingBehind is [readTyped] that is sent with the keys.
type readingBehind = run.Behind[typedArg, typed]

// readBehind reads the text back with the keys that type it; nil where it is read afterwards, since other keys come as
// well, or not all at once.
func readBehind(c *actions.Call, tab *actions.Tab, at typingAt, text string, delay time.Duration) *readingBehind {
	keys := utf8.RuneCountInString(text)
	if !at.checked || at.Editor || at.Picker || delay > 0 || keys == 0 || keys > strokesAtOnce ||
		input.HeldModifiers(tab.Page) != 0 {
		return nil
	}
	return &readingBehind{
		Op:    opTyped,
		Frame: at.frame,
		Arg: typedArg{
			text, valuePatience.Milliseconds(), at.anywhere, run.CollectsEffects(c, at.frame), &element.InputEnd{
				Event: "keyup",
				Count: keys,
			},
		},
	}
}

// readTyped reads back what the fields show of a text that was typed; nil when the page left with what it had. Sent is
// nil where that was not asked with the keys.
func readTyped(
	ctx context.Context, c *actions.Call, tab *actions.Tab, at typingAt, text string, sent *readingBehind,
) (*typed, error) {
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	effects := run.CollectsEffects(c, at.frame)
	var now typed
	reply, err := sent.Answer(watched, false)
	switch {
	case reply != nil:
		now = reply.Answer
	case err == nil:
		now, err = opTyped.In(watched, at.frame, typedArg{
			Text:     text,
			Wait:     valuePatience.Milliseconds(),
			Anywhere: at.anywhere,
			Effects:  effects,
		})
	}
	if effects {
		run.Of(c).Seen = now.Effects
	}
	switch {
	case engine.IsNavigated(err) || fault.Is(err, fault.PageGone) || fault.Is(err, fault.FrameGone):
		return nil, nil
	case fault.Is(err, fault.DialogOpen):
		return nil, run.Interrupted(c, tab, err)
	case err != nil:
		return nil, err
	}
	run.NoteSecret(c, now.Secret)
	return &now, nil
}

// checkTyped reads back what the fields show of a text that was inserted.
func checkTyped(ctx context.Context, c *actions.Call, tab *actions.Tab, at typingAt, text string) error {
	now, err := readTyped(ctx, c, tab, at, text, nil)
	if err != nil || now == nil {
		return err
	}
	return judgeTyped(c, at, now)
}

// judgeTyped says what the fields made of a text.
func judgeTyped(c *actions.Call, at typingAt, now *typed) error {
	if now.Fields > 1 {
		c.Note("the text went into " + wording.Plural(now.Fields, "field") + ", one after another")
	}
	switch {
	case now.Outcome == "unread":
		c.Note(textUnread)
	case now.Outcome == "taken":
		c.Note("the page handled the text itself; it is not in the field")
	case now.Outcome == "shown" && !now.Secret:
		c.Note("the field shows it as " + wording.Quote(now.Value))
	case now.Outcome == "lost" && now.Replaced:
		return replacedField(at.label, kept{Value: now.Value, Secret: now.Secret, length: now.Length})
	case now.Outcome == "lost" && at.keys && now.Keys > 0:
		c.Note("the keys were delivered, and " + otherThanTyped(now))
	case now.Outcome == "lost" && now.Editor:
		return fault.New(fault.ValueNotKept, "The editor at '%s' does not show the text that was typed.", at.label).
			About(at.label).
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
