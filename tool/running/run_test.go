package running_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testbackend"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/limits"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/redact"
	"github.com/skua-browser/skua/tool/running"
)

// planned is a plan in a session whose tab t2 other tabs have been seen to take the place of.
func planned(t *testing.T, b *testbackend.StandIn, words ...string) *planning.Plan {
	line, err := input.Compile(&contract.Params{Args: words})
	require.NoError(t, err)
	sessions := conversation.New(conversation.Options{
		Backend: b, Env: map[string]string{}, Cwd: t.TempDir(), Limits: limits.Defaults(),
		Names: conversation.NamesFrom("piab-test"), Log: testbackend.Log(),
		Ended: func(func(conversation.Key) bool) {},
	})
	key := conversation.Key{Name: "mine"}
	state := sessions.State(key)
	state.Drifts, state.Target = true, contract.PageTarget{TabID: "t2", URL: "https://a.test/"}
	return &planning.Plan{
		Line: line, Args: line.Args, Words: line.Words, Rows: line.Rows, Stdin: line.Stdin, Command: key.Line(line.Args...),
		Watchdog: limits.Defaults().Watchdog,
		Place:    planning.Place{Visit: conversation.Visit{Sessions: sessions, Key: key, State: state}},
	}
}

func run(p *planning.Plan) *running.Answer {
	return running.Run(context.Background(), p, running.People{}, redact.New(nil, nil))
}

func TestRunChoosesTheTabFirst(t *testing.T) {
	t.Parallel()
	row := func(success bool, result any, message string) backend.Row {
		return backend.Row{Success: success, Result: result, Error: message}
	}
	tests := map[string]struct {
		rows    []backend.Row
		success bool
		data    any
		lost    bool
	}{
		"the command ran": {
			[]backend.Row{row(true, nil, ""), row(true, map[string]any{"title": "A"}, "")},
			true,
			map[string]any{"title": "A"},
			false,
		},
		"the command failed": {[]backend.Row{row(true, nil, ""), row(false, nil, "no title")}, false, nil, false},
		"the tab is gone":    {[]backend.Row{row(false, nil, "no such tab")}, false, nil, true},
		"more rows than were sent": {
			[]backend.Row{row(true, nil, ""), row(true, nil, ""), row(true, nil, "")},
			false, nil,
			false,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &testbackend.StandIn{Answers: map[string]backend.Answer{"batch --bail": {Success: true, Rows: tt.rows}}}
			a := run(planned(t, b, "get", "title"))
			require.JSONEq(t, `[["tab","t2"],["get","title"]]`, string(b.Ran[0].Stdin))
			require.Equal(t, []string{"--json", "--session", "mine", "batch", "--bail"}, a.Command)
			require.Empty(t, a.Rows, "it reads as if the command had run alone")
			require.Equal(t, tt.success, a.Success)
			require.Equal(t, tt.data, a.Data)
			require.Equal(t, tt.lost, a.LostTab != "")
		})
	}
	t.Run("not where answers tell the page", func(t *testing.T) {
		t.Parallel()
		b := &testbackend.StandIn{Abilities: backend.Abilities{TellsPage: true}}
		run(planned(t, b, "get", "title"))
		require.Equal(t, []string{"get title"}, b.Lines())
	})
}

func TestRunClosesWhatTheCallerSees(t *testing.T) {
	t.Parallel()
	b := &testbackend.StandIn{
		Abilities: backend.Abilities{InProcess: true, TellsPage: true},
		Answers: map[string]backend.Answer{
			"session list": {Success: true, Data: map[string]any{"sessions": []any{"mine", "piab-other", "yours"}}},
		},
	}
	p := planned(t, b, "close", "--all")
	p.Closes, p.ClosesAll = true, true
	a := run(p)
	require.True(t, a.Success)
	require.Equal(t, "✓ Closed session: mine\n✓ Closed session: yours", a.Text)
	require.Equal(t, []string{"session list", "close", "close"}, b.Lines())
}

func TestRunHidesSessionsOfOtherTools(t *testing.T) {
	t.Parallel()
	b := &testbackend.StandIn{Answers: map[string]backend.Answer{
		"session list": {
			Success: true, Data: map[string]any{"sessions": []any{"mine", "piab-other"}},
			Text: "Sessions:\n  mine\n  piab-other",
		},
	}}
	p := planned(t, b, "session", "list")
	p.State.Drifts = false
	a := run(p)
	require.Equal(t, map[string]any{"sessions": []any{"mine"}}, a.Data)
	require.Equal(t, "Sessions:\n  mine", a.Text)
}

func TestRunOfAStreamThatIsOn(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		failed  backend.Answer
		success bool
	}{
		"by its code": {backend.Answer{
			Code: fault.StreamState, Error: "stream is already enabled",
			Facts: map[string]any{"port": 9000},
		}, true},
		"by its words":         {backend.Answer{Error: "Stream already enabled"}, true},
		"another code":         {backend.Answer{Code: fault.Timeout, Error: "already enabled"}, false},
		"a stream that is off": {backend.Answer{Code: fault.StreamState, Error: "the port is taken"}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &testbackend.StandIn{
				Abilities: backend.Abilities{TellsPage: true},
				Answers:   map[string]backend.Answer{"stream enable": tt.failed},
			}
			a := run(planned(t, b, "stream", "enable"))
			require.Equal(t, tt.success, a.Success)
			require.Equal(t, !tt.success, a.ExitCode != 0)
		})
	}
}

func TestRunOutOfTime(t *testing.T) {
	t.Parallel()
	b := &testbackend.StandIn{
		Abilities: backend.Abilities{TellsPage: true},
		Answers:   map[string]backend.Answer{"wait 60000": {TimedOut: true, Error: "it waits"}},
	}
	a := run(planned(t, b, "wait", "60000"))
	require.Equal(t, 124, a.ExitCode)
	require.Equal(t, "agent_browser timed out after 35000 ms, and ended `wait`. it waits", a.Error)
}
