package planning_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testbackend"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/limits"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/refguard"
)

const managed = "piab-test"

// desk plans calls on a stand-in.
func desk(t *testing.T, b *testbackend.StandIn) *planning.Desk {
	sessions := conversation.New(conversation.Options{
		Backend: b, Env: map[string]string{}, Cwd: t.TempDir(), Limits: limits.Defaults(),
		Names: conversation.NamesFrom(managed), Log: testbackend.Log(),
		Ended: func(func(conversation.Key) bool) {},
	})
	t.Cleanup(sessions.StopIdle)
	return &planning.Desk{Sessions: sessions, Files: artifacts.NewLedger(10), Closed: func() bool { return false }}
}

func compile(t *testing.T, p contract.Params) *input.Line {
	line, err := input.Compile(&p)
	require.NoError(t, err)
	return line
}

func plan(t *testing.T, d *planning.Desk, p contract.Params) (*planning.Plan, *contract.Refusal) {
	planned, leave, r := d.Plan(context.Background(), compile(t, p), "")
	leave()
	return planned, r
}

func args(words ...string) contract.Params { return contract.Params{Args: words} }

func TestPlanChoosesTheSession(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		params  contract.Params
		session string
		command []string
		managed bool
	}{
		"the managed one": {args("click", "@e1"), managed, []string{"--json", "--session", managed, "click", "@e1"}, true},
		"the caller's own": {
			args("--session", "mine", "click", "@e1"), "mine", []string{"--json", "--session", "mine", "click", "@e1"}, false,
		},
		"one in a namespace": {
			args("--namespace", "n", "--session", "mine", "back"), "mine",
			[]string{"--json", "--namespace", "n", "--session", "mine", "back"},
			false,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &testbackend.StandIn{Abilities: backend.Abilities{KnowsRefs: true}}
			p, r := plan(t, desk(t, b), tt.params)
			require.Nil(t, r)
			require.Equal(t, tt.session, p.Key.Name)
			require.Equal(t, tt.session, p.Details.SessionName)
			require.Equal(t, tt.command, p.Command)
			require.Equal(t, tt.managed, p.Managed)
			require.Equal(t, limits.Defaults().Watchdog, p.Watchdog)
			require.Empty(t, b.Ran, "planning asks nothing that it knows")
		})
	}
	t.Run("a fresh one", func(t *testing.T) {
		t.Parallel()
		p, r := plan(t, desk(t, &testbackend.StandIn{}),
			contract.Params{Args: []string{"open", "a.test"}, SessionMode: contract.Fresh})
		require.Nil(t, r)
		require.NotEqual(t, managed, p.Key.Name)
		require.True(t, conversation.IsReserved(p.Key.Name))
	})
	t.Run("none for help", func(t *testing.T) {
		t.Parallel()
		p, r := plan(t, desk(t, &testbackend.StandIn{}), args("click", "--help"))
		require.Nil(t, r)
		require.True(t, p.Stateless)
		require.Equal(t, []string{"click", "--help"}, p.Command)
	})
}

func TestPlanRefuses(t *testing.T) {
	t.Parallel()
	batch := `[["connect","9222"]]`
	running := func(d *planning.Desk) { d.Sessions.SetManaged(conversation.Managed{Name: managed, Active: true}) }
	tests := map[string]struct {
		params contract.Params
		known  func(*planning.Desk)
		want   contract.FailureCategory
		says   string
	}{
		"a session of another tool": {args("--session", "piab-other", "back"), nil, contract.ValidationError, "is reserved"},
		"a launch flag that is late": {
			args("--profile", "p", "open", "a.test"), running, contract.ValidationError, "too late",
		},
		"a batch that connects": {
			contract.Params{Args: []string{"batch"}, Stdin: &batch},
			nil, contract.ValidationError,
			"cannot hold `connect`",
		},
		"an address outside": {
			args("--allowed-domains", "a.test", "open", "https://b.test/"), nil, contract.PolicyBlocked, "does not allow b.test",
		},
		"a local file in a browser of others": {
			args("open", "file:///etc/hosts"), func(d *planning.Desk) {
				state(d).Attached = true
			}, contract.PolicyBlocked, "is a local file",
		},
		"a ref of no snapshot": {
			args("click", "@e9"),
			func(d *planning.Desk) {
				state(d).Refs.State = refguard.State{Snapshot: &contract.RefSnapshot{
					RefIDs: []string{"e1"},
					Refs:   map[string]contract.Ref{"e1": {}},
				}}
			},
			contract.StaleRef, "@e9",
		},
		"a page that was not seen": {args("get", "text", "h1"), func(d *planning.Desk) {
			state(d).Unseen = true
		}, contract.PolicyBlocked, "unverified"},
		"one file as two": {
			contract.Params{Args: []string{"screenshot", "a.png"}, OutputPath: new("a.png")},
			nil,
			contract.ValidationError, "same destination",
		},
		"a tool that has ended": {args("back"), func(d *planning.Desk) {
			d.Closed = func() bool { return true }
		}, contract.Aborted, "closed"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := desk(t, &testbackend.StandIn{})
			if tt.known != nil {
				tt.known(d)
			}
			_, r := plan(t, d, tt.params)
			require.NotNil(t, r)
			require.Equal(t, tt.want, r.Category, r.Message)
			require.Contains(t, r.Message, tt.says)
			leave, err := state(d).Turn.Take(canceled())
			require.NoError(t, err, "the session's turn is free again")
			leave()
		})
	}
}

// state is what is known of the managed session.
func state(d *planning.Desk) *conversation.State {
	return d.Sessions.State(conversation.Key{Name: managed})
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestPlanLooksUpAnElement(t *testing.T) {
	t.Parallel()
	refs := map[string]any{
		"e1": map[string]any{"role": "combobox", "name": "Size"},
		"e2": map[string]any{"role": "combobox", "name": "Size of text"},
	}
	b := &testbackend.StandIn{Answers: map[string]backend.Answer{"snapshot -i": {
		Success: true,
		Data:    map[string]any{"snapshot": "", "refs": refs},
	}}}
	d := desk(t, b)
	state(d).Target.URL = "https://a.test/"
	p, r := plan(t, d,
		contract.Params{
			SemanticAction: json.RawMessage(`{"action":"select","locator":"role","role":"combobox","name":"Size","value":"L"}`),
		})
	require.Nil(t, r)
	require.Equal(t, []string{"--json", "--session", managed, "select", "@e1", "L"}, p.Command)
	require.Equal(t, "@e1", p.Words.Positional(0))
	require.Equal(t, []string{"snapshot -i"}, b.Lines(), "one look")
}

func TestPlanOfFiles(t *testing.T) {
	t.Parallel()
	for name, writes := range map[string]bool{
		"a backend that puts files where they were named": true,
		"one that does not": false,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := desk(t, &testbackend.StandIn{Abilities: backend.Abilities{WritesFiles: writes}})
			p, r := plan(t, d, args("screenshot", "shots/a.png"))
			require.Nil(t, r)
			require.Len(t, p.Files, 1)
			full := filepath.Join(d.Sessions.Cwd(), "shots", "a.png")
			if writes {
				require.Equal(t, "shots/a.png", p.Command[len(p.Command)-1])
				require.NoDirExists(t, filepath.Dir(full), "the command makes it")
				return
			}
			require.Equal(t, full, p.Command[len(p.Command)-1])
			require.DirExists(t, filepath.Dir(full))
		})
	}
}
