package element

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Rest waits until the page is at rest; its traffic must be watched. The error names what was still active at the end.
func Rest(ctx context.Context, c *actions.Call, tab *actions.Tab, r actions.Rest) error {
	began := time.Now()
	quiet := traffic.Quiet{For: r.Quiet, Since: began, Asked: r.Asked}
	for {
		root, err := WaitIn(ctx, c, tab)
		if err != nil {
			return err
		}
		still, err := awaitQuiet(ctx, c, tab, root, quiet, r)
		if still || err != nil {
			return err
		}
		left := max(0, time.Until(r.Until))
		changed, failed, err := FramesAtRest(ctx, c, root, r.Quiet, left)
		switch {
		case err != nil:
			return err
		case failed != nil:
			return NotStable(c, tab, r.Asked, failed)
		case !changed && tab.Page.Traffic().IsQuiet(quiet):
			return nil
		case left == 0:
			return NotStable(c, tab, r.Asked, nil)
		}
	}
}

// awaitQuiet waits until no request is pending. Still reports that one is, and that the page has not changed for so
// long that this is not waited for.
func awaitQuiet(
	ctx context.Context, c *actions.Call, tab *actions.Tab, root *engine.Frame, quiet traffic.Quiet, r actions.Rest,
) (still bool, err error) {
	until := r.Until
	if at := time.Now().Add(r.Still); r.Still > 0 && at.Before(until) {
		until = at
		if _, _, err := FramesAtRest(ctx, c, root, 0, 0); err != nil { // from now on the page's script watches for changes
			return false, err
		}
	}
	limited, cancel := context.WithDeadlineCause(ctx, until, ErrNotStable)
	defer cancel()
	err = tab.Page.Traffic().AwaitQuiet(limited, quiet)
	if !errors.Is(err, ErrNotStable) {
		return false, err
	}
	if until.Before(r.Until) {
		_, failed, err := FramesAtRest(ctx, c, root, r.Still, max(0, time.Until(r.Until)))
		if err != nil {
			return false, err
		}
		if failed == nil {
			notePending(c, tab, r)
			return true, nil
		}
		return false, NotStable(c, tab, r.Asked, failed)
	}
	return false, NotStable(c, tab, r.Asked, nil)
}

// notePending names the requests that a page at rest did not get an answer to.
func notePending(c *actions.Call, tab *actions.Tab, r actions.Rest) {
	if _, line := pendingRequests(tab, r.Asked); line != "" {
		c.Note("the page has settled, with " + line)
	}
}

var ErrNotStable = fault.New(fault.Timeout, "the page did not settle")

// stableArg is the argument of the in-page op stable, in ms.
type stableArg struct {
	Quiet    int64 `json:"quiet"`
	Patience int64 `json:"patience"`
}

type stable struct {
	Waited bool `json:"waited"` // it was not at rest at once
}

var opStable = inpage.Define[stableArg, stable]("stable")

// FramesAtRest waits until each frame has been at rest for the given time. changed reports that it waited for one,
// during which another may have changed again; failed is the activity that one frame showed until the end.
func FramesAtRest(
	ctx context.Context, c *actions.Call, root *engine.Frame, quiet, patience time.Duration,
) (changed bool, failed *OpFailure, err error) {
	frames := append([]*engine.Frame{root}, FramesBelow(ctx, root)...)
	var mu sync.Mutex
	var asking sync.WaitGroup
	for _, f := range frames {
		asking.Go(func() {
			value, doc, callErr := opStable.Raw(ctx, f, stableArg{quiet.Milliseconds(), patience.Milliseconds()})
			mu.Lock()
			defer mu.Unlock()
			if engine.IsNavigated(callErr) || fault.Is(callErr, fault.FrameGone) {
				changed = true
				return
			}
			if callErr != nil {
				err = callErr
				return
			}
			if f := FailureOf(value).In(f, doc); f != nil {
				failed = f
				return
			}
			var rest stable
			if opStable.Read(value, &rest) == nil && rest.Waited {
				changed = true
			}
		})
	}
	asking.Wait()
	return changed, failed, err
}

