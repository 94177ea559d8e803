package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/showing"
)

// ownViews are flags that the tool itself carries out on what a command hands over, so that it knows the whole of what it shows a part of.
type ownViews struct {
	search, role   string                  // of snapshot
	viewport, diff bool                    // of snapshot
	requests       string                  // of network requests: current-page, current-origin or current-url
	clean          []string                // the caller's line without them
	before         map[string]contract.Ref // refs of the session's snapshot before this one
	position       map[string]any          // what of the page is on the screen
	url            string                  // the page that is shown
}

// ownFlags tells which flags of a line are the tool's own, or are dropped for another reason, and keeps what they ask for.
func (c *call) ownFlags(also func(*argv.Flag) bool) func(*argv.Flag) bool {
	var own []string
	v := &c.views
	switch {
	case c.words.Does(trait.Snapshots):
		v.search, v.diff = c.words.Value("search"), c.words.Has("diff")
		role, isRole := strings.CutPrefix(c.words.Value("filter"), "role=")
		if isRole {
			v.role = role
		}
		v.viewport = c.words.Has("viewport")
		if v.search != "" {
			own = append(own, "search")
		}
		if v.role != "" {
			own = append(own, "filter")
		}
		if v.diff {
			own = append(own, "diff")
		}
		if v.viewport && c.backend.Name() != backend.NameNative { // natively it shows no more than that
			own = append(own, "viewport")
		}
		if v.diff && c.state != nil && c.state.Refs.Snapshot != nil {
			v.before = c.state.Refs.Snapshot.Refs
			if v.before == nil {
				v.before = map[string]contract.Ref{}
			}
		}
	case c.words.Does(trait.ListsRequests):
		for _, mode := range [...]string{"current-page", "current-origin", "current-url"} {
			if c.words.Has(mode) {
				v.requests = mode
				own = append(own, mode)
			}
		}
	}
	if len(own) == 0 {
		return also
	}
	v.clean = slices.Clone(c.words.Args)
	for _, name := range own {
		v.clean = new(argv.Read(v.clean)).Without(name)
	}
	return func(f *argv.Flag) bool { return !f.Global && slices.Contains(own, f.Name) || also(f) }
}

// look asks the page for what the tool's own flags need.
func (c *call) look(ctx context.Context) {
	v := &c.views
	if !c.answer.Success {
		return
	}
	if v.viewport {
		const script = `(() => { const d = document.scrollingElement || document.documentElement; return { innerWidth, innerHeight, scrollX, scrollY,
			documentWidth: d.scrollWidth, documentHeight: d.scrollHeight } })()`
		a := c.probe(ctx, c.tool.limits.Dialog, "eval", script)
		m, _ := a.Data.(map[string]any)
		v.position, _ = m["result"].(map[string]any)
	}
	if v.requests != "" {
		switch {
		case c.answer.Page != nil:
			v.url = c.answer.Page.URL
		default:
			v.url = c.get(ctx, c.tool.limits.Dialog, "url")
		}
	}
}

// narrow reduces what is shown to what the tool's own flags ask for, and says so.
func (c *call) narrow(cmd *showing.Command) {
	v, d := &c.views, c.details
	if !cmd.Success {
		return
	}
	var heads []string
	if v.diff {
		if d.SnapshotDiff = showing.DiffRefs(v.before, cmd.Data); d.SnapshotDiff != nil {
			heads = append(heads, showing.DiffText(d.SnapshotDiff))
		}
	}
	if v.search != "" || v.role != "" {
		data, filter := showing.FilterSnapshot(cmd.Data, v.search, v.role)
		if filter != nil {
			filter.CleanArgs = v.clean
			cmd.Data, cmd.Text, d.SnapshotFilter = data, "", filter
			heads = append(heads, showing.FilterText(filter))
		}
	}
	if v.position != nil {
		d.SnapshotViewport = v.position
		heads = append(heads, fmt.Sprintf("Viewport: %vx%v, scroll %v,%v (document %vx%v)", v.position["innerWidth"], v.position["innerHeight"],
			v.position["scrollX"], v.position["scrollY"], v.position["documentWidth"], v.position["documentHeight"]))
	}
	if v.requests != "" && v.url != "" {
		data, filter := showing.FilterRequests(cmd.Data, v.url, v.requests)
		if filter != nil {
			filter.CleanArgs = v.clean
			cmd.Data, cmd.Text, d.NetworkRequestsPageFilter = data, "", filter
			heads = append(heads, fmt.Sprintf("Network filter: %d/%d rows belong to %s (%s)", filter.MatchedRows, filter.TotalRows, v.url, v.requests))
		}
	}
	cmd.Heads = heads
}
