package runner

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/task/proof"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// begin notes a plan, and follows it.
func (r *Runner) begin(ctx context.Context, p *task.Plan) error {
	t := r.View.Log.Task
	if len(p.Steps) == 0 {
		return r.upset("the plan has no steps")
	}
	if p.ID == "" {
		p.ID = "p" + strconv.Itoa(t.PlansMade()+1)
	}
	p.CreatedAt, p.URL, p.TS = r.View.Now().UnixMilli(), r.View.Summary.URL, r.View.Summary.TS
	if err := r.View.Log.Add(&task.Record{Type: task.Planned, Plan: p}); err != nil {
		return err
	}
	if err := r.View.Log.Turn(task.Executing, ""); err != nil {
		return err
	}
	if err := r.proof.Mark(ctx, p); err != nil {
		return err
	}
	return r.follow(ctx, p, 0)
}

// follow does the steps of a plan from one on, each behind the other. What cannot be recovered is for the planner.
func (r *Runner) follow(ctx context.Context, p *task.Plan, from int) error {
	message := "" // of a confirm, for the step behind it
	for i := from; i < len(p.Steps); i++ {
		if err := r.bounded(ctx); err != nil {
			return err
		}
		step := p.Steps[i]
		switch step.Kind {
		case toolbox.ConfirmStep:
			if message = step.Message; i == len(p.Steps)-1 {
				return r.ask(ctx, message)
			}
			continue
		case toolbox.BranchStep:
			done := false
			for _, o := range step.Options {
				option := toolbox.Step{Kind: toolbox.ToolStep, Call: &o.Call, Description: o.Label, Risk: step.Risk}
				ok, err := r.tool(ctx, p, i, option, message)
				if err != nil {
					return err
				}
				if done = ok; done {
					break
				}
			}
			if !done {
				return r.stuck(ctx, step)
			}
		default:
			ok, err := r.tool(ctx, p, i, step, message)
			if err != nil {
				return err
			}
			if !ok {
				return r.stuck(ctx, step)
			}
		}
		message = ""
	}
	if len(p.Effects) > 0 {
		return r.finish(ctx, p.Effects, task.Done{})
	}
	return nil
}

// stuck looks for a page on which a step that failed could be done, when its element is nowhere, and has the planner
// asked again.
func (r *Runner) stuck(ctx context.Context, step toolbox.Step) error {
	last := r.last[len(r.last)-1]
	trouble := "step " + strconv.Itoa(last.N) + " failed (" + step.Description + ")" + phrase.Because(last.Result.Error)
	if last.Unknown {
		trouble = "it is not known whether step " + strconv.Itoa(last.N) + " was done (" + step.Description +
			"); check before you repeat it" + phrase.Because(last.Result.Error)
	}
	if r.Explorer != nil && !last.Unknown && last.Tried > 0 && last.Result.Code == string(fault.SelectorNotFound) {
		if err := r.explore(ctx, task.Explore{Goal: r.View.Log.Task.Goal, Hint: last.Label}); err != nil {
			return err
		}
	}
	return r.upset(trouble)
}

