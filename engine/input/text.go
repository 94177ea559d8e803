package input

import (
	"context"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
)

func insertCall(text string) cdp.Call {
	return cdp.Call{Method: insertMessage, Params: map[string]string{"text": text}}
}

// InsertText puts text into the focused element as an input method would: beforeinput and input events, no key events.
func InsertText(ctx context.Context, p *engine.Page, text string) error {
	return send(ctx, p, []cdp.Call{insertCall(text)})
}

// InsertAndCall inserts text and calls an op of the in-page script of a frame right after it, in one round trip. The
// op may run before the page has the text, so it must wait for the change that it reports.
func InsertAndCall[Arg, Answer any](
	ctx context.Context, f *engine.Frame, text string, op inpage.Op[Arg, Answer], arg Arg, result *Answer,
) error {
	return f.CallAfter(ctx, func(*cdp.Session) (*cdp.Pending, error) {
		p := f.Page()
		if err := routeKeys(ctx, p); err != nil {
			return nil, err
		}
		if err := p.Acting(ctx); err != nil {
			return nil, err
		}
		insert := insertCall(text)
		return p.Session().Start(insert.Method, insert.Params), nil
	}, op.Name(), arg, result)
}

// EndsWithKey reports whether the last character of a text can be typed: one that a key has, and that does nothing but
// add itself.
func EndsWithKey(p *engine.Page, text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	if last < ' ' || last > unicode.MaxLatin1 || HeldModifiers(p) != 0 {
		return false
	}
	return p.Context().Browser().Owned() // others may not take keys
}

// InsertEndingWithKey is InsertAndCall with the last character as a key. EndsWithKey must hold.
func InsertEndingWithKey[Arg, Answer any](
	ctx context.Context, f *engine.Frame, text string, op inpage.Op[Arg, Answer], arg Arg, result *Answer,
) error {
	last, size := utf8.DecodeLastRuneInString(text)
	return f.CallAfter(ctx, func(*cdp.Session) (*cdp.Pending, error) {
		p := f.Page()
		if err := p.Acting(ctx); err != nil {
			return nil, err
		}
		var calls []cdp.Call
		if head := text[:len(text)-size]; head != "" {
			calls = append(calls, insertCall(head))
		}
		batch := p.Session().Batch(CharStroke(last).appendCalls(calls, 0)...)
		return batch[len(batch)-1], nil
	}, op.Name(), arg, result)
}

// processKey is the key code that a page sees while an input method works, whichever key was pressed.
const processKey = 229

// Compose puts text in as an input method composes it: for each character a key that the method processes and an update
// of the composition, then the commit.
func Compose(ctx context.Context, p *engine.Page, text string) error {
	key := keyEvent{Type: "rawKeyDown", Key: "Process", WindowsKeyCode: processKey}
	runes := []rune(text)
	var calls []cdp.Call
	for n := range runes {
		part := string(runes[:n+1])
		caret := int64(len(utf16.Encode(runes[:n+1])))
		up := key
		up.Type = "keyUp"
		calls = append(calls, key.call(), cdp.Call{Method: "Input.imeSetComposition", Params: input.ImeSetCompositionParams{
			Text: part, SelectionStart: caret, SelectionEnd: caret,
		}}, up.call())
	}
	calls = append(calls, insertCall(text))
	return send(ctx, p, calls)
}
