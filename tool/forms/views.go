package forms

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/network"

	"github.com/skua-browser/skua/actions/look"

	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/showing"
)

// Views are flags that the tool itself carries out on what a command hands over, so that it knows the whole of what it
// shows a part of.
type Views struct {
	search, role   string                  // of snapshot
	viewport, diff bool                    // of snapshot
	requests       string                  // of network requests: current-page, current-origin or current-url
	clean          []string                // the caller's line without them
	before         map[string]contract.Ref // refs of the session's snapshot before this one
	position       *contract.Viewport      // what of the page is on the screen
	url            string                  // the page that is shown
}

// Drop reports which flags of a line are the tool's own, or are dropped for another reason, and keeps what they ask
// for. Last is the newest snapshot of the session, or nil.
func (v *Views) Drop(
	w *argv.Words, last *contract.RefSnapshot, ownWords bool, also func(*argv.Flag) bool,
) func(*argv.Flag) bool {
	var own []string
	switch {
	case w.Entry.HandsOutRefs():
		v.search, v.diff = w.Value("search"), w.Has("diff")
		if ownWords && (axtree.IsPattern(v.search) || w.Has("context")) {
			v.search = "" // the command itself finds it
		}
		role, isRole := strings.CutPrefix(w.Value("filter"), "role=")
		if isRole {
			v.role = role
		}
		v.viewport = w.Has("viewport")
		if v.search != "" {
			own = append(own, "search")
		}
		if v.role != "" {
			own = append(own, "filter")
		}
		if v.diff {
			own = append(own, "diff")
		}
		if v.viewport && !ownWords { // a backend that knows the flag shows no more than that
			own = append(own, "viewport")
		}
		if v.diff && last != nil {
			v.before = last.Refs
			if v.before == nil {
				v.before = map[string]contract.Ref{}
			}
		}
	case actions.Yields[network.Requests](w.Entry):
		for _, mode := range [...]string{"current-page", "current-origin", "current-url"} {
			if w.Has(mode) {
				v.requests = mode
				own = append(own, mode)
			}
		}
	}
	if len(own) == 0 {
		return also
	}
	v.clean = slices.Clone(w.Args)
	for _, name := range own {
		v.clean = new(argv.Read(v.clean)).Without(name)
	}
	return func(f *argv.Flag) bool { return !f.Global && slices.Contains(own, f.Name) || also(f) }
}

// positionScript yields what of the page is on the screen.
const positionScript = `(() => { const d = document.scrollingElement || document.documentElement; return { innerWidth, innerHeight, scrollX, scrollY,
			documentWidth: d.scrollWidth, documentHeight: d.scrollHeight } })()`

// Look asks the page for what the flags need, after a command that succeeded. Shown is the page that the answer tells;
// nil means that it tells none.
func (v *Views) Look(shown *contract.PageTarget, ask func(args ...string) backend.Answer) {
	if v.viewport {
		a := ask("eval", positionScript)
		v.position = backend.Yielded[contract.Viewport](&a)
	}
	switch {
	case v.requests == "":
	case shown != nil:
		v.url = shown.URL
	default:
		a := ask("get", "url")
		v.url = backend.Read[look.URLResult](&a).URL
	}
}

// Narrow reduces what is shown of a command to what the flags ask for, and says so, in the details too.
func (v *Views) Narrow(cmd *showing.Command, d *contract.Details) {
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
		heads = append(heads,
			fmt.Sprintf("Viewport: %vx%v, scroll %v,%v (document %vx%v)", v.position.InnerWidth, v.position.InnerHeight,
				v.position.ScrollX, v.position.ScrollY, v.position.DocumentWidth, v.position.DocumentHeight))
	}
	if v.requests != "" && v.url != "" {
		data, filter := showing.FilterRequests(cmd.Data, v.url, v.requests)
		if filter != nil {
			filter.CleanArgs = v.clean
			cmd.Data, cmd.Text, d.NetworkRequestsPageFilter = data, "", filter
			heads = append(heads,
				fmt.Sprintf("Network filter: %d/%d rows belong to %s (%s)", filter.MatchedRows, filter.TotalRows, v.url,
					v.requests))
		}
	}
	cmd.Heads = heads
}
