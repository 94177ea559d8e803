package wait

import (
	"context"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// waitText waits in all frames at once; the first one that shows the text ends the wait.
func waitText(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
	want := c.String("text")
	if c.String("wait-state") == "hidden" {
		return waitTextGone(ctx, c, tab, want)
	}
	began := startOf(ctx, c, tab)
	for {
		root, err := element.WaitIn(ctx, c, tab)
		if err != nil {
			return actions.Result{}, err
		}
		arg := waitArg{Text: want, Fresh: c.Bool("new") && !began.newDocument()}
		wait, again, err := textInFrames(ctx, c, root, arg)
		if err != nil {
			return actions.Result{}, err
		}
		if wait.Met {
			m := began.met(wait.Already && began.holds(), began.since(wait.Since), "it came")
			return actions.Result{Data: TextResult{want, "text", m.already, m.since}, Text: m.found(want)}, nil
		}
		began.settled = false
		if !again || c.TimeLeft() == 0 {
			where := "the page"
			if root.Parent() != nil {
				where = "the selected frame"
			}
			if wait.stale {
				return actions.Result{}, c.TimedOut(where + " shows the text " + wording.Quote(want) + ", as it did before " +
					began.lastAction() + ", and has not written it since")
			}
			return actions.Result{}, c.TimedOut(where + " does not show the text " + wording.Quote(want))
		}
	}
}

// textWait is what a wait for a text came to in a frame.
type textWait struct {
	waited
	stale bool // it is shown, but came before the last action
}

// textInFrames asks a frame and those in it to wait for a text, and every frame that comes meanwhile. Already is true
// when the frame itself had it at the first look: those in it may be looked at later. Again is true when the frame was
// replaced.
func textInFrames(
	ctx context.Context, c *actions.Call, root *engine.Frame, arg waitArg,
) (met textWait, again bool, err error) {
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		frame *engine.Frame
		wait  textWait
		err   error
	}
	answers, arrived := make(chan answer), make(chan struct{})
	asked, waiting, watching := map[*engine.Frame]bool{}, 0, false
	ask := func() {
		if !watching {
			watching = true
			arrivals := root.Page().Frames().Arrivals()
			running.Go(func() {
				if root.Page().Frames().AwaitArrival(ctx, arrivals) == nil {
					send(ctx, arrived, struct{}{})
				}
			})
		}
		for _, f := range append([]*engine.Frame{root}, element.FramesBelow(ctx, root)...) {
			if asked[f] {
				continue
			}
			asked[f] = true
			waiting++
			running.Go(func() {
				wait, err := textIn(ctx, c, f, arg)
				send(ctx, answers, answer{f, wait, err})
			})
		}
	}
	for ask(); waiting > 0; {
		select {
		case <-arrived:
			watching = false
			ask()
		case a := <-answers:
			waiting--
			replaced := engine.IsNavigated(a.err) || fault.Is(a.err, fault.FrameGone)
			switch {
			case a.wait.Met:
				a.wait.Already = a.wait.Already && a.frame == root
				return a.wait, false, nil
			case replaced && a.frame == root:
				return met, true, nil
			case replaced:
				delete(asked, a.frame)
				ask()
			case a.err != nil:
				return met, false, a.err
			}
			met.stale = met.stale || a.wait.stale
		case <-ctx.Done():
			if cause := context.Cause(ctx); fault.CodeOf(cause) != fault.Timeout {
				return met, false, cause
			}
			return met, false, nil // a frame that is silent to the end does not show the text
		}
	}
	return met, false, nil
}

// staleFacts is what the page says of a text that came too early.
type staleFacts struct {
	Stale bool `json:"stale"`
}

// textIn waits for a text in one frame.
func textIn(ctx context.Context, c *actions.Call, f *engine.Frame, arg waitArg) (wait textWait, err error) {
	arg.Patience, arg.ID = c.TimeLeft().Milliseconds(), newID()
	value, _, err := opWait.Raw(ctx, f, arg)
	if err != nil {
		return wait, err
	}
	if failed := element.FailureOf(value); failed != nil {
		wait.stale = element.FactsOf[staleFacts](failed).Stale
		return wait, nil
	}
	return wait, opWait.Read(value, &wait.waited)
}

func send[T any](ctx context.Context, to chan<- T, v T) {
	select {
	case to <- v:
	case <-ctx.Done():
	}
}
