package tool

import (
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// probePatience bounds each question that a diagnostic asks of the page.
const probePatience = 2 * time.Second

// read is a text that was read, and the answer.
type read struct {
	line *argv.Words
	data any
}

// ask runs a script in the page and returns the object that it yields, nil when it yields none.
func (c *call) ask(ctx context.Context, script string) map[string]any {
	a := c.probe(ctx, probePatience, "eval", script)
	m, _ := a.Data.(map[string]any)
	seen, _ := m["result"].(map[string]any)
	if !a.Success {
		return nil
	}
	return seen
}

// checkOverlay looks in a snapshot for a dialog that lies over the page.
func (c *call) checkOverlay(data any, snapshot *contract.RefSnapshot) {
	over := judging.Overlay(data)
	if over == nil {
		return
	}
	if over.Snapshot = snapshot; snapshot == nil {
		over.Snapshot = c.details.RefSnapshot
	}
	c.details.OverlayBlockers = over
	c.tell(judging.OverlayText(over), judging.AfterOverlay(over))
}

// checkOverlayAfterClick looks again after a click on a ref that left the page where it was, when a dialog came up. Natively the effect
// says whether one did; agent-browser says nothing, so that a snapshot has to. It is one of the whole page: what belongs to a dialog can only
// be seen there.
func (c *call) checkOverlayAfterClick(ctx context.Context) {
	if !c.words.Does(trait.Clicks) || !strings.HasPrefix(c.words.Positional(0), "@") || c.before.URL == "" || !samePage(c.before.URL, c.state.Target.URL) {
		return
	}
	if c.native() && !dialogAppeared(c.answer.Data) {
		return
	}
	if seen := c.lookAnew(ctx); seen.Success {
		c.checkOverlay(seen.Data, c.details.RefSnapshot)
	}
}

// samePage compares addresses without their fragments.
func samePage(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}

// dialogAppeared reports whether the effect of an action names a dialog of the page.
func dialogAppeared(data any) bool {
	m, _ := data.(map[string]any)
	effect, _ := m["effect"].(map[string]any)
	appeared, _ := effect["appeared"].([]any)
	for _, what := range appeared {
		if s, _ := what.(string); strings.HasPrefix(s, "dialog") || strings.HasPrefix(s, "alertdialog") {
			return true
		}
	}
	return false
}

// checkScroll makes a failure of a scroll that moved nothing.
func (c *call) checkScroll(ctx context.Context) {
	data, _ := c.answer.Data.(map[string]any)
	if data == nil || !judging.MovesPage(&c.words) {
		return
	}
	var still *contract.ScrollNoop
	switch {
	case c.native():
		if data["scrolled"] != false {
			return
		}
		why, _ := data["reason"].(string)
		others, _ := data["scrollable"].([]any)
		still = judging.Still(data["from"], data["to"], why, others)
	case c.verdict.before != nil:
		after := c.ask(ctx, positionsScript)
		if after == nil || !samePositions(c.verdict.before, after) {
			return
		}
		still = judging.Still(c.verdict.before, after, "", nil)
	default:
		return
	}
	data["scrolled"], data["noMovement"] = false, true
	c.details.ScrollNoop = still
	c.fail(contract.UpstreamError, "Scroll completed with no observed movement. "+still.Message)
	c.tell(judging.StillText(still), judging.AfterStill())
}

// checkCombobox looks whether a combobox that was opened shows its options.
func (c *call) checkCombobox(ctx context.Context) {
	var refs map[string]contract.Ref
	if s := c.state.Refs.Snapshot; s != nil {
		refs = s.Refs
	}
	explicit := judging.OpensCombobox(&c.words, refs)
	if c.native() {
		role, suspicious := judging.ShowsNothing(c.answer.Data)
		if !suspicious || !explicit && (role != "combobox" || !c.words.Does(trait.Clicks|trait.Replaces)) {
			return
		}
	} else if !explicit {
		return
	}
	combo := judging.Combobox(c.ask(ctx, comboboxScript))
	if combo == nil {
		return
	}
	c.details.ComboboxFocus = combo
	c.tell(judging.ComboboxText(combo), judging.AfterCombobox())
}

// checkField looks whether an editable element has kept what it was filled with, and in apps every element: their fields like to be more
// than fields. Natively fill itself does, and fails.
func (c *call) checkField(ctx context.Context) {
	if c.native() || !c.words.Does(trait.Replaces) || c.words.Positional(1) == "" {
		return
	}
	selector, wanted := c.words.Positional(0), strings.Join(c.words.Positionals[1:], " ")
	seen := c.ask(ctx, editableScript)
	actual, _ := seen["text"].(string)
	rich := seen["editable"] == true
	if !rich {
		if _, ok := c.app(); !ok || seen["secret"] != false {
			return
		}
		kept := c.probe(ctx, probePatience, "get", "value", selector)
		if !kept.Success {
			return
		}
		actual = stringField(kept, "value")
	}
	if strings.Join(strings.Fields(actual), " ") == strings.Join(strings.Fields(wanted), " ") {
		return
	}
	f := judging.Mismatch(selector, actual)
	c.details.FillVerification = f
	c.tell(judging.MismatchText(f), judging.AfterMismatchedFill(f, rich))
}

// checkVisibility warns of texts that were read of one of several elements.
func (c *call) checkVisibility(ctx context.Context, reads []read) {
	var list []contract.SelectorTextVisibility
	took := map[string]int{}
	for _, r := range reads {
		selector, ok := judging.Ambiguous(r.line)
		if !ok {
			continue
		}
		count, index := judging.Matched(r.data)
		if c.native() && count < 2 {
			continue
		}
		if v := judging.Visibility(selector, c.ask(ctx, judging.VisibilityProbe(selector))); v != nil {
			list = append(list, *v)
			took[selector] = index
		}
	}
	if len(list) == 0 {
		return
	}
	judging.SortVisibility(list)
	c.details.SelectorTextVisibility = &list[0]
	if len(list) > 1 {
		c.details.SelectorTextVisibilityAll = list
	}
	for i := range list {
		c.notes = append(c.notes, judging.VisibilityText(&list[i], took[list[i].Selector]))
	}
	c.verdict.after = append(c.verdict.after, judging.AfterVisibility(list)...)
}

// checkEval says what an empty result of an eval may come from.
func (c *call) checkEval() {
	code := string(c.stdin)
	if code == "" && c.native() {
		code = strings.Join(c.words.Positionals, " ")
	}
	if hint := judging.EvalHint(&c.words, code, c.answer.Data); hint != nil {
		c.details.EvalStdinHint = hint
		c.notes = append(c.notes, "Eval stdin hint: "+hint.Reason+" "+hint.Suggestion)
	}
	if hint := judging.EvalWarning(&c.words, string(c.stdin), c.answer.Data, c.before.URL, c.state.Target.URL); hint != nil {
		c.details.EvalResultWarning = hint
		c.notes = append(c.notes, "Eval result warning: "+hint.Reason+" "+hint.Suggestion)
	}
}

// checkRoutes looks for requests that a route of the session has caught and the page has no use of.
func (c *call) checkRoutes() {
	list := c.state.Routes.Diagnose(c.answer.Data)
	if len(list) == 0 {
		return
	}
	c.details.NetworkRouteDiagnostics, c.verdict.routes = list, list
	c.notes = append(c.notes, judging.RoutesText(list))
}
