package diagnosis

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/network"
	"github.com/skua-browser/skua/actions/pointer"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// afterSuccess looks at what a command that says it succeeded really did.
func (x *examination) afterSuccess(ctx context.Context) {
	switch line := x.Line; {
	case line.Akin(trait.Presses | trait.Finds), line.Entry.TypesInto():
		if x.missedByProbe(ctx) {
			return
		}
		x.checkField(ctx)
		x.checkCombobox(ctx)
		x.checkOverlayAfterClick(ctx)
	case line.Entry.HandsOutRefs():
		x.checkOverlay(x.Answer.ResultFacts.Refs, nil)
	case actions.Yields[pointer.ScrolledResult](line.Entry):
		x.checkScroll(ctx)
	case actions.Yields[look.TextResult](line.Entry):
		x.checkVisibility(ctx, []read{{line, &x.Answer.ResultFacts}})
	case actions.Yields[look.EvalResult](line.Entry):
		x.checkEval()
	case actions.Yields[network.Requests](line.Entry):
		x.checkRoutes()
	}
}

// afterFailure adds to a failure what may help.
func (x *examination) afterFailure(ctx context.Context) {
	line, a, d := x.Line, x.Answer, &x.found
	x.missedByProbe(ctx)
	facts := judging.FailureFactsOf(a.Facts)
	if missed, after := judging.Missed(line, a.Code, &facts); missed != nil {
		d.ClickDispatch = missed
		x.tell(judging.MissedText(missed), after)
	}
	if over := judging.OverlayOf(&facts); over != nil {
		d.OverlayBlockers = over
		x.tell(judging.OverlayText(over), judging.AfterOverlay(over))
	}
	if kept := judging.NotKept(line, a.Code, &facts); kept != nil {
		d.FillVerification = kept
		x.tell(judging.MismatchText(kept), judging.AfterMismatchedFill(kept, false))
	}
	x.metDialog()
	failure := x.Failure
	if x.found.Category != "" { // the app is gone, and with it what was sought
		failure = x.found.Category
	}
	switch failure {
	case contract.SelectorNotFound:
		x.fallBack(ctx, line)
	case contract.StaleRef:
		if s := x.Semantic; s != nil {
			x.found.After = append(x.found.After, judging.AfterSemanticStale(s)...)
		}
	}
	if s := x.Semantic; s != nil && a.Code != fault.RefStale && failure == contract.SelectorNotFound {
		x.found.After = append(x.found.After, x.semanticMiss(s)...)
	}
}

// semanticMiss offers what a text may have meant, and says so.
func (x *examination) semanticMiss(s *contract.CompiledSemanticAction) []contract.NextAction {
	list := judging.AfterSemanticMiss(s, x.Session)
	if len(list) == 0 {
		return nil
	}
	lines := []string{"Agent-browser candidate fallbacks (guesses):"}
	for _, a := range list {
		lines = append(lines, "- "+strings.Join(a.Params.Args, " "))
	}
	x.found.Notes = append(x.found.Notes, strings.Join(lines, "\n"))
	return list
}

// metDialog says so when a dialog blocks the page, or may.
func (x *examination) metDialog() {
	if hint := judging.DialogHint(x.Line, x.Answer.Code, x.Answer.TimedOut); hint != nil {
		x.found.DialogTimeout = hint
		x.found.After = append(x.found.After, judging.AfterDialog()...)
	}
}

// fallBack looks for the element that a find did not find among the refs of the page as it is now.
func (x *examination) fallBack(ctx context.Context, line *argv.Words) {
	target, ok := judging.Sought(line)
	if !ok {
		return
	}
	seen := x.lookAnew(ctx, "-i")
	if !seen.Success {
		return
	}
	fallback, rich := judging.Fallback(target, judging.RefsOf(seen.ResultFacts.Refs))
	if fallback == nil {
		return
	}
	fallback.Snapshot = x.refs
	x.found.VisibleRefFallback = fallback
	x.tell(judging.FallbackText(fallback), judging.AfterFallback(fallback))
	if rich != nil {
		x.found.RichInputRecovery = rich
		x.tell(judging.RichInputText(rich), judging.AfterRichInput(rich))
	}
}

// lookAnew takes a snapshot for a diagnostic. Its refs are the session's from then on.
func (x *examination) lookAnew(ctx context.Context, flags ...string) backend.Answer {
	seen := x.Ask(ctx, x.Watchdog, append([]string{"snapshot"}, flags...)...)
	if seen.Success {
		if s := x.State.Looked(&seen.ResultFacts, !x.Can().KnowsRefs); s != nil {
			x.refs, x.found.RefSnapshot = s, s
		}
	}
	return seen
}

// diagnoseRows looks at the rows of a batch as far as that needs no other page than the one that shows now.
func (x *examination) diagnoseRows(ctx context.Context) {
	var reads []read
	for i := range x.Answer.Rows {
		row := &x.Answer.Rows[i]
		if i >= len(x.Rows) {
			break
		}
		line := &x.Rows[i]
		if row.Success {
			if actions.Yields[look.TextResult](line.Entry) && x.Answer.Success {
				reads = append(reads, read{line, &row.ResultFacts})
			}
			continue
		}
		if row.Skipped {
			break
		}
		o := judging.Outcome{Line: *line, Code: row.Code, Error: row.Error}
		if judging.FailureOf(&o) == contract.SelectorNotFound && line.Akin(trait.Finds) {
			x.fallBack(ctx, line)
		}
		break // the first failure is the one that counts
	}
	x.checkVisibility(ctx, reads)
}
