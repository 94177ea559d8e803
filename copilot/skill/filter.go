package skill

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/lazyregexp"
)

// filter narrows a list down.
type filter struct {
	By map[string]string `json:"by"`
}

func filterSkill() Skill {
	return define[filter](Skill{
		Name:  "filter",
		Verb:  goal.Filter,
		About: "Narrow a list down by choices, boxes, fields or links of its filters, which are opened when they are hidden.",
		Params: []Param{{
			Name: "by", Kind: Values, Required: true,
			About: "what is meant, by the name of the filter: {\"Color\":\"Red\"}; true or false for a box that has the name",
		}},
		Ends:     "the list has other rows, and each has the value where a column is called like the filter",
		Effects:  []Effect{Changes, Navigates},
		Examples: []string{`{"by":{"Color":"Red","Max price":"50"}}`},
	}, func(p *filter) error {
		if len(p.By) == 0 {
			return wrong("filter", "by", "names no filter")
		}
		for key, value := range p.By {
			if strings.TrimSpace(key) == "" || strings.TrimSpace(value) == "" {
				return wrong("filter", "by", "has a filter without a name or a value")
			}
		}
		return nil
	})
}

func (p *filter) wants() []Want {
	var all []Want
	for _, key := range slices.Sorted(maps.Keys(p.By)) {
		text := key + "|" + p.By[key]
		if _, is := truth(p.By[key]); is {
			text = key
		}
		all = append(all, Want{Slot: "by." + key, Text: text, Of: []string{pcd.CandidateAction, pcd.CandidateForm}})
	}
	return all
}

func (p *filter) values() map[string]string { return p.By }

func truth(value string) (on, is bool) {
	on = isTrue(value)
	return on, on ||
		slices.Contains([]string{"false", "no", "off", "0", "nein"}, strings.ToLower(strings.TrimSpace(value)))
}

// counted is the number of rows that a filter shows behind its name: "Red (12)".
var counted = lazyregexp.New(`\s*[(\[]?\s*\d[\d,.]*\s*[)\]]?$`)

func withoutCount(label string) string {
	if bare := strings.TrimSpace(counted.ReplaceAllString(label, "")); bare != "" {
		return bare
	}
	return label
}

// choice is the control with which one filter is set.
type choice struct {
	key, value string
	form       int // of the page; -1 means that it is an action
	entry      entry
	action     pcd.Action
	several    []string // labels of what fits as well
}

// find returns the control for a filter.
func (p *filter) find(page *pcd.Summary, key, value string) (c choice, ok bool) {
	c = choice{key: key, value: value, form: -1}
	on, box := truth(value)
	for level, kind := range []func(f pcd.Form) bool{
		func(f pcd.Form) bool { return f.Purpose == pcd.PurposeFilter },
		func(f pcd.Form) bool {
			return f.Purpose == "" || f.Purpose == pcd.PurposeSearch || f.Purpose == pcd.PurposeSearchProducts
		},
	} {
		for i, f := range page.Forms {
			if f.Unseen || !kind(f) {
				continue
			}
			entries, _ := fit(f, map[string]string{key: value}, nil)
			if len(entries) == 1 && settable(entries[0], level == 0 || ofColumn(page, entries[0].field, key)) {
				c.form, c.entry = i, entries[0]
				return c, true
			}
			want, state := value, "true"
			if box {
				want, state = key, fmt.Sprint(on)
			}
			for _, field := range f.Fields {
				if field.Unseen || field.ID == "" || field.Type != "checkbox" && field.Type != "switch" && field.Type != "radio" {
					continue
				}
				if relevance.Same(withoutCount(field.Label), want) || relevance.Same(field.Label, want) {
					c.form, c.entry = i, entry{field: field, key: key, value: state}
					return c, true
				}
			}
		}
	}
	want := value
	if box {
		want = key
	}
	var fitting []pcd.Action
	for _, a := range page.Actions {
		if !controlOfList(a) || !relevance.Same(withoutCount(a.Label), want) && !relevance.Same(a.Label, want) {
			continue
		}
		if slices.ContainsFunc(fitting, func(o pcd.Action) bool { return a.URL != "" && o.URL == a.URL }) {
			continue // the same link twice, for wide and for narrow windows
		}
		fitting = append(fitting, a)
	}
	if len(fitting) == 0 {
		return c, false
	}
	slices.SortStableFunc(fitting, func(a, b pcd.Action) int { return placeOfFilter(a) - placeOfFilter(b) })
	best := placeOfFilter(fitting[0])
	for _, a := range fitting[1:] {
		if placeOfFilter(a) == best {
			c.several = append(c.several, a.Label)
		}
	}
	c.action = fitting[0]
	return c, true
}

// placeOfFilter orders controls of one name by how likely a filter is where they are: a menu of the site has the names
// of categories, too.
func placeOfFilter(a pcd.Action) int {
	switch {
	case a.Kind == pcd.KindFilter || a.Role == "checkbox" || a.Role == "radio":
		return 0
	case a.Landmark == pcd.Aside || a.Landmark == pcd.Main || a.Landmark == "":
		return 1
	}
	return 2
}

