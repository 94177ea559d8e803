package ledger

import (
	"context"
	"fmt"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
)

// Offset is how far a page is scrolled, in CSS pixels.
type Offset struct {
	X float64 `json:"x,omitzero"`
	Y float64 `json:"y,omitzero"`
}

// ScrollOffset asks how far a page is scrolled. It runs no script of the page.
func ScrollOffset(ctx context.Context, p *engine.Page) (Offset, error) {
	raw, err := p.Session().CallRaw(ctx, "Page.getLayoutMetrics", nil)
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

// Scroll scrolls a page to the offset at once, as far as it goes.
func (o Offset) Scroll(ctx context.Context, p *engine.Page) error {
	_, err := p.Evaluate(ctx, fmt.Sprintf(`window.scrollTo({ left: %g, top: %g, behavior: "instant" })`, o.X, o.Y))
	return err
}
