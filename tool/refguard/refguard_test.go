package refguard_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/snapshot"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/refguard"
)

// lines reads command lines that are separated by semicolons.
func lines(t *testing.T, text string) []argv.Words {
	t.Helper()
	var words []argv.Words
	for line := range strings.SplitSeq(text, ";") {
		w, err := argv.SplitRow(strings.TrimSpace(line))
		require.NoError(t, err)
		words = append(words, w)
	}
	return words
}

func TestUses(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"5.2 check @e1": "e1", "5.2 uncheck @e1": "e1", "5.2 click @e1": "e1", "5.2 dblclick @e1": "e1", "5.2 tap @e1": "e1",
		"5.2 download @e1 f.txt": "e1", "5.2 drag @e1 @e2": "e1 e2", "5.2 fill @e1 text": "e1", "5.2 focus @e1": "e1",
		"5.2 frame @e1":    "e1",
		"5.2 get text @e1": "e1", "5.2 get attr @e1 href": "e1", "5.2 highlight @e1": "e1", "5.2 hover @e1": "e1",
		"5.2 is visible @e1":       "e1",
		"5.2 screenshot @e1 a.png": "e1", "5.2 scrollintoview @e1": "e1", "5.2 scrollinto @e1": "e1",
		"5.2 select @e1 v":  "e1",
		"5.2 type @e1 text": "e1", "5.2 upload @e1 f": "e1",
		"5.2 5.3 scroll down --selector @e1": "e1", "5.3 scroll down -s @e1": "e1", "5.3 diff snapshot --selector @e1": "e1",
		"5.3 diff screenshot --baseline @e1.png": "", "5.3 wait --text @e1": "", "5.2 wait @e1": "",
		"5.2 a11y --selector @e1":  "",
		"5.2 find first @e1 click": "", "5.3 click --new-tab @e1": "e1", "5.3 fill @e1 @e2": "e1", "5.3 press @e1": "",
		"5.3 keyboard type @e1": "", "5.3 download #a @e1": "", "5.3 type #a @e1": "", "5.2 click #a": "",
		"5.2 click @e1x":             "",
		"5.3 click @e1 --dialog @e2": "e1", "5.2 nonsense @e1": "",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			_, text, _ := strings.Cut(line, " ")
			text = strings.TrimPrefix(text, "5.3 ")
			require.Equal(t, want, strings.Join(refguard.Uses(&lines(t, text)[0]), " "))
		})
	}
}

