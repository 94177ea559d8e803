package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// Runner works on one task. Its fields are set before Run; one goroutine uses it.
type Runner struct {
	Log      *Log
	Session  toolbox.Session
	Planner  Planner
	Explorer Explorer // nil: pages are not looked for
	Finder   Finder   // nil: a search of the summary names candidates
	Secrets  *Secrets // nil: none is granted
	Files    string   // the folder for what is downloaded
	Now      func() time.Time
	// Picture returns a picture of a tab for the thumbnails of steps; nil: there are none.
	Picture func(ctx context.Context, tab string) ([]byte, error)
	Report  func(done, of int, status StepStatus) // is called after a step of a plan; nil: nothing is

	summary  *pcd.Summary // of the page as it was seen last
	last     []StepRecord // since the planner was asked
	explored *Exploration
	trouble  string
	answered string        // the request that a removal sent, which the server took and the page does not show; empty: none
	via      string        // what the step that is done now acts on
	approved *Confirmation // the step that a person has confirmed
	before   *baseline     // the page before the plan that is followed was begun
	acts     acts          // what the steps of that plan were seen to lead to
	late     lateFile
}

// stop says that the task comes to rest.
type stop struct {
	status Status
	reason string
}

func (s *stop) Error() string { return s.reason }

// ErrCancelled is the cause of a context by which a person ends a task.
var ErrCancelled = errors.New("it was cancelled")

// errTime is the cause when a task's time is used up.
var errTime = errors.New("its time limit was reached")

// Run works until the task comes to rest: it has ended, is blocked, or waits for a person. The error is about the records alone; how the task
// went is in the task.
func (r *Runner) Run(ctx context.Context) error {
	if ms := r.Log.Task.Limits.TimeMS; ms > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(ms)*time.Millisecond, errTime)
		defer cancel()
	}
	err := r.work(ctx)
	if s, ok := errors.AsType[*stop](err); ok && ctx.Err() == nil {
		return r.turn(s.status, s.reason)
	}
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, ErrCancelled):
		return r.turn(Cancelled, ErrCancelled.Error())
	case errors.Is(cause, errTime):
		return r.turn(Blocked, errTime.Error()+" ("+(time.Duration(r.Log.Task.Limits.TimeMS)*time.Millisecond).String()+")")
	case cause != nil:
		return r.turn(Blocked, r.hide(cause.Error()))
	}
	return r.turn(Blocked, r.hide(err.Error()))
}

func (r *Runner) hide(text string) string { return r.Secrets.Hide(text) }

// turn brings the task to a state.
func (r *Runner) turn(s Status, reason string) error {
	if t := r.Log.Task; t.Status == s && t.Reason == reason {
		return nil
	}
	rec := &Record{Type: Turned, Status: s, Reason: reason}
	if s == Succeeded {
		rec.Progress = 1
	}
	return r.Log.Add(rec)
}

