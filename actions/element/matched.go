package element

import (
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// noteMatched says that a selector matches several elements, and which one was taken.
func noteMatched(c *actions.Call, t *Target, el *Located) {
	if !run.ReportMatched(c, fact.MatchedReport{
		Selector: t.Label,
		Count:    el.Count,
		Index:    el.Index,
		Role:     el.Role,
		Name:     el.Name,
	}) {
		return // an earlier op of the same command has said so
	}
	which := "the first visible one was used"
	if el.Whole {
		which = "the first visible one with only that text was used"
	}
	c.Note(fmt.Sprintf("%s matches %s; %s: %s (number %d)", t.Label, wording.Plural(el.Count, "element"), which,
		ElementName(el), el.Index+1))
}

// ambiguous is the error for a selector that matches several elements where one is wanted.
func ambiguous(c *actions.Call, t *Target, f *OpFailure) error {
	facts := FactsOf[ambiguousFacts](f)
	lines := make([]string, 0, len(facts.Candidates)+1)
	for _, el := range facts.Candidates {
		lines = append(lines, "\n  "+el.match(f.give(c, el.Token, el.Role, el.Name)))
	}
	if more := facts.Count - len(lines); more > 0 {
		lines = append(lines, "\n  and "+wording.Plural(more, "more element"))
	}
	e := fault.New(fault.SelectorAmbiguous,
		"The selector '%s' matches %s, but --strict requires exactly one. Use the ref of the right one, or a more specific "+
			"selector:%s", t.Label, wording.Plural(facts.Count, "element"), strings.Join(lines, ""))
	return f.Tell(c, e).About(t.Label)
}

// match describes one of several matches: button "Delete" in "Bob" (@e7), button.del, in navigation "Main", hidden.
func (el *candidate) match(ref string) string {
	parts := []string{el.said(ref)}
	if el.Element != "" {
		parts = append(parts, el.Element)
	}
	if el.Landmark != "" {
		parts = append(parts, "in "+el.Landmark)
	}
	if !el.Visible {
		parts = append(parts, "hidden")
	}
	return strings.Join(parts, ", ")
}
