package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/stretchr/testify/require"
)

func TestAPlanThatWorks(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]answer{"click @e1": {{page: account()}}},
		always(plan(atAccount, click("@e3"), click("@e1"))))
	done := b.run(t)
	require.Equal(t, task.Succeeded, done.Status, done.Reason)
	require.Equal(t, []string{"click @e3", "click @e1"}, b.session.acts())
	require.InDelta(t, 1, done.Progress, 0)
	require.Len(t, done.History, 2)
	step := done.History[1]
	require.Equal(t, task.StepOK, step.Status)
	require.Equal(t, "Account", step.Label)
	require.Equal(t, "@e1", step.Selector)
	require.Equal(t, int64(1), step.PCDTS)
	require.True(t, step.Observation.URLChanged)
	require.Equal(t, "https://shop.example/account", step.Observation.URL)
	require.Len(t, done.Breadcrumbs, 2)
	require.Equal(t, "Account", done.Breadcrumbs[1].LabelFrom)
	require.True(t, done.Effects[0].OK)
}

func TestProgressIsThePartOfThePlanThatIsDone(t *testing.T) {
	t.Parallel()
	var seen []float64
	b := newBench(t, nil)
	watch := answer{do: func() { seen = append(seen, b.runner.View.Log.Task.Progress) }}
	b.session.says = map[string][]answer{"click @e3": {watch}}
	b.script.decisions = append(b.script.decisions,
		always(plan(nil, click("@e3"), click("@e3"), click("@e3"), click("@e3"))))
	done := b.run(t)
	require.Equal(t, []float64{0, 0.25, 0.5, 0.75}, seen)
	require.Equal(t, task.Failed, done.Status)
	require.Zero(t, done.Progress, "only effects that were seen make it whole, and what has failed is nowhere")
}

func TestSuccessHasToBeSeen(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "invoice.txt")
	require.NoError(t, os.WriteFile(file, []byte("Invoice 2026-10"), 0o600))
	saved := answer{reply: toolbox.Reply{Data: map[string]any{"path": file}}}
	gone := answer{reply: toolbox.Reply{Data: map[string]any{"path": file + ".no"}}}
	for name, tt := range map[string]struct {
		effects []task.Effect
		says    map[string][]answer
		ok      bool
	}{
		"a page":       {[]task.Effect{{Kind: task.AtPage, Text: "shop.example"}}, nil, true},
		"another page": {atAccount, nil, false},
		"a goal":       {[]task.Effect{{Kind: task.AtPage, Goal: "form:login"}}, nil, true},
		"another goal": {[]task.Effect{{Kind: task.AtPage, Goal: "form:checkout"}}, nil, false},
		"no goal":      {[]task.Effect{{Kind: task.AtPage, Goal: "form:("}}, nil, false},
		"a value": {
			[]task.Effect{{Kind: task.HasValue, Selector: "#a", Text: "x"}},
			map[string][]answer{"get value -- #a": {{reply: toolbox.Reply{Text: "x"}}}},
			true,
		},
		"another value": {
			[]task.Effect{{Kind: task.HasValue, Selector: "#a", Text: "x"}},
			map[string][]answer{"get value -- #a": {{reply: toolbox.Reply{Text: "y"}}}},
			false,
		},
		"a text": {
			[]task.Effect{{Kind: task.HasText, Text: "thank  you"}},
			map[string][]answer{"get text -- body": {{reply: toolbox.Reply{Text: "…\nThank you!"}}}},
			true,
		},
		"no element": {
			[]task.Effect{{Kind: task.HasText, Text: "x"}},
			map[string][]answer{"get text -- body": {no(fault.SelectorNotFound)}},
			false,
		},
		"no text": {[]task.Effect{{Kind: task.HasText}}, nil, false},
		"a download": {
			[]task.Effect{{Kind: task.Downloaded, Text: "2026-10"}},
			map[string][]answer{"download -- @e3 FILES/": {saved}},
			true,
		},
		"another download": {
			[]task.Effect{{Kind: task.Downloaded, Text: "2026-09"}},
			map[string][]answer{"download -- @e3 FILES/": {saved}},
			false,
		},
		"a download by name": {
			[]task.Effect{{Kind: task.Downloaded, Text: "INVOICE"}},
			map[string][]answer{"download -- @e3 FILES/": {saved}},
			true,
		},
		"a file that is gone": {
			[]task.Effect{{Kind: task.Downloaded}},
			map[string][]answer{"download -- @e3 FILES/": {gone}},
			false,
		},
		"nothing saved": {[]task.Effect{{Kind: task.Downloaded}}, nil, false},
		"one of two": {
			[]task.Effect{{Kind: task.AtPage, Text: "shop"}, {Kind: task.AtPage, Text: "/account"}},
			nil,
			false,
		},
		"an unknown effect": {[]task.Effect{{Kind: "joy"}}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, always(plan(tt.effects, click("@e3"))))
			b.session.says = map[string][]answer{}
			for line, answers := range tt.says {
				b.session.says[strings.Replace(line, "FILES", b.runner.proof.Files, 1)] = answers
			}
			done := b.run(t)
			require.Equal(t, tt.ok, done.Status == task.Succeeded, "%s %s", done.Status, done.Reason)
			require.Equal(t, tt.ok, done.Progress == 1)
		})
	}
}

