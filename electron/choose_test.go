package electron

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	blank := Target{ID: "blank", Type: "page", URL: "about:blank"}
	main := Target{ID: "main", Type: "page", URL: "app://main"}
	second := Target{ID: "second", Type: "page", URL: "app://second"}
	view := Target{ID: "view", Type: "webview", URL: "https://example.org"}
	worker := Target{ID: "worker", Type: "service_worker", URL: "app://worker.js"}
	tools := Target{ID: "tools", Type: "page", URL: "devtools://devtools/bundled/inspector.html"}
	tests := map[string]struct {
		targets []Target
		kind    string
		want    string // empty: none
		wanted  string
	}{
		"13.4 the first page":                        {[]Target{view, worker, main, second}, "page", "main", ""},
		"13.4 a page that shows something":           {[]Target{blank, main}, "page", "main", ""},
		"13.4 a page that shows nothing yet":         {[]Target{worker, blank}, "page", "blank", ""},
		"13.4 a webview":                             {[]Target{main, view}, "webview", "view", ""},
		"13.4 no webview":                            {[]Target{main}, "webview", "", ""},
		"13.4 any is a page":                         {[]Target{view, main}, "any", "main", ""},
		"13.4 any is an empty page before a webview": {[]Target{view, blank}, "any", "blank", ""},
		"13.4 any is a webview where no page is":     {[]Target{worker, view}, "any", "view", ""},
		"13.4 developer tools are never meant":       {[]Target{tools}, "any", "", ""},
		"13.4 nothing":                               {nil, "any", "", ""},
		"by its address":                             {[]Target{main, second}, "any", "second", "/SECOND"},
		"by its title": {[]Target{
			main,
			{ID: "named", Type: "webview", URL: "app://x", Title: "Sign in"},
		}, "any", "named", "sign in"},
		"by the whole title before a part": {[]Target{{
			ID: "long", Type: "page", URL: "app://x",
			Title: "Mail - Inbox",
		}, {ID: "exact", Type: "webview", URL: "app://y", Title: "Mail"}}, "any", "exact", "mail"},
		"by a title that none has":                {[]Target{main, second}, "any", "", "third"},
		"never developer tools, by their address": {[]Target{main, tools}, "any", "", "inspector"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chosen, ok := Choose(tt.targets, tt.kind, tt.wanted)
			require.Equal(t, tt.want, chosen.ID)
			require.Equal(t, tt.want != "", ok)
		})
	}
	require.Equal(t, []Target{main, view}, Attachable([]Target{tools, main, worker, view}))
}
