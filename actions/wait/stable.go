package wait

import (
	"context"
	"errors"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/internal/fault"
)

// defaultQuiet is how long a page has to be at rest, unless the caller says.
const defaultQuiet = "300"

// waitStable waits until the page is at rest: for so long nothing changed or moved in any of its frames, and no request
// was under way.
func waitStable(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
	quiet := c.Duration("for")
	capture := run.CaptureRequests(tab)
	defer run.KeepCapture(tab, capture)
	if err := element.Rest(ctx, c, tab, actions.Rest{Quiet: quiet, Until: c.Deadline}); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: RestResult{quiet.Milliseconds(), "stable"}, Text: "✓ Done"}, nil
}

// waitIdle waits until the document has loaded and, for so long, no request was under way.
// loadingFacts says whether the document is still loading.
type loadingFacts struct {
	Loading bool `json:"loading"`
}

func waitIdle(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
	capture := run.CaptureRequests(tab)
	defer run.KeepCapture(tab, capture)
	began := time.Now()
	limited, cancel := context.WithDeadlineCause(ctx, c.Deadline, element.ErrNotStable)
	defer cancel()
	err := tab.Page.Loading().Await(limited, engine.WaitLoad)
	loading := err != nil
	if !loading {
		err = tab.Page.Traffic().AwaitQuiet(limited, traffic.Quiet{For: c.Duration("for"), Since: began})
	}
	switch {
	case err != nil && (errors.Is(context.Cause(limited), element.ErrNotStable) || fault.Is(err, fault.Timeout)):
		return actions.Result{}, element.NotStable(c, tab, time.Time{},
			element.NewFailure(fault.Timeout, loadingFacts{loading}))
	case err != nil:
		return actions.Result{}, err
	}
	return actions.Result{Data: RestResult{c.Duration("for").Milliseconds(), "idle"}, Text: "✓ Done"}, nil
}
