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
		met, already, again, err := textInFrames(ctx, c, root, want)
		if err != nil {
			return actions.Result{}, err
		}
		if met {
			already = already && began.holds()
			return actions.Result{Data: TextResult{want, "text", already}, Text: found(want, already)}, nil
		}
		began.settled = false
		if !again || c.Left() == 0 {
			where := "the page"
			if root.Parent() != nil {
				where = "the selected frame"
			}
			return actions.Result{}, c.TimedOut(where + " does not show the text " + wording.Quote(want))
		}
	}
}

// textInFrames asks a frame and those in it to wait for a text, and every frame that comes meanwhile. Already is true when the frame itself
// had it at the first look: those in it may be looked at later. Again is true when the frame was replaced.
func textInFrames(ctx context.Context, c *actions.Call, root *engine.Frame, want string) (met, already, again bool, err error) {
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		frame *engine.Frame
		wait  waited
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
				wait, err := textIn(ctx, c, f, want)
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
				return true, a.wait.Already && a.frame == root, false, nil
			case replaced && a.frame == root:
				return false, false, true, nil
			case replaced:
				delete(asked, a.frame)
				ask()
			case a.err != nil:
				return false, false, false, a.err
			}
		case <-ctx.Done():
			if cause := context.Cause(ctx); fault.CodeOf(cause) != fault.Timeout {
				return false, false, false, cause
			}
			return false, false, false, nil // a frame that is silent to the end does not show the text
		}
	}
	return false, false, false, nil
}

// textIn waits for a text in one frame.
func textIn(ctx context.Context, c *actions.Call, f *engine.Frame, want string) (wait waited, err error) {
	value, _, err := opWait.Raw(ctx, f, waitArg{Text: want, Patience: c.Left().Milliseconds(), ID: newID()})
	if err != nil || element.FailureOf(value) != nil {
		return wait, err
	}
	return wait, opWait.Read(value, &wait)
}

func send[T any](ctx context.Context, to chan<- T, v T) {
	select {
	case to <- v:
	case <-ctx.Done():
	}
}
