package runner

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/task/proof"
	"github.com/skua-browser/skua/copilot/task/tab"
	"github.com/skua-browser/skua/internal/wording"
)

// Runner works on one task. Its fields are set before Run; one goroutine uses it.
type Runner struct {
	View     *tab.View
	Planner  task.Planner
	Explorer task.Explorer // nil means that pages are not looked for
	Finder   task.Finder   // nil means a search of the summary names candidates
	// Picture returns a picture of a tab for the thumbnails of steps, or nil.
	Picture func(ctx context.Context, tab string) ([]byte, error)
	Report  func(done, of int, status task.StepStatus) // is called after a step of a plan; nil means that nothing is

	proof    *proof.Prover
	action   *performer
	last     []task.StepRecord // since the planner was asked
	explored *task.Exploration
	trouble  string
	approved *task.Confirmation // the step that a person has confirmed
}

// New returns a runner of the task whose tab view is, which saves files to a folder.
func New(view *tab.View, planner task.Planner, files string) *Runner {
	return &Runner{
		View: view, Planner: planner,
		proof:  &proof.Prover{View: view, Files: files},
		action: &performer{view: view, files: files},
	}
}

// Confirm has the task go on with the step that waits, once [Runner.Run] is called. It fails when another one waits, or
// none.
func (r *Runner) Confirm(id string) error {
	c, err := r.View.Log.Confirm(id)
	r.approved = c
	return err
}

// stop says that the task comes to rest.
type stop struct {
	status task.Status
	reason string
}

func (s *stop) Error() string { return s.reason }

// errTime is the cause when a task's time is used up.
var errTime = errors.New("its time limit was reached")

// Run works on the task until it has ended, is blocked, or waits for a person. The task has the outcome; an error is
// only about its records.
func (r *Runner) Run(ctx context.Context) error {
	if ms := r.View.Log.Task.Limits.TimeMS; ms > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(ms)*time.Millisecond, errTime)
		defer cancel()
	}
	err := r.work(ctx)
	if s, ok := errors.AsType[*stop](err); ok && ctx.Err() == nil {
		return r.View.Log.Turn(s.status, s.reason)
	}
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, task.ErrCancelled):
		return r.View.Log.Turn(task.Cancelled, task.ErrCancelled.Error())
	case errors.Is(cause, errTime):
		return r.View.Log.Turn(task.Blocked,
			errTime.Error()+" ("+(time.Duration(r.View.Log.Task.Limits.TimeMS)*time.Millisecond).String()+")")
	case cause != nil:
		return r.View.Log.Turn(task.Blocked, r.View.Hide(cause.Error()))
	}
	return r.View.Log.Turn(task.Blocked, r.View.Hide(err.Error()))
}

func (r *Runner) work(ctx context.Context) error {
	if c := r.approved; c != nil {
		if err := r.resume(ctx); err != nil {
			return err
		}
	}
	for {
		if err := r.View.Log.Turn(task.Planning, ""); err != nil {
			return err
		}
		if err := r.bounded(ctx); err != nil {
			return err
		}
		s, err := r.situation(ctx)
		if err != nil {
			return err
		}
		began := time.Now()
		d, err := r.Planner.Plan(ctx, s)
		r.View.Log.Measure(func(m *task.Metrics) { m.Plans, m.PlanMS = m.Plans+1, m.PlanMS+task.MillisSince(began) })
		if err != nil {
			return fmt.Errorf("the planner %s: %w", r.Planner.Name(), err)
		}
		r.last, r.explored, r.trouble = nil, nil, ""
		if err := r.decide(ctx, d); err != nil {
			return err
		}
	}
}

// decide does what the planner wants.
func (r *Runner) decide(ctx context.Context, d task.Decision) error {
	switch {
	case d.Plan != nil:
		return r.begin(ctx, d.Plan)
	case d.Explore != nil:
		return r.explore(ctx, *d.Explore)
	case d.Done != nil:
		return r.finish(ctx, d.Done.Effects, *d.Done)
	case d.NeedsUser != nil:
		return r.ask(ctx, d.NeedsUser.Question)
	case d.GiveUp != nil:
		if len(d.GiveUp.Unbound) > 0 {
			if err := r.View.Log.Add(&task.Record{Type: task.Missed, Unbound: d.GiveUp.Unbound}); err != nil {
				return err
			}
		}
		if d.GiveUp.Blocked {
			return &stop{task.Blocked, d.GiveUp.Reason}
		}
		return &stop{task.Failed, d.GiveUp.Reason + unnamed(r.View.Summary)}
	}
	return r.upset("the planner made no decision")
}