// NotStable says which activity continued until the end. Requests that began before the given moment do not count.
func NotStable(c *actions.Call, tab *actions.Tab, asked time.Time, f *OpFailure) error {
	var what []string
	if f != nil {
		facts := FactsOf[timeoutFacts](f)
		if facts.Loading {
			what = append(what, "the document is still loading")
		}
		if facts.Moving != "" {
			what = append(what, fmt.Sprintf("an animation of <%s> (%s)", facts.Moving, facts.Property))
		}
		if facts.Changed != "" {
			what = append(what, fmt.Sprintf("<%s> changes (%d changes in %d ms)", facts.Changed, facts.Changes, facts.Ms))
		}
	}
	requests, line := pendingRequests(tab, asked)
	if line != "" {
		what = append(what, line)
	}
	if len(what) == 0 {
		what = append(what, "something changed each time")
	}
	e := c.TimedOut("the page did not settle; last seen: " + strings.Join(what, "; "))
	if f != nil {
		e = f.Tell(c, e)
	}
	if line != "" {
		return e.With("requests", requests)
	}
	return e
}

// pendingRequests are the requests that the page waits for, and a line that names the first of them; "" without any.
func pendingRequests(tab *actions.Tab, asked time.Time) (requests []string, line string) {
	for _, r := range tab.Page.Traffic().UnderWay(asked) {
		requests = append(requests, strings.TrimSpace(r.Method+" "+r.URL))
	}
	if len(requests) == 0 {
		return nil, ""
	}
	const most = 3
	line = wording.Plural(len(requests), "request") + " pending: " +
		strings.Join(requests[:min(most, len(requests))], ", ")
	if len(requests) > most {
		line += ", …"
	}
	return requests, line
}

// WaitIn returns the frame that waits look in, after navigations to it have ended.
func WaitIn(ctx context.Context, c *actions.Call, tab *actions.Tab) (*engine.Frame, error) {
	if _, err := tab.Page.Loading().Settle(ctx, c.TimeLeft()); err != nil {
		return nil, err
	}
	return LookIn(ctx, c, tab)
}

// SettledArg is the argument of the in-page op settled.
type SettledArg struct {
	Effects bool      `json:"effects,omitzero"`
	Behind  *InputEnd `json:"behind,omitempty"`
}

// InputEnd is the last event of the input that an op was sent with, which it waits for.
type InputEnd struct {
	Event string `json:"event"`
	Count int    `json:"count"` // how many of its kind there are
}

// OpSettled answers when the page has handled what came before.
var OpSettled = inpage.Define[SettledArg, WithEffects]("settled")

// WithEffects is a result of in-page ops that includes the effects of the action.
type WithEffects struct {
	Effects *run.SeenEffects `json:"effects"`
}

// Flushed is [Flush] that is sent with input.
type Flushed = run.Behind[SettledArg, WithEffects]

// FlushBehind is to be sent with input that ends with so many events of a kind.
func FlushBehind(c *actions.Call, tab *actions.Tab, event string, count int) *Flushed {
	main := tab.Page.Main()
	return &Flushed{
		Op:    OpSettled,
		Frame: main,
		Arg:   SettledArg{Effects: run.CollectsEffects(c, main), Behind: &InputEnd{event, count}},
	}
}

// Flush makes sure that events of what the page has done so far are here. What was seen of an action without a target
// comes with it. Sent is nil where nothing was sent with the input.
func Flush(ctx context.Context, c *actions.Call, tab *actions.Tab, sent *Flushed) error {
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	main := tab.Page.Main()
	effects := run.CollectsEffects(c, main)
	var now WithEffects
	reply, err := sent.Answer(watched, false)
	switch {
	case reply != nil:
		now = reply.Answer
	case err == nil:
		now, err = OpSettled.In(watched, main, SettledArg{Effects: effects})
	}
	if effects {
		run.Of(c).Seen = now.Effects
	}
	if engine.IsNavigated(err) || fault.Is(err, fault.DialogOpen) || fault.Is(err, fault.PageGone) {
		return nil
	}
	return err
}