func TestInvalidates(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"back": true, "check #a": true, "click #a": true, "dblclick #a": true, "dialog accept": true, "drag #a #b": true,
		"eval 1":  true,
		"forward": true, "hover #a": true, "keydown a": true, "keyboard type a": true, "keyup a": true,
		"mouse move 1 1": true, "open x": true,
		"goto x": true, "navigate x": true, "press a": true, "pushstate /x": true, "reload": true, "scroll down": true,
		"scrollintoview #a": true,
		"select #a v":       true, "swipe up": true, "tap #a": true, "type #a v": true, "uncheck #a": true,
		"upload #a f":       true,
		"find text A click": true,
		"record start f":    true, "record restart f http://x/": true, "tab t2": true, "tab switch t2": true, "tab new": true,
		"fill #a v": false, "record restart f": false, "record stop": false, "get text #a": false, "wait 1": false,
		"snapshot":   false,
		"screenshot": false, "focus #a": false, "find label A fill v": false, "find text A text": false, "tab": false,
		"dialog status":    false,
		"network requests": false, "nonsense": false,
	} {
		t.Run("5.7 "+line, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, refguard.Invalidates(&lines(t, line)[0]))
		})
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	const page = "http://a/p?q=1"
	refs := map[string]contract.Ref{
		"e1": {Role: "button", Name: "Go"}, "e2": {Role: "checkbox", Name: "Yes"}, "e3": {Role: "radio", Name: "One"},
		"e4": {Role: "combobox", Name: "Size"}, "e5": {Role: "textbox", Name: "Name"},
	}
	ids := []string{"e1", "e2", "e3", "e4", "e5"}
	known := refguard.State{Snapshot: &contract.RefSnapshot{
		RefIDs: ids, Refs: refs,
		Target: &contract.PageTarget{URL: page},
	}}
	gone, moved := known, known
	gone.Invalidation = &contract.RefSnapshotInvalidation{Reason: refguard.NoActivePage, Summary: "x"}
	moved.Invalidation = &contract.RefSnapshotInvalidation{
		Reason:  refguard.PageTransition,
		Summary: "A recording was started.",
	}
	empty := refguard.State{Snapshot: &contract.RefSnapshot{RefIDs: []string{}, Target: &contract.PageTarget{URL: page}}}
	const latched = "after an earlier batch step can navigate or mutate"
	tests := map[string]struct {
		state  refguard.State
		target string
		lines  string
		want   string // part of the refusal
	}{
		"5.4 the same page": {known, page, "click @e1", ""},
		"5.4 another page": {
			known, "http://a/other", "click @e1",
			"came from a snapshot for " + page + ", but the current session target is http://a/other",
		},
		"5.4 absent": {known, page, "click @e9", "@e9 was not present in the latest snapshot"},
		"5.4 the second of two is absent": {
			known, page, "drag @e1 @e9",
			"@e9 was not present in the latest snapshot",
		},
		"5.1 5.4 an empty snapshot has no refs": {empty, page, "click @e1", "was not present in the latest snapshot"},
		"5.4 no active page": {
			gone, page, "click @e1",
			"the latest snapshot for this session reported No active page",
		},
		"5.4 after a page transition": {
			moved, page, "click @e1",
			"cannot be used yet. A recording was started.",
		},
		"5.4 lines without refs":                    {moved, "http://b/", "click #a", ""},
		"5.5 the fragment does not count":           {known, page + "#x", "click @e1", ""},
		"5.5 the query counts":                      {known, "http://a/p?q=2", "click @e1", "came from a snapshot for"},
		"5.5 an unknown target":                     {known, "", "click @e1", ""},
		"5.5 no snapshot, no guard":                 {refguard.State{}, page, "click @e1", ""},
		"5.6 a click, then a ref":                   {known, page, "click @e1; click @e5", latched},
		"5.6 a snapshot between them":               {known, page, "click @e1; snapshot -i; click @e77", ""},
		"5.6 a snapshot, then twice":                {known, page, "snapshot -i; click @e1; click @e5", latched},
		"5.6 what does not use refs goes on":        {known, page, "click @e1; get title; wait 5; click #a", ""},
		"5.6 a navigation, then a getter":           {known, page, "open http://b/; get text @e1", latched},
		"5.6 the first step is checked":             {known, page, "get text @e9; snapshot", "was not present"},
		"5.7 fill does not invalidate":              {known, page, "fill @e5 x; click @e1", ""},
		"5.7 a press does":                          {known, page, "fill @e5 x; press Enter; click @e1", latched},
		"5.8 a checkbox":                            {known, page, "check @e2; click @e1", ""},
		"5.8 a click on a radio button":             {known, page, "click @e3; click @e1", ""},
		"5.8 a tap on a checkbox, another unticked": {known, page, "tap @e2; uncheck @e2; click @e1", ""},
		"5.8 a combobox":                            {known, page, "select @e4 M; click @e1", ""},
		"5.8 select of what is not a combobox":      {known, page, "select @e5 M; click @e1", latched},
		"5.8 a click on a combobox":                 {known, page, "click @e4; click @e1", latched},
		"5.8 a checkbox by selector":                {known, page, "check #a; click @e1", latched},
		"5.8 roles that are not known":              {refguard.State{}, page, "check @e2; click @e1", latched},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := refguard.Check(lines(t, tt.lines), &tt.state, contract.PageTarget{URL: tt.target})
			if tt.want == "" {
				require.Empty(t, got)
				return
			}
			require.Contains(t, got, tt.want)
			require.Contains(t, got, "nothing was run")
		})
	}
}

func TestMoved(t *testing.T) {
	t.Parallel()
	shown := &contract.RefSnapshot{
		RefIDs: []string{"e1", "e2"},
		Refs:   map[string]contract.Ref{"e1": {Role: "button", Name: "A"}, "e2": {Role: "link", Name: "B"}},
	}
	now := &contract.RefSnapshot{
		RefIDs: []string{"e1", "e3"},
		Refs:   map[string]contract.Ref{"e1": {Role: "button", Name: "C"}, "e3": {Role: "button", Name: "A"}},
	}
	tests := map[string]struct{ lines, want string }{
		"5.4 another name": {
			"get text @e1; get text #a",
			"@e1 no longer matches the latest same-page snapshot: it was button \"A\" and is button \"C\"",
		},
		"5.4 gone": {
			"click @e2",
			"@e2 no longer matches the latest same-page snapshot: it was link \"B\" and is gone",
		},
		"5.4 one that only the newer has": {"click @e3", ""},
		"5.4 lines that use none":         {"get text #a", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := refguard.Check(lines(t, tt.lines), &refguard.State{Snapshot: now, Shown: shown}, contract.PageTarget{})
			require.Equal(t, tt.want == "", got == "")
			require.Contains(t, got, tt.want)
		})
	}
	require.True(t, refguard.Getters(lines(t, "get text @e1; is visible @e2")), "5.4")
	require.False(t, refguard.Getters(lines(t, "get text @e1; click @e2")), "5.4")
	require.False(t, refguard.Getters(lines(t, "get title")), "5.4")
}

