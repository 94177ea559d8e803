package conversation

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/contract"
)

// PageOf returns what the answer of a command says of the page that its session shows. Fields that it does not speak of are empty; without
// any, ok is false. Addresses of requests, cookies and things read from elsewhere are not pages.
func PageOf(cmd *actions.Command, data any) (page contract.PageTarget, ok bool) {
	fields, isObject := data.(map[string]any)
	if cmd == nil || !isObject {
		return page, false
	}
	text := func(from map[string]any, name string) string { s, _ := from[name].(string); return s }
	place := cmd.Place
	if place == "" && cmd.Effect.Has(actions.Navigates) && !cmd.Effect.Has(actions.NoBrowser) {
		place = trait.PlaceAddress
	}
	switch place {
	case trait.PlaceTab:
		rows, _ := fields["tabs"].([]any)
		for _, row := range rows {
			if tab, _ := row.(map[string]any); tab["active"] == true {
				fields = tab
				break
			}
		}
		page = contract.PageTarget{TabID: text(fields, "tabId"), Title: text(fields, "title"), URL: text(fields, "url")}
	case trait.PlaceOrigin:
		page.URL = text(fields, "origin") // the whole address, in spite of its name
	case trait.PlaceAddress:
		page.Title, page.URL = text(fields, "title"), text(fields, "url")
	}
	return page, page != contract.PageTarget{}
}

// Merge adds what is newly known of a session's page to what was known. Another address means that the title of the one before is over.
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
