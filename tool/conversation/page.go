package conversation

import (
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/tool/contract"
)

// PageOf returns what a command reported about the page that its session shows. Fields that it does not mention are
// empty; without any, ok is false.
func PageOf(facts *fact.Facts) (page contract.PageTarget, ok bool) {
	page = contract.PageTarget{TabID: facts.Page.Tab, Title: facts.Page.Title, URL: facts.Page.URL}
	return page, page != contract.PageTarget{}
}

// Merge combines what was known of a session's page with what was just seen. If the address or the tab has changed, the
// title before is dropped.
func Merge(known, seen contract.PageTarget) contract.PageTarget {
	switch {
	case seen.URL != "" && seen.URL != known.URL, seen.TabID != "" && known.TabID != "" && seen.TabID != known.TabID:
		if seen.TabID == "" {
			seen.TabID = known.TabID
		}
		return seen
	}
	if seen.Title != "" {
		known.Title = seen.Title
	}
	if seen.TabID != "" {
		known.TabID = seen.TabID
	}
	return known
}
