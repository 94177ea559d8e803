//go:build linux

package main

import (
	"slices"
	"strings"
)

// recall is how much of what a person can see and use a snapshot shows or counts.
type recall struct {
	Controls, ShownControls, CountedControls int
	Texts, ShownTexts, CountedTexts          int
	MissingControls                          []control
	MissingTexts                             []text
	Marked                                   []string // names and texts that a person sees and the snapshot calls unseen
}

// recallOf compares a page with a snapshot of it. What the snapshot says that it leaves out makes up for what is
// missing, by number.
func recallOf(seen sight, snapshot string) recall {
	lines := parseSnapshot(snapshot)
	countedControls, countedTexts := counted(lines)
	r := recall{Controls: len(seen.Controls), Texts: len(seen.Texts)}
	lineOf := pairControls(seen.Controls, lines)
	for i, c := range seen.Controls {
		k, found := lineOf[i]
		switch {
		case !found:
			r.MissingControls = append(r.MissingControls, c)
		case lines[k].isMarked() && isCalled(&c, &lines[k]):
			r.Marked = append(r.Marked, c.Role+" "+lines[k].name)
		}
	}
	r.ShownControls = r.Controls - len(r.MissingControls)
	r.CountedControls = min(countedControls, len(r.MissingControls))
	r.MissingTexts = missingTexts(seen.Texts, lines)
	r.ShownTexts = r.Texts - len(r.MissingTexts)
	r.Marked = append(r.Marked, markedTexts(seen.Texts, lines)...)
	r.CountedTexts = makeUp(r.MissingTexts, countedTexts)
	return r
}

// makeUp is for how many missing texts it is enough that a snapshot leaves out so many: a snapshot counts paragraphs,
// whose pieces are texts here.
func makeUp(missing []text, counted int) (texts int) {
	blocks := map[int]bool{}
	for _, t := range missing {
		if !blocks[t.Block] {
			if counted == 0 {
				continue
			}
			counted--
			blocks[t.Block] = t.Block != 0
		}
		texts++
	}
	return texts
}

// sameRoles are roles that two sides may give one control.
var sameRoles = [][]string{
	{"textbox", "searchbox", "spinbutton", "combobox", "Date", "DateTime", "InputTime"},
	{"combobox", "listbox", "button", "textbox"},
	{"DisclosureTriangle", "button"},
	{"checkbox", "switch", "button", "menuitemcheckbox"},
	{"radio", "menuitemradio"},
	{"button", "ColorWell"},
	{"Video", "Audio", "generic"},
}

// likeness says how well a line may stand for a control: 0 if not at all.
func likeness(c *control, l *line) int {
	if l.ref == "" {
		return 0
	}
	points := 0
	switch {
	case c.Role == l.role:
		points = 8
	case slices.ContainsFunc(sameRoles, func(same []string) bool {
		return slices.Contains(same, c.Role) && slices.Contains(same, l.role)
	}):
		points = 6
	case c.Role == "generic" || l.role == "generic" || c.Kind == "listener" || c.Kind == "focusable":
		points = 4
	default:
		points = 1
	}
	shown := plain(l.name)
	best := 0
	for _, name := range c.Names {
		best = max(best, nameLikeness(plain(name), shown))
		if shown == "" { // what it is called may be its description, its placeholder or its value
			best = max(best, min(3, nameLikeness(plain(name), plain(l.rest))))
		}
	}
	if len(c.Names) == 0 { // a name of no standard source, or none
		best = 1
		if shown == "" && c.Role == l.role && !strings.Contains(l.rest, "description=") {
			best = 4
		}
	} else if shown == "" && points >= 6 && best == 0 {
		best = 1 // by its role alone: what it is called must be elsewhere
	}
	if best == 0 || points == 1 && best < 4 {
		return 0
	}
	return points + 8*best
}

// nameLikeness compares a name that a control may have with one that is shown.
func nameLikeness(name, shown string) int {
	tight, shownTight := strings.ReplaceAll(name, " ", ""), strings.ReplaceAll(shown, " ", "")
	cut, isCut := strings.CutSuffix(shown, "…")
	switch {
	case shown == "":
		return 0
	case tight == shownTight:
		return 5
	case isCut && strings.HasPrefix(name, strings.TrimSpace(cut)):
		return 5
	case len(tight) >= 3 && strings.Contains(shownTight, tight):
		return 3
	case len(shownTight) >= 3 && strings.Contains(tight, shownTight):
		return 3
	}
	return 0
}

