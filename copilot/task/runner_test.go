package task

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

func TestAPlanThatWorks(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]answer{"click @e1": {{page: account()}}}, always(plan(atAccount, click("@e3"), click("@e1"))))
	task := b.run(t)
	require.Equal(t, Succeeded, task.Status, task.Reason)
	require.Equal(t, []string{"click @e3", "click @e1"}, b.session.acts())
	require.InDelta(t, 1, task.Progress, 0)
	require.Len(t, task.History, 2)
	step := task.History[1]
	require.Equal(t, StepOK, step.Status)
	require.Equal(t, "Account", step.Label)
	require.Equal(t, "@e1", step.Selector)
	require.Equal(t, int64(1), step.PCDTS)
	require.True(t, step.Observation.URLChanged)
	require.Equal(t, "https://shop.example/account", step.Observation.URL)
	require.Len(t, task.Breadcrumbs, 2)
	require.Equal(t, "Account", task.Breadcrumbs[1].LabelFrom)
	require.True(t, task.Effects[0].OK)
}

func TestProgressIsThePartOfThePlanThatIsDone(t *testing.T) {
	t.Parallel()
	var seen []float64
	b := newBench(t, nil)
	watch := answer{do: func() { seen = append(seen, b.runner.Log.Task.Progress) }}
	b.session.says = map[string][]answer{"click @e3": {watch}}
	b.script.decisions = append(b.script.decisions, always(plan(nil, click("@e3"), click("@e3"), click("@e3"), click("@e3"))))
	task := b.run(t)
	require.Equal(t, []float64{0, 0.25, 0.5, 0.75}, seen)
	require.Equal(t, Failed, task.Status)
	require.Zero(t, task.Progress, "only effects that were seen make it whole, and what has failed is nowhere")
}

func TestSuccessHasToBeSeen(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "invoice.txt")
	require.NoError(t, os.WriteFile(file, []byte("Invoice 2026-10"), 0o600))
	saved := answer{reply: toolbox.Reply{Data: map[string]any{"path": file}}}
	gone := answer{reply: toolbox.Reply{Data: map[string]any{"path": file + ".no"}}}
	for name, tt := range map[string]struct {
		effects []Effect
		says    map[string][]answer
		ok      bool
	}{
		"a page":              {[]Effect{{Kind: AtPage, Text: "shop.example"}}, nil, true},
		"another page":        {atAccount, nil, false},
		"a goal":              {[]Effect{{Kind: AtPage, Goal: "form:login"}}, nil, true},
		"another goal":        {[]Effect{{Kind: AtPage, Goal: "form:checkout"}}, nil, false},
		"no goal":             {[]Effect{{Kind: AtPage, Goal: "form:("}}, nil, false},
		"a value":             {[]Effect{{Kind: HasValue, Selector: "#a", Text: "x"}}, map[string][]answer{"get value -- #a": {{reply: toolbox.Reply{Text: "x"}}}}, true},
		"another value":       {[]Effect{{Kind: HasValue, Selector: "#a", Text: "x"}}, map[string][]answer{"get value -- #a": {{reply: toolbox.Reply{Text: "y"}}}}, false},
		"a text":              {[]Effect{{Kind: HasText, Text: "thank  you"}}, map[string][]answer{"get text -- body": {{reply: toolbox.Reply{Text: "…\nThank you!"}}}}, true},
		"no element":          {[]Effect{{Kind: HasText, Text: "x"}}, map[string][]answer{"get text -- body": {no(fault.SelectorNotFound)}}, false},
		"no text":             {[]Effect{{Kind: HasText}}, nil, false},
		"a download":          {[]Effect{{Kind: Downloaded, Text: "2026-10"}}, map[string][]answer{"download -- @e3 FILES/": {saved}}, true},
		"another download":    {[]Effect{{Kind: Downloaded, Text: "2026-09"}}, map[string][]answer{"download -- @e3 FILES/": {saved}}, false},
		"a download by name":  {[]Effect{{Kind: Downloaded, Text: "INVOICE"}}, map[string][]answer{"download -- @e3 FILES/": {saved}}, true},
		"a file that is gone": {[]Effect{{Kind: Downloaded}}, map[string][]answer{"download -- @e3 FILES/": {gone}}, false},
		"nothing saved":       {[]Effect{{Kind: Downloaded}}, nil, false},
		"one of two":          {[]Effect{{Kind: AtPage, Text: "shop"}, {Kind: AtPage, Text: "/account"}}, nil, false},
		"an unknown effect":   {[]Effect{{Kind: "joy"}}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, always(plan(tt.effects, click("@e3"))))
			b.session.says = map[string][]answer{}
			for line, answers := range tt.says {
				b.session.says[strings.Replace(line, "FILES", b.runner.Files, 1)] = answers
			}
			task := b.run(t)
			require.Equal(t, tt.ok, task.Status == Succeeded, "%s %s", task.Status, task.Reason)
			require.Equal(t, tt.ok, task.Progress == 1)
		})
	}
}