// A click may have looked for what it led to before the server has sent the file.
func TestADownloadMayComeLate(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "invoice.txt")
	require.NoError(t, os.WriteFile(file, []byte("Invoice 2026-10"), 0o600))
	b := newBench(t, nil, always(plan(nil, click("@e3"))),
		always(task.Decision{Done: &task.Done{Effects: []task.Effect{{Kind: task.Downloaded, Text: "2026-10"}}}}))
	b.session.says = map[string][]answer{"--timeout=5s wait --download " + b.runner.proof.Files +
		"/": {{reply: toolbox.Reply{Data: map[string]any{"path": file}}}}}
	done := b.run(t)
	require.Equal(t, task.Succeeded, done.Status, done.Reason)
	require.Contains(t, done.Effects[0].Seen, file)
}

func TestAClaimCountsForNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, always(task.Decision{Done: &task.Done{Answer: "done!"}}),
		always(task.Decision{Done: &task.Done{Effects: atAccount}}))
	done := b.run(t)
	require.Equal(t, task.Failed, done.Status)
	require.Contains(t, b.script.asked[1].Trouble, "names no effect")
	require.Contains(t, b.script.asked[2].Trouble, "was not seen")
	require.Equal(t, 2, done.Replans)
}

// What a planner names by itself is its claim, and no proof: also when it is there.
func TestAClaimIsNoSuccess(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "invoice.txt")
	require.NoError(t, os.WriteFile(file, []byte("Invoice 2026-10"), 0o600))
	for name, tt := range map[string]struct {
		goal    string
		effect  task.Effect
		answer  string
		want    task.Status
		trouble string
	}{
		"what was so before": {
			"buy milk",
			task.Effect{Kind: task.AtPage, Text: "shop.example"},
			"",
			task.Failed, "before anything was done",
		},
		"what is there": {
			"buy milk",
			task.Effect{Kind: task.AtPage, Goal: "form:login"},
			"", task.Claimed,
			"",
		},
		"an answer": {
			"what is sold here",
			task.Effect{Kind: task.AtPage, Text: "shop.example"},
			"milk", task.Claimed, "",
		},
		"a file for a goal without a file": {
			"buy milk",
			task.Effect{Kind: task.Downloaded, Text: "2026-10"},
			"",
			task.Claimed, "",
		},
		"the file that the goal names": {
			"download the invoice of October 2026",
			task.Effect{Kind: task.Downloaded},
			"",
			task.Succeeded, "",
		},
		"another file": {
			"download the invoice of May 2026",
			task.Effect{Kind: task.Downloaded},
			"",
			task.Claimed, "",
		},
		"one file of all": {
			"download all invoices of October 2026",
			task.Effect{Kind: task.Downloaded},
			"",
			task.Claimed, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, always(plan(nil, click("@e3"))),
				always(task.Decision{Done: &task.Done{Answer: tt.answer, Effects: []task.Effect{tt.effect}}}))
			b.script.claims = true
			b.runner.View.Log.Task.Goal, b.runner.View.Log.Task.Start = tt.goal, "https://shop.example/"
			b.session.says = map[string][]answer{"click @e3": {{reply: toolbox.Reply{Data: map[string]any{"path": file}}}}}
			require.NoError(t, b.runner.Run(t.Context()))
			done := b.runner.View.Log.Task
			require.Equal(t, tt.want, done.Status, done.Reason)
			require.Equal(t, tt.want == task.Succeeded, done.Progress == 1)
			if tt.trouble != "" {
				require.Contains(t, b.script.asked[2].Trouble, tt.trouble)
			}
		})
	}
}

