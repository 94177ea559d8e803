package skill

import (
	"fmt"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/lazyregexp"
)

// sorting puts a list in an order.
type sorting struct {
	By    string `json:"by"`
	Order string `json:"order,omitempty"`
}

// The orders.
const (
	Ascending  = "ascending"
	Descending = "descending"
)

func sortSkill() Skill {
	return define[sorting](Skill{
		Name: "sort",
		Verb: goal.Sort,
		About: "Sort a list: by a choice, by a menu that is opened first, or by the head of a column, which is pressed " +
			"again until the order is the one.",
		Params: []Param{
			{
				Name:     "by",
				Kind:     Text,
				Required: true,
				About:    "the column, or the choice as the page calls it: price, date, name, Newest first",
			},
			{
				Name:    "order",
				Kind:    Text,
				OneOf:   []string{Ascending, Descending},
				Default: Ascending,
				About:   "the smallest or the largest first",
			},
		},
		Ends:     "the rows that are shown are in this order; where no column tells, the list has another order than before",
		Effects:  []Effect{Changes, Navigates},
		Examples: []string{`{"by":"price"}`, `{"by":"date","order":"descending"}`},
	}, func(p *sorting) error {
		if strings.TrimSpace(p.By) == "" {
			return wrong("sort", "by", "is empty")
		}
		return nil
	})
}

func (p *sorting) wants() []Want {
	return []Want{{Slot: "by", Text: p.By + "|sort by " + p.By}, {Slot: "sort", Text: "sort|sort by|order by|sortieren"}}
}

const optionStage = "option"

// directions are words of choices that say which rows come first.
var directions = map[string][]string{
	Ascending: {
		"low to high", "lowest first", "ascending", "asc", "a z", "a to z", "oldest", "cheapest", "lowest",
		"smallest", "aufsteigend", "niedrigster", "älteste", "günstigste",
	},
	Descending: {
		"high to low", "highest first", "descending", "desc", "z a", "z to a", "newest", "latest", "most recent",
		"most expensive", "highest", "largest", "best", "top",
		"absteigend", "höchster", "neueste", "teuerste",
	},
}

// sortWords are words that mean the order by a field without naming it.
var sortWords = map[string][]string{
	"date":  {"newest", "oldest", "latest", "most recent", "recently added", "neueste", "älteste"},
	"price": {"cheapest", "most expensive", "low to high", "high to low", "günstigste", "teuerste", "preis"},
	"name":  {"a z", "z a", "a to z", "z to a", "alphabetical", "alphabetically", "title", "alphabetisch"},
}

// activates is what table scripts add to the name of a column's head: what a click would do, which is seen when it is
// done.
var activates = lazyregexp.New(`(?i)\s*[:,]?\s*(activate|click|press) to (sort|invert|remove).*$`)

// directionOf is the order that a label says, or empty.
func directionOf(label string) string {
	for _, order := range []string{Ascending, Descending} {
		if saysAny(label, directions[order]) {
			return order
		}
	}
	return ""
}

// fits says how well a label is the order that is meant.
func (p *sorting) fits(label string) float64 {
	direction := directionOf(label)
	asked := p.Order
	if asked == "" {
		if asked = directionOf(p.By); asked == "" {
			asked = Ascending
		}
	}
	fit := 0.0
	switch {
	case relevance.Same(label, p.By):
		fit = 1
	case relevance.Contains(label, p.By):
		fit = 0.9
	case saysAny(label, sortWords[strings.ToLower(p.By)]):
		fit = 0.8
	default:
		return 0
	}
	switch {
	case direction == asked:
		return fit
	case direction == "":
		return 0.9 * fit
	}
	return 0
}

// controlOfList reports whether a control is one of a list and not of its rows: a control of an item sorts nothing.
func controlOfList(a pcd.Action) bool {
	return usable(a) && a.CollectionID == "" && !risky(a.Kind, a.Label) && len(strings.Fields(a.Label)) <= 8
}

