package input

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
)

// Messages of the protocol that put text into a page.
const (
	keyMessage    = "Input.dispatchKeyEvent"
	insertMessage = "Input.insertText"
)

// state is what is held on a page, and where its pointer is.
type state struct {
	mu        sync.Mutex
	modifiers Modifiers       // that are down
	keys      map[string]bool // other keys that are down, by [Stroke.id]
	pointer   pointer

	dialogs atomic.Int64 // that opened
}

var states = engine.NewState(func(p *engine.Page) *state {
	s := &state{keys: map[string]bool{}}
	p.Observe(func(_ *cdp.Session, ev cdp.Event) {
		if ev.Method == "Page.javascriptDialogOpening" {
			s.dialogs.Add(1)
		}
	})
	return s
})

// Sent is called when input was written, before it is waited for: what it sends is right after the input.
type Sent func()

// send writes the events in one batch, and returns when the page has handled them.
func send(ctx context.Context, p *engine.Page, calls []cdp.Call, sent ...Sent) error {
	if err := refuseKeys(ctx, p, calls); err != nil {
		return err
	}
	if typing(calls) {
		if err := routeKeys(ctx, p); err != nil {
			return err
		}
	}
	if err := p.Acting(ctx); err != nil {
		return err
	}
	return dispatch(ctx, p, calls, sent...)
}

func dispatch(ctx context.Context, p *engine.Page, calls []cdp.Call, sent ...Sent) error {
	states.Of(p).follow(calls)
	pending := p.Session().Batch(calls...)
	for _, fn := range sent {
		fn()
	}
	for i, call := range pending {
		if _, err := call.Wait(ctx); err != nil {
			return err
		}
		if handledByPage(calls[i]) {
			engine.HandledInput(p)
		}
	}
	return nil
}

// handledByPage reports whether only the main thread of a page answers a call. The compositor may answer for a wheel or
// a finger.
func handledByPage(call cdp.Call) bool {
	if call.Method == keyMessage || call.Method == insertMessage {
		return true
	}
	_, mouse := call.Params.(mouseEvent)
	return mouse
}

// typing reports whether keys or text are among the calls.
func typing(calls []cdp.Call) bool {
	return slices.ContainsFunc(calls, func(c cdp.Call) bool {
		return c.Method == keyMessage || c.Method == insertMessage || strings.HasPrefix(c.Method, "Input.ime")
	})
}

// routeKeys makes sure that keys and text for a webview reach it. Chromium sends them to the page of the window that
// was clicked last, so those for a webview that was never clicked would reach the focused field of the page that embeds
// it. A press without a button redirects them. The webview sees no event of it, and keeps its focus and selection.
func routeKeys(ctx context.Context, p *engine.Page) error {
	if p.Type() != engine.TypeWebview {
		return nil
	}
	_, err := p.Session().CallRaw(ctx, mouseMessage, mouseEvent{Type: "mousePressed", Button: "none"})
	return err
}

// cleanUpLimit bounds how long it may take to leave a page without held buttons or fingers.
const cleanUpLimit = 2 * time.Second

// cleanUp sends events that must reach the page even though an earlier one failed. A page that a dialog blocks gets
// them when it closes.
func cleanUp(ctx context.Context, p *engine.Page, calls ...cdp.Call) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpLimit)
	defer cancel()
	ctx, stop := p.Watch(ctx, true)
	defer stop()
	_ = dispatch(ctx, p, calls) // the caller already has the error that matters
}