// What was left out is said, and makes of a success a part of one.
func TestWhatIsLeftOutMakesItPartial(t *testing.T) {
	t.Parallel()
	p := plan(atAccount, click("@e1"))
	p.Plan.Omitted = []string{"--param shoe: nothing on the way asked for it"}
	b := newBench(t, map[string][]answer{"click @e1": {{page: account()}}}, always(p))
	done := b.run(t)
	require.Equal(t, task.Partial, done.Status)
	require.Equal(t, p.Plan.Omitted, done.Omitted)
	require.Contains(t, done.Reason, "--param shoe")
	require.InDelta(t, 0.5, done.Progress, 0)

	file := filepath.Join(t.TempDir(), "invoice.txt")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	saved := map[string][]answer{"click @e3": {{reply: toolbox.Reply{Data: map[string]any{"path": file}}}}}
	b = newBench(t, saved, always(plan(nil, click("@e3"))),
		always(task.Decision{Done: &task.Done{
			Effects: []task.Effect{{Kind: task.Downloaded, Count: 1}},
			Omitted: []string{"a", "b", "c"},
		}}))
	done = b.run(t)
	require.Equal(t, task.Partial, done.Status)
	require.InDelta(t, 0.25, done.Progress, 0)
}

func TestWhatIsTriedWhenAnElementIsNotThere(t *testing.T) {
	t.Parallel()
	moved := shop()
	moved.Actions[0].ID = "e31" // another element with the name
	for name, tt := range map[string]struct {
		says  map[string][]answer
		acts  []string
		by    string
		tried int
		ok    bool
	}{
		"it is there": {nil, []string{"click @e1"}, "@e1", 1, true},
		"the second selector": {
			map[string][]answer{"click @e1": {no(fault.RefStale)}, "click #a": {no(fault.SelectorNotFound)}},
			[]string{"click @e1", "click #a", "click #b"},
			"#b", 3, true,
		},
		"what has its name now": {
			map[string][]answer{
				"click @e1": {{err: fault.New(fault.RefStale, "stale"), page: moved}},
				"click #a":  {no(fault.SelectorNotFound)}, "click #b": {no(fault.TargetCovered)},
			},
			[]string{"click @e1", "click #a", "click #b", "click @e31"},
			"@e31", 4, true,
		},
		"nothing": {
			map[string][]answer{
				"click @e1": {no(fault.SelectorNotFound)}, "click #a": {no(fault.SelectorNotFound)},
				"click #b": {no(fault.SelectorNotFound)},
			},
			[]string{"click @e1", "click #a", "click #b"},
			"#b", 3, false,
		},
		"another fault": {
			map[string][]answer{"click @e1": {no(fault.PolicyBlocked)}}, []string{"click @e1"}, "@e1", 1, false,
		},
		"it is not known": {
			map[string][]answer{"click @e1": {no(fault.Timeout)}}, []string{"click @e1"}, "@e1", 1, false,
		},
		"it is not known of the second": {
			map[string][]answer{"click @e1": {no(fault.RefStale)}, "click #a": {no(fault.PageGone)}},
			[]string{"click @e1", "click #a"},
			"#a", 2, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, tt.says, always(plan(nil, click("@e1", "#a", "#b"))))
			done := b.run(t)
			require.Equal(t, tt.acts, b.session.acts())
			require.Equal(t, tt.by, done.History[0].Selector)
			require.Equal(t, tt.tried, done.History[0].Tried)
			require.Equal(t, tt.ok, done.History[0].Status == task.StepOK)
			require.Equal(t, !tt.ok, b.script.asked[1].Trouble != "")
		})
	}
}

