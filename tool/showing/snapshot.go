package showing

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	browser "github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/tool/contract"

	"github.com/skua-browser/skua/actions/look"
)

// What is shown of a snapshot that is longer than the engine shows of one, where the engine has not said what that is.
const (
	topRoles      = 4
	sectionLines  = 2 // that each of the first two other sections has in any case
	moreSections  = 2
	listedAbout   = 10 // sections
	keyRefs       = 8
	otherRefs     = 4
	outlineLines  = 12
	lineWidth     = 140
	nameWidth     = 96
	afterSections = 1000 // bytes that are left for the lists of refs
)

// nothing is what there is to see of a snapshot without lines.
const nothing = "(no interactive elements)"

// showSnapshot shows the tree of a page, or, when that is long, what the page is about and its controls.
func showSnapshot(c *Command, v *View) bool {
	seen, whole := treeOf(c.Data)
	tree, refs, origin := seen.Snapshot, seen.Refs, seen.Origin
	v.Summary = "Snapshot: " + number(len(refs)) + " refs on " + origin
	if !whole { // a delta is an object, and has its own text
		if c.Text == "" {
			return false
		}
		header, changes, _ := look.CutHeader(c.Text)
		v.Summary, v.Bounded = "Snapshot changes on "+origin, true
		v.Text = "Origin: " + origin + aboutPage(header, origin) + "\n\n" + changes
		return true
	}
	header, text, partial := look.CutHeader(c.Text)
	head := "Origin: " + origin + aboutPage(header, origin) + "\nRefs: " + number(len(refs))
	v.Bounded = true
	if text != "" && (c.Words.Has("max-tokens") || header != "" && !partial) {
		// the caller said how long it may be, or it is the whole
		tree = text
	}
	if tree == "" || tree == nothing {
		v.Text = head + "\n\n" + nothing
		return true
	}
	budget := look.SnapshotBytes(c.Words.Has("interactive"))
	if tree == text || text == "" && len(tree) <= budget {
		v.Text = head + "\n\n" + tree
		return true
	}
	compact(c, v, text, tree, head, &seen, budget)
	return true
}

// treeOf returns the snapshot in data. whole is false for one that says what has changed, and for data without one.
func treeOf(data any) (seen browser.Data, whole bool) {
	switch d := actions.Own(data).(type) {
	case browser.Data:
		return d, true
	case browser.DeltaData:
		return browser.Data{Origin: d.Origin}, false
	case map[string]any: // of another program
		_, whole = d["snapshot"].(string)
		return fact.Read[browser.Data](d), whole
	}
	return seen, false
}

// aboutPage is a line of what the header of a snapshot says besides the address.
func aboutPage(header, origin string) string {
	if header == "" {
		return ""
	}
	return "\nPage: " + strings.Replace(strings.TrimPrefix(header, "page "), origin+" ", "", 1)
}

// compact shows a long snapshot in part: as the engine does, else what the page is about first. Text is the engine's,
// empty if there is none.
func compact(c *Command, v *View, text, tree, head string, seen *browser.Data, budget int) {
	lines := readLines(tree)
	known := 0
	for i := range lines {
		if lines[i].known {
			known++
		}
	}
	p := page{lines: lines, shown: map[string]bool{}}
	p.b.WriteString("Compact snapshot view.\n" + head + "\n")
	mode := "structured"
	roles := p.countRoles()
	p.sections = sectionsOf(lines)
	switch {
	case text != "":
		p.topRoles(roles)
		p.engine(text)
	case known*2 < len(lines):
		mode = "outline"
		p.outline()
	default:
		p.topRoles(roles)
		p.structure(budget)
	}
	data := contract.SnapshotPreview{
		Compacted:             true,
		PreviewMode:           mode,
		StructuredPreviewUsed: mode == "structured",
		Origin:                seen.Origin,
		RefCount:              len(seen.Refs),
		SnapshotLineCount:     len(lines),
		RoleCounts:            roleCounts(roles),
		PreviewRefIDs:         p.refIDs,
		HighValueControlIDs:   p.controlIDs,
	}
	path, err := c.Keep("snapshot", ".txt", head+"\n\n"+tree+"\n")
	if err != nil {
		v.KeepError = err.Error()
		data.SpillError = v.KeepError
		p.b.WriteString("\nFull raw snapshot unavailable: " + v.KeepError)
	} else {
		v.FullOutput = path
		p.b.WriteString("\nFull raw snapshot path: " + path)
	}
	v.Data, v.Text = data, p.b.String()
	if mode == "structured" {
		v.Data = contract.StructuredPreview{SnapshotPreview: data, PreviewSections: p.aboutSections()}
	}
}

// page is a long snapshot that is being shown in part.
type page struct {
	lines    []snapLine
	sections []section
	shown    map[string]bool // refs

	b          strings.Builder
	refIDs     []string
	controlIDs []string
}

// roleCount is how often a role occurs.
type roleCount struct {
	role  string
	count int
}

func (p *page) countRoles() []roleCount {
	counts := map[string]int{}
	for i := range p.lines {
		if p.lines[i].known {
			counts[p.lines[i].role]++
		}
	}
	list := make([]roleCount, 0, len(counts))
	for role, count := range counts {
		list = append(list, roleCount{role, count})
	}
	slices.SortFunc(list, func(a, b roleCount) int { return cmp.Or(b.count-a.count, cmp.Compare(a.role, b.role)) })
	return list
}

