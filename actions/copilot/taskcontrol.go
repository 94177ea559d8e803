package copilot

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// taskControlCommands returns the commands that work while a task does.
func taskControlCommands(id, waits actions.Arg) []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name: "task list", Group: actions.GroupCopilot, Summary: "List the tasks, the newest first",
				Flags: []actions.Flag{{
					Name:    "most",
					Kind:    actions.Int,
					Value:   "n",
					Default: "20",
					Help:    "How many of the newest; 0: all",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does(), PageText: true},
			Bindings: actions.Bindings{Data: []any{TasksResult{}}},
			Run:      runTaskList,
		},
		{
			Spec: actions.Spec{
				Name: "task show", Group: actions.GroupCopilot, Summary: "Show the progress of a task, and what it did",
				Args: []actions.Arg{id},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does(), PageText: true},
			Showing:  actions.Showing{Next: actions.OfResult(afterTask)},
			Bindings: actions.Bindings{Data: []any{task.Task{}}},
			Run:      runTaskShow,
		},
		{
			Spec: actions.Spec{
				Name: "task deny", Group: actions.GroupCopilot,
				Summary: "Drop the step that a task is waiting for, and end the task", Args: []actions.Arg{id, waits},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Reach: policy.Never, Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Once},
			Bindings: actions.Bindings{Data: []any{task.Task{}}},
			Run:      runTaskDeny,
		},
		{
			Spec: actions.Spec{
				Name:    "task cancel",
				Group:   actions.GroupCopilot,
				Summary: "End a task, even while it runs",
				Help:    "A running step is stopped if possible. Finished steps are not undone, and the records stay.",
				Args:    []actions.Arg{id},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Reach: policy.Never, Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{task.Task{}}},
			Run:      runTaskCancel,
		},
	}
}

func runTaskList(_ context.Context, c *actions.Call) (actions.Result, error) {
	store, err := tasks(c)
	if err != nil {
		return actions.Result{}, err
	}
	tasks, broken, err := store.List()
	if err != nil {
		return actions.Result{}, err
	}
	for _, id := range broken {
		c.Note("the records of task " + id + " cannot be read")
	}
	if n := c.Int("most"); n > 0 && len(tasks) > n {
		tasks = tasks[:n]
	}
	list := make([]TaskEntry, len(tasks))
	lines := make([]string, len(tasks))
	for i, t := range tasks {
		list[i] = TaskEntry{t.ID, t.Goal, t.Status, t.Progress, t.Reason, t.Omitted, len(t.History), t.CreatedAt, t.UpdatedAt}
		lines[i] = fmt.Sprintf("%s  %-20s  %s  %s", t.ID, taskProgress(t), time.UnixMilli(t.CreatedAt).Format(time.DateTime),
			wording.Quote(t.Goal))
	}
	if len(lines) == 0 {
		lines = []string{"There are no tasks"}
	}
	return actions.Result{Data: TasksResult{list}, Text: strings.Join(lines, "\n")}, nil
}

func runTaskShow(_ context.Context, c *actions.Call) (actions.Result, error) {
	_, t, err := loaded(c)
	if err != nil {
		return actions.Result{}, err
	}
	t.Continue = continuations(c, t)
	return actions.Result{Data: t, Text: taskText(c, t)}, nil
}

func runTaskDeny(_ context.Context, c *actions.Call) (actions.Result, error) {
	_, log, err := resumed(c)
	if err != nil {
		return actions.Result{}, err
	}
	defer func() { _ = log.Close() }()
	if err := log.Deny(c.String("confirmation")); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: log.Task, Text: "✓ Denied; task " + log.Task.ID + " is " + string(log.Task.Status)}, nil
}