func (p *sorting) match(page *pcd.Summary) []Match {
	var all []Match
	for _, f := range page.Forms {
		if f.Unseen {
			continue
		}
		for _, field := range f.Fields {
			if field.Unseen || field.ID == "" || len(field.Options) == 0 || field.Type == "radio" {
				continue
			}
			about := saysAny(field.Label+" "+field.Name,
				[]string{"sort", "sort by", "order by", "orderby", "sortieren", "sortierung", "sorting"})
			for _, option := range field.Options {
				fit := p.fits(option)
				if fit == 0 || !about && directionOf(option) == "" {
					continue
				}
				m := matched(optionStage, 0.97*fit*f.Landmark.Weight(), fmt.Sprintf("%q in %q", short(option), short(field.Label)),
					map[string]string{"by": field.ID, "form": f.ID})
				m.IDs = []string{field.ID}
				if id, _, ok := submitOf(page, f); ok && sortsBySubmit(page, f) {
					m.Slots["submit"] = id
					m.IDs = append(m.IDs, id)
				}
				all = append(all, m)
			}
		}
	}
	for _, a := range page.Actions {
		if !controlOfList(a) || a.Role == "checkbox" {
			continue
		}
		fit := p.fits(strings.TrimSpace(activates.ReplaceAllString(a.Label, "")))
		if fit == 0 || a.Kind != pcd.KindSort && leadsAway(page, a) && !sortsAddress(a.URL) {
			continue
		}
		if a.Landmark == pcd.Nav || a.Landmark == pcd.Footer {
			fit *= 0.5
		}
		all = append(all,
			matched("click", 0.85*fit*a.Landmark.Weight(), fmt.Sprintf("%q", short(a.Label)), map[string]string{"by": a.ID}))
	}
	if len(all) > 0 {
		return all
	}
	for _, a := range usableActions(page, ofKind(pcd.KindSort)) {
		if controlOfList(a) && !leadsAway(page, a) {
			all = append(all,
				matched(revealStage, 0.6*a.Landmark.Weight(), "what shows the orders", map[string]string{"by": a.ID}))
		}
	}
	return all
}

// sortsBySubmit reports whether the button of a form with a choice of orders is for the choice: it says so, or the form
// has nothing else.
func sortsBySubmit(page *pcd.Summary, f pcd.Form) bool {
	kind := kindOf(page, f.SubmitID)
	return kind == pcd.KindSort || kind == pcd.KindFilter || kind == pcd.KindApply ||
		saysAny(f.SubmitLabel, []string{"go", "apply", "sort", "update", "anwenden"})
}

// sortsAddress reports whether a link leads to the same list in another order.
func sortsAddress(address string) bool {
	_, query, _ := strings.Cut(strings.ToLower(address), "?")
	return strings.Contains(query, "sort") || strings.Contains(query, "order")
}

// option is what is chosen in the bound field.
func (p *sorting) option(b Binding) (field pcd.Field, option string) {
	for _, f := range formOf(b).Fields {
		if f.ID != b.Slots["by"] {
			continue
		}
		best := 0.0
		for _, o := range f.Options {
			if fit := p.fits(o); fit > best {
				best, option = fit, o
			}
		}
		return f, option
	}
	return field, ""
}

func (p *sorting) plan(b Binding) []toolbox.Step {
	if b.stage != optionStage {
		return []toolbox.Step{click(b.Details["by"], labelOf(b.page, b.Slots["by"]), toolbox.Low), settle()}
	}
	field, option := p.option(b)
	steps := []toolbox.Step{
		step("dom.select", b.Details["by"], toolArgs{
			Value: new(option),
		}, toolbox.Low, fmt.Sprintf("Choose %q in %q", short(option), short(field.Label))),
	}
	if d, ok := b.Details["submit"]; ok {
		steps = append(steps, click(d, labelOf(b.page, d.ID), toolbox.Low))
	}
	return append(steps, settle())
}

func (p *sorting) checks(b Binding) []Check {
	if b.stage == revealStage {
		return []Check{{Name: "the orders are shown", Kind: SawPage, Changed: true, Part: true}}
	}
	label := labelOf(b.page, b.Slots["by"])
	if b.stage == optionStage {
		_, label = p.option(b)
	}
	by := p.By
	for _, name := range []string{"price", "date", "name"} {
		if saysAny(label, sortWords[name]) && !relevance.Contains(label, p.By) || relevance.Contains(label, name) {
			by = name
		}
	}
	down := p.Order == Descending || p.Order == "" && directionOf(label) == Descending
	return []Check{{
		Name:    "the list is in this order",
		Kind:    SawSorted,
		Text:    by,
		Down:    down,
		Changed: true,
	}}
}

// words of a list of labels, for people.
func listed(labels []string) string {
	const most = 8
	more := ""
	if len(labels) > most {
		more = fmt.Sprintf(" and %d more", len(labels)-most)
		labels = labels[:most]
	}
	return quoted(labels) + more
}
