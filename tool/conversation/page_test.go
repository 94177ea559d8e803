package conversation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
)

type object = map[string]any

func TestPageOf(t *testing.T) {
	t.Parallel()
	registry := catalog.Registry()
	tests := map[string]struct {
		command string
		data    any
		want    contract.PageTarget
	}{
		"what was opened":                  {"open", object{"url": "http://a/", "title": "A"}, contract.PageTarget{URL: "http://a/", Title: "A"}},
		"by another name":                  {"goto", object{"url": "http://a/"}, contract.PageTarget{URL: "http://a/"}},
		"a snapshot's origin":              {"snapshot", object{"origin": "http://a/p"}, contract.PageTarget{URL: "http://a/p"}},
		"the address":                      {"get url", object{"url": "http://a/"}, contract.PageTarget{URL: "http://a/"}},
		"the title":                        {"get title", object{"title": "A"}, contract.PageTarget{Title: "A"}},
		"a link's address does not count":  {"get attr", object{"url": "http://a/"}, contract.PageTarget{}},
		"a tab":                            {"tab switch", object{"tabId": "t2", "url": "http://b/", "title": "B"}, contract.PageTarget{TabID: "t2", URL: "http://b/", Title: "B"}},
		"a closed tab":                     {"tab close", object{"tabId": "t2", "url": "http://b/"}, contract.PageTarget{}},
		"5.12 requests":                    {"network requests", object{"url": "http://api/"}, contract.PageTarget{}},
		"5.12 the console":                 {"console", object{"url": "http://api/"}, contract.PageTarget{}},
		"5.12 errors":                      {"errors", object{"url": "http://api/"}, contract.PageTarget{}},
		"5.12 cookies":                     {"cookies", object{"url": "http://api/"}, contract.PageTarget{}},
		"5.12 storage":                     {"storage local", object{"origin": "http://api/"}, contract.PageTarget{}},
		"5.12 2.6.5 read of an address":    {"read", object{"url": "http://api/"}, contract.PageTarget{}},
		"2.6.5 the details of one request": {"network request", object{"url": "http://api/"}, contract.PageTarget{}},
		"the active tab of a list": {"tab list", object{"tabs": []any{
			object{"tabId": "t1", "url": "http://a/"}, object{"tabId": "t2", "url": "http://b/", "title": "B", "active": true},
		}}, contract.PageTarget{TabID: "t2", URL: "http://b/", Title: "B"}},
		"no object": {"open", "http://a/", contract.PageTarget{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, ok := registry.Lookup(tt.command)
			require.True(t, ok)
			page, ok := conversation.PageOf(cmd, tt.data)
			require.Equal(t, tt.want, page)
			require.Equal(t, tt.want != contract.PageTarget{}, ok)
		})
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	known := contract.PageTarget{TabID: "t1", URL: "http://a/", Title: "A"}
	tests := map[string]struct{ seen, want contract.PageTarget }{
		"the same address":             {contract.PageTarget{URL: "http://a/"}, known},
		"another address":              {contract.PageTarget{URL: "http://b/"}, contract.PageTarget{TabID: "t1", URL: "http://b/"}},
		"a title":                      {contract.PageTarget{Title: "B"}, contract.PageTarget{TabID: "t1", URL: "http://a/", Title: "B"}},
		"another tab":                  {contract.PageTarget{TabID: "t2"}, contract.PageTarget{TabID: "t2"}},
		"another tab with its address": {contract.PageTarget{TabID: "t2", URL: "http://a/"}, contract.PageTarget{TabID: "t2", URL: "http://a/"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, conversation.Merge(known, tt.seen))
		})
	}
}
