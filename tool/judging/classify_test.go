package judging

import (
	"testing"

	"github.com/skua-browser/skua/session/replydata"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

type object = map[string]any

func line(words ...string) argv.Words { return argv.Read(words) }

// Every code of the engine has a category; one that is added has to be given its own here.
func TestOfCode(t *testing.T) {
	t.Parallel()
	for _, m := range fault.CodeInfos() {
		t.Run("6.3 6.4 "+string(m.Code), func(t *testing.T) {
			t.Parallel()
			category, known := categoryOf(m.Code)
			require.True(t, known, "give the code a category in codes.go")
			o := Outcome{
				Line: line("click", "@e1"), Code: m.Code,
				Error: "policy-blocked, timed out, tab_gone: a text that says something else",
			}
			require.Equal(t, category, FailureOf(&o), "the code decides, not the text")
		})
	}
	require.Equal(t, contract.UpstreamError, OfCode("a-code-of-tomorrow"))
}

func TestClassify(t *testing.T) {
	t.Parallel()
	find := []string{"find", "role", "button", "click", "--name", "Operation timed out"}
	tests := map[string]struct {
		o    Outcome
		want contract.FailureCategory
	}{
		"6.4 what is known is used": {
			Outcome{Known: contract.QAFailure, Error: "timed out", Code: fault.Timeout},
			contract.QAFailure,
		},
		"6.4 all texts count": {Outcome{Stderr: "spawn agent-browser ENOENT"}, contract.MissingBinary},
		"6.5 step 1: confirmation flag before everything": {
			Outcome{ResultFacts: fact.Facts{Confirmation: "c1"}, Error: "timed out; tab_gone: t1"},
			contract.ConfirmationRequired,
		},
		"6.5 step 2: tab gone":               {Outcome{Error: "tab_gone: tab t2 was closed"}, contract.TabGone},
		"6.5 step 2: prose that mentions it": {Outcome{Error: "the tab_gone event came"}, contract.UpstreamError},
		"6.5 step 3: getByRole": {
			Outcome{Error: "No element found: getByRole('button')"},
			contract.SelectorNotFound,
		},
		"6.5 step 3: role=": {
			Outcome{Error: "No element found: role=button"},
			contract.SelectorNotFound,
		},
		"6.5 step 3: text=": {
			Outcome{Error: "No element found: text=Pending confirmation"},
			contract.SelectorNotFound,
		},
		"6.5 step 3: label=": {
			Outcome{Error: "No element found: label=Watchdog"},
			contract.SelectorNotFound,
		},
		"6.5 step 3: placeholder=": {
			Outcome{Error: "No element found: placeholder=aborted"},
			contract.SelectorNotFound,
		},
		"6.5 step 3: alt=": {
			Outcome{Error: "No element found: alt=policy-blocked"},
			contract.SelectorNotFound,
		},
		"6.5 step 3: title=": {
			Outcome{Error: "No element found: title=about:blank"},
			contract.SelectorNotFound,
		},
		"6.5 step 3: testid=": {
			Outcome{Error: "No element found: testid=timed out"},
			contract.SelectorNotFound,
		},
		"6.5 step 3: as 0.41.2 says it": {
			Outcome{Error: "No element found by text 'Operation timed out'. Verify the selector, role, or name is correct"},
			contract.SelectorNotFound,
		},
		"6.5 step 3: with the advice": {
			Outcome{
				Error: "Element not found: #timed-out. Verify the selector, role, or name is correct and the element exists.",
			},
			contract.SelectorNotFound,
		},
		"6.5 step 3: none match name": {
			Outcome{Error: `1 button, none match name "watchdog"`},
			contract.SelectorNotFound,
		},
		"6.5 step 3: names seen, of a find": {
			Outcome{Line: line(find...), Error: `Names seen: "aborted"`},
			contract.SelectorNotFound,
		},
		"6.5 step 3: names seen of something else": {
			Outcome{Line: line("open", "x"), Error: `Names seen: "aborted"`},
			contract.Aborted,
		},
		"6.5 step 3: has role": {
			Outcome{Error: `1 element has role "button", but none match the timed out one`}, contract.SelectorNotFound,
		},
		"6.5 step 4: confirmation in words": {
			Outcome{Error: "this action requires confirmation; timed out"},
			contract.ConfirmationRequired,
		},
		"6.5 step 5: flag":                         {Outcome{TimedOut: true, Error: "spawn ENOENT"}, contract.TimedOut},
		"6.5 step 5: timed out":                    {Outcome{Error: "Wait timed out after 500ms"}, contract.TimedOut},
		"6.5 step 5: timeout exceeded":             {Outcome{Error: "Timeout 5000ms exceeded"}, contract.TimedOut},
		"6.5 step 5: watchdog":                     {Outcome{Error: "ended by the watchdog"}, contract.TimedOut},
		"6.5 step 5: IPC":                          {Outcome{Error: "IPC read timeout"}, contract.TimedOut},
		"6.5 step 5: the bare word does not count": {Outcome{Error: "bad value for timeout"}, contract.UpstreamError},
		"6.5 step 6: missing":                      {Outcome{Missing: true, Error: "invalid JSON"}, contract.MissingBinary},
		"6.5 step 6: not on the path": {
			Outcome{SpawnError: "agent-browser is required but was not found on PATH"}, contract.MissingBinary,
		},
		"6.5 step 7: parse error": {
			Outcome{ParseError: "unexpected token", Error: "aborted"},
			contract.ParseFailure,
		},
		"6.5 step 7: invalid JSON": {
			Outcome{Error: "agent-browser returned invalid JSON"},
			contract.ParseFailure,
		},
		"6.5 step 7: no success": {Outcome{Error: "missing boolean success field"}, contract.ParseFailure},
		"6.5 step 7: no output": {
			Outcome{Error: "agent-browser returned no JSON output"},
			contract.ParseFailure,
		},
		"6.5 step 8: aborted":                 {Outcome{Error: "aborted; policy-blocked"}, contract.Aborted},
		"6.5 step 8: what the network aborts": {Outcome{Error: "net::ERR_ABORTED"}, contract.UpstreamError},
		"6.5 step 9: policy": {
			Outcome{Error: "policy-blocked: cleanup failed"},
			contract.PolicyBlocked,
		},
		"6.5 step 9: with a space": {Outcome{Error: "Policy blocked this host"}, contract.PolicyBlocked},
		"6.5 step 9: of the caller": {
			Outcome{Error: "the caller deny policy forbids it"},
			contract.PolicyBlocked,
		},
		"6.5 step 10: cleanup": {
			Outcome{Error: "cleanup failed", ValidationError: "x"},
			contract.CleanupFailed,
		},
		"6.5 step 10: remaining": {
			Outcome{Error: "remaining resources: process 4"},
			contract.CleanupFailed,
		},
		"6.5 step 11: validation": {
			Outcome{ValidationError: "args must hold at least one word"},
			contract.ValidationError,
		},
		"6.5 step 11: socket path": {
			Outcome{Error: "Unix socket path would be 120 bytes"},
			contract.ValidationError,
		},
		"6.5 step 12: about:blank": {Outcome{Error: "the session shows about:blank"}, contract.TabDrift},
		"6.5 step 12: not selected again": {
			Outcome{Error: "could not re-select the intended tab"},
			contract.TabDrift,
		},
		"6.5 step 13: unknown ref": {
			Outcome{Error: "Unknown ref: e99; invalid selector"},
			contract.StaleRef,
		},
		"6.5 step 13: ref not found": {Outcome{Error: "ref e5 not found"}, contract.StaleRef},
		"6.5 step 13: a ref that is not there": {Outcome{
			Line:  line("click", "@e1"),
			Error: "Could not locate element with role=button name=Go",
		}, contract.StaleRef},
		"6.5 step 14: unsupported": {
			Outcome{Error: "unsupported selector engine"},
			contract.SelectorUnsupported,
		},
		"6.5 step 14: failed to parse": {
			Outcome{Error: "Failed to parse selector '##'"},
			contract.SelectorUnsupported,
		},
		"6.5 step 14: dialect that matches nothing": {Outcome{
			Line:  line("click", "x"),
			Error: "Could not find element a:has-text(x)",
		}, contract.SelectorUnsupported},
		"6.5 step 15: find": {
			Outcome{Line: line(find...), Error: "unable to find it"},
			contract.SelectorNotFound,
		},
		"6.5 step 15: a selector": {
			Outcome{Line: line("click", "#a"), Error: "Element not found"},
			contract.SelectorNotFound,
		},
		"6.5 step 16: download": {Outcome{
			Line:  line("download", "#a", "x.csv"),
			Error: "the file is missing",
		}, contract.DownloadNotVerified},
		"6.5 step 16: wait for a download": {Outcome{
			Line:  line("wait", "--download", "x.csv"),
			Error: "no file before the timeout",
		}, contract.DownloadNotVerified},
		"6.5 step 17: the rest": {Outcome{Error: "something else"}, contract.UpstreamError},

		"6.6 blocked by the client": {Outcome{
			Line:  line("open", "http://a/"),
			Error: "Navigation failed: net::ERR_BLOCKED_BY_CLIENT",
		}, contract.UpstreamError},
		"6.6 a control named like a timeout": {
			Outcome{
				Line:  line(find...),
				Error: `1 element has role "button", but none match name "Operation timed out". Names seen: "Other"`,
			},
			contract.SelectorNotFound,
		},
		"6.6 a control named like a confirmation": {
			Outcome{Line: line(find...), Error: "No element found: getByRole('button', { name: 'Confirmation required' })"},
			contract.SelectorNotFound,
		},
		"6.6 the last address of a tab that is gone": {
			Outcome{Error: "tab_gone: t1, last at http://a/aborted?x=policy-blocked&y=about:blank"}, contract.TabGone,
		},
		"6.6 an attached check that quotes about:blank": {
			Outcome{ValidationError: "qa.attached needs a page, and the session shows about:blank"}, contract.ValidationError,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.o.Line.Args == nil {
				tt.o.Line = line("click", "#a")
			}
			require.Equal(t, tt.want, FailureOf(&tt.o))
		})
	}
}

