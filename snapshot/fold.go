package snapshot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// fold is a run of equal items of which one line is shown: the nodes from up to, not including, end.
type fold struct {
	from, end int32
	count     int    // items
	role      string // of the items; of the first kind, if an item is several nodes
	mixed     bool   // an item is several nodes
	head      int32  // the first node that has a token; -1 if none has
	ref       uint32 // of that; see Refs.fold
	until     int64  // token of the last one
}

// appendLine says what is folded, and how to see it.
func (f *fold) appendLine(b []byte, level int, interactive bool) []byte {
	noun := f.role
	if f.mixed {
		noun = "group of " + f.role + " and more"
	}
	b = append(append(appendIndent(b, level), "(… "...), counted(f.count, noun)...)
	b = append(b, " folded"...)
	if f.ref != 0 {
		b = append(b, ": snapshot "...)
		if interactive {
			b = append(b, "-i "...)
		}
		b = append(axtree.AppendRef(append(b, "-s "...), f.ref), " shows them"...)
	}
	return append(b, ")\n"...)
}

// A run is folded from so many items on; controls are each worth a line for longer.
const (
	minItems    = 8
	minControls = 24
	maxPeriod   = 12 // nodes of one item
	minRepeats  = 4
)

// run is a list of siblings that repeat: starts holds the first node of each item.
type run struct {
	starts []int32
	end    int32
	period int
}

func (r *run) item(i int) (from, end int32) {
	if i+1 < len(r.starts) {
		return r.starts[i], r.starts[i+1]
	}
	return r.starts[i], r.end
}

// folder folds the runs of a view.
type folder struct {
	*view
	cost []int           // of the lines before each node, in tokens
	runs map[int32][]run // by parent; -1 for the top
}

func newFolder(v *view) *folder {
	f := &folder{view: v, cost: make([]int, len(v.nodes)+1), runs: map[int32][]run{}}
	levels := v.levels()
	joined, last := v.findJoined(levels), int32(-1)
	for i, level := range levels {
		f.cost[i+1] = f.cost[i]
		n := &v.nodes[i]
		switch end, isFirst := joined[int32(i)]; {
		case !v.keep[i]:
		case int32(i) <= last:
			f.cost[i+1] += joinedCost(n, v.clipAt)
		default:
			f.cost[i+1] += lineCost(n, int(level), v.clipAt) + len(v.label(n))/TokenBytes
			if isFirst {
				last = end
			}
		}
	}
	return f
}

func (f *folder) total() int { return f.cost[len(f.nodes)] }

// weight is what the kept lines of a range cost.
func (f *folder) weight(from, end int32) int { return f.cost[end] - f.cost[from] }

// findRuns looks for runs among the children of a node and of all below.
func (f *folder) findRuns(parent, from, end int32) {
	var siblings []int32
	for i := from; i < end; i = f.nodes[i].End {
		if f.weight(i, f.nodes[i].End) == 0 {
			continue
		}
		siblings = append(siblings, i)
		if f.nodes[i].End > i+minItems {
			f.findRuns(i, i+1, f.nodes[i].End)
		}
	}
	for at := 0; at+minItems <= len(siblings); {
		period, length := f.repeats(siblings[at:])
		least := minItems
		if period == 1 && value(&f.nodes[siblings[at]]) >= controlValue {
			least = minControls
		}
		if items := length / max(period, 1); period == 0 || items < minRepeats || length < least {
			at++
			continue
		}
		length -= length % period
		r := run{period: period, end: f.nodes[siblings[at+length-1]].End}
		for i := 0; i < length; i += period {
			r.starts = append(r.starts, siblings[at+i])
		}
		f.runs[parent] = append(f.runs[parent], r)
		at += length
	}
}

// repeats returns the period in which the roles at the beginning of a list of siblings repeat, and how far; 0 for no
// period.
func (f *folder) repeats(siblings []int32) (period, length int) {
	same := func(a, b int32) bool {
		return f.nodes[a].Role == f.nodes[b].Role && (f.nodes[a].Ref != 0) == (f.nodes[b].Ref != 0)
	}
	for p := 1; p <= maxPeriod && p*minRepeats <= len(siblings); p++ {
		n := p
		for n < len(siblings) && same(siblings[n], siblings[n-p]) {
			n++
		}
		if n >= p*minRepeats && n > length+p {
			period, length = p, n
		}
	}
	return period, length
}

// window is which items of a run stay: most of them, from the first that is in view.
func (f *folder) window(r *run, most int) (first, last int) {
	if len(r.starts) <= most+2 {
		return 0, len(r.starts)
	}
	for i := range r.starts {
		from, end := r.item(i)
		if slices.ContainsFunc(f.nodes[from:end], func(n axtree.Node) bool { return n.InView }) {
			first = min(i, len(r.starts)-most)
			break
		}
	}
	return first, first + most
}

// foldCost is about what the line of a fold costs.
const foldCost = 20

// measure returns what a range costs when of each run so many items stay.
func (f *folder) measure(parent, from, end int32, most int) int {
	cost, runs := 0, f.runs[parent]
	for i := from; i < end; {
		if len(runs) > 0 && runs[0].starts[0] == i {
			r := &runs[0]
			first, last := f.window(r, most)
			for at := first; at < last; at++ {
				itemFrom, itemEnd := r.item(at)
				cost += f.measureAll(itemFrom, itemEnd, most)
			}
			if first > 0 {
				cost += foldCost
			}
			if last < len(r.starts) {
				cost += foldCost
			}
			i, runs = r.end, runs[1:]
			continue
		}
		next := f.nodes[i].End
		cost += f.measureAll(i, next, most)
		i = next
	}
	return cost
}

