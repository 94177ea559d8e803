package forms

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// filled is the result of the in-page op fill.
type filled struct {
	element.Located
	Done  bool   `json:"done"`
	Kind  string `json:"kind"`
	Value string `json:"value"`

	Secret bool `json:"secret"` // what the field holds is not shown

	Keyed bool `json:"keyed"` // the page may look at the field when a key comes

	Into int64 `json:"into"` // what takes the text of an editor that keeps it elsewhere

	Refused bool   `json:"refused"` // a picked value, such as a date, that the field does not take
	Format  string `json:"format"`  // how such a value has to look
}

// fillArg is the argument of the in-page op fill.
type fillArg struct {
	element.Targeted
	Value    string `json:"value"`
	Keys     bool   `json:"keys"`              // the text may end with a key
	Password bool   `json:"password,omitzero"` // it has to be a password field
}

// valueArg is the argument of the in-page op value.
type valueArg struct {
	Token    int64  `json:"token"`
	Expect   string `json:"expect"`
	Wait     int64  `json:"wait,omitzero"`     // in ms
	Inserted bool   `json:"inserted,omitzero"` // the text is on its way
	Effects  bool   `json:"effects,omitzero"`
}

var (
	opFill  = inpage.Define[fillArg, filled]("fill")
	opValue = inpage.Define[valueArg, kept]("value")
)

// ReadsBack reports whether a field, given by its token, has a text.
func ReadsBack(ctx context.Context, frame *engine.Frame, token int64, text string) (bool, error) {
	now, err := opValue.In(ctx, frame, valueArg{Token: token, Expect: text})
	return now.Kept, err
}

// kept is the result of the in-page op value.
type kept struct {
	Value  string `json:"value"`
	Secret bool   `json:"secret"`
	Kept   bool   `json:"kept"` // it holds the expected text, as far as its kind of field can

	Connected bool `json:"connected"` // it is there, or what has taken its place is
	Late      bool `json:"late"`      // the text had not arrived when it was read
	Missed    bool `json:"missed"`    // the page had replaced the field before the text came

	Effects *run.SeenEffects `json:"effects"`

	length int // of a secret value that was not handed out
}

// valuePatience is how long a field may take to show inserted text. Editors that render their own model need a frame or
// two.
const valuePatience = 500 * time.Millisecond

// Fill replaces the content of a field and reads it back.
func Fill(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, text string,
) (actions.Result, error) {
	return FillField(ctx, c, tab, t, text, FillOptions{})
}

// FillOptions is what else is asked of a field that is filled.
type FillOptions struct {
	Password bool // it is a password field, also at the moment when the text comes
}

