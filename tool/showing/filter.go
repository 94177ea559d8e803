package showing

import (
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/network"
	browser "github.com/skua-browser/skua/snapshot"

	"github.com/skua-browser/skua/tool/contract"
)

// contextLines is how many lines below one that was looked for are shown with it.
const contextLines = 5

// FilterSnapshot reduces the data of a snapshot to the lines that contain a text (in any case) or have a role, and
// their ancestors. It returns data of other commands unchanged.
func FilterSnapshot(data any, search, role string) (any, *contract.SnapshotFilter) {
	seen, ok := treeOf(data)
	if !ok {
		return data, nil
	}
	refs := seen.Refs
	lines := readLines(seen.Snapshot)
	keep := make([]bool, len(lines))
	f := &contract.SnapshotFilter{Search: search, Role: role, TotalRefs: len(refs), TotalLines: len(lines)}
	wanted := strings.ToLower(search)
	var open []int // the lines that enclose the current one
	shownRefs := map[string]browser.RefData{}
	below, left := int32(-1), 0 // context is shown below this depth
	for i := range lines {
		l := &lines[i]
		for len(open) > 0 && lines[open[len(open)-1]].depth >= l.depth {
			open = open[:len(open)-1]
		}
		if below >= 0 && l.depth <= below {
			below = -1
		}
		switch {
		case (role == "" || l.role == role) && (wanted == "" || strings.Contains(strings.ToLower(l.text), wanted)):
			for _, parent := range open {
				keep[parent] = true
			}
			keep[i] = true
			if l.ref != "" {
				f.MatchedRefs++
			}
			if below < 0 {
				below, left = l.depth, contextLines
			}
		case below >= 0 && left > 0:
			keep[i] = true
			left--
		}
		open = append(open, i)
	}
	var b strings.Builder
	for i := range lines {
		if !keep[i] {
			continue
		}
		f.VisibleLines++
		b.WriteString(lines[i].text)
		b.WriteByte('\n')
		if ref, ok := refs[lines[i].ref]; ok {
			shownRefs[lines[i].ref] = ref
		}
	}
	text := strings.TrimSuffix(b.String(), "\n")
	if m, foreign := data.(map[string]any); foreign {
		return with(with(m, "snapshot", text), "refs", shownRefs), f
	}
	seen.Snapshot, seen.Refs = text, shownRefs
	return withOwn(data, seen), f
}

// FilterText is a filter in a line.
func FilterText(f *contract.SnapshotFilter) string {
	by := ""
	if f.Search != "" {
		by += " search " + `"` + clip(f.Search, 80) + `"`
	}
	if f.Role != "" {
		by += " role=" + f.Role
	}
	text := "Snapshot filter: " + number(f.MatchedRefs) + "/" + number(f.TotalRefs) + " refs match" + by + "; " +
		number(f.VisibleLines) + " of " +
		number(f.TotalLines) + " lines are shown"
	if f.VisibleLines > f.MatchedRefs {
		text += ", those around them included"
	}
	return text + "."
}

// DiffRefs compares the refs of two snapshots of a session. before is nil when there was none.
func DiffRefs(before map[string]contract.Ref, data any) *contract.SnapshotDiff {
	seen, _ := treeOf(data)
	refs := seen.Refs
	if refs == nil {
		return nil
	}
	d := &contract.SnapshotDiff{AddedRefs: []string{}, RemovedRefs: []string{}, ChangedRefs: []string{}}
	for id, now := range refs {
		was, known := before[id]
		switch {
		case !known:
			d.AddedRefs = append(d.AddedRefs, id)
		case was.Role != now.Role || was.Name != now.Name:
			d.ChangedRefs = append(d.ChangedRefs, id)
		default:
			d.UnchangedRefs++
		}
	}
	for id := range before {
		if _, still := refs[id]; !still {
			d.RemovedRefs = append(d.RemovedRefs, id)
		}
	}
	for _, ids := range [...][]string{d.AddedRefs, d.RemovedRefs, d.ChangedRefs} {
		slices.SortFunc(ids, func(a, b string) int {
			if len(a) != len(b) {
				return len(a) - len(b)
			}
			return strings.Compare(a, b)
		})
	}
	d.Summary = "Snapshot diff: +" + number(len(d.AddedRefs)) + " / -" + number(len(d.RemovedRefs)) + " / ~" +
		number(len(d.ChangedRefs)) + " refs, " +
		number(d.UnchangedRefs) + " unchanged"
	if before == nil {
		d.Summary += " (there was no snapshot before)"
	}
	return d
}

// DiffText is a comparison with some of the refs that it is about.
func DiffText(d *contract.SnapshotDiff) string {
	var text strings.Builder
	text.WriteString(d.Summary)
	for _, part := range [...]struct {
		name string
		ids  []string
	}{{"added", d.AddedRefs}, {"removed", d.RemovedRefs}, {"changed", d.ChangedRefs}} {
		if len(part.ids) > 0 {
			text.WriteString("; " + part.name + " @" + strings.Join(part.ids[:min(len(part.ids), 10)], " @"))
		}
	}
	return text.String()
}

// FilterRequests reduces the data of a network log to the rows of the page that is shown: of its origin, or of its
// exact address.
func FilterRequests(data any, current, mode string) (any, *contract.NetworkRequestsPageFilter) {
	filter := &contract.NetworkRequestsPageFilter{CurrentURL: current, Mode: mode}
	of := func(address string) bool {
		if mode == "current-url" {
			return sameDocument(address, current)
		}
		return sameOrigin(address, current)
	}
	if log, ok := actions.Own(data).(network.Requests); ok {
		kept := make([]network.Request, 0, len(log.Requests))
		for i := range log.Requests {
			if r := &log.Requests[i]; of(r.URL) {
				kept = append(kept, *r)
			}
		}
		filter.MatchedRows, filter.TotalRows = len(kept), len(log.Requests)
		log.Requests = kept
		return withOwn(data, log), filter
	}
	m, _ := data.(map[string]any) // of another program
	for _, member := range [...]string{"requests", "items", "entries"} {
		rows, ok := m[member].([]any)
		if !ok {
			continue
		}
		kept := make([]any, 0, len(rows))
		for _, row := range rows {
			if of(str(object(row), "url")) {
				kept = append(kept, row)
			}
		}
		filter.MatchedRows, filter.TotalRows = len(kept), len(rows)
		return with(m, member, kept), filter
	}
	return data, nil
}

// withOwn returns data with another value of the command's own type. Reports stay beside it.
func withOwn(data, own any) any {
	if reported, ok := data.(*actions.Reported); ok {
		return &actions.Reported{Own: own, Reports: reported.Reports}
	}
	return own
}

func sameDocument(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}

func sameOrigin(a, b string) bool {
	first, err := url.Parse(a)
	if err != nil {
		return false
	}
	second, err := url.Parse(b)
	return err == nil && first.Scheme == second.Scheme && strings.EqualFold(first.Host, second.Host)
}