func (r *Runner) work(ctx context.Context) error {
	if c := r.approved; c != nil {
		if err := r.resume(ctx); err != nil {
			return err
		}
	}
	for {
		if err := r.turn(Planning, ""); err != nil {
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
		r.Log.Measure(func(m *Metrics) { m.Plans, m.PlanMS = m.Plans+1, m.PlanMS+ms(began) })
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
func (r *Runner) decide(ctx context.Context, d Decision) error {
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
			if err := r.Log.Add(&Record{Type: Missed, Unbound: d.GiveUp.Unbound}); err != nil {
				return err
			}
		}
		if d.GiveUp.Blocked {
			return &stop{Blocked, d.GiveUp.Reason}
		}
		return &stop{Failed, d.GiveUp.Reason + r.unnamed()}
	}
	return r.upset("the planner made no decision")
}

// bounded stops a task whose budget is used up.
func (r *Runner) bounded(ctx context.Context) error {
	t := r.Log.Task
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case t.Limits.Steps > 0 && len(t.History) >= t.Limits.Steps:
		return &stop{Blocked, "its " + itoa(t.Limits.Steps) + " steps are used up"}
	case t.Limits.Replans > 0 && t.Replans > t.Limits.Replans:
		return &stop{Blocked, "it was planned again " + itoa(t.Limits.Replans) + " times, and that did not help" + because(r.trouble)}
	}
	return nil
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

// upset has the planner asked again, and counts it.
func (r *Runner) upset(trouble string) error {
	r.trouble = r.hide(trouble)
	return r.Log.Add(&Record{Type: Troubled, Reason: r.trouble})
}

// situation looks at the page, and gathers what the planner is told.
func (r *Runner) situation(ctx context.Context) (*PlannerInput, error) {
	if err := r.look(ctx); err != nil {
		return nil, err
	}
	t := r.Log.Task
	var before []string
	if r.before != nil {
		before = r.before.Lines
	}
	s := &PlannerInput{
		Lines: r.lines, Before: before,
		Task: t, Summary: r.summary, Last: r.last, Explored: r.explored, Params: t.Params, Grants: t.Grants, Trouble: r.trouble,
		Now: r.Now().UnixMilli(), Details: r.details, Look: r.lookWith, Snapshot: r.snapshot, Find: r.find, More: r.more,
		Fresh: func(label string) bool { return r.before != nil && !r.before.Actions[squeezed(label)] },
	}
	return s, nil
}

// snapshot is the page as text, with the parts that hold its controls.
func (r *Runner) snapshot(ctx context.Context) (string, error) {
	reply, err := r.inTab(ctx, "snapshot")
	return reply.Text, err
}

// look reads what the page offers now, and notes where the task has come to.
func (r *Runner) look(ctx context.Context) error { return r.lookIn(ctx, r.Log.Task.Tab) }

// lookIn looks in a tab, the active one where it is empty, in which the task works from then on.
func (r *Runner) lookIn(ctx context.Context, tab string) error {
	argv := []string{"capabilities"}
	if tab != "" {
		argv = []string{"--tab=" + tab, "capabilities"}
	}
	began := time.Now()
	reply, err := r.do(ctx, argv)
	if err != nil {
		return err
	}
	r.Log.Measure(func(m *Metrics) { m.Summaries, m.SummaryMS = m.Summaries+1, m.SummaryMS+ms(began) })
	now, err := toolbox.Decode[*pcd.Summary](reply)
	if err != nil || now == nil {
		return fault.New(fault.Internal, "what the page offers cannot be read: %w", err)
	}
	r.summary = now
	if crumbs := r.Log.Task.Breadcrumbs; len(crumbs) == 0 || crumbs[len(crumbs)-1].URL != now.URL || r.Log.Task.Tab != now.Tab && now.Tab != "" {
		crumb := &Breadcrumb{URL: now.URL, Title: now.Title, TS: r.Now().UnixMilli()}
		crumb.LabelFrom = r.via
		return r.Log.Add(&Record{Type: Arrived, Breadcrumb: crumb, Tab: now.Tab})
	}
	return nil
}

// inTab runs a command line in the tab of the task, whichever tab is shown meanwhile.
func (r *Runner) inTab(ctx context.Context, argv ...string) (toolbox.Reply, error) {
	if tab := r.Log.Task.Tab; tab != "" {
		argv = append([]string{"--tab=" + tab}, argv...)
	}
	return r.do(ctx, argv)
}

func (r *Runner) do(ctx context.Context, argv []string) (toolbox.Reply, error) {
	reply, err := r.Session.Do(ctx, argv)
	if err == nil && reply.Held {
		return reply, nil
	}
	return r.Secrets.clean(reply), err
}

func (r *Runner) details(ctx context.Context, ids ...string) ([]pcd.Detail, error) {
	argv := []string{"capabilities", "details"}
	for _, id := range ids {
		argv = append(argv, "@"+id)
	}
	reply, err := r.inTab(ctx, argv...)
	if err != nil {
		return nil, err
	}
	data, err := toolbox.Decode[struct {
		Details []pcd.Detail `json:"details"`
	}](reply)
	return data.Details, err
}

// mostCandidates is how many candidates are named for one thing.
const mostCandidates = 5

// find asks who knows for candidates, else searches what the page offers.
func (r *Runner) find(ctx context.Context, want skill.Want) ([]pcd.Candidate, error) {
	if r.Finder != nil {
		return r.Finder.Candidates(ctx, r.Log.Task.Tab, want)
	}
	found, err := r.more(ctx, want.Text, want.Of...)
	return found[:min(len(found), mostCandidates)], err
}

// mostMore is how many elements are taken that a summary has no room for.
const mostMore = 12

// more searches what the page offers.
func (r *Runner) more(ctx context.Context, words string, of ...string) ([]pcd.Candidate, error) {
	argv := []string{"capabilities", "query", "--top=" + itoa(mostMore)}
	if len(of) > 0 {
		argv = append(argv, "--kind="+strings.Join(of, ","))
	}
	reply, err := r.inTab(ctx, append(argv, "--", words)...)
	if err != nil {
		return nil, err
	}
	data, err := toolbox.Decode[struct {
		Candidates []pcd.Candidate `json:"candidates"`
	}](reply)
	return data.Candidates, err
}

// lookWith runs a tool that changes nothing, for a planner.
func (r *Runner) lookWith(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	tool, err := toolbox.Find(call.Name)
	if err != nil {
		return toolbox.Result{}, err
	}
	if !tool.ReadOnly {
		return toolbox.Result{}, fault.New(fault.Usage, "%s changes the page: it must be a step of a plan.", call.Name).About(call.Name)
	}
	argv, err := tool.Argv(call.Args)
	if err != nil {
		return toolbox.Result{}, err
	}
	began := time.Now()
	reply, err := r.inTab(ctx, argv...)
	if tool.Name == "pcd.query" {
		r.Log.Measure(func(m *Metrics) { m.Searches, m.SearchMS = m.Searches+1, m.SearchMS+ms(began) })
	}
	if err != nil {
		if ctx.Err() != nil {
			return toolbox.Result{}, context.Cause(ctx)
		}
		return r.failed(err), nil
	}
	return toolbox.Result{OK: true, Data: reply.Data}, nil
}

func (r *Runner) failed(err error) toolbox.Result {
	res := toolbox.Failed(err)
	res.Error = r.hide(res.Error)
	return res
}

// explore looks for a page, and goes on from it.
func (r *Runner) explore(ctx context.Context, e Explore) error {
	if r.Explorer == nil {
		return r.upset("pages cannot be searched for here")
	}
	if err := r.turn(Exploring, ""); err != nil {
		return err
	}
	found, err := r.Explorer.Explore(ctx, e)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	found.Goal = e.Goal
	if err != nil {
		found.Why = r.hide(err.Error())
	}
	progress := min(0.75, 0.1*float64(found.Depth)+0.02*float64(found.Nodes))
	if found.Found {
		progress = 0.5 // it is on the way, and nothing of the goal is reached
	}
	if err := r.Log.Add(&Record{Type: Explored, Explored: &found, Progress: progress, Tab: found.Tab}); err != nil {
		return err
	}
	r.explored = &found
	if !found.Found {
		return r.upset("no page was found for " + e.Goal + because(found.Why))
	}
	return nil
}

// ask has a person say something before the task goes on.
func (r *Runner) ask(_ context.Context, question string) error {
	c := &Confirmation{ID: newConfirmation(), Question: question, What: question, Expires: r.expiry()}
	if r.summary != nil {
		c.URL = r.summary.URL
	}
	if err := r.Log.Add(&Record{Type: Waits, Awaiting: c}); err != nil {
		return err
	}
	return &stop{AwaitingUser, question}
}

// finish ends the task when its effects are seen. Effects that a model names are only its claim: the goal is proven only by a proof that is derived from
// the goal itself.
func (r *Runner) finish(ctx context.Context, effects []Effect, done Done) error {
	if len(effects) == 0 {
		return r.upset("the planner says that it is done, but names no effect that would prove it")
	}
	claimed := !derives(r.Planner)
	own := effects
	if claimed {
		own = append(slices.Clone(effects), provenBy(r.Log.Task)...)
	}
	seen, err := r.verifyAll(ctx, own)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(seen[:len(effects)], func(v Verified) bool { return !v.OK && v.differs() }) {
		if seen, err = r.verifyLater(ctx, own, seen); err != nil {
			return err
		}
	}
	proven := len(own) > len(effects) && !slices.ContainsFunc(seen[len(effects):], func(v Verified) bool { return !v.OK })
	missing := missingOf(seen[:len(effects)])
	if claimed && !proven {
		seen = seen[:len(effects)]
		if missing == "" && done.Answer == "" {
			missing = r.unchanged(effects)
		}
	}
	if err := r.Log.Add(&Record{Type: Checked, Effects: seen}); err != nil {
		return err
	}
	switch {
	case missing != "" && r.answered != "" && onlyRemovals(seen): // to press it again could remove something else
		return r.claim(done, "the page does not show it: "+missing)
	case missing != "":
		return r.upset("the expected effect was not seen: " + missing)
	case claimed && !proven:
		return r.claim(done, "the planner "+r.Planner.Name()+" says that the goal is reached; nothing proves it")
	}
	return r.succeed(done)
}

// onlyRemovals reports whether all that was not seen is that something is gone.
func onlyRemovals(seen []Verified) bool {
	return !slices.ContainsFunc(seen, func(v Verified) bool { return !v.OK && v.Kind != Removed })
}

// claim ends the task with what was done, which nothing proves.
func (r *Runner) claim(done Done, why string) error {
	rec := &Record{Type: Turned, Status: Claimed, Answer: done.Answer, Reason: r.hide(why)}
	if err := r.Log.Add(rec); err != nil {
		return err
	}
	return &stop{rec.Status, rec.Reason}
}

// verifyAll looks at the page, and whether each effect is there.
func (r *Runner) verifyAll(ctx context.Context, effects []Effect) ([]Verified, error) {
	if err := r.look(ctx); err != nil {
		return nil, err
	}
	var d *difference
	if slices.ContainsFunc(effects, func(e Effect) bool { return e.differs() }) {
		d = r.compare(ctx)
	}
	seen, err := verifyEach(ctx, r, effects, d)
	if err != nil || d == nil || d.before == nil || missingOf(seen) != "" || !d.discount(ctx, r) {
		return seen, err
	}
	return verifyEach(ctx, r, effects, d)
}

// verifyLater gives a page the time that a message needs to come, or a row to go: it waits until nothing changes any more, and looks again.
func (r *Runner) verifyLater(ctx context.Context, effects []Effect, seen []Verified) ([]Verified, error) {
	if _, err := r.inTab(ctx, "--timeout=3s", "wait", "--stable", "--for", "400"); err != nil && ctx.Err() != nil {
		return seen, context.Cause(ctx)
	}
	return r.verifyAll(ctx, effects)
}

func missingOf(seen []Verified) string {
	for _, v := range seen {
		if !v.OK {
			what := string(v.Kind)
			if about := strings.TrimSpace(v.Text + v.Goal); about != "" && v.Kind != Removed {
				what += " " + about
			}
			return what + ": " + v.Seen
		}
	}
	return ""
}

// unchanged names an effect that a planner claims and that was true before it did anything: that proves nothing.
func (r *Runner) unchanged(effects []Effect) string {
	for _, e := range effects {
		if e.Kind == AtPage && e.Goal == "" && e.Text != "" && strings.Contains(r.Log.Task.Start, e.Text) {
			return "the address had “" + e.Text + "” in it before anything was done; name what is different now"
		}
	}
	return ""
}

// succeed ends the task: as partial where something that was asked for was left out.
func (r *Runner) succeed(done Done) error {
	rec := &Record{Type: Turned, Status: Succeeded, Answer: done.Answer, Progress: 1}
	if omitted := slices.Concat(r.Log.Task.Omitted, done.Omitted); len(omitted) > 0 {
		rec.Status, rec.Progress = Partial, 0
		rec.Reason = "left out: " + strings.Join(omitted, "; ")
		rec.Omitted = done.Omitted
	}
	if err := r.Log.Add(rec); err != nil {
		return err
	}
	return &stop{rec.Status, rec.Reason}
}

func itoa(n int) string { return strconv.Itoa(n) }
