package runner

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/proof"
)

// deriving is a planner whose effects follow from the goal by rules. What any other planner names is what it claims
// itself.
type deriving interface{ DerivesProof() bool }

func derives(p task.Planner) bool {
	d, ok := p.(deriving)
	return ok && d.DerivesProof()
}

// finish ends the task when its effects are seen. Effects that a model names are only its claim: the goal is proven
// only by a proof that is derived from the goal itself.
func (r *Runner) finish(ctx context.Context, effects []task.Effect, done task.Done) error {
	if len(effects) == 0 {
		return r.upset("the planner says that it is done, but names no effect that would prove it")
	}
	claimed := !derives(r.Planner)
	own := effects
	if claimed {
		own = append(slices.Clone(effects), provenBy(r.View.Log.Task)...)
	}
	seen, err := r.proof.Verify(ctx, own)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(seen[:len(effects)], func(v task.Verified) bool { return !v.OK && v.Differs() }) {
		if seen, err = r.proof.VerifyLater(ctx, own, seen); err != nil {
			return err
		}
	}
	proven := len(own) > len(effects) && !slices.ContainsFunc(seen[len(effects):], func(v task.Verified) bool {
		return !v.OK
	})
	missing := proof.MissingOf(seen[:len(effects)])
	if claimed && !proven {
		seen = seen[:len(effects)]
		if missing == "" && done.Answer == "" {
			missing = unchanged(r.View.Log.Task.Start, effects)
		}
	}
	if err := r.View.Log.Add(&task.Record{Type: task.Checked, Effects: seen}); err != nil {
		return err
	}
	switch {
	case missing != "" && r.proof.Answered != "" && onlyRemovals(seen): // to press it again could remove something else
		return r.claim(done, "the page does not show it: "+missing)
	case missing != "":
		return r.upset("the expected effect was not seen: " + missing)
	case claimed && !proven:
		return r.claim(done, "the planner "+r.Planner.Name()+" says that the goal is reached; nothing proves it")
	}
	return r.succeed(done)
}

// claim ends the task with what was done, which nothing proves.
func (r *Runner) claim(done task.Done, why string) error {
	rec := &task.Record{Type: task.Turned, Status: task.Claimed, Answer: done.Answer, Reason: r.View.Hide(why)}
	if err := r.View.Log.Add(rec); err != nil {
		return err
	}
	return &stop{rec.Status, rec.Reason}
}

// succeed ends the task: as partial where something that was asked for was left out.
func (r *Runner) succeed(done task.Done) error {
	rec := &task.Record{Type: task.Turned, Status: task.Succeeded, Answer: done.Answer, Progress: 1}
	if omitted := slices.Concat(r.View.Log.Task.Omitted, done.Omitted); len(omitted) > 0 {
		rec.Status, rec.Progress = task.Partial, 0
		rec.Reason = "left out: " + strings.Join(omitted, "; ")
		rec.Omitted = done.Omitted
	}
	if err := r.View.Log.Add(rec); err != nil {
		return err
	}
	return &stop{rec.Status, rec.Reason}
}

// onlyRemovals reports whether all that was not seen is that something is gone.
func onlyRemovals(seen []task.Verified) bool {
	return !slices.ContainsFunc(seen, func(v task.Verified) bool { return !v.OK && v.Kind != task.Removed })
}

// unchanged names an effect that a planner claims and that was true before it did anything: that proves nothing.
func unchanged(start string, effects []task.Effect) string {
	for _, e := range effects {
		if e.Kind == task.AtPage && e.Goal == "" && e.Text != "" && strings.Contains(start, e.Text) {
			return "the address had “" + e.Text + "” in it before anything was done; name what is different now"
		}
	}
	return ""
}

// provenBy are the effects that prove a task's goal with any planner; empty means the goal's words do not tell. One
// file of a certain time is told by its name, by what is in it, or by what was pressed for it.
func provenBy(t *task.Task) []task.Effect {
	if goal.IsSpec(t.Goal) {
		return []task.Effect{{Kind: task.AtPage, Goal: t.Goal}}
	}
	in := goal.ParseIntent(t.Goal, time.UnixMilli(t.CreatedAt))
	if in.Verb != goal.Download || in.Every || in.Not || len(in.Also) > 0 || in.Period == nil || in.Amount != nil ||
		in.Query != "" {
		return nil
	}
	return []task.Effect{{Kind: task.Downloaded, Any: in.Period.Spellings()}}
}
