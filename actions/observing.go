package actions

import (
	"context"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/snapshot"
)

// WithShared appends the flags that commands have by what they are and not by what they do.
func WithShared(commands []Command) []Command {
	for i := range commands {
		c := &commands[i]
		if c.Effect.Has(Mutates) && !c.Effect.Has(Control) {
			c.Flags = append(c.Flags, observeFlag(), settleFlag(), dialogFlag())
		}
		if needsOne(c) {
			c.Flags = append(c.Flags, strictFlag())
		}
	}
	return commands
}

func observeFlag() Flag {
	return Flag{Name: "observe", Common: true, Kind: Bool, Help: "Show what changed on the page since the last snapshot, too"}
}

func settleFlag() Flag {
	return Flag{Name: "settle", Common: true, Kind: Bool, Help: "Reply when the page has come to rest, and say all that it did until then"}
}

// How long the page has to be at rest for --settle, and how long that is waited for.
const (
	settleQuiet    = 150 * time.Millisecond
	settlePatience = 5 * time.Second
)

// comeToRest waits for --settle. A page that does not come to rest is no failure of the action.
func (c *Call) comeToRest(ctx context.Context) error {
	a := c.acting
	if !c.Bool("settle") || a.traffic == nil || a.blocked {
		return nil
	}
	if err := c.after(ctx, a.tab); err != nil {
		return err
	}
	watched, stop := a.tab.Page.Watch(ctx, true)
	defer stop()
	until := time.Now().Add(min(settlePatience, c.Left()))
	switch err := c.rest(watched, a.tab, settleQuiet, until); {
	case fault.Is(err, fault.Timeout):
		c.Note(err.Error())
	case engine.IsNavigated(err), fault.Is(err, fault.FrameGone), fault.Is(err, fault.DialogOpen), fault.Is(err, fault.PageGone):
	default:
		return err
	}
	return nil
}

// ledElsewhere reports whether the action has led to another document.
func (c *Call) ledElsewhere() bool {
	return c.acting != nil && c.acting.effect.Navigation != nil && !c.acting.effect.Navigation.SameDocument
}

// observeBudget is about how many tokens the changes may take that --observe shows.
const observeBudget = 1_500

// observe adds what changed on the page since the last snapshot to the result of an action. Nothing that goes wrong here makes the action one
// that failed.
func (c *Call) observe(ctx context.Context, res *Result) {
	_, tab := c.Session.Tabs()
	if tab == nil {
		return
	}
	if c.stopped(tab) {
		c.Note("the page cannot be looked at while the dialog is open")
		return
	}
	if err := tab.Page.Attach(ctx); err != nil { // the action may have closed its own tab
		c.Note("the page could not be looked at: " + err.Error())
		return
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	o := snapshot.Options{Interactive: true, Depth: -1, Delta: true}
	if last, ok := c.Session.Refs().Last(tab.ID); ok && len(last.Scope) == 0 {
		o = last
		o.Delta, o.Whole, o.Tree, o.Boxes = true, false, false, false
	}
	o.MaxTokens = observeBudget
	o.Afresh = c.ledElsewhere() // which the reply says itself
	snap, err := c.TakeSnapshot(watched, tab, tab.Page.Main(), o)
	if err != nil { // the action itself has happened
		c.Note("the page could not be looked at: " + err.Error())
		return
	}
	res.Add("observed", snap)
	if text := snap.Text(); text != "" {
		res.Text += "\n" + text
	}
}
