package diagnosis

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/forms"

	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/tool/backend"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// read is a text that was read, and what the answer told.
type read struct {
	line *argv.Words
	told *fact.Facts
}

// checkOverlay looks in a snapshot for a dialog that lies over the page.
func (x *examination) checkOverlay(shown *fact.HandedOut, snapshot *contract.RefSnapshot) {
	over := judging.Overlay(shown)
	if over == nil {
		return
	}
	if over.Snapshot = snapshot; snapshot == nil {
		over.Snapshot = x.refs
	}
	x.found.OverlayBlockers = over
	x.tell(judging.OverlayText(over), judging.AfterOverlay(over))
}

// checkOverlayAfterClick looks again after a click on a ref that left the page where it was, when a dialog came up.
// Natively the effect says whether one did; agent-browser says nothing, so that a snapshot has to. It is one of the
// whole page: what belongs to a dialog can only be seen there.
func (x *examination) checkOverlayAfterClick(ctx context.Context) {
	if !x.Line.Does(trait.Clicks) || !strings.HasPrefix(x.Line.Positional(0), "@") || x.Before.URL == "" ||
		!samePage(x.Before.URL, x.State.Target.URL) {
		return
	}
	if x.Can().TellsEffects && !dialogAppeared(x.Answer.ResultFacts.Effects) {
		return
	}
	if seen := x.lookAnew(ctx); seen.Success {
		x.checkOverlay(seen.ResultFacts.Refs, x.refs)
	}
}

// samePage compares addresses without their fragments.
func samePage(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}

// dialogAppeared reports whether the effects of an action name a dialog of the page.
func dialogAppeared(effects *fact.Effects) bool {
	return effects != nil && slices.ContainsFunc(effects.Appeared, func(what string) bool {
		return strings.HasPrefix(what, "dialog") || strings.HasPrefix(what, "alertdialog")
	})
}

// checkScroll makes a failure of a scroll that moved nothing.
func (x *examination) checkScroll(ctx context.Context) {
	if x.Answer.Data == nil || !judging.MovesPage(x.Line) {
		return
	}
	var still *contract.ScrollNoop
	switch {
	case x.Can().TellsEffects:
		moved, ok := actions.Own(x.Answer.Data).(pointer.ScrolledResult)
		if !ok || moved.Scrolled {
			return
		}
		still = judging.Still(moved.From, moved.To, moved.Reason, moved.Scrollable)
	case x.Watch.positions != nil:
		after := ask[positions](ctx, &x.Command, positionsScript)
		if after == nil || !samePositions(*x.Watch.positions, *after) {
			return
		}
		still = judging.Still(x.Watch.positions, after, "", nil)
	default:
		return
	}
	x.Answer.Data = unmoved(x.Answer.Data)
	x.found.ScrollNoop = still
	x.fail(contract.UpstreamError, "Scroll completed with no observed movement. "+still.Message)
	x.tell(judging.StillText(still), judging.AfterStill())
}

// stillScroll is the data of a scroll that moved nothing.
type stillScroll struct {
	pointer.ScrolledResult
	NoMovement bool `json:"noMovement"`
}

// unmoved returns the data of a scroll that moved nothing, which says so.
func unmoved(data any) any {
	switch d := data.(type) {
	case *actions.Reported:
		return &actions.Reported{Own: unmoved(d.Own), Reports: d.Reports}
	case pointer.ScrolledResult:
		d.Scrolled = false
		return stillScroll{d, true}
	case map[string]any: // of another program
		d = maps.Clone(d)
		d["scrolled"], d["noMovement"] = false, true
		return d
	}
	return data
}