// pairControls pairs controls with lines, by their indexes: the likest first, each line with one control. A control for
// which no line is left has none.
func pairControls(controls []control, lines []line) map[int]int {
	type option struct{ control, line, likeness, apart int }
	var options []option
	for i := range controls {
		for k := range lines {
			if n := likeness(&controls[i], &lines[k]); n > 0 {
				apart := i*len(lines) - k*len(controls) // both are mostly in the order of the page
				options = append(options, option{i, k, n, max(apart, -apart)})
			}
		}
	}
	slices.SortStableFunc(options, func(a, b option) int {
		if a.likeness != b.likeness {
			return b.likeness - a.likeness
		}
		return a.apart - b.apart
	})
	lineOf, used := map[int]int{}, map[int]bool{}
	for _, o := range options {
		if _, found := lineOf[o.control]; !found && !used[o.line] {
			lineOf[o.control], used[o.line] = o.line, true
		}
	}
	for i := range controls {
		if _, found := lineOf[i]; found {
			continue
		}
		if k := byPlace(controls, lines, lineOf, used, i); k >= 0 {
			lineOf[i], used[k] = k, true
		}
	}
	return lineOf
}

// isCalled reports whether a line has one of the names of a control, and not only a part of it: it is surely the
// control's line then.
func isCalled(c *control, l *line) bool {
	return slices.ContainsFunc(c.Names, func(name string) bool { return plain(name) == plain(l.name) })
}

// markedTexts returns the texts for which there are only lines that say unseen.
func markedTexts(texts []text, lines []line) (marked []string) {
	for _, t := range texts {
		wanted, hits, unseen := plain(t.Text), 0, 0
		for _, l := range lines {
			if !strings.Contains(plain(l.name+" "+l.rest), wanted) {
				continue
			}
			hits++
			if l.isMarked() && plain(l.name) == wanted {
				unseen++
			}
		}
		if hits > 0 && unseen == hits {
			marked = append(marked, t.Text)
		}
	}
	return marked
}

// byPlace finds a line for a control that no name leads to: one of its role, or one that reacts to clicks, between the
// lines of the controls before and behind it. -1 means none.
func byPlace(controls []control, lines []line, lineOf map[int]int, used map[int]bool, i int) int {
	from, end := -1, len(lines)
	for before := i - 1; before >= 0; before-- {
		if k, found := lineOf[before]; found {
			from = k
			break
		}
	}
	for behind := i + 1; behind < len(controls); behind++ {
		if k, found := lineOf[behind]; found {
			end = k
			break
		}
	}
	weak := controls[i].Kind == "listener" || controls[i].Kind == "focusable"
	for k := from + 1; k < end; k++ {
		if !used[k] && lines[k].ref != "" &&
			(lines[k].role == controls[i].Role || weak && strings.Contains(lines[k].rest, "clickable")) {
			return k
		}
	}
	return -1
}

// missingTexts returns the texts that no line has, as a name, a value, an attribute or a text.
func missingTexts(texts []text, lines []line) []text {
	var all, tight strings.Builder
	var cuts []string
	for _, l := range lines {
		for _, part := range []string{l.name, l.rest} {
			part = plain(part)
			all.WriteString(part + "\n")
			tight.WriteString(strings.ReplaceAll(part, " ", "") + "\n")
			if cut, isCut := strings.CutSuffix(strings.TrimRight(part, `"`), "…"); isCut && len(cut) > 20 {
				cuts = append(cuts, strings.TrimLeft(strings.TrimSpace(cut), `: "`))
			}
		}
	}
	var missing []text
	for _, t := range texts {
		wanted := plain(t.Text)
		switch {
		case strings.Contains(all.String(), wanted), strings.Contains(tight.String(), strings.ReplaceAll(wanted, " ", "")):
		case slices.ContainsFunc(cuts, func(cut string) bool { return strings.HasPrefix(wanted, cut) }):
		default:
			missing = append(missing, t)
		}
	}
	return missing
}