// tool does one step, and reports whether it succeeded. Message is that of a confirm in front of it.
func (r *Runner) tool(ctx context.Context, p *task.Plan, i int, step toolbox.Step, message string) (bool, error) {
	rec := task.StepRecord{
		Step:   step,
		N:      len(r.View.Log.Task.History) + 1,
		PlanID: p.ID,
		From:   r.View.Summary.URL,
		PCDTS:  r.View.Summary.TS,
	}
	refuse := func(err error) (bool, error) {
		res := r.View.Failed(err)
		rec.Result, rec.Status, rec.TS = &res, task.StepError, r.View.Now().UnixMilli()
		return false, r.note(&rec, p, i)
	}
	if step.Call == nil {
		return refuse(fault.New(fault.Usage, "The step has no call."))
	}
	tool, err := toolbox.Find(step.Call.Name)
	if err != nil {
		return refuse(err)
	}
	t, err := targetOf(ctx, r.View, tool, step)
	if err != nil {
		return refuse(err)
	}
	rec.Label = t.label
	rec.Step.AltSelectors = t.others
	if r.unknownBefore(step) {
		return refuse(fault.New(fault.Usage,
			"It was tried before, and it is not known whether it was done: it is not repeated."))
	}
	if t.unseen {
		return refuse(fault.New(fault.TargetHidden, "%q is not visible on the page.", t.label).About(t.label))
	}
	risk := r.risk(tool, step, t)
	rec.Step.Risk = risk
	if (risk == toolbox.High || message != "") && !r.confirmed(p, i) {
		return false, r.await(ctx, p, i, rec.Step, t, message)
	}
	r.approved = nil
	if !tool.ReadOnly {
		if err := r.proof.MarkAct(ctx, p, i); err != nil {
			return false, err
		}
		if err := r.View.Log.Add(&task.Record{Type: task.Begun, Step: &rec}); err != nil {
			return false, err
		}
	}
	before, begun := r.View.Summary, time.Now()
	r.View.Via = t.label
	defer func() { r.View.Via = "" }()
	reply, err := r.action.attempt(ctx, tool, &rec, t, r.saves(p, i))
	rec.MS = float64(time.Since(begun).Microseconds()) / 1000
	rec.TS = r.View.Now().UnixMilli()
	switch {
	case err != nil:
		res := r.View.Failed(err)
		rec.Result, rec.Status = &res, task.StepError
		rec.Unknown = !tool.ReadOnly && ambiguous[fault.CodeOf(err)]
		if ctx.Err() != nil {
			rec.Unknown = !tool.ReadOnly
			_ = r.note(&rec, p, i)
			return false, context.Cause(ctx)
		}
	case reply.Held:
		rec.Result, rec.Status = &toolbox.Result{
			Held:  true,
			Error: "a rule of the session requires a person to confirm it",
		}, task.StepSkipped
		if err := r.note(&rec, p, i); err != nil {
			return false, err
		}
		return false, r.held(reply)
	default:
		rec.Result, rec.Status = &toolbox.Result{OK: true, Data: reply.Data}, task.StepOK
	}
	if !tool.ReadOnly {
		open, err := r.proof.Note(ctx, tool, reply)
		if err != nil {
			return false, err
		}
		if open != "" {
			if err := r.note(&rec, p, i); err != nil {
				return false, err
			}
			return false, r.askDialog(i, open)
		}
		if err := r.moved(ctx, tool, reply); err != nil {
			return false, err
		}
	}
	o := pcd.Observe(before, r.View.Summary)
	if o.Effects = reply.Effect; r.View.Secrets != nil {
		for k := range o.Effects {
			o.Effects[k] = r.View.Hide(o.Effects[k])
		}
	}
	rec.Observation = &o
	if !tool.ReadOnly {
		rec.Thumbnail = r.thumbnail(ctx)
	}
	return rec.Status == task.StepOK, r.note(&rec, p, i)
}

// moved looks at the page behind a step that may have changed it, in the tab where it is now.
func (r *Runner) moved(ctx context.Context, tool toolbox.Tool, reply toolbox.Reply) error {
	if strings.HasPrefix(tool.Name, "tabs.") {
		return r.View.LookIn(ctx, "")
	}
	effect, _ := toolbox.Decode[proof.Happened](reply)
	e := effect.Effect
	if len(e.Tabs) == 1 && e.Navigation == nil && len(e.Downloads) == 0 { // the link opened it in a tab of its own
		if _, err := r.View.Do(ctx, []string{"tab", "switch", e.Tabs[0].ID}); err == nil {
			return r.View.LookIn(ctx, e.Tabs[0].ID)
		}
	}
	return r.View.Look(ctx)
}

// note writes a step's record, and how far the plan is.
func (r *Runner) note(rec *task.StepRecord, p *task.Plan, i int) error {
	done := i
	if rec.Status == task.StepOK {
		done++
	}
	r.last = append(r.last, *rec)
	if r.Report != nil {
		r.Report(done, len(p.Steps), rec.Status)
	}
	return r.View.Log.Add(&task.Record{
		Type:     task.Stepped,
		Step:     rec,
		Progress: min(0.99, float64(done)/float64(len(p.Steps))),
	})
}

// ambiguous are the faults behind which it is not known whether an action was done.
var ambiguous = map[fault.Code]bool{
	fault.Timeout: true, fault.PageGone: true, fault.TabGone: true, fault.BrowserGone: true, fault.PageCrashed: true,
	fault.TabHung: true, fault.Protocol: true,
	fault.Canceled: true, fault.Internal: true, fault.NavigationFailed: true, fault.DownloadFailed: true,
}

// unknownBefore reports whether the same call was begun on this page without it being known how it ended.
func (r *Runner) unknownBefore(step toolbox.Step) bool {
	call := step.Call
	for _, h := range r.View.Log.Task.History {
		if h.Unknown && h.From == r.View.Summary.URL && h.Step.Call != nil && h.Step.Call.Name == call.Name &&
			(string(h.Step.Call.Args) == string(call.Args) || step.Description != "" && h.Step.Description == step.Description) {
			return true
		}
	}
	return false
}

// saves reports whether a step of the plan is the one that downloads what the plan is for: its last click.
func (r *Runner) saves(p *task.Plan, i int) bool {
	if p.Saves {
		return true
	}
	wanted := false
	for _, e := range p.Effects {
		wanted = wanted || e.Kind == task.Downloaded
	}
	for _, later := range p.Steps[i+1:] {
		if later.Call != nil && later.Call.Name == toolbox.ClickTool {
			return false
		}
	}
	return wanted
}

// withSelector is a call's arguments with another selector.
func withSelector(raw json.RawMessage, selector string) json.RawMessage {
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		return raw
	}
	args["selector"], _ = json.Marshal(selector) // a string
	out, err := json.Marshal(args)
	if err != nil {
		return raw
	}
	return out
}
