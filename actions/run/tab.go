package run

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

// SettleLimit is how long a command waits for a navigation that is under way before it works on what there is.
const SettleLimit = 10 * time.Second

// LeastSettle is how long a command waits in any case for a navigation that has been under way for longer than that.
const LeastSettle = time.Second

// reserve is what such a wait leaves of the command's time, for the reply.
const reserve = 50 * time.Millisecond

// Patience is how long a command may wait for a page that is under way: until SettleLimit after that began, but at
// least a while, and within its own time. So a server that is silent costs that once, and not each command.
func Patience(c *actions.Call, page *engine.Page, least time.Duration) time.Duration {
	return min(max(least, SettleLimit-engine.UnderWayFor(page)), max(0, c.TimeLeft()-reserve))
}

// Tab returns the active tab once no navigation is under way in it, and begins to watch what a command that may change
// something does to it. It fails while a dialog keeps the page from doing anything.
func Tab(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, err := ReadyTab(ctx, c)
	if err != nil {
		return nil, err
	}
	return tab, attend(ctx, c, tab)
}

// TabForOp is Tab for a command whose first op in the page begins to watch it, by its argument watch, which saves a
// round trip.
func TabForOp(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, err := ReadyTab(ctx, c)
	if err != nil {
		return nil, err
	}
	beginAction(ctx, c, tab)
	return tab, nil
}

// ReadyTab is Tab for a command that does nothing to the page: requests of the page are not an effect of it, so they
// are not watched.
func ReadyTab(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, still, err := arrive(ctx, c)
	if err != nil {
		return nil, err
	}
	if !still {
		if held := engine.BlockingNavigation(ctx, tab.Page); held != nil {
			return nil, held.Err()
		}
		noteLoading(c, tab)
	}
	if err := tab.Page.Answers(ctx); err != nil {
		return tab, err
	}
	awaitRest(ctx, tab)
	return tab, nil
}

// ArrivedTab returns the active tab once no navigation is under way in it, whether or not its page can answer.
func ArrivedTab(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, still, err := arrive(ctx, c)
	if err == nil && !still {
		noteLoading(c, tab)
	}
	if err == nil {
		awaitRest(ctx, tab)
	}
	return tab, err
}

// LeftTab is ArrivedTab for a command that leaves the page, and gives up a navigation that is under way.
func LeftTab(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, _, err := arrive(ctx, c)
	return tab, err
}

// arrive returns the active tab once no navigation is under way in it, or still is false.
func arrive(ctx context.Context, c *actions.Call) (tab *actions.Tab, still bool, err error) {
	if tab, err = c.Tabs.Tab(ctx); err != nil {
		return nil, false, err
	}
	AnswerDialogs(c, tab)
	if still, err = AwaitSettled(ctx, c, tab); err != nil {
		return nil, false, err
	}
	lateNavigation(c, tab)
	return tab, still, nil
}

// stillLoading begins the note on a page that is under way, which is made once.
const stillLoading = "the page is still loading"

func noteLoading(c *actions.Call, tab *actions.Tab) {
	if to := tab.Page.Loading().To(); to != "" {
		c.Note(stillLoading + " " + to + "; this is what it shows meanwhile")
		return
	}
	c.Note(stillLoading + "; this is what it shows so far")
}

// Reachable returns the active tab if its page can receive calls, whether or not it is loading.
func Reachable(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, err := c.Tabs.Tab(ctx)
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
	still, err = tab.Page.Loading().Settle(watched, Patience(c, tab.Page, LeastSettle))
	if fault.Is(err, fault.DialogOpen) {
		return true, nil // the op that needs an answer of the page says so
	}
	return still, err
}