func TestNativeEnds(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		o    Outcome
		want contract.FailureCategory
	}{
		"6.5 step 5: the watchdog": {
			Outcome{TimedOut: true, Code: fault.Timeout},
			contract.TimedOut,
		},
		"6.5 step 5: the watchdog cancels what runs": {
			Outcome{TimedOut: true, Code: fault.Canceled},
			contract.TimedOut,
		},
		"6.4 it had failed before the watchdog came": {
			Outcome{TimedOut: true, Code: fault.RefStale},
			contract.StaleRef,
		},
		"6.5 step 8: the caller gave up": {Outcome{Aborted: true}, contract.Aborted},
		"6.5 step 8: the caller gave up, natively": {
			Outcome{Aborted: true, Code: fault.Canceled},
			contract.Aborted,
		},
		"6.5 step 8: the caller's own deadline is its doing": {Outcome{Aborted: true, Code: fault.Timeout}, contract.Aborted},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, FailureOf(&tt.o))
		})
	}
}

func TestSuccessOf(t *testing.T) {
	t.Parallel()
	there, absent := contract.Artifact{Path: "a", Status: "saved", Exists: new(true)}, contract.Artifact{
		Path:   "b",
		Status: "saved", Exists: new(false),
	}
	pending := contract.Artifact{Path: "c", Status: "pending"}
	tests := map[string]struct {
		o    Outcome
		want contract.SuccessCategory
	}{
		"6.1 6.2 nothing special": {Outcome{}, contract.Completed},
		"6.1 6.2 inspection first": {
			Outcome{Inspection: true, Artifacts: []contract.Artifact{pending}},
			contract.Inspection,
		},
		"6.1 6.2 recording": {Outcome{Artifacts: []contract.Artifact{pending}}, contract.ArtifactPending},
		"6.1 6.2 saved":     {Outcome{Artifacts: []contract.Artifact{there}}, contract.ArtifactSaved},
		"6.2 one is not there": {
			Outcome{Artifacts: []contract.Artifact{there, absent}},
			contract.ArtifactUnverified,
		},
		"6.2 it was not looked at": {
			Outcome{Artifacts: []contract.Artifact{{Path: "x", Status: "saved"}}},
			contract.ArtifactUnverified,
		},
		"6.2 saved file alone": {Outcome{SavedFile: "x"}, contract.ArtifactSaved},
		"6.1 6.2 counts that say so": {
			Outcome{Verification: &contract.ArtifactVerification{UnverifiedCount: 1}},
			contract.ArtifactUnverified,
		},
		"6.2 counts overrule the files": {Outcome{
			Artifacts:    []contract.Artifact{there},
			Verification: &contract.ArtifactVerification{UnverifiedCount: 1},
		}, contract.ArtifactUnverified},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.o.Success = true
			var d contract.OutcomeDetails
			Judge(&tt.o, &d)
			require.Equal(t, contract.Success, d.ResultCategory)
			require.Equal(t, tt.want, d.SuccessCategory)
			require.Empty(t, d.FailureCategory)
		})
	}
}

