package run

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/inpage"
)

// unfoldPatience is how long a reply waits for the content of what the action opened.
const unfoldPatience = 500 * time.Millisecond

// unfoldedArg is the argument of the in-page op unfolded.
type unfoldedArg struct {
	Wait int64 `json:"wait"` // in ms
}

var opUnfolded = inpage.Define[unfoldedArg, *SeenEffects]("unfolded")

// awaitUnfolded waits for the content of a part that the action opened: pages say that it is open before they have it.
func (a *Action) awaitUnfolded(ctx context.Context, c *actions.Call) {
	if a.Seen == nil || c.UpstreamText() || !a.stays() {
		return
	}
	expanded, selected := a.Seen.State["expanded"], a.Seen.State["selected"]
	if expanded.To != "true" && selected.To != "true" {
		return
	}
	watched, stop := a.Tab.Page.Watch(ctx, true)
	defer stop()
	wait := min(unfoldPatience, max(0, c.TimeLeft()-reserve))
	if seen, _, err := opUnfolded.Here(watched, a.Frame, unfoldedArg{wait.Milliseconds()}); err == nil && seen != nil {
		a.Seen = seen
	}
}
