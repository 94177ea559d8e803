package actions

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/engine"
)

// moment is what a command remembers of the page before it acts, to tell what its action led to.
type moment struct {
	pages []*engine.Page
	url   string
}

func (c *Call) before(tab *Tab) moment {
	tab.Page.TakeDialogs()
	return moment{pages: tab.Page.Context().Pages(), url: tab.Page.URL()}
}

// after waits for a navigation that the action began and notes what else it led to: another address, new tabs, dialogs.
func (c *Call) after(ctx context.Context, tab *Tab, b moment) error {
	page := tab.Page
	if to := page.Navigating(); to != "" {
		still, err := page.Settle(ctx, settleLimit)
		if err != nil {
			return err
		}
		if !still {
			c.Note("the page is still on its way to " + to)
		}
	}
	if err := page.Err(); err != nil {
		c.Note("the tab is gone after this: " + err.Error())
		return nil
	}
	if now := page.URL(); now != b.url {
		c.Note("the page is now " + now)
	}
	for _, p := range page.Context().Pages() {
		if p.Opener() == page.ID() && !slices.Contains(b.pages, p) {
			c.Note("it opened a new tab: " + p.URL() + " (see `tab list`); the active tab is still " + tab.ID)
		}
	}
	c.dialogNotes(page)
	if d := page.Dialog(); d != nil {
		c.Note("A JavaScript " + d.Type + " dialog is blocking the page: " + quote(d.Message))
	}
	return nil
}
