package judging

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/actions/fact"
	pagesnapshot "github.com/skua-browser/skua/snapshot"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/contract"
)

func TestMissed(t *testing.T) {
	t.Parallel()
	facts := FailureFactsOf(object{
		"ref": "@e3", "role": "button", "name": "Buy", "byRole": "dialog", "byName": "Cookies",
		"byRef": "@e6", "received": []any{"mousedown"},
	})
	tests := map[string]struct {
		line string
		code fault.Code
		want []string
	}{
		"11.1 7.9 covered": {
			"click @e3", fault.TargetCovered,
			[]string{
				"inspect-click-dispatch-miss", "retry-click-after-dispatch-miss",
				"scroll-target-into-view-after-dispatch-miss",
			},
		},
		"11.1 missed": {
			"check #agree", fault.TargetMissed,
			[]string{
				"inspect-click-dispatch-miss", "retry-click-after-dispatch-miss",
				"scroll-target-into-view-after-dispatch-miss",
			},
		},
		"11.1 of a find": {
			"find role button click --name Buy", fault.TargetCovered,
			[]string{
				"inspect-click-dispatch-miss", "retry-click-after-dispatch-miss",
				"scroll-target-into-view-after-dispatch-miss",
			},
		},
		"11.1 another failure":        {"click @e3", fault.TargetDisabled, []string{}},
		"11.1 a command that types":   {"fill @e3 x", fault.TargetCovered, []string{}},
		"11.1 a find that only reads": {"find role button text", fault.TargetCovered, []string{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := line(strings.Fields(tt.line)...)
			d, list := Missed(&w, tt.code, &facts)
			require.Equal(t, tt.want, ids(list))
			require.Equal(t, len(tt.want) > 0, d != nil)
			if d != nil {
				require.Equal(t, 1, d.NativeEventCount)
				require.Equal(t, &contract.ShownElement{Role: "dialog", Name: "Cookies", Ref: "@e6"}, d.CoveredBy)
				require.Contains(t, MissedText(d), `dialog "Cookies" (@e6)`)
			}
		})
	}
}

func TestClickWatch(t *testing.T) {
	t.Parallel()
	refs := map[string]contract.Ref{
		"e1": {Role: "button", Name: "Go"}, "e2": {Role: "button", Name: "Go"},
		"e3": {Role: "link", Name: "Go"}, "e4": {Role: "tab"}, "e10": {Role: "button", Name: "Go"},
	}
	roles := map[string]bool{"button": true, "tab": true}
	tests := map[string]struct {
		target string
		want   *contract.ClickTarget
		find   string
	}{
		"11.1 a ref of a role that is watched": {
			"@e1",
			&contract.ClickTarget{Kind: "accessible", RefID: "@e1", Role: "button", Name: "Go"}, `named('button', 'Go')[0]`,
		},
		"11.1 the second of its name": {
			"@e2",
			&contract.ClickTarget{Kind: "accessible", RefID: "@e2", Role: "button", Name: "Go", DuplicateIndex: 1},
			`named('button', 'Go')[1]`,
		},
		"11.1 numbers count, not letters": {
			"@e10",
			&contract.ClickTarget{Kind: "accessible", RefID: "@e10", Role: "button", Name: "Go", DuplicateIndex: 2},
			`named('button', 'Go')[2]`,
		},
		"11.1 xpath": {
			`xpath=//a[.='it\'s']`,
			&contract.ClickTarget{Kind: "xpath", Selector: `xpath=//a[.='it\'s']`}, `'//a[.=\'it\\\'s\']'`,
		},
		"11.1 another role":   {"@e3", nil, ""},
		"11.1 no name":        {"@e4", nil, ""},
		"11.1 an unknown ref": {"@e99", nil, ""},
		"11.1 CSS":            {"#go", nil, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script, target := ClickWatch(tt.target, refs, roles)
			require.Equal(t, tt.want, target)
			require.Equal(t, tt.want == nil, script == "")
			require.Contains(t, script, tt.find)
		})
	}
}