// measureAll is measure for siblings that do not form a run themselves.
func (f *folder) measureAll(from, end int32, most int) int {
	cost := 0
	for i := from; i < end; i = f.nodes[i].End {
		if f.weight(i, f.nodes[i].End) > 0 {
			cost += f.weight(i, i+1) + f.measure(i, i+1, f.nodes[i].End, most)
		}
	}
	return cost
}

// apply folds all runs so that so many items of each stay.
func (f *folder) apply(most int) {
	for _, runs := range f.runs {
		for i := range runs {
			r := &runs[i]
			first, last := f.window(r, most)
			f.hide(r, 0, first)
			f.hide(r, last, len(r.starts))
		}
	}
	// A fold inside of a folded item is not shown.
	slices.SortFunc(f.folds, func(a, b fold) int {
		if a.from != b.from {
			return int(a.from - b.from)
		}
		return int(b.end - a.end)
	})
	covered := int32(0)
	f.folds = slices.DeleteFunc(f.folds, func(x fold) bool {
		inner := x.end <= covered
		covered = max(covered, x.end)
		return inner
	})
}

func (f *folder) hide(r *run, first, last int) {
	if first >= last {
		return
	}
	from, _ := r.item(first)
	_, end := r.item(last - 1)
	x := fold{
		from:  from,
		end:   end,
		count: last - first,
		role:  f.nodes[from].Role,
		mixed: r.period > 1,
		head:  -1,
	}
	for i := from; i < end; i++ {
		f.keep[i] = false
		n := &f.nodes[i]
		if n.Token == 0 || n.Doc != f.nodes[from].Doc {
			continue
		}
		if x.head < 0 {
			x.head = i
		}
		x.until = n.Token
	}
	f.folds = append(f.folds, x)
}

// fit folds and drops lines until the text has about as many tokens as are allowed.
func (v *view) fit(most int) {
	f := newFolder(v)
	if f.total() <= most {
		return
	}
	v.clipAt = longText
	f = newFolder(v)
	all := int32(len(v.nodes))
	f.findRuns(-1, 0, all)
	for _, items := range []int{40, 20, 10, 5, 3} {
		if f.measure(-1, 0, all, items) <= most || items == 3 {
			f.apply(items)
			break
		}
	}
	f.drop(most)
}

// longText is where names and values are cut in a text that has a budget.
const longText = 300

// drop leaves out the lines that matter least, from the end of the page.
func (f *folder) drop(most int) {
	total := foldCost * len(f.folds)
	worth := make([]int16, len(f.nodes))
	var lines [maxWorth + 1][]int32
	around := []int16{0}
	for i := range f.nodes {
		n := &f.nodes[i]
		around = around[:n.Depth+1]
		place := around[n.Depth] + placeWorth(n)
		around = append(around, place)
		if !f.keep[i] {
			continue
		}
		total += f.weight(int32(i), int32(i)+1)
		worth[i] = min(max(int16(value(n))+place, 0), maxWorth)
		lines[worth[i]] = append(lines[worth[i]], int32(i))
	}
	if total <= most {
		return
	}
	roles, controls := map[string]int{}, []*axtree.Node{}
	for _, at := range lines {
		for _, i := range slices.Backward(at) {
			if total <= most-noteCost {
				break
			}
			n := &f.nodes[i]
			f.keep[i] = false
			total -= f.weight(i, i+1)
			roles[n.Role]++
			if n.Ref != 0 && value(n) >= controlValue {
				controls = append(controls, n)
			}
		}
	}
	f.noteLeftOut(most, roles, controls)
}

// noteCost is about what the note of what was left out costs.
const noteCost = 150

// maxControls is how many of the controls that were left out are named.
const maxControls = 10

func (f *folder) noteLeftOut(most int, roles map[string]int, controls []*axtree.Node) {
	if len(roles) == 0 {
		return
	}
	names := make([]string, 0, len(roles))
	total := 0
	for role, n := range roles {
		names = append(names, role)
		total += n
	}
	slices.SortFunc(names, func(a, b string) int {
		if roles[a] != roles[b] {
			return roles[b] - roles[a]
		}
		return strings.Compare(a, b)
	})
	for i, role := range names {
		names[i] = counted(roles[role], role)
	}
	if len(names) > 6 {
		names = append(names[:6], "…")
	}
	f.note(
		"%s left out to stay within about %s tokens: %s; --search TEXT, --filter role=R, --viewport or -s show parts, "+
			"--max-tokens 0 shows all",
		counted(total, "line"), thousands(most), strings.Join(names, ", "))
	if len(controls) == 0 {
		return
	}
	slices.SortStableFunc(controls, func(a, b *axtree.Node) int { return value(b) - value(a) })
	listed := make([]string, 0, maxControls)
	for _, n := range controls[:min(len(controls), maxControls)] {
		listed = append(listed, n.Role+" "+strconv.Quote(wording.ClipBytes(n.Name, 40))+" @"+axtree.RefID(n.Ref))
	}
	more := ""
	if len(controls) > maxControls {
		more = ", and " + thousands(len(controls)-maxControls) + " more"
	}
	f.note("controls among them: %s%s", strings.Join(listed, ", "), more)
}
