package element

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/wording"
)

const (
	// arrivalPatience is how long a command that looks at the whole page waits at most for what a page that has just
	// loaded still asks for.
	arrivalPatience = 500 * time.Millisecond

	// partShown and partShownWithin: what a page makes of an answer is there when nothing has changed for two frames, or
	// is not waited for.
	partShown       = 35 * time.Millisecond
	partShownWithin = 100 * time.Millisecond
)

// AwaitArrival waits a short while for a page that is still loading parts of itself: many pages build their controls
// from data that they request after loading. A page at rest costs no round trip. AwaitArrival returns a note about a
// page that is not complete yet.
func AwaitArrival(ctx context.Context, c *actions.Call, tab *actions.Tab) (note string) {
	if tab.Page.Traffic().Arriving() == 0 {
		return ""
	}
	// Half of the time of a caller in a hurry is for what was asked.
	limited, cancel := context.WithTimeout(ctx, min(arrivalPatience, time.Until(c.Deadline)/2))
	defer cancel()
	for tab.Page.Traffic().Arriving() > 0 {
		got := tab.Page.Traffic().Got()
		if left := tab.Page.Traffic().AwaitParts(limited); left > 0 {
			return "the page is still loading parts of itself (" + wording.Plural(left, "request") +
				" pending); look again for more"
		}
		if tab.Page.Traffic().Got() == got {
			continue
		}
		if _, _, err := FramesAtRest(limited, c, tab.Page.Main(), partShown, partShownWithin); err != nil {
			return "" // the caller says why
		}
	}
	return ""
}