func TestForeign(t *testing.T) {
	t.Parallel()
	require.Contains(t, refguard.Foreign(lines(t, "fill #a x; click @e1")), "@e1 cannot be used yet.", "17.1")
	require.Empty(t, refguard.Foreign(lines(t, "snapshot -i; click @e1")), "17.1")
	require.Empty(t, refguard.Foreign(lines(t, "click #a")), "17.1")
}

func TestSnapshot(t *testing.T) {
	t.Parallel()
	type refs = map[string]snapshot.RefData
	at := contract.PageTarget{TabID: "t1", URL: "http://a/", Title: "A"}
	tests := map[string]struct {
		told fact.Facts
		want *contract.RefSnapshot
	}{
		"5.1 refs": {
			fact.Facts{
				Page: fact.Shown{URL: "http://a/"},
				Refs: &fact.HandedOut{Refs: refs{"e2": {Role: "button", Name: "B"}, "e1": {Role: "link"}}, Text: "x"},
			},
			&contract.RefSnapshot{
				RefIDs: []string{"e1", "e2"},
				Refs:   map[string]contract.Ref{"e1": {Role: "link"}, "e2": {Role: "button", Name: "B"}}, Target: &at,
			},
		},
		"5.1 an empty snapshot": {
			fact.Facts{Page: fact.Shown{URL: "http://a/"}, Refs: &fact.HandedOut{Refs: refs{}}},
			&contract.RefSnapshot{RefIDs: []string{}, Refs: map[string]contract.Ref{}, Target: &at},
		},
		"5.1 without refs at all": {
			fact.Facts{Refs: &fact.HandedOut{}},
			&contract.RefSnapshot{RefIDs: []string{}, Refs: map[string]contract.Ref{}, Target: &at},
		},
		"5.1 of another page than was known": {
			fact.Facts{Page: fact.Shown{URL: "http://b/"}, Refs: &fact.HandedOut{Refs: refs{}}},
			&contract.RefSnapshot{
				RefIDs: []string{}, Refs: map[string]contract.Ref{},
				Target: &contract.PageTarget{TabID: "t1", URL: "http://b/"},
			},
		},
		"5.1 no snapshot": {fact.Facts{Page: fact.Shown{URL: "http://a/"}}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, refguard.Snapshot(&tt.told, at))
		})
	}
}

func TestInvalidation(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		line    string
		success bool
		err     string
		want    string
	}{
		"5.10 a snapshot without a page":      {"snapshot -i", false, "Error: No active page", "no-active-page"},
		"5.10 a snapshot that fails":          {"snapshot -i", false, "timeout", ""},
		"5.10 a recording":                    {"record start a.webm", true, "", "page-transition"},
		"5.10 a recording that is on already": {"record start a.webm", false, "Recording already active", "page-transition"},
		"5.10 restarted on a page":            {"record restart a.webm http://x/", true, "", "page-transition"},
		"5.10 restarted where it is":          {"record restart a.webm", true, "", ""},
		"5.10 eval fails":                     {"eval x", false, "x", "page-transition"},
		"5.10 back fails":                     {"back", false, "x", "page-transition"},
		"5.10 forward fails":                  {"forward", false, "x", "page-transition"},
		"5.10 reload fails":                   {"reload", false, "x", "page-transition"},
		"5.10 connect fails":                  {"connect 9222", false, "x", "page-transition"},
		"5.10 a state that is not loaded":     {"state load x.json", false, "x", "page-transition"},
		"5.10 a tab that is not there":        {"tab t9", false, "x", "page-transition"},
		"5.10 a click fails":                  {"click @e1", false, "x", ""},
		"5.10 a reload":                       {"reload", true, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := refguard.Invalidation(&refguard.Outcome{
				Words: lines(t, tt.line)[0], Ran: true, Success: tt.success,
				Error: tt.err,
			})
			if tt.want == "" {
				require.Nil(t, got)
				return
			}
			require.Equal(t, tt.want, got.Reason)
			require.NotEmpty(t, got.Summary)
		})
	}
}
