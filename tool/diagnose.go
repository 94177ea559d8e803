package tool

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// diagnose finds out what the command does not say of its outcome. Natively most of it is in the answer; the page is asked again only where
// the answer speaks for trouble.
func (c *call) diagnose(ctx context.Context) {
	c.trackSession()
	if c.plan.stateless || c.plan.closes {
		return
	}
	c.diagnoseApp(ctx)
	switch {
	case c.answer.TimedOut || c.answer.Aborted:
		c.metDialog()
	case len(c.answer.Rows) > 0:
		c.diagnoseRows(ctx)
	case c.answer.Success:
		c.afterSuccess(ctx)
	default:
		c.afterFailure(ctx)
	}
}

// tell adds a diagnostic's text and its follow-ups.
func (c *call) tell(text string, after []contract.NextAction) {
	c.notes = append(c.notes, text)
	c.verdict.after = append(c.verdict.after, after...)
}

// trackSession notes what later calls of the session have to know: its routes, and who traces.
func (c *call) trackSession() {
	if c.plan.stateless {
		return
	}
	if c.plan.rows == nil {
		if c.answer.Success {
			c.track(&c.words)
		}
		return
	}
	for i, row := range c.answer.Rows {
		if row.Success && i < len(c.plan.rows) {
			c.track(&c.plan.rows[i])
		}
	}
}

func (c *call) track(line *argv.Words) {
	c.state.Routes, c.state.Tracing = c.state.Routes.After(line), c.state.Tracing.After(line)
}

// oneTracer refuses what would be in the way of a trace that the session has begun. Natively the engine itself says so.
func (c *call) oneTracer(context.Context) *contract.Refusal {
	if c.native() || c.plan.stateless {
		return nil
	}
	if why := c.state.Tracing.Conflict(&c.words); why != "" {
		return contract.Refuse(contract.ValidationError, why)
	}
	return nil
}

// afterSuccess looks at what a command that says it succeeded really did.
func (c *call) afterSuccess(ctx context.Context) {
	switch line := &c.words; {
	case line.Does(trait.Presses), line.Does(trait.TypesText), line.Akin(trait.Finds):
		if c.missedByProbe(ctx) {
			return
		}
		c.checkField(ctx)
		c.checkCombobox(ctx)
		c.checkOverlayAfterClick(ctx)
	case line.Does(trait.Snapshots):
		c.checkOverlay(c.answer.Data, nil)
	case line.Does(trait.ScrollsBy | trait.ScrollsTo):
		c.checkScroll(ctx)
	case line.Does(trait.ReadsText):
		c.checkVisibility(ctx, []read{{line, c.answer.Data}})
	case line.Does(trait.Evaluates):
		c.checkEval()
	case line.Does(trait.ListsRequests):
		c.checkRoutes()
	}
}

// afterFailure adds to a failure what may help.
func (c *call) afterFailure(ctx context.Context) {
	line, a, d := &c.words, &c.answer, c.details
	c.missedByProbe(ctx)
	if missed, after := judging.Missed(line, a.Code, a.Facts); missed != nil {
		d.ClickDispatch = missed
		c.tell(judging.MissedText(missed), after)
	}
	if over := judging.OverlayOf(a.Facts); over != nil {
		d.OverlayBlockers = over
		c.tell(judging.OverlayText(over), judging.AfterOverlay(over))
	}
	if kept := judging.NotKept(line, a.Code, a.Facts); kept != nil {
		d.FillVerification = kept
		c.tell(judging.MismatchText(kept), judging.AfterMismatchedFill(kept, false))
	}
	c.metDialog()
	o := c.outcome()
	switch judging.FailureOf(&o) {
	case contract.SelectorNotFound:
		c.fallBack(ctx, line)
	case contract.StaleRef:
		if s := d.CompiledSemanticAction; s != nil {
			c.verdict.after = append(c.verdict.after, judging.AfterSemanticStale(s)...)
		}
	}
	if s := d.CompiledSemanticAction; s != nil && a.Code != fault.RefStale {
		if judging.FailureOf(&o) == contract.SelectorNotFound {
			c.verdict.after = append(c.verdict.after, c.semanticMiss(s)...)
		}
	}
}

// semanticMiss offers what a text may have meant, and says so.
func (c *call) semanticMiss(s *contract.CompiledSemanticAction) []contract.NextAction {
	list := judging.AfterSemanticMiss(s, c.boundTo())
	if len(list) == 0 {
		return nil
	}
	lines := []string{"Agent-browser candidate fallbacks (guesses):"}
	for _, a := range list {
		args, _ := a.Params["args"].([]string)
		lines = append(lines, "- "+strings.Join(args, " "))
	}
	c.notes = append(c.notes, strings.Join(lines, "\n"))
	return list
}

// metDialog says so when a dialog blocks the page, or may.
func (c *call) metDialog() {
	if hint := judging.DialogHint(&c.words, c.answer.Code, c.answer.TimedOut); hint != nil {
		c.details.DialogTimeout = hint
		c.verdict.after = append(c.verdict.after, judging.AfterDialog()...)
	}
}

// fallBack looks for the element that a find did not find among the refs of the page as it is now.
func (c *call) fallBack(ctx context.Context, line *argv.Words) {
	target, ok := judging.Sought(line)
	if !ok {
		return
	}
	seen := c.lookAnew(ctx, "-i")
	if !seen.Success {
		return
	}
	fallback, rich := judging.Fallback(target, judging.RefsOf(seen.Data))
	if fallback == nil {
		return
	}
	fallback.Snapshot = c.details.RefSnapshot
	c.details.VisibleRefFallback = fallback
	c.tell(judging.FallbackText(fallback), judging.AfterFallback(fallback))
	if rich != nil {
		c.details.RichInputRecovery = rich
		c.tell(judging.RichInputText(rich), judging.AfterRichInput(rich))
	}
}

// lookAnew takes a snapshot for a diagnostic. Its refs are the session's from then on.
func (c *call) lookAnew(ctx context.Context, flags ...string) backend.Answer {
	seen := c.probe(ctx, c.tool.limits.Watchdog, append([]string{"snapshot"}, flags...)...)
	if seen.Success {
		if s := c.tookSnapshot(seen.Data); s != nil {
			c.details.RefSnapshot = s
		}
	}
	return seen
}

// diagnoseRows looks at the rows of a batch as far as that needs no other page than the one that shows now.
func (c *call) diagnoseRows(ctx context.Context) {
	var reads []read
	for i, row := range c.answer.Rows {
		if i >= len(c.plan.rows) {
			break
		}
		line := &c.plan.rows[i]
		if row.Success {
			if line.Does(trait.ReadsText) && c.answer.Success {
				reads = append(reads, read{line, row.Result})
			}
			continue
		}
		if row.Skipped {
			break
		}
		o := judging.Outcome{Line: *line, Code: row.Code, Error: row.Error}
		if judging.FailureOf(&o) == contract.SelectorNotFound && line.Akin(trait.Finds) {
			c.fallBack(ctx, line)
		}
		break // the first failure is the one that counts
	}
	c.checkVisibility(ctx, reads)
}
