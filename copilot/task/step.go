package task

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// begin notes a plan, and follows it.
func (r *Runner) begin(ctx context.Context, p *Plan) error {
	t := r.Log.Task
	if len(p.Steps) == 0 {
		return r.upset("the plan has no steps")
	}
	if p.ID == "" {
		p.ID = "p" + itoa(t.plans+1)
	}
	p.CreatedAt, p.URL, p.TS = r.Now().UnixMilli(), r.summary.URL, r.summary.TS
	if err := r.Log.Add(&Record{Type: Planned, Plan: p}); err != nil {
		return err
	}
	if err := r.turn(Executing, ""); err != nil {
		return err
	}
	if err := r.mark(ctx, p); err != nil {
		return err
	}
	return r.follow(ctx, p, 0)
}

// follow does the steps of a plan from one on, each behind the other. What cannot be recovered is for the planner.
func (r *Runner) follow(ctx context.Context, p *Plan, from int) error {
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
		return r.finish(ctx, p.Effects, Done{})
	}
	return nil
}

// stuck looks for a page on which a step that failed could be done, when its element is nowhere, and has the planner asked again.
func (r *Runner) stuck(ctx context.Context, step toolbox.Step) error {
	last := r.last[len(r.last)-1]
	trouble := "step " + itoa(last.N) + " failed (" + step.Description + ")" + because(last.Result.Error)
	if last.Unknown {
		trouble = "it is not known whether step " + itoa(last.N) + " was done (" + step.Description + "); check before you repeat it" + because(last.Result.Error)
	}
	if r.Explorer != nil && !last.Unknown && last.Tried > 0 && last.Result.Code == string(fault.SelectorNotFound) {
		if err := r.explore(ctx, Explore{Goal: r.Log.Task.Goal, Hint: last.Label}); err != nil {
			return err
		}
	}
	return r.upset(trouble)
}

// tool does one step, and reports whether it succeeded. Message is that of a confirm in front of it.
func (r *Runner) tool(ctx context.Context, p *Plan, i int, step toolbox.Step, message string) (bool, error) {
	rec := StepRecord{Step: step, N: len(r.Log.Task.History) + 1, PlanID: p.ID, From: r.summary.URL, PCDTS: r.summary.TS}
	refuse := func(err error) (bool, error) {
		res := r.failed(err)
		rec.Result, rec.Status, rec.TS = &res, StepError, r.Now().UnixMilli()
		return false, r.note(&rec, p, i)
	}
	if step.Call == nil {
		return refuse(fault.New(fault.Usage, "The step has no call."))
	}
	tool, err := toolbox.Find(step.Call.Name)
	if err != nil {
		return refuse(err)
	}
	t, err := r.target(ctx, tool, step)
	if err != nil {
		return refuse(err)
	}
	rec.Label = t.label
	rec.Step.AltSelectors = t.others
	if r.unknownBefore(step) {
		return refuse(fault.New(fault.Usage, "It was tried before, and it is not known whether it was done: it is not repeated."))
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
		if err := r.markAct(ctx, p, i); err != nil {
			return false, err
		}
		if err := r.Log.Add(&Record{Type: Begun, Step: &rec}); err != nil {
			return false, err
		}
	}
	before, begun := r.summary, time.Now()
	r.via = t.label
	defer func() { r.via = "" }()
	reply, err := r.attempt(ctx, tool, &rec, t, r.saves(p, i))
	rec.MS = float64(time.Since(begun).Microseconds()) / 1000
	rec.TS = r.Now().UnixMilli()
	switch {
	case err != nil:
		res := r.failed(err)
		rec.Result, rec.Status = &res, StepError
		rec.Unknown = !tool.ReadOnly && ambiguous[fault.CodeOf(err)]
		if ctx.Err() != nil {
			rec.Unknown = !tool.ReadOnly
			_ = r.note(&rec, p, i)
			return false, context.Cause(ctx)
		}
	case reply.Held:
		rec.Result, rec.Status = &toolbox.Result{Held: true, Error: "a rule of the session requires a person to confirm it"}, StepSkipped
		if err := r.note(&rec, p, i); err != nil {
			return false, err
		}
		return false, r.held(reply)
	default:
		rec.Result, rec.Status = &toolbox.Result{OK: true, Data: reply.Data}, StepOK
	}
	if !tool.ReadOnly {
		open, err := r.answerAlert(ctx, tool, reply)
		if err != nil {
			return false, err
		}
		if open != "" {
			if err := r.note(&rec, p, i); err != nil {
				return false, err
			}
			return false, r.askDialog(p, i, open)
		}
		if err := r.moved(ctx, tool, reply); err != nil {
			return false, err
		}
	}
	o := pcd.Observe(before, r.summary)
	if o.Effects = reply.Effect; r.Secrets != nil {
		for k := range o.Effects {
			o.Effects[k] = r.hide(o.Effects[k])
		}
	}
	rec.Observation = &o
	if !tool.ReadOnly {
		rec.Thumbnail = r.thumbnail(ctx)
	}
	return rec.Status == StepOK, r.note(&rec, p, i)
}

