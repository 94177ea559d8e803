package judging

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/contract"
)

func TestNextActions(t *testing.T) {
	t.Parallel()
	requests := func(rows ...any) object { return object{"requests": rows} }
	failed := object{"requestId": "7.1", "url": "http://a/api/orders?token=x", "status": 500.0, "resourceType": "fetch"}
	icon := object{"requestId": "7.2", "url": "http://a/favicon.ico", "status": 404.0}
	fetched := object{"requestId": "7.3", "url": "http://a/api/list", "status": 200.0, "resourceType": "xhr"}
	picture := object{"requestId": "7.4", "url": "http://a/p.png", "status": 200.0, "resourceType": "image"}
	tests := map[string]struct {
		line string
		o    Outcome
		want []string
		args map[string]string // of an action, by id
	}{
		"7.5 open": {
			line: "open http://a/", want: []string{"inspect-opened-page"},
			args: map[string]string{"inspect-opened-page": "snapshot -i"},
		},
		"7.5 goto": {line: "goto http://a/", want: []string{"inspect-opened-page"}},
		"7.5 click": {
			line: "click @e1", want: []string{"inspect-after-mutation"},
			args: map[string]string{"inspect-after-mutation": "snapshot -i"},
		},
		"7.5 a command that reads":   {line: "get title"},
		"7.5 a find that reads":      {line: "find role button text"},
		"7.5 a find that clicks":     {line: "find role button click --name Go", want: []string{"inspect-after-mutation"}},
		"7.5 the nth that is filled": {line: "find nth 1 input fill x", want: []string{"inspect-after-mutation"}},
		"7.5 dialog status reads":    {line: "dialog status"},
		"7.5 help":                   {line: "click --help", o: Outcome{Inspection: true}},
		"7.5 saved file": {
			line: "screenshot a.png",
			o: Outcome{Artifacts: []contract.Artifact{{
				Path: "a.png", AbsolutePath: "/d/a.png", Status: "saved",
				Exists: new(true),
			}}},
			want: []string{"use-saved-artifact"},
		},
		"7.5 missing download": {
			line: "download #a x.csv",
			o: Outcome{Artifacts: []contract.Artifact{{
				Path: "x.csv", Kind: "download", Status: "missing",
				Exists: new(false),
			}}},
			want: []string{"wait-for-download"}, args: map[string]string{"wait-for-download": "wait --download x.csv"},
		},
		"7.5 missing picture": {
			line: "screenshot a.png",
			o:    Outcome{Artifacts: []contract.Artifact{{Path: "a.png", Kind: "image", Status: "missing", Exists: new(false)}}},
			want: []string{"verify-artifact-path"},
		},
		"7.5 recording": {
			line: "record start a.webm", o: Outcome{Artifacts: []contract.Artifact{{Path: "a.webm", Status: "pending"}}},
			want: []string{"stop-pending-recording"}, args: map[string]string{"stop-pending-recording": "record stop"},
		},
		"7.5 recording of a failure": {
			line: "record restart a.webm",
			o:    Outcome{Error: "no", Artifacts: []contract.Artifact{{Path: "a.webm", Status: "pending"}}},
			want: []string{"stop-pending-recording"},
		},

		"7.6 stale ref": {
			line: "click @e1", o: Outcome{Code: fault.RefStale},
			want: []string{"refresh-interactive-refs"}, args: map[string]string{"refresh-interactive-refs": "snapshot -i"},
		},
		"7.6 not found": {
			line: "click #a", o: Outcome{Code: fault.SelectorNotFound},
			want: []string{"refresh-interactive-refs"},
		},
		"7.6 unsupported": {
			line: "click #a", o: Outcome{Code: fault.SelectorInvalid},
			want: []string{"refresh-interactive-refs"},
		},
		"7.6 timeout": {
			line: "click #a", o: Outcome{Code: fault.Timeout},
			want: []string{"inspect-after-timeout"},
		},
		"7.6 wait for a text": {
			line: "wait --text Done", o: Outcome{Code: fault.Timeout},
			want: []string{"inspect-after-text-assertion-failure"},
		},
		"7.6 wait for an address": {
			line: "wait --url */done", o: Outcome{Code: fault.Timeout},
			want: []string{"inspect-after-timeout", "fresh-session-after-url-wait-timeout"},
			args: map[string]string{"fresh-session-after-url-wait-timeout": "open about:blank"},
		},
		"7.6 open that failed": {
			line: "open http://a/", o: Outcome{Code: fault.NavigationFailed},
			want: []string{"inspect-page-after-navigation-error"},
			args: map[string]string{"inspect-page-after-navigation-error": "get url"},
		},
		"7.6 confirmation": {
			line: "click #a",
			o:    Outcome{SelfConfirm: true, ResultFacts: fact.Facts{Confirmation: "c1"}, Error: "confirmation required"},
			want: []string{"approve-confirmation", "deny-confirmation"},
			args: map[string]string{"approve-confirmation": "confirm c1", "deny-confirmation": "deny c1"},
		},
		"7.6 confirmation of others": {
			line: "click #a",
			o:    Outcome{ResultFacts: fact.Facts{Confirmation: "c1"}, Error: "confirmation required"},
			want: []string{"deny-confirmation"}, args: map[string]string{"deny-confirmation": "deny c1"},
		},
		"7.6 download": {
			line: "download #a x.csv", o: Outcome{Code: fault.DownloadFailed},
			want: []string{"wait-for-download"}, args: map[string]string{"wait-for-download": "wait --download x.csv"},
		},
		"7.6 missing artifact": {
			line: "screenshot a.png",
			o: Outcome{
				Known:     contract.ArtifactMissing,
				Artifacts: []contract.Artifact{{Path: "a.png", Status: "missing", Exists: new(false)}},
			},
			want: []string{"verify-artifact-path"},
		},
		"7.6 missing download file": {
			line: "wait --download x.csv", o: Outcome{Known: contract.ArtifactMissing},
			want: []string{"wait-for-download"},
		},
		"7.6 tab drift": {
			line: "click #a", o: Outcome{Known: contract.TabDrift},
			want: []string{"list-tabs-for-recovery"}, args: map[string]string{"list-tabs-for-recovery": "tab list"},
		},
		"7.6 tab gone": {
			line: "click #a", o: Outcome{Code: fault.TabGone},
			want: []string{"list-tabs-after-tab-gone", "open-tab-after-tab-gone"},
			args: map[string]string{"open-tab-after-tab-gone": "tab new"},
		},

		"7.7 connect": {
			line: "connect 9222",
			want: []string{"verify-connected-session-url", "list-connected-session-tabs"},
			args: map[string]string{"verify-connected-session-url": "get url", "list-connected-session-tabs": "tab list"},
		},
		"7.7 no active page": {
			line: "snapshot -i", o: Outcome{Error: "No active page"},
			want: []string{"list-tabs-after-no-active-page"},
			args: map[string]string{"list-tabs-after-no-active-page": "tab list"},
		},

		"7.10 profile": {
			line: "open http://a/", o: Outcome{Error: "profile Work not found"},
			want: []string{"inspect-page-after-navigation-error", "inspect-browser-profiles", "run-agent-browser-doctor"},
			args: map[string]string{"inspect-browser-profiles": "profiles", "run-agent-browser-doctor": "doctor"},
		},
		"7.10 a login that is not there": {
			line: "auth login nope",
			o:    Outcome{Code: fault.CredentialNotFound, Error: "Auth profile 'nope' not found"},
			want: []string{"list-stored-logins"}, args: map[string]string{"list-stored-logins": "auth list"},
		},
		"7.10 a login for a script": {
			line: "eval 1",
			o:    Outcome{Code: fault.CredentialNotFound, Error: "vault:nope: profile not found"},
			want: []string{"list-stored-logins"},
		},
		"7.10 a port where nothing listens": {
			line: "connect 59999",
			o: Outcome{
				Code: fault.ConnectFailed,
				Error: "All CDP discovery methods failed. Start the browser with --remote-debugging-port and a " +
					"--user-data-dir of its own",
			},
		},
		"7.10 the same for a new session": {
			line: "connect 59999",
			o:    Outcome{Code: fault.ConnectFailed, FreshLaunch: true, Error: "--user-data-dir"},
			want: []string{"retry-fresh-managed-session"},
		},
		"7.10 no program": {
			line: "snapshot -i",
			o:    Outcome{Missing: true, FreshLaunch: true, Error: "agent-browser not found on PATH; profile not found"},
		},
		"7.10 a plugin that is not there": {
			line: "plugin show nope",
			o:    Outcome{Code: fault.PluginNotFound, Error: "no plugin"}, want: []string{"list-plugins"},
			args: map[string]string{"list-plugins": "plugin list"},
		},
		"7.10 a page's own text": {
			line: "eval 1",
			o:    Outcome{Code: fault.EvalFailed, Error: "Error: user-data-dir profile locked"},
		},
		"7.10 a profile that is not there": {
			line: "get title", o: Outcome{Code: fault.ProfileNotFound, Error: "x"},
			want: []string{"inspect-browser-profiles"}, args: map[string]string{"inspect-browser-profiles": "profiles"},
		},
		"7.10 profiles is not a cure for itself": {
			line: "profiles", o: Outcome{Error: "profile folder not found"},
			want: []string{"run-agent-browser-doctor"},
		},
		"7.10 doctor is not a cure for itself": {
			line: "doctor", o: Outcome{Error: "profile folder not found"},
			want: []string{"inspect-browser-profiles"},
		},
		"7.10 fresh launch": {
			line: "open http://a/", o: Outcome{Error: "no", FreshLaunch: true, ActiveManaged: "piab-old"},
			want: []string{
				"inspect-page-after-navigation-error", "run-agent-browser-doctor", "verify-current-managed-session",
				"snapshot-current-managed-session", "retry-fresh-managed-session",
			},
			args: map[string]string{
				"verify-current-managed-session": "--session piab-old get url",
				"retry-fresh-managed-session":    "open http://a/",
			},
		},

		"7.11 title": {
			line: "title", o: Outcome{Error: "Unknown command: title", Code: fault.Usage},
			want: []string{"use-get-title"}, args: map[string]string{"use-get-title": "get title"},
		},
		"7.11 url":                  {line: "url", o: Outcome{Error: "Unknown command: url"}, want: []string{"use-get-url"}},
		"7.11 text has no shortcut": {line: "text", o: Outcome{Error: "Unknown command: text"}},

		"7.12 8.12 stream that is on": {
			line: "stream enable", o: Outcome{Data: object{"alreadyEnabled": true}},
			want: []string{"check-stream-status-after-noop", "disable-existing-stream-when-done"},
			args: map[string]string{"check-stream-status-after-noop": "stream status"},
		},
		"7.12 stream that was off": {line: "stream enable", o: Outcome{Data: object{"enabled": true}}},

		"7.13 failed first": {
			line: "network requests", o: Outcome{Data: requests(picture, icon, fetched, failed)},
			want: []string{
				"inspect-actionable-network-request", "trace-actionable-network-source",
				"filter-network-requests-by-path", "start-network-har-capture", "clear-network-requests-before-repro",
			},
			args: map[string]string{
				"inspect-actionable-network-request":  "network request 7.1",
				"filter-network-requests-by-path":     "network requests --filter /api/orders",
				"clear-network-requests-before-repro": "network requests --clear",
			},
		},
		"7.13 then an API": {
			line: "network requests", o: Outcome{Data: requests(picture, icon, fetched)},
			want: []string{
				"inspect-network-request", "filter-network-requests-by-path", "start-network-har-capture",
				"clear-network-requests-before-repro",
			},
			args: map[string]string{"inspect-network-request": "network request 7.3"},
		},
		"7.13 then a harmless failure": {
			line: "network requests", o: Outcome{Data: requests(picture, icon)},
			want: []string{
				"inspect-benign-network-request", "filter-network-requests-by-path", "start-network-har-capture",
				"clear-network-requests-before-repro",
			},
		},
		"7.13 then the first": {
			line: "network requests", o: Outcome{Data: requests(picture)},
			want: []string{
				"inspect-network-request", "filter-network-requests-by-path", "start-network-har-capture",
				"clear-network-requests-before-repro",
			},
		},
		"7.13 no safe id": {
			line: "network requests",
			o:    Outcome{Data: requests(object{"requestId": "a b; c", "url": "http://a/x", "status": 500.0})},
		},
		"7.13 a path with secrets": {
			line: "network requests",
			o:    Outcome{Data: requests(object{"requestId": "1", "url": "http://a/token/abc", "status": 200.0})},
			want: []string{"inspect-network-request", "start-network-har-capture", "clear-network-requests-before-repro"},
		},
		"7.13 a path that is too long": {
			line: "network requests",
			o: Outcome{Data: requests(object{
				"requestId": "1", "url": "http://a/" + strings.Repeat("ab/", 60),
				"status": 200.0,
			})},
			want: []string{"inspect-network-request", "start-network-har-capture", "clear-network-requests-before-repro"},
		},
		"7.13 routes come first": {
			line: "network requests",
			o:    Outcome{Data: requests(failed), Routes: []contract.NetworkRouteDiagnostic{{RequestID: "7.1"}}},
			want: []string{
				"inspect-routed-network-request", "start-network-har-capture-for-route-mock",
				"inspect-actionable-network-request", "trace-actionable-network-source", "filter-network-requests-by-path",
				"start-network-har-capture",
			},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := tt.o
			o.Line = line(strings.Fields(tt.line)...)
			o.Success = o.Error == "" && o.Code == "" && o.Known == ""
			var d contract.OutcomeDetails
			Judge(&o, &d)
			list := NextActions(&o, &d)
			require.Equal(t, append([]string{}, tt.want...), ids(list))
			for _, a := range list {
				require.Equal(t, "agent_browser", a.Tool)
				require.NotEmpty(t, a.Reason)
				require.True(t, !a.Params.IsZero() || a.ArtifactPath != "")
				if want, ok := tt.args[a.ID]; ok {
					require.Equal(t, want, strings.Join(a.Params.Args, " "))
				}
			}
			for id := range tt.args {
				require.Contains(t, ids(list), id)
			}
		})
	}
}

