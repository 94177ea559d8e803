package engine

import (
	"context"
	"fmt"

	"github.com/skua-browser/skua/engine/cdp"
)

// Unloaded returns a page that stands for one which the browser does not have (any more): it has an address and a title, and no target. Nothing
// can be done with it but to look at these; whoever wants to use it opens a page of its own in its place.
func (c *Context) Unloaded(url, title string) *Page {
	p := c.browser.newPage(c, "", origin{})
	p.url, p.title = url, Bounded(title, MaxTitle)
	return p
}

// IsUnloaded reports whether the page stands for one that the browser does not have, see [Context.Unloaded].
func (p *Page) IsUnloaded() bool { return p.id == "" }

// Offset is how far a page is scrolled, in CSS pixels.
type Offset struct {
	X float64 `json:"x,omitzero"`
	Y float64 `json:"y,omitzero"`
}

// Offset asks how far the page is scrolled. No script of the page is run for it.
func (p *Page) Offset(ctx context.Context) (Offset, error) {
	raw, err := p.sess.CallRaw(ctx, "Page.getLayoutMetrics", nil)
	if err != nil {
		return Offset{}, err
	}
	var res struct {
		Viewport struct {
			X float64 `json:"pageX"`
			Y float64 `json:"pageY"`
		} `json:"cssLayoutViewport"`
	}
	err = cdp.Unmarshal(raw, &res)
	return Offset(res.Viewport), err
}

// ScrollTo scrolls the page at once, as far as it goes.
func (p *Page) ScrollTo(ctx context.Context, to Offset) error {
	_, err := p.Evaluate(ctx, fmt.Sprintf(`window.scrollTo({ left: %g, top: %g, behavior: "instant" })`, to.X, to.Y))
	return err
}
