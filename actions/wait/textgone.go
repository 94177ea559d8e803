package wait

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// waitTextGone waits until no frame shows a text. It looks at one frame after the other, and begins again unless none
// of them showed it at the first look.
func waitTextGone(ctx context.Context, c *actions.Call, tab *actions.Tab, want string) (actions.Result, error) {
	began, first := startOf(ctx, c, tab), true
	for {
		root, err := element.WaitIn(ctx, c, tab)
		if err != nil {
			return actions.Result{}, err
		}
		gone, since := true, ""
		for _, f := range append([]*engine.Frame{root}, element.FramesBelow(ctx, root)...) {
			wait, err := textGoneFrom(ctx, c, f, want)
			if err != nil {
				return actions.Result{}, err
			}
			gone = gone && wait.Met && wait.Already
			if since != sinceCame {
				since = wait.Since // it went from one of them
			}
			if !wait.Met && c.TimeLeft() == 0 {
				return actions.Result{}, c.TimedOut("the page still shows the text " + wording.Quote(want))
			}
		}
		if gone {
			m := began.met(first && began.holds(), began.since(since), "it went")
			return actions.Result{Data: TextResult{want, "text hidden", m.already, m.since}, Text: m.done()}, nil
		}
		first = false
	}
}

// textGoneFrom waits until a frame does not show a text. Already is true when it did not at the first look; a frame
// that is gone shows nothing, and what is in its place is looked at next.
func textGoneFrom(ctx context.Context, c *actions.Call, f *engine.Frame, want string) (wait waited, err error) {
	value, _, err := opWait.Raw(ctx, f, waitArg{
		Text:     want,
		State:    "hidden",
		Patience: c.TimeLeft().Milliseconds(),
		ID:       newID(),
	})
	switch {
	case engine.IsNavigated(err), fault.Is(err, fault.FrameGone):
		return waited{Met: true}, nil
	case err != nil:
		return wait, err
	case element.FailureOf(value) != nil:
		return wait, nil
	}
	return wait, opWait.Read(value, &wait)
}