func TestBound(t *testing.T) {
	t.Parallel()
	ns, empty := "team", ""
	look := func(args ...string) contract.NextAction { return Act("x", "y", args...) }
	tests := map[string]struct {
		session Session
		action  contract.NextAction
		want    any
	}{
		"7.2 session": {
			Session{Name: "s"},
			look("snapshot", "-i"),
			[]string{"--session", "s", "snapshot", "-i"},
		},
		"7.2 twice is once": {
			Session{Name: "s"},
			look("--session", "s", "snapshot"),
			[]string{"--session", "s", "snapshot"},
		},
		"7.2 7.3 namespace first": {
			Session{Name: "s", Namespace: &ns},
			look("snapshot"),
			[]string{"--namespace", "team", "--session", "s", "snapshot"},
		},
		"7.3 an empty namespace is one": {
			Session{Name: "s", Namespace: &empty},
			look("snapshot"),
			[]string{"--namespace", "", "--session", "s", "snapshot"},
		},
		"7.3 namespace added to a session": {
			Session{Name: "s", Namespace: &ns},
			look("--session", "s", "snapshot"),
			[]string{"--namespace", "team", "--session", "s", "snapshot"},
		},
		"7.3 session added to a namespace": {
			Session{Name: "s", Namespace: &ns},
			look("--namespace", "team", "snapshot"),
			[]string{"--namespace", "team", "--session", "s", "snapshot"},
		},
		"7.2 fresh stays": {
			Session{Name: "s", Namespace: &ns},
			fresh(look("open", "about:blank")),
			[]string{"open", "about:blank"},
		},
		"7.2 no session": {Session{}, look("snapshot"), []string{"snapshot"}},
		"7.2 another session is kept": {
			Session{Name: "s"},
			look("--session", "other", "get", "url"),
			[]string{"--session", "other", "get", "url"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			once := In(tt.session, []contract.NextAction{tt.action})
			require.Equal(t, tt.want, once[0].Params.Args)
			require.Equal(t, once, In(tt.session, once), "binding again changes nothing")
		})
	}
	t.Run("7.2 apps are never bound", func(t *testing.T) {
		t.Parallel()
		list := Electron{LaunchID: "electron-1"}.AfterCleanupFailed()
		require.Equal(t, list, In(Session{Name: "s", Namespace: &ns}, list))
	})
	t.Run("7.3 a lookup gets the namespace and no session", func(t *testing.T) {
		t.Parallel()
		list := []contract.NextAction{{
			ID:     "x",
			Params: contract.NextParams{NetworkSourceLookup: &contract.NextNetworkSource{RequestID: "1"}},
		}}
		bound := In(Session{Name: "s", Namespace: &ns}, list)
		require.Equal(t, &contract.NextNetworkSource{RequestID: "1", Namespace: &ns}, bound[0].Params.NetworkSourceLookup)
		require.Equal(t, &contract.NextNetworkSource{RequestID: "1"}, list[0].Params.NetworkSourceLookup,
			"the list itself is left alone")
	})
	t.Run("7.1 7.4 an id counts once", func(t *testing.T) {
		t.Parallel()
		list := AppendUnique([]contract.NextAction{Act("a", "first")}, Act("b", "r"), Act("a", "second"), Act("c", "r"))
		require.Equal(t, []string{"a", "b", "c"}, ids(list))
		require.Equal(t, "first", list[0].Reason)
	})
}

