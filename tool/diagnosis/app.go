package diagnosis

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/look"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// appSettles is how long an app that looks dead, or shows an empty page, has to come back.
const appSettles = 250 * time.Millisecond

// diagnoseApp looks whether the app that the session works in has survived the command, and what is different in apps:
// they redraw themselves under the same address, and have few elements that mean less than their whole window. Sessions
// that work in no app cost nothing.
func (x *examination) diagnoseApp(ctx context.Context) {
	if x.App == nil {
		return
	}
	if (x.mutated() || !x.Answer.Success) && x.appDied(ctx) {
		return
	}
	if !x.Answer.Success {
		return
	}
	x.noteRerender()
	x.noteTextScope()
}

// mutated reports whether a command of the call was to change the page.
func (x *examination) mutated() bool {
	for _, line := range x.lines() {
		if line.Entry != nil && line.Entry.Effect.Has(actions.Mutates) && !line.Entry.Effect.Has(actions.NoBrowser) {
			return true
		}
	}
	return false
}

// appDied makes a failure of a command after which the app is gone, or shows nothing any longer. An app that shows its
// page is not waited for.
func (x *examination) appDied(ctx context.Context) bool {
	k, err := x.App.Apps.Launcher()
	if err != nil {
		return false
	}
	blank := x.State.Target.URL == "about:blank" && !x.asksForBlank()
	lost := x.Can().TellsPage && x.Answer.Page == nil
	var status electron.Status
	ended := k.Ended(x.App.LaunchID)
	look := func() (reason string) {
		select {
		case <-ended:
			status, err = k.Status(ctx, x.App.LaunchID)
			return "process-dead"
		default:
		}
		if x.Can().TellsPage && !blank && !lost { // the engine has just heard from the page, so that the port lives
			return ""
		}
		if status, err = k.Status(ctx, x.App.LaunchID); err != nil {
			return ""
		}
		switch {
		case !status.PIDAlive:
			return "process-dead"
		case !status.PortAlive:
			return "debug-port-dead"
		case blank:
			return "about-blank"
		}
		return ""
	}
	reason := look()
	if reason == "" && !lost {
		return false
	}
	if reason != "process-dead" { // which does not come back
		settle(ctx, ended)
		if blank && x.backToPage(ctx) {
			blank = false
		}
		reason = look()
	}
	if reason == "" {
		return false
	}
	h := &contract.ElectronHealth{Reason: reason, LaunchID: x.App.LaunchID, SessionName: x.Key.Name, LaunchStatus: status}
	what := map[string]string{
		"process-dead": "its process has ended", "debug-port-dead": "its debugging port no longer answers",
		"about-blank": "its window shows an empty page and does not come back",
	}[reason]
	alive := map[bool]string{true: "alive", false: "dead"}
	h.Summary = fmt.Sprintf(
		"Electron post-command health: after %s, %s is not what it was: %s (process %s, debug port %s).",
		x.Line.Name(), x.App.AppName, what, alive[status.PIDAlive], alive[status.PortAlive])
	after := judging.Electron{LaunchID: x.App.LaunchID}.AfterDeath()
	for _, a := range after {
		h.NextActionIDs = append(h.NextActionIDs, a.ID)
	}
	x.found.Health = h
	x.found.AppGone = reason != "about-blank"
	x.fail(contract.TabDrift, h.Summary)
	x.tell(h.Summary, after)
	return true
}

// settle gives an app the time to come back, or to be gone.
func settle(ctx context.Context, ended <-chan struct{}) {
	timer := time.NewTimer(appSettles)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ended:
	case <-ctx.Done():
	}
}

// asksForBlank reports whether the caller wanted an empty page.
func (x *examination) asksForBlank() bool {
	for _, line := range x.lines() {
		if line.Entry.Loads() || line.Does(trait.Traverses|trait.AboutTabs) || x.Before.URL == "about:blank" {
			return true
		}
	}
	return false
}

// backToPage asks the session once more what it shows.
func (x *examination) backToPage(ctx context.Context) bool {
	url := x.Get(ctx, Patience, "url")
	if url == "" || url == "about:blank" {
		return false
	}
	x.State.Target = contract.PageTarget{URL: url}
	x.found.Target = &contract.PageTarget{URL: url}
	return true
}

// noteRerender says that refs may be old after an action on one of them that left the address as it was. Natively the
// engine knows which still hold, so that only programs are told.
func (x *examination) noteRerender() {
	ref := x.Line.Positional(0)
	if !strings.HasPrefix(ref, "@e") || !x.mutated() || x.Before.URL != "" && !samePage(x.Before.URL, x.State.Target.URL) {
		return
	}
	f := &contract.ElectronRefFreshness{
		Command: x.Line.Name(),
		Ref:     ref,
		Summary: "Electron ref freshness: " + x.App.AppName +
			" may have redrawn itself under the same address; take a new snapshot before the next ref.",
	}
	after := x.App.Apps.Named(&x.App.Record).AfterRerender()
	for _, a := range after {
		f.NextActionIDs = append(f.NextActionIDs, a.ID)
	}
	x.found.Freshness = f
	x.found.After = append(x.found.After, after...)
	if !x.Can().TellsEffects {
		x.found.Notes = append(x.found.Notes, f.Summary)
	}
}

// noteTextScope warns of texts that are those of a whole window.
func (x *examination) noteTextScope() {
	lines := x.Rows
	if lines == nil {
		lines = []argv.Words{*x.Line}
	}
	for i := range lines {
		selector := lines[i].Positional(0)
		if !actions.Yields[look.TextResult](lines[i].Entry) || !wholeWindow(selector) {
			continue
		}
		w := &contract.ElectronTextScopeHint{
			Selector: selector,
			Summary: "Electron text scope warning: " + selector + " is the whole window of " + x.App.AppName +
				", hidden parts included; read the element that is meant.",
		}
		after := x.App.Apps.Named(&x.App.Record).AfterBroadText()
		for _, a := range after {
			w.NextActionIDs = append(w.NextActionIDs, a.ID)
		}
		x.found.TextScope = w
		x.tell(w.Summary, after)
		return
	}
}

// wholeWindow reports whether a selector means all or most of an app's window.
func wholeWindow(selector string) bool {
	switch strings.ToLower(strings.TrimSpace(selector)) {
	case "body", "html", "main", "div", "[role=application]", `[role="application"]`, "[role='application']":
		return true
	}
	return false
}