func roleCounts(list []roleCount) map[string]int {
	out := make(map[string]int, len(list))
	for _, r := range list {
		out[r.role] = r.count
	}
	return out
}

func (p *page) topRoles(roles []roleCount) {
	for i, r := range roles[:min(len(roles), topRoles)] {
		p.b.WriteString([...]string{"Top roles: ", ", "}[min(i, 1)] + r.role + " " + number(r.count))
	}
	p.b.WriteByte('\n')
}

// engine shows what the engine chose, line for line, and names controls that are not in it.
func (p *page) engine(text string) {
	main, beside, _ := strings.Cut(text, "\n"+look.BesideMain+"\n")
	p.b.WriteString("\nPrimary content:\n" + main + "\n")
	if beside != "" {
		p.b.WriteString("\nAdditional sections:\n" + beside + "\n")
	}
	for _, l := range readLines(text) {
		p.note(&l)
	}
	for rest := text; ; {
		before, after, found := strings.Cut(rest, "@e")
		if !found {
			break
		}
		end := 0
		for end < len(after) && after[end] >= '0' && after[end] <= '9' {
			end++
		}
		if id := "e" + after[:end]; strings.HasSuffix(before, "-s ") { // what is folded, or counted
			p.shown[id] = true
		} else {
			p.note(&snapLine{ref: id})
		}
		rest = after
	}
	p.omitted()
}

func (p *page) structure(budget int) {
	sections := p.sections
	order := make([]int, len(sections))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sections[b].score - sections[a].score })
	p.b.WriteString("\nPrimary content:\n")
	primary := &sections[order[0]]
	p.write(primary, budget*2/3, 0)
	if len(order) > 1 {
		p.b.WriteString("\nAdditional sections:\n")
		for n, i := range order[1:] {
			least := 0
			if n < moreSections {
				least = sectionLines
			} else if p.b.Len() >= budget-afterSections {
				break
			}
			p.write(&sections[i], budget-afterSections, least)
		}
	}
	p.refs(primary)
	p.omitted()
}

// omitted lists controls that are not shown.
func (p *page) omitted() {
	if list := omitted(p.lines, p.shown); len(list) > 0 {
		p.b.WriteString("\nOmitted high-value controls:\n")
		for _, l := range list {
			p.b.WriteString(l.asRef() + "\n")
			p.shown[l.ref] = true
			p.controlIDs = append(p.controlIDs, l.ref)
		}
	}
}

// aboutSections says of the first sections how much of them is shown, and how many more there are.
func (p *page) aboutSections() (about contract.PreviewSections) {
	shown := map[string]bool{}
	for _, id := range p.refIDs {
		shown[id] = true
	}
	for i := range p.sections {
		s := &p.sections[i]
		if i == listedAbout {
			about.More = len(p.sections) - i
			break
		}
		n := 0
		for j := s.from; j < s.end; j++ {
			if shown[p.lines[j].ref] {
				n++
			}
		}
		about.Sections = append(about.Sections, contract.PreviewSection{
			Role:         s.role,
			Title:        clip(s.name, nameWidth),
			LinesShown:   n,
			OmittedLines: s.end - s.from - n,
		})
	}
	return about
}

// write shows the lines of a section that say something, until the text has this length; at least some of them.
func (p *page) write(s *section, until, least int) {
	base := p.lines[s.from].depth
	for i := s.from; i < s.end && (least > 0 || p.b.Len() < until); i++ {
		l := &p.lines[i]
		if !l.says() && i > s.from {
			continue
		}
		least--
		p.b.WriteString(strings.Repeat("  ", int(min(max(l.depth-base, 0), 4))) + l.shown() + "\n")
		p.note(l)
	}
}

func (p *page) note(l *snapLine) {
	if l.ref != "" && !p.shown[l.ref] {
		p.shown[l.ref] = true
		p.refIDs = append(p.refIDs, l.ref)
	}
}

// refs lists refs of the primary section, and some of the rest of the page. Controls go before headings and texts.
func (p *page) refs(primary *section) {
	p.list("\nKey refs:\n", primary.from, primary.end, keyRefs)
	left := p.list("\nOther refs:\n", 0, primary.from, otherRefs)
	if left == otherRefs {
		p.list("\nOther refs:\n", primary.end, len(p.lines), otherRefs)
	} else if left > 0 {
		p.list("", primary.end, len(p.lines), left)
	}
}

// list shows refs that are not shown yet, and returns how many more there was room for.
func (p *page) list(title string, from, end, most int) (left int) {
	for _, controls := range [...]bool{true, false} {
		for i := from; i < end && most > 0; i++ {
			l := &p.lines[i]
			if l.ref == "" || p.shown[l.ref] || l.name == "" && controls ||
				(kindOf(l) != noControl || l.role == "button") != controls {
				continue
			}
			p.b.WriteString(title)
			title = ""
			p.b.WriteString(l.asRef() + "\n")
			p.note(l)
			most--
		}
	}
	return most
}

// outline shows the beginning of a snapshot whose form is not known.
func (p *page) outline() {
	p.b.WriteString("\nOutline:\n")
	for i := range p.lines[:min(len(p.lines), outlineLines)] {
		p.b.WriteString(clip(strings.TrimRight(p.lines[i].text, " "), lineWidth) + "\n")
	}
}