// What waits for a confirmation has not been done, although the command did not fail.
func TestHeldIsNoSuccess(t *testing.T) {
	t.Parallel()
	o := Outcome{Line: line("click", "#a"), Success: true, ResultFacts: fact.Facts{Confirmation: "c"}}
	var d contract.OutcomeDetails
	Judge(&o, &d)
	require.Equal(t, contract.Failure, d.ResultCategory)
	require.Equal(t, contract.ConfirmationRequired, d.FailureCategory)
}

func TestSteps(t *testing.T) {
	t.Parallel()
	lifecycle := &replydata.Lifecycle{EffectiveLaunch: replydata.EffectiveLaunch{BrowserLaunched: true}}
	rows := []backend.Row{
		{
			Command: []string{"open", "http://a/"}, Success: true, Result: object{"url": "http://a/", "title": "A"},
			ResultFacts: fact.Facts{Page: fact.Shown{URL: "http://a/", Title: "A"}}, Lifecycle: lifecycle,
		},
		{Command: []string{"click", "@e9"}, Error: "Unknown ref: e9", Lifecycle: lifecycle},
		{Command: []string{"get", "title"}, Success: true, Result: object{"title": "A"}},
		{Command: []string{"click", "#x"}, Error: "Wait timed out", Code: fault.Timeout},
		{Command: []string{"get", "url"}, Skipped: true},
	}
	steps, notRun := Steps(rows, nil, Session{Name: "s"})
	whole := Outcome{Line: line("batch"), Success: true, Session: Session{Name: "s"}}
	var d contract.OutcomeDetails
	Aggregate(steps, notRun, &whole, &d)
	t.Run("6.7 each step has categories of its own", func(t *testing.T) {
		t.Parallel()
		require.Len(t, steps, 4)
		require.Equal(t, contract.Completed, steps[0].SuccessCategory)
		require.Equal(t, contract.StaleRef, steps[1].FailureCategory)
		require.Equal(t, contract.TimedOut, steps[3].FailureCategory)
	})
	t.Run("6.7 1.4 one failed step fails the whole", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, contract.Failure, d.ResultCategory)
		require.Equal(t, contract.StaleRef, d.FailureCategory)
		require.Equal(t, steps[1], d.BatchFailure.FailedStep)
		require.Equal(t, 2, d.BatchFailure.SuccessCount)
		require.Equal(t, 2, d.BatchFailure.FailureCount)
		require.Equal(t, 4, d.BatchFailure.TotalCount)
		require.Equal(t, 1, d.BatchFailure.NotRunCount)
	})
	t.Run("6.8 what is known of the browser is kept", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, lifecycle, steps[0].Lifecycle)
		require.Equal(t, lifecycle, steps[1].Lifecycle)
	})
	t.Run("7.15 the follow-ups are those of the failed step", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, steps[1].NextActions, d.NextActions)
		require.Equal(t, []string{"refresh-interactive-refs"}, ids(d.NextActions))
		require.Equal(t, []string{"--session", "s", "snapshot", "-i"}, d.NextActions[0].Params.Args)
	})
	t.Run("8.20 the change of the page is that of its steps", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "mutation", d.PageChangeSummary.ChangeType)
		require.Equal(t, "batch", d.PageChangeSummary.Command)
		require.Equal(t, "http://a/", d.PageChangeSummary.URL)
	})
	t.Run("6.7 10.6 what is known of a step's files decides", func(t *testing.T) {
		t.Parallel()
		known := []contract.BatchStep{{
			FailureCategory: contract.ArtifactMissing,
			Artifacts: []contract.Artifact{{
				Path:         "a.png",
				AbsolutePath: "/d/a.png", Status: "missing", Exists: new(false),
			}},
		}}
		steps, _ := Steps([]backend.Row{{Command: []string{"screenshot", "a.png"}, Success: true}}, known, Session{})
		require.False(t, steps[0].Success)
		require.Equal(t, contract.ArtifactMissing, steps[0].FailureCategory)
		require.Equal(t, []string{"verify-artifact-path"}, ids(steps[0].NextActions))
	})
	t.Run("6.7 all is well", func(t *testing.T) {
		t.Parallel()
		steps, notRun := Steps(rows[:1], nil, Session{})
		var d contract.OutcomeDetails
		Aggregate(steps, notRun, &Outcome{Line: line("batch"), Success: true}, &d)
		require.Equal(t, contract.Success, d.ResultCategory)
		require.Nil(t, d.BatchFailure)
		require.Empty(t, d.NextActions)
	})
}

func ids(list []contract.NextAction) []string {
	out := []string{}
	for _, a := range list {
		out = append(out, a.ID)
	}
	return out
}
