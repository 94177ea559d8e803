package verdict_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testbackend"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/desktop"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/limits"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/running"
	"github.com/skua-browser/skua/tool/verdict"
)

const managed = "piab-test"

var before = contract.PageTarget{TabID: "t1", Title: "Before", URL: "https://a.test/"}

// tried is the verdict on an answer to a command line in the managed session, which shows a page.
func tried(t *testing.T, b *testbackend.StandIn, a backend.Answer, words ...string) (*verdict.Verdict, *planning.Plan) {
	line, err := input.Compile(&contract.Params{Args: words})
	require.NoError(t, err)
	sessions := conversation.New(conversation.Options{
		Backend: b, Env: map[string]string{}, Cwd: t.TempDir(), Limits: limits.Defaults(),
		Names: conversation.NamesFrom(managed), Log: testbackend.Log(),
		Ended: func(func(conversation.Key) bool) {},
	})
	t.Cleanup(sessions.StopIdle)
	sessions.SetManaged(conversation.Managed{Name: managed, Active: true})
	sessions.State(conversation.Key{Name: managed}).Target = before
	files := artifacts.NewLedger(10)
	desk := planning.Desk{Sessions: sessions, Files: files, Closed: func() bool { return false }}
	p, leave, r := desk.Plan(context.Background(), line, "")
	t.Cleanup(leave)
	require.Nil(t, r)
	a.Started = true
	a.ReadFacts(words)
	apps := desktop.New(desktop.Options{Getenv: func(string) string { return "" }, Log: testbackend.Log()})
	v := verdict.Of(context.Background(), verdict.Case{
		Plan: p, Answer: &running.Answer{Answer: a}, Files: files, Apps: apps, Redact: func(text string) string {
			return text
		},
	})
	return v, p
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	native := new(backend.Native).Can()
	page := contract.PageTarget{TabID: "t1", Title: "B", URL: "https://b.test/"}
	tests := map[string]struct {
		can     backend.Abilities
		words   []string
		answer  backend.Answer
		want    contract.FailureCategory // empty: a success
		says    string
		shown   contract.PageTarget
		retries bool
	}{
		"a page that was opened": {
			native,
			[]string{"open", "b.test"},
			backend.Answer{Success: true, Page: &page, Data: map[string]any{"title": "B", "url": page.URL}},
			"", "", page, false,
		},
		"what an answer says without telling the page": {
			backend.Abilities{},
			[]string{"open", "b.test"},
			backend.Answer{Success: true, Data: map[string]any{"title": "B", "url": page.URL}},
			"", "", page, false,
		},
		"a failure with a code": {
			native,
			[]string{"click", "@e1"},
			backend.Answer{Code: fault.RefStale, Error: "@e1 is stale", Page: &before},
			contract.StaleRef, "@e1 is stale", before, true,
		},
		"a failure that may have acted": {
			native,
			[]string{"click", "@e1"},
			backend.Answer{Code: fault.RefStale, Error: "@e1 is stale", Page: &before, Outcome: actions.OutcomeUnknown},
			contract.StaleRef, "@e1 is stale", before, false,
		},
		"a way out of the domains": {
			native,
			[]string{"--allowed-domains", "a.test", "open", "a.test"},
			backend.Answer{Success: true, Page: &page},
			contract.PolicyBlocked, "does not allow b.test", page, false,
		},
		"a local file that the caller did not ask for": {
			native,
			[]string{"click", "@e1"},
			backend.Answer{Success: true, Page: &contract.PageTarget{URL: "file:///etc/hosts"}},
			contract.ValidationError, "by itself",
			contract.PageTarget{URL: "file:///etc/hosts"},
			false,
		},
		"a page that was lost": {
			native,
			[]string{"click", "@e1"},
			backend.Answer{Success: true, Page: &contract.PageTarget{URL: "about:blank"}},
			contract.TabDrift, "about:blank in place of its page",
			contract.PageTarget{URL: "about:blank"},
			false,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			words, b := tt.words, &testbackend.StandIn{Abilities: tt.can}
			if words[0] == "--allowed-domains" { // a running browser takes none
				words = append([]string{"--session", "mine"}, words...)
			}
			v, p := tried(t, b, tt.answer, words...)
			require.Equal(t, tt.want, v.FailureCategory, v.Error)
			require.Equal(t, tt.want != "", v.ResultCategory == contract.Failure)
			require.Contains(t, v.Error, tt.says)
			require.Equal(t, tt.shown, v.Shown)
			require.Equal(t, tt.shown, p.State.Target, "the conversation knows it")
			require.Equal(t, tt.retries, v.Retryable)
		})
	}
}

func TestVerdictOnTheManagedSession(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		answer backend.Answer
		words  []string
		status string
		active bool
		same   bool // the name
	}{
		"it goes on": {
			backend.Answer{Success: true, Page: &before},
			[]string{"get", "title"},
			conversation.Unchanged,
			true, true,
		},
		"it was closed":     {backend.Answer{Success: true}, []string{"close"}, conversation.Closed, false, false},
		"it was not closed": {backend.Answer{Error: "no"}, []string{"close"}, conversation.Preserved, true, true},
		"all were closed":   {backend.Answer{Success: true}, []string{"close", "--all"}, conversation.Closed, false, false},
		"a command failed": {
			backend.Answer{Error: "no", Page: &before},
			[]string{"get", "title"},
			conversation.Preserved,
			true, true,
		},
		"closed but unsaved": {
			backend.Answer{Facts: map[string]any{actions.FactClosed: true}, Error: "no"},
			[]string{"close"},
			conversation.Closed, false, false,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, p := tried(t, &testbackend.StandIn{Abilities: new(backend.Native).Can()}, tt.answer, tt.words...)
			require.Equal(t, tt.status, v.ManagedSessionOutcome.Status)
			now := p.Sessions.Managed()
			require.Equal(t, tt.active, now.Active)
			require.Equal(t, tt.same, now.Name == managed)
		})
	}
}

func TestVerdictAsksOnlyWhatAnswersDoNotTell(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		can  backend.Abilities
		asks []string
	}{
		"answers tell the page": {new(backend.Native).Can(), nil},
		"they do not":           {backend.Abilities{}, []string{"get url", "get title"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &testbackend.StandIn{Abilities: tt.can, Answers: map[string]backend.Answer{
				"get url":   {Success: true, Data: map[string]any{"url": "https://b.test/"}},
				"get title": {Success: true, Data: map[string]any{"title": "B"}},
			}}
			v, _ := tried(t, b, backend.Answer{Success: true}, "back")
			require.Equal(t, tt.asks, append([]string(nil), b.Lines()...))
			if tt.asks != nil {
				require.Equal(t, contract.PageTarget{TabID: "t1", Title: "B", URL: "https://b.test/"}, v.Shown)
			}
		})
	}
}
