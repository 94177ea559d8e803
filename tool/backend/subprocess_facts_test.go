package backend

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/snapshot"
)

type object = map[string]any

func TestPageOfAnswer(t *testing.T) {
	t.Parallel()
	registry := catalog.Registry()
	tests := map[string]struct {
		command string
		data    any
		want    fact.Shown
	}{
		"what was opened": {
			"open",
			object{"url": "http://a/", "title": "A"},
			fact.Shown{URL: "http://a/", Title: "A"},
		},
		"by another name":                 {"goto", object{"url": "http://a/"}, fact.Shown{URL: "http://a/"}},
		"a snapshot's origin":             {"snapshot", object{"origin": "http://a/p"}, fact.Shown{URL: "http://a/p"}},
		"the address":                     {"get url", object{"url": "http://a/"}, fact.Shown{URL: "http://a/"}},
		"the title":                       {"get title", object{"title": "A"}, fact.Shown{Title: "A"}},
		"a link's address does not count": {"get attr", object{"url": "http://a/"}, fact.Shown{}},
		"a tab": {
			"tab switch",
			object{"tabId": "t2", "url": "http://b/", "title": "B"},
			fact.Shown{Tab: "t2", URL: "http://b/", Title: "B"},
		},
		"a closed tab":                     {"tab close", object{"tabId": "t2", "url": "http://b/"}, fact.Shown{}},
		"5.12 requests":                    {"network requests", object{"url": "http://api/"}, fact.Shown{}},
		"5.12 the console":                 {"console", object{"url": "http://api/"}, fact.Shown{}},
		"5.12 errors":                      {"errors", object{"url": "http://api/"}, fact.Shown{}},
		"5.12 cookies":                     {"cookies", object{"url": "http://api/"}, fact.Shown{}},
		"5.12 storage":                     {"storage local", object{"origin": "http://api/"}, fact.Shown{}},
		"5.12 2.6.5 read of an address":    {"read", object{"url": "http://api/"}, fact.Shown{}},
		"2.6.5 the details of one request": {"network request", object{"url": "http://api/"}, fact.Shown{}},
		"the active tab of a list": {"tab list", object{"tabs": []any{
			object{"tabId": "t1", "url": "http://a/"}, object{"tabId": "t2", "url": "http://b/", "title": "B", "active": true},
		}}, fact.Shown{Tab: "t2", URL: "http://b/", Title: "B"}},
		"no object": {"open", "http://a/", fact.Shown{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, ok := registry.Lookup(tt.command)
			require.True(t, ok)
			require.Equal(t, tt.want, FactsOf(cmd, tt.data).Page)
		})
	}
}

func TestConfirmation(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		data any
		id   string
	}{
		"8.13 marker and id": {object{"confirmation_required": true, "confirmation_id": "c"}, "c"},
		"8.13 camel case":    {object{"requiresConfirmation": true, "confirmationId": "c"}, "c"},
		"8.13 by type":       {object{"type": "confirmation_required", "id": "c"}, "c"},
		"8.13 nested": {object{"pendingConfirmation": object{
			"status": "confirmation_required",
			"id":     " c ",
		}}, "c"},
		"8.13 marker above the id":         {object{"confirmationRequired": true, "confirmation": object{"id": "c"}}, "c"},
		"8.13 no id is not a confirmation": {object{"confirmation_required": true, "id": "  "}, ""},
		"8.13 an id alone does not count":  {object{"id": "c"}, ""},
		"8.13 a marker that is not true":   {object{"confirmation_required": "yes", "id": "c"}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			id := FactsOf(nil, tt.data).Confirmation
			require.Equal(t, tt.id, id)
		})
	}
}

func TestTabsOfAnswer(t *testing.T) {
	t.Parallel()
	cmd, _ := catalog.Registry().Lookup("tab list")
	told := FactsOf(cmd, object{"tabs": []any{
		object{"tabId": "t1", "title": "A", "url": "http://a/", "active": true, "label": nil},
		object{"tabId": "t2", "label": "docs", "url": "http://b/"},
		"junk",
	}})
	first := fact.Shown{Tab: "t1", Title: "A", URL: "http://a/"}
	require.Equal(t,
		[]fact.ShownTab{{Shown: first, Active: true}, {Shown: fact.Shown{Tab: "t2", URL: "http://b/"}, Label: "docs"}},
		told.Tabs, "16.1")
	require.Equal(t, first, told.Page)
	require.Empty(t, FactsOf(cmd, "junk"), "16.1")
}

func TestRefsOfAnswer(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		data any
		want *fact.HandedOut
	}{
		"5.1 refs": {
			object{
				"origin": "http://a/",
				"refs":   object{"e2": object{"role": "button", "name": "B"}, "e1": object{"role": "link"}}, "snapshot": "x",
			},
			&fact.HandedOut{
				Refs: map[string]snapshot.RefData{"e1": {Role: "link"}, "e2": {Role: "button", Name: "B"}},
				Text: "x", Whole: true,
			},
		},
		"5.1 an empty snapshot": {
			object{"origin": "http://a/", "refs": object{}, "snapshot": ""},
			&fact.HandedOut{Refs: map[string]snapshot.RefData{}, Whole: true},
		},
		"5.1 without refs at all": {object{"snapshot": ""}, &fact.HandedOut{Whole: true}},
		"5.1 no snapshot":         {object{"url": "http://a/"}, nil},
		"5.1 no object":           {"x", nil},
	}
	cmd, _ := catalog.Registry().Lookup("snapshot")
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, FactsOf(cmd, tt.data).Refs)
		})
	}
}

// Files are told by their kinds, and what else agent-browser says of a command does not count.
func TestFilesOfAnswer(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		command string
		data    any
		want    fact.Files
	}{
		"a picture":      {"screenshot", object{"path": "/p.png"}, fact.Files{Path: "/p.png", Picture: true}},
		"no new picture": {"screenshot", object{"changed": false}, fact.Files{Unchanged: true}},
		"a video": {
			"record stop",
			object{"path": "/v.webm", "contactSheetPath": "/s.png"},
			fact.Files{Path: "/v.webm", Sheet: "/s.png"},
		},
		"a video after one": {
			"record restart",
			object{"path": "/b.webm", "previousPath": "/a.webm"},
			fact.Files{Path: "/b.webm", Previous: "/a.webm"},
		},
		"a comparison":       {"diff screenshot", object{"diffPath": "/d.png", "match": false}, fact.Files{Path: "/d.png"}},
		"two equal pictures": {"diff screenshot", object{"match": true}, fact.Files{Unchanged: true}},
		"two pages": {
			"diff url",
			object{"screenshot": object{"diffPath": "/d.png", "match": false}},
			fact.Files{Path: "/d.png"},
		},
		"a path of a number": {"pdf", object{"path": 1.0}, fact.Files{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, ok := catalog.Registry().Lookup(tt.command)
			require.True(t, ok)
			require.Equal(t, tt.want, FactsOf(cmd, tt.data).Files)
		})
	}
}