// FillField fills a field as Fill does, with options that no flag sets.
func FillField(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, text string, wants FillOptions,
) (actions.Result, error) {
	run.Start(c, tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	missed, err := fillOnce(watched, c, tab, t, text, wants, input.EndsWithKey(tab.Page, text))
	if missed && err == nil {
		missed, err = fillOnce(watched, c, tab, t, text, wants, false)
	}
	switch {
	case err != nil:
		return actions.Result{}, err
	case missed:
		return actions.Result{}, fault.New(fault.ValueNotKept, "The page replaced '%s' before it had the text, twice.",
			t.Label).About(t.Label).
			WithHint("The page may do so whenever the field gets the focus; look at what has taken its place with a snapshot.")
	}
	if err := run.Settle(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: FilledResult{t.Label}, Text: "✓ Done"}, nil
}

// fillOnce fills a field, whose text may end with a key. It reports whether the page replaced the field before it had
// the text, or did not take the key.
func fillOnce(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, text string, wants FillOptions, keys bool,
) (missed bool, err error) {
	res, err := element.RunOp(ctx, c, t, opFill, fillArg{Value: text, Keys: keys, Password: wants.Password})
	if err != nil {
		return false, halfFilled(c, t, err)
	}
	run.NoteSecret(c, res.Secret)
	switch {
	case res.Refused:
		return false, fault.New(fault.ValueNotKept, "'%s' does not take %s; it still holds %s.", t.Label, wording.Quote(text),
			wording.Quote(res.Value)).
			About(t.Label).WithHint("Write it as %s.", res.Format)
	case res.Done && !strings.EqualFold(res.Value, strings.TrimSpace(text)):
		c.Note("the field shows it as " + wording.Quote(res.Value))
		return false, nil
	case res.Done:
		run.Of(c).WasSo = heldAlready
		return false, nil
	case res.Kind == editorKind:
		return false, fillEditor(ctx, c, tab, t, res.Into, text)
	}
	return insert(ctx, c, tab, t, res, text)
}

// halfFilled is the error if a dialog opened before the field had its text, or, for a picker such as a date field,
// while its events were dispatched.
func halfFilled(c *actions.Call, t *element.Target, err error) error {
	f, ok := errors.AsType[*fault.Error](run.DialogError(c, err))
	if !ok || f.Code != fault.DialogOpen {
		return err
	}
	copied := *f
	copied.Message = "'" + t.Label + "' may not be filled: " + copied.Message
	return copied.About(t.Label)
}

// insert replaces the selected content of the focused field and reads back what the page kept. It reports whether the
// page replaced the field before it had the text.
func insert(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, res *filled, text string,
) (missed bool, err error) {
	var now kept
	arg := valueArg{
		Token:    res.Token,
		Expect:   text,
		Wait:     valuePatience.Milliseconds(),
		Inserted: true,
		Effects:  !c.Bool("settle"),
	}
	if text != "" {
		enter := input.InsertAndCall[valueArg, kept]
		if res.Keyed {
			enter = input.InsertEndingWithKey
		}
		err = enter(ctx, t.Frame, text, opValue, arg, &now)
		if err == nil && now.Late && !now.Missed {
			// A busy browser passes text on later than it answers scripts. By now it has said that the text was inserted.
			arg.Inserted = false
			now, err = opValue.In(ctx, t.Frame, arg)
		}
	} else if err = input.PressKeys(ctx, tab.Page, []input.Stroke{input.DeleteStroke()}); err == nil {
		now, err = opValue.In(ctx, t.Frame, arg)
		if err == nil && !now.Kept {
			// A page that keeps the key from the field may still let it be emptied, as from the browser's menu.
			now = kept{}
			err = input.InsertAndCall(ctx, t.Frame, text, opValue, arg, &now)
		}
	}
	switch {
	case engine.IsNavigated(err):
		return false, nil // the page left as soon as it had the text
	case err != nil:
		return false, run.Interrupted(c, tab, err)
	case now.Missed && !now.Kept:
		return true, nil
	}
	run.Of(c).Seen, run.Of(c).Settled = now.Effects, true
	switch {
	case now.Kept && !now.Connected:
		c.Note("the page has removed the field since it had the text")
	case now.Kept && now.Secret:
	case now.Kept:
		run.Of(c).WasSo = heldAlready
	case !now.Secret && showsAs(now.Value, text):
		c.Note("the field shows it as " + wording.Quote(now.Value))
	case res.Keyed:
		return true, nil
	default:
		return false, notKept(t.Label, now)
	}
	return false, nil
}

// heldAlready is what a reply says of a field whose value a fill did not change.
const heldAlready = "it held that value already"

// mostPrefix is how many letters and digits a mask may put before the text: a country's code, a currency.
const mostPrefix = 3

// showsAs reports whether a field that normalizes what it gets shows the text: with punctuation of a mask, behind the
// mask's own prefix, or as the same number.
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
	e := fault.New(fault.ValueNotKept, "The page did not keep the value of '%s': it now holds %s.", label,
		wording.Quote(now.Value)).
		About(label).With("seen", now.Value)
	if now.Secret {
		e = fault.New(fault.ValueNotKept, "The page did not keep the value of '%s'; it holds %s.", label,
			wording.Plural(max(now.length, len([]rune(now.Value))), "character")).About(label)
	}
	return e.WithHint(
		"The field may take another format, fewer characters, keys only (use `type`), or be controlled by the page's script.")
}

func runFill(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	res, err := Fill(ctx, c, tab, t, c.String("text"))
	if err == nil && !c.Has("text") {
		c.Note("no text was given, so the field was emptied") // a variable of a shell may have been empty
	}
	return res, err
}
