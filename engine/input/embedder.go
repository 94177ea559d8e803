package input

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// brokenKeys is the part of the user agent that names an embedder which cannot receive keys: the renderer of
// QtWebEngine 5 takes each key for an invalid message (VALIDATION_ERROR_DESERIALIZATION_FAILED), and gets no input of
// any kind from then on.
const brokenKeys = "QtWebEngine/5."

// embedder is the name and version of a context's browser if it cannot receive keys, else "".
type embedder struct {
	mu    sync.Mutex
	known bool
	name  string
}

var embedders = engine.NewState(func(*engine.Context) *embedder { return &embedder{} })

// withBrokenKeys returns the name and version of the page's browser if it cannot receive keys, else "". It asks the
// browser once.
func withBrokenKeys(ctx context.Context, p *engine.Page) (string, error) {
	b := p.Context().Browser()
	if b.Owned() {
		return "", nil
	}
	e := embedders.Of(p.Context())
	e.mu.Lock()
	known, name := e.known, e.name
	e.mu.Unlock()
	if known {
		return name, nil
	}
	raw, err := b.Session().CallRaw(ctx, "Browser.getVersion", nil)
	if err != nil && !fault.Is(err, fault.Protocol) { // a browser that does not tell its version is another one
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
	for word := range strings.FieldsSeq(version.UserAgent) {
		if strings.HasPrefix(word, brokenKeys) {
			name = word
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.known, e.name = true, name
	return name, nil
}

// refuseKeys returns an error if keys are among the calls and the page's browser cannot receive them.
func refuseKeys(ctx context.Context, p *engine.Page, calls []cdp.Call) error {
	if p.Context().Browser().Owned() || !slices.ContainsFunc(calls, func(c cdp.Call) bool {
		return c.Method == keyMessage
	}) {
		return nil
	}
	name, err := withBrokenKeys(ctx, p)
	if err != nil || name == "" {
		return err
	}
	return fault.New(fault.Protocol,
		"The browser (%s) loses keys that come over the protocol, and all input after them, so none was pressed.", name).
		WithHint("Put text in with `fill` or `keyboard inserttext`, and click instead of pressing a key.").With("method",
		keyMessage)
}

// insertInstead inserts the text that keys would type, if the page's browser cannot receive keys and each of them types
// a character.
func insertInstead(ctx context.Context, p *engine.Page, strokes []Stroke) (done bool, err error) {
	if p.Context().Browser().Owned() {
		return false, nil
	}
	text, ok := typedBy(strokes, HeldModifiers(p))
	if !ok {
		return false, nil
	}
	name, err := withBrokenKeys(ctx, p)
	if err != nil || name == "" {
		return false, err
	}
	return true, InsertText(ctx, p, text)
}

// typedBy returns the text that strokes type; ok is false when they do anything else.
func typedBy(strokes []Stroke, held Modifiers) (_ string, ok bool) {
	var text strings.Builder
	for _, s := range strokes {
		if !s.key.Print || s.key.Text == "" || s.key.Text == "\r" || s.half != "" ||
			(s.modifiers|held)&(Control|Alt|Meta) != 0 {
			return "", false
		}
		text.WriteString(s.under(held).key.Text)
	}
	return text.String(), text.Len() > 0
}