func TestOverlay(t *testing.T) {
	t.Parallel()
	refs := func(names ...string) map[string]pagesnapshot.RefData {
		m := map[string]pagesnapshot.RefData{}
		for i, n := range names {
			role, name, _ := strings.Cut(n, " ")
			m["e"+string(rune('1'+i))] = pagesnapshot.RefData{Role: role, Name: name}
		}
		return m
	}
	tests := map[string]struct {
		shown fact.HandedOut
		want  []string
	}{
		"11.2 in the dialog": {
			fact.HandedOut{
				Text: "- button \"Close tab\" [ref=e1]\n- dialog \"Hi\"\n  - button \"Close\" [ref=e2]\n- link \"Skip to " +
					"content\" [ref=e3]", Refs: refs("button Close tab", "button Close", "link Skip to content"),
			}, []string{"@e2"},
		},
		"11.2 alertdialog": {fact.HandedOut{
			Text: "- alertdialog:\n  - button \"×\" [ref=e1]",
			Refs: refs("button ×"),
		}, []string{"@e1"}},
		"11.2 three at most": {
			fact.HandedOut{
				Text: "- dialog\n  - button \"Close\" [ref=e1]\n  - button \"No thanks\" [ref=e2]\n  - link \"Not now\" " +
					"[ref=e3]\n  - menuitem \"Dismiss\" [ref=e4]",
				Refs: refs("button Close", "button No thanks", "link Not now", "menuitem Dismiss"),
			}, []string{"@e1", "@e2", "@e3"},
		},
		"11.2 what covers the page": {
			fact.HandedOut{
				Text: "- button \"Buy\" [ref=e1, covered]\n- button \"Close\" [ref=e2, covered]\n- button \"Reject all\" [ref=e3]",
				Refs: refs("button Buy", "button Close", "button Reject all"),
			}, []string{"@e3"},
		},
		"11.2 what covers it, as skua says": {
			fact.HandedOut{
				Text: "- button \"Buy, covered\" @e1\n- button \"Close\" @e2 [disabled, covered by @e3]\n- button " +
					"\"Reject all\" @e3", Refs: refs("button Buy", "button Close", "button Reject all"),
			}, []string{"@e3"},
		},
		"11.2 in a dialog, as skua says": {
			fact.HandedOut{
				Text: "- button \"Close tab\" @e1\n- dialog \"Hi\"\n  - button \"Close\" @e2",
				Refs: refs("button Close tab", "button Close"),
			}, []string{"@e2"},
		},
		"11.2 a dialog that is a ref": {fact.HandedOut{
			Text: "- button \"Close\" [ref=e2]\n a dialog",
			Refs: refs("dialog Hi", "button Close"),
		}, []string{"@e2"}},
		"11.2 words of the page are nothing": {
			fact.HandedOut{
				Text: "- button \"Close the dialog\" [ref=e1]\n- text: privacy, sign in, banner",
				Refs: refs("button Close the dialog"),
			}, nil,
		},
		"11.2 a dialog without a way out": {
			fact.HandedOut{
				Text: "- dialog\n  - button \"Sign up\" [ref=e1]\n- button \"Close\" [ref=e2]",
				Refs: refs("button Sign up", "button Close"),
			}, nil,
		},
		"11.2 a heading is not a control": {fact.HandedOut{
			Text: "- dialog\n  - heading \"Close\" [ref=e1]",
			Refs: refs("heading Close"),
		}, nil},
		"11.2 no data": {fact.HandedOut{}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			if o := Overlay(&tt.shown); o != nil {
				for _, c := range o.Candidates {
					got = append(got, c.Ref)
					require.Equal(t, []string{"click", c.Ref}, c.Args)
				}
				require.Len(t, AfterOverlay(o), len(got)+1)
			}
			require.Equal(t, tt.want, got)
		})
	}
	t.Run("11.2 by the engine's own word", func(t *testing.T) {
		t.Parallel()
		o := OverlayOf(new(FailureFactsOf(object{
			"byRole": "dialog", "byName": "Cookies",
			"dismiss": object{"ref": "@e5", "role": "button", "name": "OK"},
		})))
		require.Equal(t, "@e5", o.Candidates[0].Ref)
		require.Nil(t, OverlayOf(new(FailureFactsOf(object{"by": "div"}))))
	})
}

