package planning_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/planning"
)

func TestCorrect(t *testing.T) {
	t.Parallel()
	target := contract.PageTarget{URL: "http://a/", Title: "A"}
	tests := map[string]struct {
		tabs           []fact.ShownTab
		selected, kind string
	}{
		"16.1 another tab is active": {[]fact.ShownTab{
			{Shown: fact.Shown{Tab: "t1", URL: "http://b/"}, Active: true},
			{Shown: fact.Shown{Tab: "t2", URL: "http://a/"}},
		}, "t2", "tabId"},
		"16.1 the right one is": {[]fact.ShownTab{
			{Shown: fact.Shown{Tab: "t1", URL: "http://a/"}, Active: true},
			{Shown: fact.Shown{Tab: "t2", URL: "http://a/"}},
		}, "", ""},
		"16.1 none shows it": {
			[]fact.ShownTab{{Shown: fact.Shown{Tab: "t1", URL: "http://b/"}, Active: true}},
			"",
			"",
		},
		"16.1 the title breaks ties": {
			[]fact.ShownTab{
				{Shown: fact.Shown{Tab: "t1", URL: "http://b/"}, Active: true},
				{Shown: fact.Shown{Tab: "t2", URL: "http://a/"}},
				{Shown: fact.Shown{Tab: "t3", URL: "http://a/", Title: "A"}},
			},
			"t3", "tabId",
		},
		"16.1 by its label": {[]fact.ShownTab{
			{Shown: fact.Shown{URL: "http://b/"}, Active: true},
			{Shown: fact.Shown{URL: "http://a/"}, Label: "docs"},
		}, "docs", "label"},
		"16.1 by its index": {[]fact.ShownTab{
			{Shown: fact.Shown{URL: "http://b/"}, Active: true},
			{Shown: fact.Shown{URL: "http://a/"}},
		}, "1", "index"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := planning.Correct(tt.tabs, target)
			if tt.selected == "" {
				require.Nil(t, got)
				return
			}
			require.Equal(t,
				&contract.TabCorrection{SelectedTab: tt.selected, SelectionKind: tt.kind, TargetTitle: "A", TargetURL: "http://a/"},
				got)
		})
	}
}

func TestWentBlank(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		before, after, line string
		want                bool
	}{
		"16.4 a page is blank":                 {"http://a/", "about:blank", "snapshot -i", true},
		"16.4 a click led to it":               {"http://a/", "about:blank", "click @e1", true},
		"16.4 it was asked for":                {"http://a/", "about:blank", "open about:blank", false},
		"16.4 an open of another page":         {"http://a/", "about:blank", "open http://b/", true},
		"16.4 a page of the history may be it": {"http://a/", "about:blank", "back", false},
		"16.4 a new tab is":                    {"http://a/", "about:blank", "tab new", false},
		"16.4 it was before":                   {"about:blank", "about:blank", "snapshot", false},
		"16.4 nothing was known":               {"", "about:blank", "snapshot", false},
		"16.4 another page":                    {"http://a/", "http://b/", "snapshot", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := argv.Read(strings.Fields(tt.line))
			require.Equal(t, tt.want,
				planning.WentBlank(contract.PageTarget{URL: tt.before}, contract.PageTarget{URL: tt.after}, []*argv.Words{&w}))
		})
	}
}

func TestPin(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"click @e1": true, "get title": true, "eval 1": true, "batch back": true, "snapshot -i": true,
		"close": false, "open x": false, "goto x": false, "session": false, "tab t1": false, "tab list": false,
		"connect 9": false, "dialog accept": false,
	} {
		w := argv.Read(strings.Fields(line))
		require.Equal(t, want, planning.Pinnable(&w), "16.3 %s", line)
	}
	t.Run("16.2 a command follows the choice of its tab", func(t *testing.T) {
		t.Parallel()
		w := argv.Read(strings.Fields("--timeout 5 get text @e1"))
		require.Equal(t, [][]string{{"tab", "t2"}, {"get", "text", "@e1"}}, planning.Pin("t2", &w, nil, nil))
	})
	t.Run("16.2 code from stdin", func(t *testing.T) {
		t.Parallel()
		w := argv.Read(strings.Fields("eval --stdin"))
		require.Equal(t, [][]string{{"tab", "t2"}, {"eval", "1 + 1"}}, planning.Pin("t2", &w, nil, []byte("1 + 1")))
	})
	t.Run("16.2 a batch of the caller's", func(t *testing.T) {
		t.Parallel()
		w := argv.Read([]string{"batch", "get title", "click @e1"})
		rows, err := argv.Batch(&w, nil)
		require.NoError(t, err)
		require.Equal(t, [][]string{{"tab", "t2"}, {"get", "title"}, {"click", "@e1"}}, planning.Pin("t2", &w, rows, nil))
	})
}