// checkCombobox looks whether a combobox that was opened shows its options.
func (x *examination) checkCombobox(ctx context.Context) {
	explicit := judging.OpensCombobox(x.Line, x.State.Refs.Known())
	if x.Can().TellsEffects {
		role, suspicious := judging.ShowsNothing(x.Answer.ResultFacts.Effects)
		if !suspicious || !explicit && (role != "combobox" || !x.Line.Does(trait.Clicks) && !x.Line.Entry.TypesInto()) {
			return
		}
	} else if !explicit {
		return
	}
	combo := judging.Combobox(ask[judging.SeenCombobox](ctx, &x.Command, comboboxScript))
	if combo == nil {
		return
	}
	x.found.ComboboxFocus = combo
	x.tell(judging.ComboboxText(combo), judging.AfterCombobox())
}

// checkField looks whether an editable element has kept what it was filled with, and in apps every element: their
// fields like to be more than fields. Natively fill itself does, and fails.
func (x *examination) checkField(ctx context.Context) {
	if x.Can().TellsEffects || !x.Line.Entry.TypesInto() || !actions.Yields[forms.FilledResult](x.Line.Entry) ||
		x.Line.Positional(1) == "" {
		return
	}
	selector, wanted := x.Line.Positional(0), strings.Join(x.Line.Positionals[1:], " ")
	seen := ask[struct {
		Editable, Secret bool
		Text             string
	}](ctx, &x.Command, editableScript)
	rich := seen != nil && seen.Editable
	if !rich && (x.App == nil || seen == nil || seen.Secret) {
		return
	}
	actual := seen.Text
	if !rich {
		kept := x.Ask(ctx, Patience, "get", "value", selector)
		if !kept.Success {
			return
		}
		actual = backend.Read[look.ValueResult](&kept).Value
	}
	if strings.Join(strings.Fields(actual), " ") == strings.Join(strings.Fields(wanted), " ") {
		return
	}
	f := judging.Mismatch(selector, actual)
	x.found.FillVerification = f
	x.tell(judging.MismatchText(f), judging.AfterMismatchedFill(f, rich))
}

// checkVisibility warns of texts that were read of one of several elements.
func (x *examination) checkVisibility(ctx context.Context, reads []read) {
	var list []contract.SelectorTextVisibility
	took := map[string]int{}
	for _, r := range reads {
		selector, ok := judging.Ambiguous(r.line)
		if !ok {
			continue
		}
		if x.Can().TellsEffects && r.told.Matches < 2 {
			continue
		}
		if v := judging.Visibility(selector,
			ask[judging.SeenMatches](ctx, &x.Command, judging.VisibilityProbe(selector))); v != nil {
			list = append(list, *v)
			took[selector] = r.told.Match
		}
	}
	if len(list) == 0 {
		return
	}
	judging.SortVisibility(list)
	x.found.SelectorTextVisibility = &list[0]
	if len(list) > 1 {
		x.found.SelectorTextVisibilityAll = list
	}
	for i := range list {
		x.found.Notes = append(x.found.Notes, judging.VisibilityText(&list[i], took[list[i].Selector]))
	}
	x.found.After = append(x.found.After, judging.AfterVisibility(list)...)
}

// checkEval says what an empty result of an eval may come from.
func (x *examination) checkEval() {
	code := string(x.Stdin)
	if code == "" && x.Can().TellsEffects {
		code = strings.Join(x.Line.Positionals, " ")
	}
	if hint := judging.EvalHint(x.Line, code, x.Answer.Data); hint != nil {
		x.found.EvalStdinHint = hint
		x.found.Notes = append(x.found.Notes, "Eval stdin hint: "+hint.Reason+" "+hint.Suggestion)
	}
	if hint := judging.EvalWarning(x.Line, string(x.Stdin), x.Answer.Data, x.Before.URL, x.State.Target.URL); hint != nil {
		x.found.EvalResultWarning = hint
		x.found.Notes = append(x.found.Notes, "Eval result warning: "+hint.Reason+" "+hint.Suggestion)
	}
}

// checkRoutes looks for requests that a route of the session has caught and the page has no use of.
func (x *examination) checkRoutes() {
	list := x.State.Routes.Diagnose(x.Answer.Data)
	if len(list) == 0 {
		return
	}
	x.found.NetworkRouteDiagnostics = list
	x.found.Notes = append(x.found.Notes, judging.RoutesText(list))
}