// moved looks at the page behind a step that may have changed it, in the tab where it is now.
func (r *Runner) moved(ctx context.Context, tool toolbox.Tool, reply toolbox.Reply) error {
	if strings.HasPrefix(tool.Name, "tabs.") {
		return r.lookIn(ctx, "")
	}
	effect, _ := toolbox.Decode[happened](reply)
	e := effect.Effect
	if len(e.Tabs) == 1 && e.Navigation == nil && len(e.Downloads) == 0 { // the link opened it in a tab of its own
		if _, err := r.do(ctx, []string{"tab", "switch", e.Tabs[0].ID}); err == nil {
			return r.lookIn(ctx, e.Tabs[0].ID)
		}
	}
	return r.look(ctx)
}

// note writes a step's record, and how far the plan is.
func (r *Runner) note(rec *StepRecord, p *Plan, i int) error {
	done := i
	if rec.Status == StepOK {
		done++
	}
	r.last = append(r.last, *rec)
	if r.Report != nil {
		r.Report(done, len(p.Steps), rec.Status)
	}
	return r.Log.Add(&Record{Type: Stepped, Step: rec, Progress: min(0.99, float64(done)/float64(len(p.Steps)))})
}

// ambiguous are the faults behind which it is not known whether an action was done.
var ambiguous = map[fault.Code]bool{
	fault.Timeout: true, fault.PageGone: true, fault.TabGone: true, fault.BrowserGone: true, fault.PageCrashed: true, fault.TabHung: true, fault.Protocol: true,
	fault.Canceled: true, fault.Internal: true, fault.NavigationFailed: true, fault.DownloadFailed: true,
}

// unknownBefore reports whether the same call was begun on this page without it being known how it ended.
func (r *Runner) unknownBefore(step toolbox.Step) bool {
	call := step.Call
	for _, h := range r.Log.Task.History {
		if h.Unknown && h.From == r.summary.URL && h.Step.Call != nil && h.Step.Call.Name == call.Name && (string(h.Step.Call.Args) == string(call.Args) || step.Description != "" && h.Step.Description == step.Description) {
			return true
		}
	}
	return false
}

// saves reports whether a step of the plan is the one that downloads what the plan is for: its last click.
func (r *Runner) saves(p *Plan, i int) bool {
	if p.Saves {
		return true
	}
	wanted := false
	for _, e := range p.Effects {
		wanted = wanted || e.Kind == Downloaded
	}
	for _, later := range p.Steps[i+1:] {
		if later.Call != nil && later.Call.Name == clickTool {
			return false
		}
	}
	return wanted
}

const (
	clickTool  = "dom.click"
	typeTool   = "dom.type"
	submitTool = "dom.submit"
	uploadTool = "dom.upload"
)

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