// bounded stops a task whose budget is used up.
func (r *Runner) bounded(ctx context.Context) error {
	t := r.View.Log.Task
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case t.Limits.Steps > 0 && len(t.History) >= t.Limits.Steps:
		return &stop{task.Blocked, "its " + strconv.Itoa(t.Limits.Steps) + " steps are used up"}
	case t.Limits.Replans > 0 && t.Replans > t.Limits.Replans:
		return &stop{
			task.Blocked,
			"it was planned again " + strconv.Itoa(t.Limits.Replans) + " times, and that did not help" +
				phrase.Because(r.trouble),
		}
	}
	return nil
}

// upset has the planner asked again, and counts it.
func (r *Runner) upset(trouble string) error {
	r.trouble = r.View.Hide(trouble)
	return r.View.Log.Add(&task.Record{Type: task.Troubled, Reason: r.trouble})
}

// situation looks at the page, and gathers what the planner is told.
func (r *Runner) situation(ctx context.Context) (*task.PlannerInput, error) {
	if err := r.View.Look(ctx); err != nil {
		return nil, err
	}
	t := r.View.Log.Task
	s := &task.PlannerInput{
		Lines:    r.View.Lines,
		Before:   r.proof.Earlier(),
		Task:     t,
		Summary:  r.View.Summary,
		Last:     r.last,
		Explored: r.explored,
		Params:   t.Params,
		Grants:   t.Grants,
		Trouble:  r.trouble,
		Now: r.View.Now().
			UnixMilli(),
		Details:  r.View.Details,
		Look:     r.View.LookWith,
		Snapshot: r.View.Snapshot,
		Find:     r.find,
		More:     r.View.More,
		Fresh:    r.proof.Fresh,
	}
	return s, nil
}

// find asks who knows for candidates, else searches what the page offers.
func (r *Runner) find(ctx context.Context, want skill.Want) ([]pcd.Candidate, error) {
	if r.Finder != nil {
		return r.Finder.Candidates(ctx, r.View.Log.Task.Tab, want)
	}
	found, err := r.View.More(ctx, want.Text, want.Of...)
	return found[:min(len(found), task.MostCandidates)], err
}

// explore looks for a page, and goes on from it.
func (r *Runner) explore(ctx context.Context, e task.Explore) error {
	if r.Explorer == nil {
		return r.upset("pages cannot be searched for here")
	}
	if err := r.View.Log.Turn(task.Exploring, ""); err != nil {
		return err
	}
	found, err := r.Explorer.Explore(ctx, e)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	found.Goal = e.Goal
	if err != nil {
		found.Why = r.View.Hide(err.Error())
	}
	progress := min(0.75, 0.1*float64(found.Depth)+0.02*float64(found.Nodes))
	if found.Found {
		progress = 0.5 // it is on the way, and nothing of the goal is reached
	}
	if err := r.View.Log.Add(&task.Record{
		Type:     task.Explored,
		Explored: &found,
		Progress: progress,
		Tab:      found.Tab,
	}); err != nil {
		return err
	}
	r.explored = &found
	if !found.Found {
		return r.upset("no page was found for " + e.Goal + phrase.Because(found.Why))
	}
	return nil
}

// ask has a person say something before the task goes on.
func (r *Runner) ask(_ context.Context, question string) error {
	c := task.NewConfirmation(r.View.Now())
	c.Question, c.What = question, question
	if r.View.Summary != nil {
		c.URL = r.View.Summary.URL
	}
	return r.wait(c, question)
}

// unnamed says how many controls of the page have no name: what was looked for may be one of them.
func unnamed(page *pcd.Summary) string {
	if page == nil || page.Unnamed == 0 {
		return ""
	}
	return "; the page has " + wording.Plural(page.Unnamed, "control") + " without a name"
}