func TestThePageIsReadBeforeAnotherWayIsTried(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]answer{"click @e1": {no(fault.RefStale)}}, always(plan(nil, click("@e1", "#a"))))
	b.run(t)
	require.Equal(t, []string{"capabilities", "click @e1", "capabilities", "click #a"}, b.session.lines[:4])
}

// finder is an explorer.
type finder struct {
	found task.Exploration
	err   error
	asked []task.Explore
	do    func()
}

func (f *finder) Explore(_ context.Context, e task.Explore) (task.Exploration, error) {
	f.asked = append(f.asked, e)
	if f.do != nil {
		f.do()
	}
	return f.found, f.err
}

func TestWhatIsNowhereIsLookedForOnOtherPages(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]answer{"click @e1": {no(fault.SelectorNotFound)}}, always(plan(nil, click("@e1"))),
		always(task.Decision{Done: &task.Done{Effects: atAccount}}))
	f := &finder{found: task.Exploration{
		Found: true, URL: "https://shop.example/account", Tab: "t4", Nodes: 7, Edges: 9,
		RecentURLs: []string{"u"},
	}}
	f.do = func() { b.session.page = account(); b.session.page.Tab = "t4" }
	b.runner.Explorer = f
	done := b.run(t)
	require.Equal(t, task.Succeeded, done.Status, done.Reason)
	require.Equal(t, []task.Explore{{Goal: "g", Hint: "Account"}}, f.asked)
	require.Equal(t, "t4", done.Tab)
	require.GreaterOrEqual(t, done.SiteGraph.Nodes, 7)
	require.NotNil(t, b.script.asked[1].Explored)
}

func TestExploring(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		found    task.Exploration
		err      error
		progress float64
		trouble  string
	}{
		"found":     {task.Exploration{Found: true, Nodes: 3, Depth: 1}, nil, 0.5, ""},
		"not found": {task.Exploration{Nodes: 10, Depth: 2, Why: "no way led there"}, nil, 0.4, "no way led there"},
		"a lot":     {task.Exploration{Nodes: 500, Depth: 4}, nil, 0.75, "no page was found"},
		"an error":  {task.Exploration{}, errors.New("the tab crashed"), 0, "the tab crashed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, always(task.Decision{Explore: &task.Explore{Goal: "form:login"}}))
			b.runner.Explorer = &finder{found: tt.found, err: tt.err}
			done := b.run(t)
			require.InDelta(t, tt.progress, b.script.progress[1], 1e-9)
			require.Zero(t, done.Progress, "a task that has failed is nowhere")
			require.Equal(t, tt.found.Found, b.script.asked[1].Explored.Found)
			require.Contains(t, b.script.asked[1].Trouble, tt.trouble)
		})
	}
}

func TestWhatMayHaveBeenDoneIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	again := always(plan(nil, click("@e3")))
	b := newBench(t, map[string][]answer{"click @e3": {no(fault.Timeout)}}, again, again)
	done := b.run(t)
	require.Equal(t, []string{"click @e3"}, b.session.acts())
	require.True(t, done.History[0].Unknown)
	require.Contains(t, done.History[1].Result.Error, "not known")
	require.Contains(t, b.script.asked[1].Trouble, "not known")
}