func TestMerge(t *testing.T) {
	t.Parallel()
	general, other := look("inspect-after-timeout", "x"), Act("fresh", "x", "open", "about:blank")
	closer := look("inspect-current-page-after-timeout", "y")
	retry := Act("retry-timeout-step", "y", "wait", "--load", "load")
	require.Equal(t, []contract.NextAction{closer}, Merge([]contract.NextAction{general}, []contract.NextAction{closer}),
		"12.6 the same call is offered once")
	require.Equal(t, []contract.NextAction{general, other, retry},
		Merge([]contract.NextAction{general, other}, []contract.NextAction{retry}))
}

func TestRecovery(t *testing.T) {
	t.Parallel()
	app := Electron{LaunchID: "electron-1", Session: Session{Name: "s"}, Address: "ws://127.0.0.1:1/devtools/browser/x"}
	tests := map[string]struct {
		list []contract.NextAction
		want []string
	}{
		"7.7 about:blank, tab unknown": {AfterDrift(Drift{Blank: true}), []string{"list-tabs-for-about-blank-recovery"}},
		"7.7 drift, tab unknown":       {AfterDrift(Drift{TabID: "label"}), []string{"list-tabs-for-tab-drift-recovery"}},
		"7.7 drift, tab known": {
			AfterDrift(Drift{TabID: "t2"}),
			[]string{"list-tabs-for-tab-drift-recovery", "select-intended-tab-after-drift", "snapshot-after-tab-recovery"},
		},
		"7.14 an app runs": {
			app.AfterLaunch(),
			[]string{
				"status-electron-launch", "probe-electron-launch", "cleanup-electron-launch", "list-electron-tabs",
				"snapshot-electron-session",
			},
		},
		"7.14 an app without session": {
			Electron{LaunchID: "x"}.AfterLaunch(),
			[]string{"status-electron-launch", "probe-electron-launch", "cleanup-electron-launch"},
		},
		"7.14 mismatch": {
			app.AfterMismatch(),
			[]string{"reattach-electron-launch", "list-electron-tabs", "snapshot-electron-session"},
		},
		"7.6 7.14 cleanup failed": {
			app.AfterCleanupFailed(),
			[]string{"status-electron-launch", "retry-electron-cleanup"},
		},
		"2.5.8 7.14 no source": {
			app.AfterLookup(),
			[]string{"snapshot-electron-session", "probe-electron-launch", "list-electron-tabs"},
		},
		"7.14 redrawn":                  {app.AfterRerender(), []string{"refresh-electron-refs-after-rerender"}},
		"7.14 text of the whole window": {app.AfterBroadText(), []string{"snapshot-for-electron-text-scope"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, ids(tt.list))
		})
	}
	t.Run("7.7 a tab that was not chosen again is chosen first", func(t *testing.T) {
		t.Parallel()
		last := AfterDrift(Drift{TabID: "t2"})[2]
		require.Equal(t, []string{"batch"}, last.Params.Args)
		require.Equal(t, `[["tab","t2"],["snapshot","-i"]]`, last.Params.Stdin)
	})
	t.Run("7.7 a tab that was chosen again is looked at", func(t *testing.T) {
		t.Parallel()
		last := AfterDrift(Drift{TabID: "t2", Selected: true})[2]
		require.Equal(t, contract.NextParams{Args: []string{"snapshot", "-i"}}, last.Params)
	})
}

