package navigate

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func pushStateCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "pushstate",
			Group:   actions.GroupNavigation,
			Summary: "Go to another address of the same origin without loading a page",
			Help: "For single-page applications. Calls the page's router if it has an interface for that (Next.js); " +
				"otherwise calls history.pushState and dispatches the events popstate and navigate, which routers listen to. " +
				"Prints the resulting address.",
			Args:         []actions.Arg{{Name: "url", Kind: actions.URL, Help: "The address, absolute or relative to the page"}},
			Examples:     []actions.Example{{Line: "pushstate /settings"}, {Line: "pushstate ?page=2"}},
			UpstreamHelp: "It calls window.next.router.push, else history.pushState with the events popstate and navigate.",
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
		Safety:   actions.Safety{Families: policy.Does(), Blind: true},
		Showing:  actions.Showing{Traits: trait.LookAgain, Did: "Moved"},
		Bindings: actions.Bindings{Data: []any{AddressResult{}}},
		Run:      element.OnPage(pushState),
	}
}

func pushState(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
	url, err := pushStateIn(ctx, tab.Page, c.String("url"))
	if err != nil {
		url = tab.Page.URL()
	}
	return actions.Result{Data: AddressResult{url}, Text: url}, err
}

// The modules in js, bundled (internal/pagescript).
//
//go:generate go run ../../internal/pagescript/bundle -tools ../../scripts/packaging/go.mod .
//go:embed bundle/pushstate.js
var pushStateFunction string

// loadPatience is how long a page may take that the router loads after all.
const loadPatience = 3 * time.Second

// pushStateIn changes the address of the main frame within its origin without loading a page, as the page's router
// does. It returns the address that the page shows then.
func pushStateIn(ctx context.Context, p *engine.Page, address string) (string, error) {
	arg, err := json.Marshal(address)
	if err != nil {
		return "", err
	}
	v, err := p.Evaluate(ctx, "("+pushStateFunction+")("+string(arg)+")")
	if err != nil {
		if engine.IsNavigated(err) { // the router loaded the page after all
			_, err = p.Loading().Settle(ctx, loadPatience)
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
		return "", fault.New(fault.NavigationFailed,
			"pushstate stays within the origin of the page (%s), but %s is another one.", p.URL(), res.Elsewhere).
			About(address).WithHint("Use `open %s` to load that page.", res.Elsewhere)
	case res.Failed != "":
		return "", fault.New(fault.NavigationFailed, "pushstate to %s: %s.", address, res.Failed).About(address)
	}
	return res.URL, nil
}