func runTaskCancel(ctx context.Context, c *actions.Call) (actions.Result, error) {
	store, err := tasks(c)
	if err != nil {
		return actions.Result{}, err
	}
	id := c.String("id")
	if done := actions.Service[Tasks](c).Tasks().End(id, task.ErrCancelled); done != nil {
		select {
		case <-done:
		case <-ctx.Done():
			return actions.Result{}, fault.New(fault.Timeout, "Task %s was told to end, but its step is still running.", id).
				About(id).
				WithHint("`task show %s` tells when it has ended.", id)
		}
	} else {
		log, err := store.Resume(id, millis)
		if err != nil {
			return actions.Result{}, err
		}
		err = log.Add(&task.Record{Type: task.Turned, Status: task.Cancelled, Reason: task.ErrCancelled.Error()})
		_ = log.Close()
		if err != nil {
			return actions.Result{}, err
		}
	}
	t, err := store.Load(id)
	if err != nil {
		return actions.Result{}, err
	}
	if t.Status != task.Cancelled {
		return actions.Result{}, fault.New(fault.Usage, "Task %s was not cancelled: it was %s before.", id, t.Status).
			About(id).WithHint("`task show %s` tells how it ended.", id)
	}
	return actions.Result{Data: t, Text: "✓ Task " + id + " is " + string(t.Status)}, nil
}

// taskText is a task for people.
func taskText(c *actions.Call, t *task.Task) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s Task %s: %s\n  Goal: %s", taskMark(t.Status), t.ID, taskProgress(t), t.Goal)
	if t.Reason != "" && t.Awaiting == nil {
		b.WriteString("\n  " + t.Reason)
	}
	for _, chosen := range t.Chosen {
		b.WriteString("\n  " + chosen)
	}
	for i := range t.History {
		b.WriteString("\n" + stepText(&t.History[i]))
	}
	if m := t.Metrics; m.Plans > 0 {
		fmt.Fprintf(&b, "\n  Cost: %s (%.0f ms), %s (%.0f ms), %d of %s succeeded (%.0f ms, %s)",
			wording.Plural(m.Plans, "plan"), m.PlanMS,
			wording.Plural(m.Summaries, "look"), m.SummaryMS, m.Succeeded, wording.Plural(m.Steps, "step"), m.StepMS,
			wording.Plural(m.Retries, "other selector"))
	}
	for _, e := range t.Effects {
		seen := map[bool]string{true: "✓ seen:", false: "✗ not seen:"}[e.OK]
		if t.Status == task.Claimed {
			seen = "? claimed:"
		}
		fmt.Fprintf(&b, "\n  %s %s: %s", seen, e.Kind, e.Seen)
	}
	if t.Answer != "" {
		b.WriteString("\n  Answer: " + t.Answer)
	}
	if t.Awaiting != nil && t.Status == task.AwaitingUser {
		b.WriteString(waitsText(t))
	}
	b.WriteString(continuedText(c, t))
	return b.String()
}

func taskMark(s task.Status) string {
	return cmp.Or(map[task.Status]string{
		task.Succeeded: "✓", task.Partial: "⚠", task.Claimed: "?", task.Failed: "✗", task.Blocked: "✗", task.Cancelled: "✗",
	}[s], "…")
}

// waitsText says what a task waits for.
func waitsText(t *task.Task) string {
	return fmt.Sprintf("\n  Waits for a person, until %s: %s", time.UnixMilli(t.Awaiting.Expires).Format(time.TimeOnly),
		t.Awaiting.What)
}

// taskProgress is a task's state, with how far it is where that is known: a task that has failed, or is only claimed,
// is nowhere.
func taskProgress(t *task.Task) string {
	switch t.Status {
	case task.Failed, task.Claimed, task.Blocked, task.Cancelled:
		return string(t.Status)
	}
	return fmt.Sprintf("%s (%.0f%%)", t.Status, 100*t.Progress)
}

func stepText(s *task.StepRecord) string {
	mark := map[task.StepStatus]string{task.StepOK: "✓", task.StepError: "✗", task.StepSkipped: "-"}[s.Status]
	what := s.Step.Description
	if what == "" && s.Step.Call != nil {
		what = s.Step.Call.Name
	}
	line := fmt.Sprintf("  %2d %s %s (%.0f ms)", s.N, mark, what, s.MS)
	if s.Result != nil && s.Result.Error != "" {
		line += "\n       " + s.Result.Error
	}
	if s.Observation != nil && s.Observation.URLChanged {
		line += "\n       now at " + s.Observation.URL
	}
	return line
}