func TestChange(t *testing.T) {
	t.Parallel()
	led := fact.Facts{Effects: &fact.Effects{Navigation: &fact.Navigated{From: "http://a/", To: "http://a/next"}}}
	saved := []contract.Artifact{{Path: "a.png", Kind: "image", Status: "saved", Exists: new(true)}}
	tests := map[string]struct {
		line string
		o    Outcome
		want *contract.PageChangeSummary
	}{
		"8.20 7.4 open": {
			"open http://a/",
			Outcome{Success: true, ResultFacts: fact.Facts{Page: fact.Shown{URL: "http://a/", Title: "A"}}},
			&contract.PageChangeSummary{
				ChangeType: "navigation", Command: "open", Summary: "Opened A", Title: "A", URL: "http://a/",
				NextActionIDs: []string{"inspect-opened-page"},
			},
		},
		"8.20 7.4 a click that changed the page": {
			"click @e1",
			Outcome{Success: true, Page: contract.PageTarget{Title: "A", URL: "http://a/"}},
			&contract.PageChangeSummary{
				ChangeType: "mutation", Command: "click", Summary: "click was done", Title: "A", URL: "http://a/",
				NextActionIDs: []string{"inspect-after-mutation"},
			},
		},
		"8.20 a click that led elsewhere": {
			"click @e1",
			Outcome{Success: true, ResultFacts: led, Page: contract.PageTarget{Title: "Next", URL: "http://a/next"}},
			&contract.PageChangeSummary{
				ChangeType: "navigation", Command: "click", Summary: "click led to Next", Title: "Next", URL: "http://a/next",
				NextActionIDs: []string{"inspect-after-mutation"},
			},
		},
		"8.20 files": {
			"screenshot a.png",
			Outcome{Success: true, Artifacts: saved, SavedFile: "/d/a.png"},
			&contract.PageChangeSummary{
				ChangeType: "artifact", Command: "screenshot", Summary: "screenshot saved /d/a.png", ArtifactCount: 1,
				SavedFilePath: "/d/a.png", NextActionIDs: []string{"use-saved-artifact"},
			},
		},
		"8.20 confirmation": {
			"click @e1",
			Outcome{SelfConfirm: true, ResultFacts: fact.Facts{Confirmation: "c"}},
			&contract.PageChangeSummary{
				ChangeType: "confirmation", Command: "click", Summary: "Waits for the confirmation c",
				NextActionIDs: []string{"approve-confirmation", "deny-confirmation"},
			},
		},
		"8.20 7.4 ids of actions that are not there are left out": {
			"fill @e1 x",
			Outcome{Success: true, Inspection: false},
			&contract.PageChangeSummary{
				ChangeType: "mutation", Command: "fill", Summary: "fill was done",
				NextActionIDs: []string{"inspect-after-mutation"},
			},
		},
		"8.20 a command that reads": {
			"get url",
			Outcome{Success: true, ResultFacts: fact.Facts{Page: fact.Shown{URL: "http://a/"}}},
			nil,
		},
		"8.20 a read page": {
			"read http://b/",
			Outcome{Success: true, Data: object{"url": "http://b/", "title": "B"}},
			nil,
		},
		"8.20 a failure":            {"click @e1", Outcome{Code: fault.RefStale}, nil},
		"8.20 help changes nothing": {"click --help", Outcome{Success: true, Inspection: true}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.o.Line = line(strings.Fields(tt.line)...)
			var d contract.OutcomeDetails
			Judge(&tt.o, &d)
			require.Equal(t, tt.want, Change(&tt.o, NextActions(&tt.o, &d)))
		})
	}
	t.Run("7.4 nothing emitted, nothing named", func(t *testing.T) {
		t.Parallel()
		o := Outcome{Line: line("click", "@e1"), Success: true}
		require.Nil(t, Change(&o, nil).NextActionIDs)
	})
}
