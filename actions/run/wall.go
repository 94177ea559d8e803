package run

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/snapshot/walls"
)

// ReportWall asks the page that a command led to whether it keeps visitors out, and says so in the data of the reply
// and in a note. It is one round trip, for pages that may. Of a page that does not answer, nothing is said.
func ReportWall(
	ctx context.Context, c *actions.Call, tab *actions.Tab, recording *traffic.Recording, res *actions.Result,
) {
	if tab.Page.Err() != nil || tab.Page.Dialogs().Open() != nil {
		return
	}
	if seen, err := walls.OfPage.In(ctx, tab.Page.Main(), inpage.None{}); err == nil {
		tellWall(c, seen.Known(), tab, recording, res)
	}
}

// tellWall says what keeps visitors out, if there is anything.
func tellWall(c *actions.Call, wall *walls.Wall, tab *actions.Tab, recording *traffic.Recording, res *actions.Result) {
	if wall == nil {
		return
	}
	if recording != nil {
		for _, r := range recording.Requests() {
			if r.FrameID == tab.Page.Main().ID() && r.Retry != "" {
				wall.Retry(r.Retry, time.Now())
			}
		}
	}
	res.Report(func(r *fact.Reports) { r.Wall = wall })
	c.Note(wall.Line())
}