// A click may have looked for what it led to before the server has sent the file.
func TestADownloadMayComeLate(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "invoice.txt")
	require.NoError(t, os.WriteFile(file, []byte("Invoice 2026-10"), 0o600))
	b := newBench(t, nil, always(plan(nil, click("@e3"))), always(Decision{Done: &Done{Effects: []Effect{{Kind: Downloaded, Text: "2026-10"}}}}))
	b.session.says = map[string][]answer{"--timeout=5s wait --download " + b.runner.Files + "/": {{reply: toolbox.Reply{Data: map[string]any{"path": file}}}}}
	task := b.run(t)
	require.Equal(t, Succeeded, task.Status, task.Reason)
	require.Contains(t, task.Effects[0].Seen, file)
}

func TestAClaimCountsForNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, always(Decision{Done: &Done{Answer: "done!"}}), always(Decision{Done: &Done{Effects: atAccount}}))
	task := b.run(t)
	require.Equal(t, Failed, task.Status)
	require.Contains(t, b.script.asked[1].Trouble, "names no effect")
	require.Contains(t, b.script.asked[2].Trouble, "was not seen")
	require.Equal(t, 2, task.Replans)
}

// What a planner names by itself is its claim, and no proof: also when it is there.
func TestAClaimIsNoSuccess(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "invoice.txt")
	require.NoError(t, os.WriteFile(file, []byte("Invoice 2026-10"), 0o600))
	for name, tt := range map[string]struct {
		goal    string
		effect  Effect
		answer  string
		want    Status
		trouble string
	}{
		"what was so before":               {"buy milk", Effect{Kind: AtPage, Text: "shop.example"}, "", Failed, "before anything was done"},
		"what is there":                    {"buy milk", Effect{Kind: AtPage, Goal: "form:login"}, "", Claimed, ""},
		"an answer":                        {"what is sold here", Effect{Kind: AtPage, Text: "shop.example"}, "milk", Claimed, ""},
		"a file for a goal without a file": {"buy milk", Effect{Kind: Downloaded, Text: "2026-10"}, "", Claimed, ""},
		"the file that the goal names":     {"download the invoice of October 2026", Effect{Kind: Downloaded}, "", Succeeded, ""},
		"another file":                     {"download the invoice of May 2026", Effect{Kind: Downloaded}, "", Claimed, ""},
		"one file of all":                  {"download all invoices of October 2026", Effect{Kind: Downloaded}, "", Claimed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, always(plan(nil, click("@e3"))), always(Decision{Done: &Done{Answer: tt.answer, Effects: []Effect{tt.effect}}}))
			b.script.claims = true
			b.runner.Log.Task.Goal, b.runner.Log.Task.Start = tt.goal, "https://shop.example/"
			b.session.says = map[string][]answer{"click @e3": {{reply: toolbox.Reply{Data: map[string]any{"path": file}}}}}
			require.NoError(t, b.runner.Run(t.Context()))
			task := b.runner.Log.Task
			require.Equal(t, tt.want, task.Status, task.Reason)
			require.Equal(t, tt.want == Succeeded, task.Progress == 1)
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
	task := b.run(t)
	require.Equal(t, Partial, task.Status)
	require.Equal(t, p.Plan.Omitted, task.Omitted)
	require.Contains(t, task.Reason, "--param shoe")
	require.InDelta(t, 0.5, task.Progress, 0)

	file := filepath.Join(t.TempDir(), "invoice.txt")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	saved := map[string][]answer{"click @e3": {{reply: toolbox.Reply{Data: map[string]any{"path": file}}}}}
	b = newBench(t, saved, always(plan(nil, click("@e3"))), always(Decision{Done: &Done{Effects: []Effect{{Kind: Downloaded, Count: 1}}, Omitted: []string{"a", "b", "c"}}}))
	task = b.run(t)
	require.Equal(t, Partial, task.Status)
	require.InDelta(t, 0.25, task.Progress, 0)
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
			map[string][]answer{"click @e1": {{err: fault.New(fault.RefStale, "stale"), page: moved}}, "click #a": {no(fault.SelectorNotFound)}, "click #b": {no(fault.TargetCovered)}},
			[]string{"click @e1", "click #a", "click #b", "click @e31"},
			"@e31", 4, true,
		},
		"nothing": {
			map[string][]answer{"click @e1": {no(fault.SelectorNotFound)}, "click #a": {no(fault.SelectorNotFound)}, "click #b": {no(fault.SelectorNotFound)}},
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
			map[string][]answer{"click @e1": {no(fault.RefStale)}, "click #a": {no(fault.PageGone)}}, []string{"click @e1", "click #a"}, "#a", 2, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, tt.says, always(plan(nil, click("@e1", "#a", "#b"))))
			task := b.run(t)
			require.Equal(t, tt.acts, b.session.acts())
			require.Equal(t, tt.by, task.History[0].Selector)
			require.Equal(t, tt.tried, task.History[0].Tried)
			require.Equal(t, tt.ok, task.History[0].Status == StepOK)
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
	found Exploration
	err   error
	asked []Explore
	do    func()
}

