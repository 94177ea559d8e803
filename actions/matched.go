package actions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// matchedReport is what the data of a reply says of a selector that matches several elements: how many, and which of them was taken.
type matchedReport struct {
	Selector string `json:"selector"`
	Count    int    `json:"count"`
	Index    int    `json:"index"` // from 0
	Role     string `json:"role"`
	Name     string `json:"name"`
}

// noteMatched says that a selector matches several elements, and which one was taken.
func (c *Call) noteMatched(t *Target, el *Located) {
	if slices.ContainsFunc(c.matched, func(m matchedReport) bool { return m.Selector == t.Label }) {
		return // an earlier op of the same command has said so
	}
	c.matched = append(c.matched, matchedReport{Selector: t.Label, Count: el.Count, Index: el.Index, Role: el.Role, Name: el.Name})
	c.Note(fmt.Sprintf("%s matches %s; the first visible one was taken: %s (number %d)", t.Label, wording.Plural(el.Count, "element"), elementName(el), el.Index+1))
}

// reportMatched adds to the data which of several matches was taken, of the first target under "matched", of the others under "alsoMatched".
func (c *Call) reportMatched(res *Result) {
	if len(c.matched) > 0 {
		res.Add("matched", c.matched[0])
	}
	if len(c.matched) > 1 {
		res.Add("alsoMatched", c.matched[1:])
	}
}

func strictFlag() Flag {
	return Flag{Name: "strict", Common: true, Kind: Bool, Help: "Fail when the selector matches several elements, and say which, instead of taking the first visible one"}
}

// needsOne reports whether the command looks for the one element that a selector means.
func needsOne(c *Command) bool {
	return slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Kind == Selector && !a.Many })
}

// ambiguous is the error for a selector that matches several elements where one is wanted.
func ambiguous(t *Target, f *opFailure) error {
	count, _ := f.Facts["count"].(float64)
	all := list(f.Facts["candidates"])
	lines := make([]string, 0, len(all)+1)
	for _, item := range all {
		el, _ := item.(map[string]any)
		if el == nil {
			continue
		}
		lines = append(lines, "\n  "+match(el))
	}
	if more := int(count) - len(lines); more > 0 {
		lines = append(lines, "\n  and "+wording.Plural(more, "more element"))
	}
	e := fault.New(fault.SelectorAmbiguous, "The selector '%s' matches %s, and --strict wants one. Use the ref of the one that is meant, or a selector "+
		"that only it matches:%s", t.Label, wording.Plural(int(count), "element"), strings.Join(lines, ""))
	e.Facts = f.Facts
	return e.About(t.Label)
}

// match describes one of several matches: button "Delete" in "Bob" (@e7), button.del, in navigation "Main", hidden.
func match(el map[string]any) string {
	parts := []string{candidate(el)}
	if element, _ := el["element"].(string); element != "" {
		parts = append(parts, element)
	}
	if landmark, _ := el["landmark"].(string); landmark != "" {
		parts = append(parts, "in "+landmark)
	}
	if visible, _ := el["visible"].(bool); !visible {
		parts = append(parts, "hidden")
	}
	return strings.Join(parts, ", ")
}
