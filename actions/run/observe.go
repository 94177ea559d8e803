package run

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/snapshot"
)

// How long the page has to be at rest for --settle, and how long that is waited for.
const (
	settleQuiet    = 150 * time.Millisecond
	settlePatience = 5 * time.Second

	// settleStill is how long a page has to show no change until --settle replies although a request is pending. The
	// page's script watches for a second behind a question, so that this has to be a little less.
	settleStill = 900 * time.Millisecond
)

// comeToRest waits for --settle. A page that does not come to rest does not make the action fail.
func comeToRest(ctx context.Context, c *actions.Call) error {
	a := Of(c)
	if !c.Bool("settle") || a.Traffic == nil || a.blocked {
		return nil
	}
	if err := Settle(ctx, c, a.Tab); err != nil {
		return err
	}
	watched, stop := a.Tab.Page.Watch(ctx, true)
	defer stop()
	rest := actions.Rest{
		Quiet: settleQuiet,
		Until: time.Now().Add(min(settlePatience, c.TimeLeft())),
		Asked: a.Traffic.Began,
		Still: settleStill,
	}
	switch err := c.Looker.Rest(watched, c, a.Tab, rest); {
	case fault.Is(err, fault.Timeout):
		c.Note(err.Error())
	case engine.IsNavigated(err), fault.Is(err, fault.FrameGone), fault.Is(err, fault.DialogOpen),
		fault.Is(err, fault.PageGone):
	default:
		return err
	}
	return nil
}

// opOpened answers when what was opened is there.
var opOpened = inpage.Define[inpage.None, any]("opened")

// awaitOpening waits until what the action has opened is there, as far as its page shows that something is to come: an
// animation that ends soon, or a backdrop with nothing on it.
func awaitOpening(ctx context.Context, c *actions.Call, page *engine.Page) {
	if !c.Bool("observe") || page.Err() != nil || page.Dialogs().Open() != nil {
		return
	}
	watched, stop := page.Watch(ctx, true)
	defer stop()
	_, _, _ = opOpened.Here(watched, page.Main(), inpage.None{}) // the caller reports what is wrong with the page
}

// ledElsewhere reports whether the action has led to another document.
func ledElsewhere(c *actions.Call) bool {
	return Of(c) != nil && Of(c).Effect.Navigation != nil && !Of(c).Effect.Navigation.SameDocument
}

// observeBudget is about how many tokens the changes may take that --observe shows.
const observeBudget = 1_500

// lookFirst takes the snapshot that --observe compares with where the document was not looked at yet. Else its
// reply would be the whole page.
func lookFirst(ctx context.Context, c *actions.Call, tab *actions.Tab) {
	if !c.Bool("observe") {
		return
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	doc, err := tab.Page.Main().Document(watched)
	if err != nil || c.Session.Refs().HasBase(tab.ID, doc) {
		return // what acts says what is wrong with the page
	}
	o := observed(c, tab)
	o.Delta = false
	_, _ = c.Looker.TakeSnapshot(watched, c, tab, tab.Page.Main(), o)
}

// observed are the options of the snapshot of --observe: those of the last one of the page.
func observed(c *actions.Call, tab *actions.Tab) snapshot.Options {
	o := snapshot.Options{Interactive: true, Digest: !c.UpstreamText(), Depth: -1}
	if last, ok := c.Session.Refs().Last(tab.ID, snapshot.Options{}); ok {
		o = last
		o.Whole, o.Tree, o.Boxes = false, false, false
	}
	o.Delta, o.Upstream = true, c.UpstreamText()
	o.Printed, o.Short = !c.DropIn(), c.Bool("short")
	return o
}

// observe adds what changed on the page since the last snapshot to the result of an action. Nothing that goes wrong
// here makes the action one that failed.
func observe(ctx context.Context, c *actions.Call, res *actions.Result) {
	_, tab := c.Tabs.All()
	if tab == nil {
		return
	}
	if Blocked(c, tab) {
		c.Note("the page cannot be read while the dialog is open")
		return
	}
	if err := tab.Page.Attach(ctx); err != nil { // the action may have closed its own tab
		c.Note("the page could not be read: " + err.Error())
		return
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	awaitOpening(ctx, c, tab.Page)
	o := observed(c, tab)
	o.MaxTokens = observeBudget
	o.Afresh = ledElsewhere(c) // which the reply says itself
	snap, err := c.Looker.TakeSnapshot(watched, c, tab, tab.Page.Main(), o)
	if err != nil { // the action itself has happened
		c.Note("the page could not be read: " + err.Error())
		return
	}
	if changes, ok := snap.Typed().(snapshot.DeltaData); ok {
		res.Report(func(r *fact.Reports) { r.Observed = &changes })
	}
	if text := snap.Text(); text != "" {
		res.Text += "\n" + text
	}
}
