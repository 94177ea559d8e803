package actions

import (
	"context"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/policy"
)

func pushStateCommand() Command {
	return Command{
		Name: "pushstate", Blind: true, Group: GroupNavigation, Summary: "Go to another address of the same origin without loading a page",
		Help: "For single-page applications: asks the page's router where there is one that can be asked (Next.js), else calls history.pushState and " +
			"sends the events popstate and navigate, to which routers listen. Prints the address that the page shows then.",
		Args:   []Arg{{Name: "url", Kind: URL, Help: "The address, absolute or relative to the page"}},
		Effect: Mutates | Navigates, Traits: trait.Leads | trait.LookAgain, View: trait.ViewMoved, Did: "Moved",
		Examples: []Example{{Line: "pushstate /settings"}, {Line: "pushstate ?page=2"}},
		Run:      onPage(pushState),
		Policy:   Policy{Families: policy.Does()},
	}
}

func pushState(c *Call, ctx context.Context, tab *Tab) (Result, error) {
	url, err := tab.Page.PushState(ctx, c.String("url"))
	if err != nil {
		url = tab.Page.URL()
	}
	return Result{Data: map[string]any{"url": url}, Text: url}, err
}
