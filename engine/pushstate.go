package engine

import (
	"context"
	_ "embed"
	"encoding/json"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
)

// The modules in js, bundled (internal/pagescript).
//
//go:generate go run ../internal/pagescript/bundle -tools ../tools/go.mod .
//go:embed bundle/pushstate.js
var pushStateFunction string

// PushState leads the main frame to an address of its own origin without loading it, as the router of the page would. It returns the address
// that the page shows then.
func (p *Page) PushState(ctx context.Context, address string) (string, error) {
	arg, err := json.Marshal(address)
	if err != nil {
		return "", err
	}
	v, err := p.Evaluate(ctx, "("+pushStateFunction+")("+string(arg)+")")
	if err != nil {
		if IsNavigated(err) { // the router loaded the page after all
			_, err = p.Settle(ctx, loadPatience)
		}
		return p.URL(), err
	}
	var res struct {
		URL       string `json:"url"`
		Elsewhere string `json:"elsewhere"`
		Failed    string `json:"failed"`
	}
	if err := cdp.Unmarshal(v.JSON, &res); err != nil {
		return "", fault.New(fault.EvalFailed, "the page does not tell its address: %w", err)
	}
	switch {
	case res.Elsewhere != "":
		return "", fault.New(fault.NavigationFailed, "pushstate stays within the origin of the page (%s), and %s is another one.", p.URL(), res.Elsewhere).
			About(address).WithHint("Use `open %s` to load that page.", res.Elsewhere)
	case res.Failed != "":
		return "", fault.New(fault.NavigationFailed, "pushstate to %s: %s.", address, res.Failed).About(address)
	}
	return res.URL, nil
}
