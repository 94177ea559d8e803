package skill

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/internal/wording"
)

// chooseForm puts the first of the forms that fit equally well that a person sees without scrolling before the others,
// and says which one that is and where the others are.
func chooseForm(page *pcd.Summary, matches []Match) {
	if len(matches) < 2 {
		return
	}
	equal := slices.IndexFunc(matches, func(m Match) bool {
		return m.Confidence < matches[0].Confidence || m.stage != matches[0].stage
	})
	if equal < 0 {
		equal = len(matches)
	}
	forms := make(map[string]pcd.Form, len(page.Forms))
	for _, f := range page.Forms {
		forms[f.ID] = f
	}
	best := matches[:equal]
	if slices.ContainsFunc(best, func(m Match) bool { _, ok := forms[m.Slots["form"]]; return !ok }) {
		return
	}
	slices.SortStableFunc(best, func(a, b Match) int {
		inView := func(m Match) int {
			if forms[m.Slots["form"]].AboveFold {
				return 0
			}
			return 1
		}
		return inView(a) - inView(b)
	})
	var others []string
	for _, m := range matches[1:] {
		if f, ok := forms[m.Slots["form"]]; ok && m.stage == matches[0].stage && !slices.Contains(others, formAt(f)) {
			others = append(others, formAt(f))
		}
	}
	if n := len(matches) - 1; len(others) > 0 {
		matches[0].Chosen = "used " + formAt(forms[matches[0].Slots["form"]]) + "; " + wording.Plural(n, "other form") +
			" would do: " + strings.Join(others[:min(len(others), 3)], ", ")
	}
}

// formAt names a form and where it is.
func formAt(f pcd.Form) string {
	if f.Landmark == "" {
		return "the form " + name(f)
	}
	return "the form " + name(f) + " in " + string(f.Landmark)
}