func TestFallback(t *testing.T) {
	t.Parallel()
	refs := []Ref{
		{"e1", "button", "Save  Draft"},
		{"e2", "link", "save draft"},
		{"e3", "textbox", "Email"},
		{"e4", "searchbox", "Find"},
		{"e5", "button", "Save"},
		{"e6", "button", "Save"},
		{"e7", "heading", "Title"},
	}
	tests := map[string]struct {
		line string
		want []string
		next []string
	}{
		"11.3 7.8 role and name": {
			"find role button click --name Save",
			[]string{"@e5", "@e6"},
			[]string{"try-current-visible-ref-1", "try-current-visible-ref-2"},
		},
		"11.3 role without a name":        {"find role button click", nil, []string{}},
		"11.3 a part of a name":           {"find role button click --name Sav", nil, []string{}},
		"11.3 text for buttons and links": {"find text Email click", nil, []string{}},
		"11.3 7.8 any role that is asked for": {
			"find role heading click --name title",
			[]string{"@e7"},
			[]string{"try-current-visible-ref"},
		},
		"11.3 11.4 7.8 label for textboxes": {
			"find label Email fill secret",
			[]string{"@e3"},
			[]string{"focus-current-editable-ref", "click-current-editable-ref"},
		},
		"11.3 label is not a searchbox": {"find label Find fill secret", nil, []string{}},
		"11.4 placeholder for both": {
			"find placeholder Find fill secret",
			[]string{"@e4"},
			[]string{"focus-current-editable-ref", "click-current-editable-ref"},
		},
		"11.3 alt is not looked for": {"find alt Save click", nil, []string{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := line(strings.Fields(tt.line)...)
			target, ok := Sought(&w)
			var f *contract.VisibleRefFallback
			var rich *contract.RichInputRecovery
			if ok {
				f, rich = Fallback(target, refs)
			}
			var got []string
			next := []contract.NextAction{}
			if f != nil {
				for _, c := range f.Candidates {
					got = append(got, c.Ref)
				}
				next = AfterFallback(f)
				require.NotContains(t, FallbackText(f), "secret")
			}
			if rich != nil {
				next = append(next, AfterRichInput(rich)...)
				require.Equal(t, ids(AfterRichInput(rich)), rich.NextActionIDs)
				require.NotContains(t, RichInputText(rich), "secret")
			}
			require.Equal(t, tt.want, got)
			require.Equal(t, tt.next, ids(next))
		})
	}
	t.Run("7.8 intents on a text", func(t *testing.T) {
		t.Parallel()
		a := contract.CompiledSemanticAction{
			Action: "click", Locator: "text",
			Args: []string{"--session", "s", "find", "text", "Go", "click"},
		}
		list := AfterSemanticMiss(&a, Session{Name: "s"})
		require.Equal(t, []string{"try-button-name-candidate", "try-link-name-candidate"}, ids(list))
		require.Equal(t, []string{"--session", "s", "find", "role", "button", "click", "--name", "Go"}, list[0].Params.Args)
		a.Args = []string{"find", "label", "Go", "fill", "x"}
		require.Empty(t, AfterSemanticMiss(&a, Session{}))
	})
	t.Run("7.8 an intent whose ref had gone", func(t *testing.T) {
		t.Parallel()
		a := contract.CompiledSemanticAction{Args: []string{"find", "role", "button", "click", "--name", "Go"}}
		require.Equal(t, []string{"retry-semantic-action-after-stale-ref"}, ids(AfterSemanticStale(&a)))
		a.Args = []string{"select", "@e1", "x"}
		require.Empty(t, AfterSemanticStale(&a))
	})
}

