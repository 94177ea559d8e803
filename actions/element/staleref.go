package element

import (
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// staleRef makes the error for a ref whose element is gone and has no replacement that is certainly the same: what it was, why none was
// taken, and what is there that may be meant.
func staleRef(c *actions.Call, t *Target, f *OpFailure) error {
	why, _ := f.Facts["why"].(string)
	if why == "document" && t.Ref != nil {
		return t.Ref.Gone(t.Frame.URL()) // the frame went on while the command was on its way
	}
	what := t.Label
	if t.Ref != nil {
		what = refDescription(t, f)
		f.Facts["was"] = run.SeenAs{Role: t.Ref.Role, Name: t.Ref.Name}
		for _, item := range append(list(f.Facts["candidates"]), f.Facts["now"]) {
			giveRef(c, t, item)
		}
	}
	e := &fault.Error{Code: fault.RefStale, Subject: t.Label, Facts: f.Facts}
	e.Message = fmt.Sprintf("Stale ref: %s (%s) %s", t.Label, what, reasonStale(why, f)) + candidates(f.Facts["candidates"]) + "."
	e.Hint = "Take a new snapshot and use its refs."
	return e
}

// reasonStale describes what happened to the element, by the in-page script's word for it.
func reasonStale(why string, f *OpFailure) string {
	switch why {
	case "recycled":
		now, _ := f.Facts["now"].(map[string]any)
		was, _ := f.Facts["was"].(run.SeenAs)
		beside, _ := f.Facts["beside"].(map[string]any)
		if now["item"] == nil && now["role"] == was.Role && now["name"] == was.Name && beside != nil {
			return fmt.Sprintf("is now a different element: it was beside %s, and is beside %s", wording.Quote(fmt.Sprint(beside["was"])), wording.Quote(fmt.Sprint(beside["is"])))
		}
		return "is now a different element: it has become " + candidate(f.Facts["now"])
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

// giveRef writes into a candidate the ref that the session knows it by, in place of its token.
func giveRef(c *actions.Call, t *Target, item any) {
	el, _ := item.(map[string]any)
	token, _ := el["token"].(float64)
	if el == nil {
		return
	}
	delete(el, "token")
	if ref := c.Session.Refs().Of(*t.Ref, int64(token)); ref != "" {
		el["ref"] = ref
	}
}

// refDescription is what a ref was shown as, and in which row or entry of a list.
func refDescription(t *Target, f *OpFailure) string {
	what := ElementName(&Located{Role: t.Ref.Role, Name: t.Ref.Name})
	if item, _ := f.Facts["item"].(string); item != "" && item != t.Ref.Name {
		what += " in " + wording.Quote(item)
	}
	return what
}

func candidates(v any) string {
	var names []string
	for _, item := range list(v) {
		names = append(names, candidate(item))
	}
	if len(names) == 0 {
		return ""
	}
	return "; now there: " + strings.Join(names, ", ")
}

// candidate names an element as the in-page script describes it: button "Delete" in "Bob" (@e7).
func candidate(v any) string {
	el, _ := v.(map[string]any)
	role, _ := el["role"].(string)
	name, _ := el["name"].(string)
	said := ElementName(&Located{Role: role, Name: name})
	if item, _ := el["item"].(string); item != "" && item != name {
		said += " in " + wording.Quote(item)
	}
	if ref, _ := el["ref"].(string); ref != "" {
		said += " (" + ref + ")"
	}
	return said
}
