package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
)

// keyMessage is what presses and releases keys.
const keyMessage = "Input.dispatchKeyEvent"

// losesKeys begins the name, in the user agent, of the embedder that cannot be sent keys: the renderer of QtWebEngine 5 takes each for an
// invalid message (VALIDATION_ERROR_DESERIALIZATION_FAILED), and from then on gets no input of any kind.
const losesKeys = "QtWebEngine/5."

// keyLoser returns the name and version of the browser if keys must not be sent to it, else "". It is asked once.
func (b *Browser) keyLoser(ctx context.Context) (string, error) {
	if b.Owned() {
		return "", nil
	}
	b.mu.Lock()
	known := b.losing
	b.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	raw, err := b.root.CallRaw(ctx, "Browser.getVersion", nil)
	if err != nil && !fault.Is(err, fault.Protocol) { // one that has no versions is not the one
		return "", err
	}
	var version struct {
		UserAgent string `json:"userAgent"`
	}
	if err == nil {
		if err := cdp.Unmarshal(raw, &version); err != nil {
			return "", err
		}
	}
	name := ""
	for word := range strings.FieldsSeq(version.UserAgent) {
		if strings.HasPrefix(word, losesKeys) {
			name = word
		}
	}
	b.mu.Lock()
	b.losing = &name
	b.mu.Unlock()
	return name, nil
}

// withoutKeys returns an error if keys are among the calls and the page's browser would lose them.
func (p *Page) withoutKeys(ctx context.Context, calls []cdp.Call) error {
	if p.ctxt.browser.Owned() || !slices.ContainsFunc(calls, func(c cdp.Call) bool { return c.Method == keyMessage }) {
		return nil
	}
	name, err := p.ctxt.browser.keyLoser(ctx)
	if err != nil || name == "" {
		return err
	}
	return fault.New(fault.Protocol, "The browser (%s) loses keys that come over the protocol, and all input after them, so none was pressed.", name).
		WithHint("Put text in with `fill` or `keyboard inserttext`, and click instead of pressing a key.").With("method", keyMessage)
}

// insteadOfKeys puts in as text what keys would type, if the page's browser would lose the keys and all of them type something.
func (p *Page) insteadOfKeys(ctx context.Context, strokes []Stroke) (done bool, err error) {
	if p.ctxt.browser.Owned() {
		return false, nil
	}
	text, ok := typedBy(strokes, p.Held())
	if !ok {
		return false, nil
	}
	name, err := p.ctxt.browser.keyLoser(ctx)
	if err != nil || name == "" {
		return false, err
	}
	return true, p.InsertText(ctx, text)
}

// typedBy returns the text that strokes type, and whether they do nothing else.
func typedBy(strokes []Stroke, held Modifiers) (string, bool) {
	var text strings.Builder
	for _, s := range strokes {
		if !s.key.Print || s.key.Text == "" || s.key.Text == "\r" || s.half != "" || (s.modifiers|held)&(Control|Alt|Meta) != 0 {
			return "", false
		}
		text.WriteString(s.under(held).key.Text)
	}
	return text.String(), text.Len() > 0
}