func TestEvalHints(t *testing.T) {
	t.Parallel()
	eval := line("eval", "--stdin")
	null, empty := object{"result": nil}, object{"result": object{}}
	require.NotNil(t, EvalWarning(&eval, "document.body.dataset.x", null, "https://a/", "file:///a.html"), "11.9")
	tests := map[string]bool{
		"11.9 function f() { return 1 }": EvalHint(&eval, " function f() { return 1 }", empty) != nil,
		"11.9 async arrow":               EvalHint(&eval, "async x => x", empty) != nil,
		"11.9 local file, null":          EvalWarning(&eval, "q()", null, "file:///a.html") != nil,
		"11.9 not: an array":             EvalHint(&eval, "() => 1", object{"result": []any{}}) == nil,
		"11.9 not: something in it":      EvalHint(&eval, "() => 1", object{"result": object{"a": 1}}) == nil,
		"11.9 not: a call":               EvalHint(&eval, "(() => ({}))()", empty) == nil,
		"11.9 not: null was asked for":   EvalWarning(&eval, " null ", null, "file:///a.html") == nil,
		"11.9 not: no code from stdin":   EvalWarning(&eval, "", null, "file:///a.html") == nil,
		"11.9 not: a page of the web":    EvalWarning(&eval, "q()", null, "https://a/") == nil,
		"11.9 not: no result at all":     EvalWarning(&eval, "q()", object{}, "file:///a.html") == nil,
	}
	for name, ok := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.True(t, ok)
		})
	}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	run := func(lines ...string) Routes {
		var r Routes
		for _, l := range lines {
			w := line(strings.Fields(l)...)
			r = r.After(&w)
		}
		return r
	}
	row := func(fields object) object { return object{"requests": []any{fields}} }
	pending := object{"requestId": "1", "url": "http://a/api/x?q=1", "resourceType": "fetch"}
	tests := map[string]struct {
		routes Routes
		data   object
		want   string
		mode   string
	}{
		"11.11 pending": {
			run("network route **/api/* --body {}"), row(pending), "pending-routed-request",
			"body",
		},
		"11.11 cors": {
			run("network route /api/"),
			row(object{"requestId": "1", "url": "http://a/api/x", "resourceType": "xhr", "error": "blocked by CORS policy"}),
			"cors-likely-routed-request", "unknown",
		},
		"11.11 unfulfilled": {
			run("network route /api/ --body {}"),
			row(object{"requestId": "1", "url": "http://a/api/x", "error": "net::ERR_FAILED"}), "unfulfilled-routed-request",
			"body",
		},
		"11.11 aborted as asked": {
			run("network route /api/ --abort"),
			row(object{"requestId": "1", "url": "http://a/api/x", "error": "net::ERR_FAILED"}), "", "",
		},
		"11.11 answered": {
			run("network route /api/ --body {}"),
			row(object{"requestId": "1", "url": "http://a/api/x", "status": 200.0}), "", "",
		},
		"11.11 another address": {run("network route **/other/*"), row(pending), "", ""},
		"11.11 no picture": {
			run("network route /api/"),
			row(object{"url": "http://a/api/x", "resourceType": "image"}), "", "",
		},
		"11.11 the route was taken": {run("network route /api/", "network unroute /api/"), row(pending), "", ""},
		"11.11 all were taken":      {run("network route /api/", "network unroute"), row(pending), "", ""},
		"11.11 with the session":    {run("network route /api/", "close"), row(pending), "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := tt.routes.Diagnose(tt.data)
			if tt.want == "" {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Equal(t, tt.want, found[0].Reason)
			require.Equal(t, tt.mode, found[0].Mode)
			require.Contains(t, RoutesText(found), "Network route diagnostics")
		})
	}
}

func TestTracing(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		before []string
		line   string
		clash  bool
	}{
		"11.12 the first":              {nil, "trace start", false},
		"11.12 twice":                  {[]string{"trace start"}, "trace start", true},
		"11.12 the other":              {[]string{"trace start"}, "profiler start", true},
		"11.12 the wrong stop":         {[]string{"profiler start"}, "trace stop", true},
		"11.12 its own stop":           {[]string{"profiler start"}, "profiler stop", false},
		"11.12 after its stop":         {[]string{"profiler start", "profiler stop"}, "trace start", false},
		"11.12 after the session":      {[]string{"trace start", "close"}, "profiler start", false},
		"11.12 what is not a tracer":   {[]string{"trace start"}, "click @e1", false},
		"11.12 a stop without a start": {nil, "trace stop", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var now Tracing
			for _, l := range tt.before {
				w := line(strings.Fields(l)...)
				now = now.After(&w)
			}
			w := line(strings.Fields(tt.line)...)
			why := now.Conflict(&w)
			require.Equal(t, tt.clash, why != "")
			if tt.clash {
				require.Contains(t, why, "Wrapper believes "+string(now)+" tracing is active")
			}
		})
	}
}

func TestMovesPage(t *testing.T) {
	t.Parallel()
	for l, want := range map[string]bool{
		"scroll down 800": true, "scroll": true, "scroll up": true, "scroll down 50": false,
		"scroll down 800 --selector #a": false, "scroll to top": false, "click @e1": false,
	} {
		t.Run("11.7 "+l, func(t *testing.T) {
			t.Parallel()
			w := line(strings.Fields(l)...)
			require.Equal(t, want, MovesPage(&w))
		})
	}
	t.Run("7.9 dialogs that may block", func(t *testing.T) {
		t.Parallel()
		click, dialog, open := line("click", "#confirm-order"), line("dialog", "accept"), line("open", "http://a/")
		require.NotNil(t, DialogHint(&click, "", true))
		require.NotNil(t, DialogHint(&dialog, fault.Timeout, true))
		require.NotNil(t, DialogHint(&open, fault.DialogOpen, false))
		require.Nil(t, DialogHint(&open, fault.Timeout, true))
		require.Equal(t,
			[]string{
				"inspect-dialog-after-timeout", "dismiss-dialog-after-timeout",
				"recover-fresh-session-after-dialog-timeout",
			}, ids(AfterDialog()))
	})
}
