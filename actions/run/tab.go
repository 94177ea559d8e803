package run

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
)

// SettleLimit is how long a command waits for a navigation that is under way before it works on what there is.
const SettleLimit = 10 * time.Second

// Tab returns the active tab once no navigation is under way in it, and begins to watch what a command that may change something does to it. It fails
// while a dialog keeps the page from doing anything.
func Tab(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, err := ReadyTab(ctx, c)
	if err != nil {
		return nil, err
	}
	return tab, attend(ctx, c, tab)
}

// TabForOp is Tab for a command whose first op in the page begins to watch it, by its argument watch, which saves a round trip.
func TabForOp(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, err := ReadyTab(ctx, c)
	if err != nil {
		return nil, err
	}
	beginAction(c, tab)
	return tab, nil
}

// ReadyTab is Tab for a command that does nothing to the page: requests of the page are not an effect of it, so they are not watched.
func ReadyTab(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, err := ArrivedTab(ctx, c)
	if err != nil {
		return nil, err
	}
	return tab, tab.Page.Answers(ctx)
}

// ArrivedTab returns the active tab once no navigation is under way in it, whether or not its page can answer.
func ArrivedTab(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, err := c.Session.Tab(ctx)
	if err != nil {
		return nil, err
	}
	AnswerDialogs(c, tab)
	if still, err := AwaitSettled(ctx, c, tab); err != nil {
		return nil, err
	} else if !still {
		if to := tab.Page.Navigating(); to != "" {
			c.Note("the page is still loading " + to + "; this is what it shows meanwhile")
		} else {
			c.Note("the page is still loading; this is what it shows so far")
		}
	}
	lateNavigation(c, tab)
	return tab, nil
}

// Reachable returns the active tab when its page can be told something, whether or not it is loading.
func Reachable(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, err := c.Session.Tab(ctx)
	if err != nil {
		return nil, err
	}
	return tab, tab.Page.Answers(ctx)
}

// disarm ends what an aim armed in a page, when the command ended before it sent the input.
func disarm(ctx context.Context, c *actions.Call) {
	if state(c).armed == nil {
		return
	}
	watched, stop := state(c).armed.Page().Watch(ctx, true)
	defer stop()
	_ = state(c).armed.Call(watched, "disarm", nil, nil) // a page that is gone has nothing armed
	state(c).armed = nil
}

// AwaitSettled waits for the navigation that the tab is on, as long as no dialog keeps it from going on.
func AwaitSettled(ctx context.Context, c *actions.Call, tab *actions.Tab) (still bool, err error) {
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	still, err = tab.Page.Settle(watched, SettleLimit)
	if fault.Is(err, fault.DialogOpen) {
		return true, nil // the op that needs an answer of the page says so
	}
	return still, err
}