func (f *finder) Explore(_ context.Context, e Explore) (Exploration, error) {
	f.asked = append(f.asked, e)
	if f.do != nil {
		f.do()
	}
	return f.found, f.err
}

func TestWhatIsNowhereIsLookedForOnOtherPages(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]answer{"click @e1": {no(fault.SelectorNotFound)}}, always(plan(nil, click("@e1"))), always(Decision{Done: &Done{Effects: atAccount}}))
	f := &finder{found: Exploration{Found: true, URL: "https://shop.example/account", Tab: "t4", Nodes: 7, Edges: 9, RecentURLs: []string{"u"}}}
	f.do = func() { b.session.page = account(); b.session.page.Tab = "t4" }
	b.runner.Explorer = f
	task := b.run(t)
	require.Equal(t, Succeeded, task.Status, task.Reason)
	require.Equal(t, []Explore{{Goal: "g", Hint: "Account"}}, f.asked)
	require.Equal(t, "t4", task.Tab)
	require.GreaterOrEqual(t, task.SiteGraph.Nodes, 7)
	require.NotNil(t, b.script.asked[1].Explored)
}

func TestExploring(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		found    Exploration
		err      error
		progress float64
		trouble  string
	}{
		"found":     {Exploration{Found: true, Nodes: 3, Depth: 1}, nil, 0.5, ""},
		"not found": {Exploration{Nodes: 10, Depth: 2, Why: "no way led there"}, nil, 0.4, "no way led there"},
		"a lot":     {Exploration{Nodes: 500, Depth: 4}, nil, 0.75, "no page was found"},
		"an error":  {Exploration{}, errors.New("the tab crashed"), 0, "the tab crashed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, always(Decision{Explore: &Explore{Goal: "form:login"}}))
			b.runner.Explorer = &finder{found: tt.found, err: tt.err}
			task := b.run(t)
			require.InDelta(t, tt.progress, b.script.progress[1], 1e-9)
			require.Zero(t, task.Progress, "a task that has failed is nowhere")
			require.Equal(t, tt.found.Found, b.script.asked[1].Explored.Found)
			require.Contains(t, b.script.asked[1].Trouble, tt.trouble)
		})
	}
}

func TestWhatMayHaveBeenDoneIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	again := always(plan(nil, click("@e3")))
	b := newBench(t, map[string][]answer{"click @e3": {no(fault.Timeout)}}, again, again)
	task := b.run(t)
	require.Equal(t, []string{"click @e3"}, b.session.acts())
	require.True(t, task.History[0].Unknown)
	require.Contains(t, task.History[1].Result.Error, "not known")
	require.Contains(t, b.script.asked[1].Trouble, "not known")
}

func TestWhatNobodySeesIsNotUsed(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, always(plan(nil, click("@e4"))), always(plan(nil, click(`{"kind":"role","role":"button","name":"Download invoice"}`))))
	task := b.run(t)
	require.Empty(t, b.session.acts())
	for _, step := range task.History {
		require.Equal(t, string(fault.TargetHidden), step.Result.Code)
	}
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	endless := func(*PlannerInput) Decision { return plan(nil, click("@e3")) }
	trouble := func(*PlannerInput) Decision { return Decision{Done: &Done{}} }
	many := func(f func(*PlannerInput) Decision) []func(*PlannerInput) Decision {
		var list []func(*PlannerInput) Decision
		for range 50 {
			list = append(list, f)
		}
		return list
	}
	t.Run("steps", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil, many(endless)...)
		b.runner.Log.Task.Limits.Steps = 3
		require.NoError(t, b.runner.Run(t.Context()))
		require.Equal(t, Blocked, b.runner.Log.Task.Status)
		require.Contains(t, b.runner.Log.Task.Reason, "3 steps")
		require.Len(t, b.session.acts(), 3)
	})
	t.Run("replans", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil, many(trouble)...)
		b.runner.Log.Task.Limits.Replans = 2
		require.NoError(t, b.runner.Run(t.Context()))
		require.Equal(t, Blocked, b.runner.Log.Task.Status)
		require.Contains(t, b.runner.Log.Task.Reason, "names no effect")
		require.Len(t, b.script.asked, 3)
	})
	t.Run("time", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil, many(endless)...)
		b.runner.Log.Task.Limits.TimeMS = 1
		b.session.says = map[string][]answer{"click @e3": {{do: func() { <-b.waited(t) }}}}
		require.NoError(t, b.runner.Run(t.Context()))
		require.Equal(t, Blocked, b.runner.Log.Task.Status)
		require.Contains(t, b.runner.Log.Task.Reason, "time limit was reached")
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
	for _, at := range []Status{Planning, Exploring, Executing} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			b := newBench(t, nil)
			f := &finder{}
			b.runner.Explorer = f
			end := func() {
				require.Equal(t, at, b.runner.Log.Task.Status)
				cancel(ErrCancelled)
			}
			decide := func(d Decision) func(*PlannerInput) Decision {
				return func(*PlannerInput) Decision {
					if at == Planning {
						end()
					}
					return d
				}
			}
			switch at {
			case Exploring:
				f.do = end
				b.script.decisions = append(b.script.decisions, decide(Decision{Explore: &Explore{Goal: "x"}}))
			case Executing:
				b.session.says = map[string][]answer{"click @e3": {{do: end, err: context.Canceled}}}
				fallthrough
			default:
				b.script.decisions = append(b.script.decisions, decide(plan(nil, click("@e3"), click("@e1"))))
			}
			require.NoError(t, b.runner.Run(ctx))
			task, err := b.store.read(b.runner.Log.Task.ID)
			require.NoError(t, err)
			require.Equal(t, Cancelled, task.Status)
			require.NotContains(t, b.session.acts(), "click @e1")
			if at == Executing {
				require.True(t, task.History[0].Unknown, "a step that was ended in its middle")
			}
		})
	}
}
