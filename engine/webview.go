package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/cdp"
)

// takeKeys makes sure that keys and text for a webview reach it. Chromium sends them to whichever of a window's pages was clicked in last: for a
// webview in which nobody has clicked they would end up in the field of the page that embeds it, whatever has the focus in the webview. A
// press of no button moves them over; the page sees nothing of it, and its focus and selection stay.
func (p *Page) takeKeys(ctx context.Context) error {
	if p.Type() != webviewType {
		return nil
	}
	_, err := p.sess.CallRaw(ctx, "Input.dispatchMouseEvent", mouseEvent{Type: "mousePressed", Button: "none"})
	return err
}

// typing reports whether keys or text are among the calls.
func typing(calls []cdp.Call) bool {
	return slices.ContainsFunc(calls, func(c cdp.Call) bool {
		return c.Method == keyMessage || c.Method == insertMessage || strings.HasPrefix(c.Method, "Input.ime")
	})
}
