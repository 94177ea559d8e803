package actions

import "context"

func pushStateCommand() Command {
	return Command{
		Name: "pushstate", Group: navigationGroup, Summary: "Go to another address of the same origin without loading a page",
		Help: "For single-page applications: asks the page's router where there is one that can be asked (Next.js), else calls history.pushState and " +
			"sends the events popstate and navigate, to which routers listen. Prints the address that the page shows then.",
		Args:     []Arg{{Name: "url", Kind: URL, Help: "The address, absolute or relative to the page"}},
		Effect:   Mutates | Navigates,
		Examples: []Example{{Line: "pushstate /settings"}, {Line: "pushstate ?page=2"}},
		Run:      runPushState,
	}
}

func runPushState(ctx context.Context, c *Call) (Result, error) {
	tab, err := c.page(ctx)
	if err != nil {
		return Result{}, err
	}
	c.before(tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	url, err := tab.Page.PushState(watched, c.String("url"))
	if err != nil {
		if err := c.interrupted(tab, err); err != nil {
			return Result{}, err
		}
		url = tab.Page.URL()
	}
	if err := c.after(ctx, tab); err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"url": url}, Text: url}, nil
}