func TestWhatNobodySeesIsNotUsed(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, always(plan(nil, click("@e4"))),
		always(plan(nil, click(`{"kind":"role","role":"button","name":"Download invoice"}`))))
	done := b.run(t)
	require.Empty(t, b.session.acts())
	for _, step := range done.History {
		require.Equal(t, string(fault.TargetHidden), step.Result.Code)
	}
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	endless := func(*task.PlannerInput) task.Decision { return plan(nil, click("@e3")) }
	trouble := func(*task.PlannerInput) task.Decision { return task.Decision{Done: &task.Done{}} }
	many := func(f func(*task.PlannerInput) task.Decision) []func(*task.PlannerInput) task.Decision {
		var list []func(*task.PlannerInput) task.Decision
		for range 50 {
			list = append(list, f)
		}
		return list
	}
	t.Run("steps", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil, many(endless)...)
		b.runner.View.Log.Task.Limits.Steps = 3
		require.NoError(t, b.runner.Run(t.Context()))
		require.Equal(t, task.Blocked, b.runner.View.Log.Task.Status)
		require.Contains(t, b.runner.View.Log.Task.Reason, "3 steps")
		require.Len(t, b.session.acts(), 3)
	})
	t.Run("replans", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil, many(trouble)...)
		b.runner.View.Log.Task.Limits.Replans = 2
		require.NoError(t, b.runner.Run(t.Context()))
		require.Equal(t, task.Blocked, b.runner.View.Log.Task.Status)
		require.Contains(t, b.runner.View.Log.Task.Reason, "names no effect")
		require.Len(t, b.script.asked, 3)
	})
	t.Run("time", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil, many(endless)...)
		b.runner.View.Log.Task.Limits.TimeMS = 1
		b.session.says = map[string][]answer{"click @e3": {{do: func() { <-b.waited(t) }}}}
		require.NoError(t, b.runner.Run(t.Context()))
		require.Equal(t, task.Blocked, b.runner.View.Log.Task.Status)
		require.Contains(t, b.runner.View.Log.Task.Reason, "time limit was reached")
	})
}

// waited is closed once a millisecond is over for any context.
func (b *bench) waited(t *testing.T) <-chan struct{} {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Millisecond)
	t.Cleanup(cancel)
	return ctx.Done()
}

func TestCancelInEachState(t *testing.T) {
	t.Parallel()
	for _, at := range []task.Status{task.Planning, task.Exploring, task.Executing} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			b := newBench(t, nil)
			f := &finder{}
			b.runner.Explorer = f
			end := func() {
				require.Equal(t, at, b.runner.View.Log.Task.Status)
				cancel(task.ErrCancelled)
			}
			decide := func(d task.Decision) func(*task.PlannerInput) task.Decision {
				return func(*task.PlannerInput) task.Decision {
					if at == task.Planning {
						end()
					}
					return d
				}
			}
			switch at {
			case task.Exploring:
				f.do = end
				b.script.decisions = append(b.script.decisions, decide(task.Decision{Explore: &task.Explore{Goal: "x"}}))
			case task.Executing:
				b.session.says = map[string][]answer{"click @e3": {{do: end, err: context.Canceled}}}
				fallthrough
			default:
				b.script.decisions = append(b.script.decisions, decide(plan(nil, click("@e3"), click("@e1"))))
			}
			require.NoError(t, b.runner.Run(ctx))
			done, err := b.store.Load(b.runner.View.Log.Task.ID)
			require.NoError(t, err)
			require.Equal(t, task.Cancelled, done.Status)
			require.NotContains(t, b.session.acts(), "click @e1")
			if at == task.Executing {
				require.True(t, done.History[0].Unknown, "a step that was ended in its middle")
			}
		})
	}
}
