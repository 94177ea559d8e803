package actions

import (
	"context"
	"slices"
	"time"

	"github.com/skua-browser/skua/engine/fault"
)

// moment is what a command remembers of the page before it acts, to tell what its action led to.
type moment struct {
	tabs []*Tab
	url  string
}

func (c *Call) before(tab *Tab) moment {
	c.dialogNotes(tab.Page) // of what the page did since the last command
	tab.Page.Context().MarkDownloads()
	tabs, _ := c.Session.Tabs()
	return moment{tabs: tabs, url: tab.Page.URL()}
}

// after waits for a navigation that the action began and notes what else it led to: another address, new tabs, dialogs.
func (c *Call) after(ctx context.Context, tab *Tab, b moment) error {
	page := tab.Page
	if to := page.Navigating(); to != "" && page.Err() == nil {
		still, err := page.Settle(ctx, settleLimit)
		if err != nil {
			return err
		}
		if !still {
			c.Note("the page is still on its way to " + to)
		}
	}
	c.noteEffects(ctx, tab, b)
	return nil
}

// noteEffects notes what is to be seen of an action without waiting for it.
func (c *Call) noteEffects(ctx context.Context, tab *Tab, b moment) {
	page := tab.Page
	if err := page.Err(); fault.Is(err, fault.PageGone) {
		c.Session.Tabs() // the session says itself which tab takes its place
		return
	} else if err != nil {
		c.Note("the tab is gone after this: " + err.Error())
		return
	}
	if now := page.URL(); now != b.url {
		c.Note("the page is now " + now)
	}
	page.Context().AwaitPopups(ctx)
	tabs, _ := c.Session.Tabs()
	for _, t := range tabs {
		if !slices.Contains(b.tabs, t) {
			c.Note("a new tab was opened: " + t.ID + " " + addressOf(ctx, t) + "; the active tab is still " + tab.ID)
		}
	}
	c.dialogNotes(page)
	if d := page.Dialog(); d != nil {
		c.Note("A JavaScript " + d.Type + " dialog is blocking the page: " + quote(d.Message))
	}
}

// addressLimit is how long after a tab was opened the browser may take to say what it shows.
const addressLimit = time.Second

func addressOf(ctx context.Context, t *Tab) string {
	ctx, cancel := context.WithTimeout(ctx, addressLimit)
	defer cancel()
	if err := t.Page.AwaitURL(ctx, func(url string) bool { return url != "" }); err != nil {
		return "(no address yet)"
	}
	return t.Page.URL()
}