// ofColumn reports whether a field for searches is called as a column of a list: tables have such fields in the heads
// of their columns.
func ofColumn(page *pcd.Summary, field pcd.Field, key string) bool {
	return strings.HasPrefix(field.Type, "search") && relevance.Same(field.Label, key) &&
		slices.ContainsFunc(page.Collections, func(c pcd.Collection) bool {
			return !c.Unseen && slices.ContainsFunc(c.ItemFields, func(name string) bool {
				return relevance.Contains(name, key)
			})
		})
}

// settable reports whether a field takes the value: of a choice, one of its options. Elsewhere than in filters a text
// field is for something else.
func settable(e entry, isFilter bool) bool {
	switch e.field.Type {
	case "select", "select-one", "listbox":
		return slices.ContainsFunc(e.field.Options, func(o string) bool {
			return relevance.Same(withoutCount(o), e.value) || relevance.Contains(o, e.value)
		})
	case "checkbox", "switch":
		_, is := truth(e.value)
		return is
	case "radio":
		return true
	}
	return isFilter
}

func (p *filter) match(page *pcd.Summary) []Match {
	m := matched("set", 0.9, "", map[string]string{})
	var whys, absent []string
	forms := map[int]bool{}
	for i, key := range slices.Sorted(maps.Keys(p.By)) {
		c, ok := p.find(page, key, p.By[key])
		switch {
		case !ok:
			absent = append(absent, "by."+key)
			continue
		case len(c.several) > 0:
			m.Several = append(m.Several, fmt.Sprintf("%d controls are called %q", len(c.several)+1, short(c.action.Label)))
		}
		slot := fmt.Sprintf("by%d", i)
		if c.form >= 0 {
			forms[c.form] = true
			m.Slots[slot] = c.entry.field.ID
			whys = append(whys, fmt.Sprintf("%q", short(c.entry.field.Label)))
		} else {
			m.Slots[slot] = c.action.ID
			whys = append(whys, fmt.Sprintf("%q", short(c.action.Label)))
		}
	}
	if len(absent) > 0 {
		for _, a := range usableActions(page, ofKind(pcd.KindFilter)) {
			if controlOfList(a) && !leadsAway(page, a) &&
				!saysAny(a.Label, []string{"clear", "reset", "apply", "zurücksetzen", "anwenden"}) {
				return []Match{matched(revealStage, 0.6*a.Landmark.Weight(), "what shows the filters",
					map[string]string{"filters": a.ID})}
			}
		}
		return nil
	}
	for i := range forms {
		f := page.Forms[i]
		if id, _, ok := submitOf(page, f); ok && (f.Purpose == pcd.PurposeFilter || sortsBySubmit(page, f)) &&
			!saysAny(f.SubmitLabel, []string{"clear", "reset"}) {
			m.Slots["submit"], m.Slots["form"] = id, f.ID
		}
	}
	m.Why = "the filters " + strings.Join(whys, ", ")
	m.IDs = ids(m.Slots)
	return []Match{m}
}

func (p *filter) plan(b Binding) []toolbox.Step {
	if b.stage == revealStage {
		return []toolbox.Step{click(b.Details["filters"], labelOf(b.page, b.Slots["filters"]), toolbox.Low), settle()}
	}
	var steps []toolbox.Step
	for i, key := range slices.Sorted(maps.Keys(p.By)) {
		c, ok := p.find(b.page, key, p.By[key])
		d := b.Details[fmt.Sprintf("by%d", i)]
		switch {
		case !ok:
		case c.form < 0 && c.action.Role == "checkbox":
			on, box := truth(c.value)
			steps = append(steps, step("dom.check", d, toolArgs{
				Checked: new(on || !box),
			}, toolbox.Low, fmt.Sprintf("Check %q", short(c.action.Label))))
		case c.form < 0:
			steps = append(steps, click(d, c.action.Label, toolbox.Low))
		case c.entry.field.Type == "radio" && isTrue(c.entry.value):
			steps = append(steps, step("dom.check", d, toolArgs{
				Checked: new(true),
			}, toolbox.Low, fmt.Sprintf("Choose %q", short(c.entry.field.Label))))
		default:
			s := c.entry.step(d)
			s.Risk = toolbox.Low
			steps = append(steps, s)
		}
	}
	if d, ok := b.Details["submit"]; ok {
		steps = append(steps, click(d, formOf(b).SubmitLabel, toolbox.Low))
	}
	return append(steps, settle())
}

func (p *filter) checks(b Binding) []Check {
	if b.stage == revealStage {
		return []Check{{Name: "the filters are shown", Kind: SawPage, Changed: true, Part: true}}
	}
	var all []Check
	for _, key := range slices.Sorted(maps.Keys(p.By)) {
		all = append(all, Check{
			Name:    fmt.Sprintf("the list is filtered by %q", short(key)),
			Kind:    SawFiltered,
			Key:     key,
			Text:    p.By[key],
			Changed: true,
		})
	}
	return all
}
