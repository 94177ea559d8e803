package element

import (
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// staleRef makes the error for a ref whose element is gone and has no replacement that is certainly the same: what it
// was, why none was taken, and what is there that may be meant.
func staleRef(c *actions.Call, t *Target, f *OpFailure) error {
	facts := FactsOf[staleRefFacts](f)
	inherits := t.Ref != nil && t.Want.Ref != nil && t.Want.Ref.Left != nil
	if t.Ref != nil && (facts.Why == "document" || inherits && facts.Why == "route") {
		return t.Ref.Gone(shownInstead(t)) // the frame went on while the command was on its way
	}
	e := &fault.Error{Code: fault.RefStale, Subject: t.Label}
	f.tellPlain(e)
	what := t.Label
	known := func(*candidate) string { return "" }
	if t.Ref != nil {
		what = refDescription(t, facts.Item)
		e = e.With("was", fact.SeenAs{Role: t.Ref.Role, Name: t.Ref.Name})
		known = func(el *candidate) string { return f.give(c, el.Token, el.Role, el.Name) }
		refsFor(e.Facts, func(token int64, role, name string) string { return f.give(c, token, role, name) })
	}
	reason := reasonStale(t, &facts, known)
	if inherits {
		reason = "is of this page before it was loaded again, and " + reasonLost(facts.Why)
	}
	e.Message = fmt.Sprintf("Stale ref: %s (%s) %s", t.Label, what, reason) + candidates(facts.Candidates, known) + "."
	e.Hint = "Take a new snapshot and use its refs."
	return e
}

// reasonStale describes what happened to the element, by the in-page script's word for it.
func reasonStale(t *Target, facts *staleRefFacts, known func(*candidate) string) string {
	switch facts.Why {
	case "recycled":
		now, same := facts.Now, false
		if now == nil {
			now = &candidate{}
		} else if t.Ref != nil {
			same = now.Item == "" && now.Role == t.Ref.Role && now.Name == t.Ref.Name
		}
		if same && facts.Beside != nil {
			return fmt.Sprintf("is now a different element: it was beside %s, and is beside %s", wording.Quote(facts.Beside.Was),
				wording.Quote(facts.Beside.Is))
		}
		return "is now a different element: it has become " + now.said(known(now))
	case "adopted":
		return "was moved into another document"
	case "route":
		return "is no longer on the page, which has navigated to another address since"
	case "several":
		return "was replaced, and several elements now match"
	case "twins":
		return "is no longer on the page; there were equal elements, so its replacement cannot be determined"
	case "existed":
		return "is no longer on the page; the equal element there existed before, so it is not its replacement"
	case "elsewhere":
		return "is no longer on the page; an equal element is in another place"
	}
	return "is no longer on the page"
}

// reasonLost says why no element of the document that came instead is taken for that of one before it.
func reasonLost(why string) string {
	switch why {
	case "several":
		return "several elements match there now"
	case "twins":
		return "there were equal elements, so that it cannot be told from them"
	case "elsewhere":
		return "an equal element is in another place"
	case "page":
		return "an equal element is there, but the page no longer says what it said"
	}
	return "is no longer on it"
}

// refDescription is what a ref was shown as, and in which row or entry of a list.
func refDescription(t *Target, item string) string {
	what := ElementName(&Located{Role: t.Ref.Role, Name: t.Ref.Name})
	if item != "" && item != t.Ref.Name {
		what += " in " + wording.Quote(item)
	}
	return what
}

func candidates(all []candidate, known func(*candidate) string) string {
	var names []string
	for i := range all {
		names = append(names, all[i].said(known(&all[i])))
	}
	if len(names) == 0 {
		return ""
	}
	return "; now there: " + strings.Join(names, ", ")
}

// said names the element: button "Delete" in "Bob" (@e7).
func (el *candidate) said(ref string) string {
	name := ElementName(&Located{Role: el.Role, Name: el.Name})
	if el.Item != "" && el.Item != el.Name {
		name += " in " + wording.Quote(el.Item)
	}
	if ref != "" {
		name += " (" + ref + ")"
	}
	return name
}
