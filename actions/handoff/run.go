package handoff

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/highlight"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// maxText is how long the text for the person may be, in bytes.
const maxText = 2000

func runHandoff(ctx context.Context, c *actions.Call) (actions.Result, error) {
	text := strings.TrimSpace(c.String("text"))
	switch {
	case text == "":
		return actions.Result{}, fault.New(fault.Usage, "text: is empty; say what the person is to do")
	case len(text) > maxText:
		return actions.Result{}, fault.New(fault.Usage, "text: has %d bytes, %d are the most; say it shorter", len(text),
			maxText)
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	mark, unmark, err := outline(ctx, c, tab)
	if err != nil {
		return actions.Result{}, err
	}
	desk := c.Live.Handoffs()
	begun, err := desk.Begin(actions.HandoffRequest{
		Text:   text,
		Mark:   mark,
		Tab:    tab,
		Within: run.PersonTime(c.Input),
		Ended:  unmark,
	})
	if err != nil {
		unmark()
		return actions.Result{}, err
	}
	if c.Bool("detach") || !tell(ctx, c, desk, &begun) {
		return result(&begun), nil
	}
	ended := desk.Await(ctx, begun.ID)
	if ended.End == actions.HandoffWaiting { // the caller is gone, or the time of the command is over
		if ended, err = desk.End(begun.ID, actions.HandoffCanceled, "the command ended"); err != nil {
			return actions.Result{}, err
		}
	}
	if ctx.Err() != nil {
		return actions.Result{}, context.Cause(ctx)
	}
	return result(&ended), nil
}

// tell gives the address to a person, and reports whether that was possible while the command goes on.
func tell(ctx context.Context, c *actions.Call, desk actions.Handoffs, h *actions.Handoff) bool {
	if c.ErrOut != nil {
		// A caller that cannot be written to is gone, which ends the command by itself.
		_, _ = fmt.Fprintf(c.ErrOut, "A person is asked: %s\nOpen %s within %s.\n", wording.OneLine(h.Text), h.Address,
			time.Until(h.Until).Round(time.Second))
		return true
	}
	if c.Hand == nil {
		return false
	}
	asking, cancel := context.WithCancel(ctx)
	refused, stopped := make(chan struct{}), make(chan struct{})
	go func() { // ends with the handoff, or with the command
		defer close(stopped)
		done, reason, err := c.Hand(asking, h.Text, h.Address)
		switch {
		case err != nil:
			close(refused)
		case done:
			_, _ = desk.End(h.ID, actions.HandoffDone, "") // the other way to answer may have been quicker
		default:
			_, _ = desk.End(h.ID, actions.HandoffCannot, reason)
		}
	}()
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // ends with waiting
		select {
		case <-refused:
			stop()
		case <-waiting.Done():
		}
	}()
	*h = desk.Await(waiting, h.ID)
	cancel()
	<-stopped
	return h.End != actions.HandoffWaiting || ctx.Err() != nil
}

// outline marks the element that --at names. Unmark takes the mark away.
func outline(ctx context.Context, c *actions.Call, tab *actions.Tab) (mark string, unmark func(), err error) {
	if !c.Has("at") {
		return "", func() {}, nil
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	t, err := element.Resolve(watched, c, tab, c.String("at"))
	if err != nil {
		return "", nil, err
	}
	el, err := element.ScrollIntoView(watched, c, t)
	if err != nil {
		return "", nil, err
	}
	err = highlight.Element(watched, t.Frame, t.Doc, el.Token)
	if engine.IsNavigated(err) {
		return "", nil, fault.New(fault.SelectorNotFound, "Element '%s' went away before it could be marked.", t.Label).
			About(t.Label)
	}
	if err != nil {
		return "", nil, err
	}
	mark = strings.TrimSpace(el.Role + " " + quoted(el.Name))
	return pagetext.Bounded(mark, pagetext.MaxTitle), func() {
		limited, cancel := context.WithTimeout(context.Background(), unmarkLimit)
		defer cancel()
		watched, stop := tab.Page.Watch(limited, true)
		defer stop()
		_ = highlight.Clear(watched, tab.Page) // the mark goes with the page, too
	}, nil
}

// unmarkLimit is how long a page may take to lose the mark.
const unmarkLimit = 2 * time.Second

func quoted(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("%q", wording.OneLine(name))
}

func runWait(ctx context.Context, c *actions.Call) (actions.Result, error) {
	desk := c.Live.Handoffs()
	h := desk.Current()
	if h == nil {
		res := result(nil)
		res.Failed = true // there is nothing to wait for
		return res, nil
	}
	limited, cancel := context.WithTimeout(ctx, run.PersonTime(c.Input))
	defer cancel()
	ended := desk.Await(limited, h.ID)
	if ctx.Err() != nil {
		return actions.Result{}, context.Cause(ctx)
	}
	return result(&ended), nil
}

func runCancel(_ context.Context, c *actions.Call) (actions.Result, error) {
	desk := c.Live.Handoffs()
	h := desk.Current()
	if h == nil || h.End != actions.HandoffWaiting {
		return actions.Result{}, fault.New(fault.StreamState, "the session does not wait for a person").
			WithHint("`handoff status` shows the last handoff.")
	}
	ended, err := desk.End(h.ID, actions.HandoffCanceled, "a command canceled it")
	if err != nil {
		return actions.Result{}, err
	}
	res := result(&ended)
	res.Failed = false // it is what was asked for
	return res, nil
}
