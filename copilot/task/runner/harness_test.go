package runner

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/tab"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/stretchr/testify/require"
)

// answer is what a fake session says to a line, and what it does to its page.
type answer struct {
	reply toolbox.Reply
	err   error
	page  *pcd.Summary // that is shown from then on
	do    func()
}

// fake is a session with one page, which answers lines as a test says. What it is not told about succeeds.
type fake struct {
	page  *pcd.Summary
	says  map[string][]answer // by line, in their order; the last one stays
	lines []string
}

func (f *fake) Do(ctx context.Context, argv []string) (toolbox.Reply, error) {
	if strings.HasPrefix(argv[0], "--tab=") {
		argv = argv[1:]
	}
	line := strings.Join(argv, " ")
	f.lines = append(f.lines, line)
	if ctx.Err() != nil {
		return toolbox.Reply{}, ctx.Err()
	}
	if list := f.says[line]; len(list) > 0 {
		a := list[0]
		if len(list) > 1 {
			f.says[line] = list[1:]
		}
		if a.page != nil {
			f.page = a.page
		}
		if a.do != nil {
			a.do()
		}
		if a.err != nil {
			return toolbox.Reply{}, a.err
		}
		if a.reply.Data != nil || a.reply.Text != "" || a.reply.Held {
			return a.reply, nil
		}
	}
	if line == "capabilities" {
		page := *f.page
		return toolbox.Reply{Data: &page}, nil
	}
	return toolbox.Reply{Data: map[string]any{}}, nil
}

// acts are the lines that did something.
func (f *fake) acts() []string {
	var acts []string
	for _, line := range f.lines {
		if !strings.HasPrefix(line, "capabilities") && !strings.HasPrefix(line, "get ") &&
			!strings.HasPrefix(line, "snapshot") && !strings.HasPrefix(line, "network ") {
			acts = append(acts, line)
		}
	}
	return acts
}

// script is a planner that decides one thing after another, and gives up behind the last.
type script struct {
	decisions []func(*task.PlannerInput) task.Decision
	asked     []task.PlannerInput
	progress  []float64 // of the task, each time
	claims    bool      // what it names is its own word, as that of a model is
}

func (s *script) DerivesProof() bool { return !s.claims }

func (s *script) Name() string { return "script" }

func (s *script) Plan(_ context.Context, sit *task.PlannerInput) (task.Decision, error) {
	s.asked = append(s.asked, *sit)
	s.progress = append(s.progress, sit.Task.Progress)
	if len(s.asked) > len(s.decisions) {
		return task.Decision{GiveUp: &task.GiveUp{Reason: "nothing is left to try; " + sit.Trouble}}, nil
	}
	return s.decisions[len(s.asked)-1](sit), nil
}

func always(d task.Decision) func(*task.PlannerInput) task.Decision {
	return func(*task.PlannerInput) task.Decision { return d }
}

func call(name string, args map[string]any) *toolbox.Call {
	raw, _ := json.Marshal(args)
	return &toolbox.Call{Name: name, Args: raw}
}

func click(selector string, alternatives ...string) toolbox.Step {
	return toolbox.Step{
		Kind: toolbox.ToolStep, Call: call("dom.click", map[string]any{"selector": selector}),
		Description: "click " + selector, AltSelectors: alternatives,
	}
}

func plan(effects []task.Effect, steps ...toolbox.Step) task.Decision {
	return task.Decision{Plan: &task.Plan{Steps: steps, Effects: effects}}
}

func shop() *pcd.Summary {
	return &pcd.Summary{
		URL: "https://shop.example/", Origin: "https://shop.example", Title: "Shop", TS: 1, Tab: "t1",
		Actions: []pcd.Action{
			{ID: "e1", Label: "Account", Role: "link", Kind: "account", URL: "https://shop.example/account"},
			{ID: "e2", Label: "Pay now", Role: "button"},
			{ID: "e3", Label: "More", Role: "button"},
			{ID: "e4", Label: "Download invoice", Role: "button", Unseen: true},
		},
		Forms: []pcd.Form{{
			ID: "e9", Purpose: "login",
			Fields: []pcd.Field{{ID: "e7", Label: "Password", Type: "password", Secret: true}},
		}},
	}
}

func account() *pcd.Summary {
	return &pcd.Summary{
		URL: "https://shop.example/account", Origin: "https://shop.example", Title: "Account", TS: 2,
		Tab: "t1",
	}
}

var atAccount = []task.Effect{{Kind: task.AtPage, Text: "/account"}}

type bench struct {
	store   *task.Store
	session *fake
	script  *script
	runner  *Runner
	clock   time.Time
}

func newBench(t *testing.T, says map[string][]answer, decisions ...func(*task.PlannerInput) task.Decision) *bench {
	t.Helper()
	b := &bench{
		store: task.NewStore(filepath.Join(t.TempDir(), "tasks")), session: &fake{page: shop(), says: says},
		script: &script{decisions: decisions},
		clock:  time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC),
	}
	log, err := b.store.Create(&task.Task{Goal: "g", Limits: task.DefaultLimits(), Order: task.Order{Planner: "script"}},
		b.millis)
	require.NoError(t, err)
	t.Cleanup(func() { _ = log.Close() })
	b.runner = b.on(log)
	return b
}

func (b *bench) millis() int64 { return b.clock.UnixMilli() }

func (b *bench) on(log *task.Log) *Runner {
	return New(&tab.View{Log: log, Session: b.session, Now: func() time.Time {
		return b.clock
	}}, b.script, filepath.Join(b.store.Dir(), "files"))
}

func (b *bench) run(t *testing.T) *task.Task {
	t.Helper()
	require.NoError(t, b.runner.Run(t.Context()))
	kept, err := b.store.Load(b.runner.View.Log.Task.ID)
	require.NoError(t, err)
	want, err := json.Marshal(b.runner.View.Log.Task)
	require.NoError(t, err)
	got, err := json.Marshal(kept)
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(got), "the records lead to another task than the one that was worked on")
	return kept
}

// again opens the task as another process would.
func (b *bench) again(t *testing.T) {
	t.Helper()
	id := b.runner.View.Log.Task.ID
	require.NoError(t, b.runner.View.Log.Close())
	log, err := b.store.Resume(id, b.millis)
	require.NoError(t, err)
	t.Cleanup(func() { _ = log.Close() })
	b.runner = b.on(log)
}

func no(code fault.Code) answer { return answer{err: fault.New(code, "no %s", code)} }

// recordsOf is the file of a task's records.
func recordsOf(s *task.Store, id string) string { return filepath.Join(s.Dir(), id+".jsonl") }

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return raw
}
