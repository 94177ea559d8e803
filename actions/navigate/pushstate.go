package navigate

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
)

func pushStateCommand() actions.Command {
	return actions.Command{
		Name: "pushstate", Blind: true, Group: actions.GroupNavigation, Summary: "Go to another address of the same origin without loading a page",
		Help: "For single-page applications: asks the page's router where there is one that can be asked (Next.js), else calls history.pushState and " +
			"sends the events popstate and navigate, to which routers listen. Prints the address that the page shows then.",
		Args:   []actions.Arg{{Name: "url", Kind: actions.URL, Help: "The address, absolute or relative to the page"}},
		Effect: actions.Mutates | actions.Navigates, Traits: trait.Leads | trait.LookAgain, View: trait.ViewMoved, Did: "Moved",
		Examples: []actions.Example{{Line: "pushstate /settings"}, {Line: "pushstate ?page=2"}},
		Run:      element.OnPage(pushState),
		Policy:   actions.Policy{Families: policy.Does()},
	}
}

func pushState(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
	url, err := tab.Page.PushState(ctx, c.String("url"))
	if err != nil {
		url = tab.Page.URL()
	}
	return actions.Result{Data: AddressResult{url}, Text: url}, err
}
