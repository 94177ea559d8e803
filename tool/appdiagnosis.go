package tool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// appSettles is how long an app that looks dead, or shows an empty page, has to come back.
const appSettles = 250 * time.Millisecond

// diagnoseApp looks whether the app that the session works in has survived the command, and what is different in apps: they redraw themselves
// under the same address, and have few elements that mean less than their whole window. Sessions that work in no app cost nothing.
func (c *call) diagnoseApp(ctx context.Context) {
	record, ok := c.app()
	if !ok || c.plan.closes {
		return
	}
	if (c.mutated() || !c.answer.Success) && c.appDied(ctx, &record) {
		return
	}
	if !c.answer.Success {
		return
	}
	c.noteRerender(&record)
	c.noteTextScope(&record)
}

// mutated reports whether a command of the call was to change the page.
func (c *call) mutated() bool {
	for _, line := range c.lines() {
		if line.Entry != nil && line.Entry.Effect.Has(actions.Mutates) && !line.Entry.Effect.Has(actions.NoBrowser) {
			return true
		}
	}
	return false
}

// appDied makes a failure of a command after which the app is gone, or shows nothing any more. An app that shows its page is not waited for.
func (c *call) appDied(ctx context.Context, record *electron.Record) bool {
	k, err := c.tool.apps.Launcher()
	if err != nil {
		return false
	}
	blank := c.state.Target.URL == "about:blank" && !c.asksForBlank()
	lost := c.native() && c.answer.Page == nil
	var status electron.Status
	ended := k.Ended(record.LaunchID)
	look := func() (reason string) {
		select {
		case <-ended:
			status, err = k.Status(ctx, record.LaunchID)
			return "process-dead"
		default:
		}
		if c.native() && !blank && !lost { // the engine has just heard from the page, so that the port lives
			return ""
		}
		if status, err = k.Status(ctx, record.LaunchID); err != nil {
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
		if blank && c.backToPage(ctx) {
			blank = false
		}
		reason = look()
	}
	if reason == "" {
		return false
	}
	h := &contract.ElectronHealth{Reason: reason, LaunchID: record.LaunchID, SessionName: c.plan.key.Name, LaunchStatus: status}
	what := map[string]string{
		"process-dead": "its process has ended", "debug-port-dead": "its debugging port no longer answers",
		"about-blank": "its window shows an empty page and does not come back",
	}[reason]
	alive := map[bool]string{true: "alive", false: "dead"}
	h.Summary = fmt.Sprintf("Electron post-command health: after %s, %s is not what it was: %s (process %s, debug port %s).",
		c.words.Name(), record.AppName, what, alive[status.PIDAlive], alive[status.PortAlive])
	after := judging.Electron{LaunchID: record.LaunchID}.AfterDeath()
	for _, a := range after {
		h.NextActionIDs = append(h.NextActionIDs, a.ID)
	}
	c.details.ElectronPostCommandHealth = h
	c.verdict.appGone = reason != "about-blank"
	c.fail(contract.TabDrift, h.Summary)
	c.tell(h.Summary, after)
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
func (c *call) asksForBlank() bool {
	for _, line := range c.lines() {
		if line.Does(trait.Opens|trait.Traverses|trait.ChoosesTab|trait.OpensTab) || c.before.URL == "about:blank" {
			return true
		}
	}
	return false
}

// backToPage asks the session once more what it shows.
func (c *call) backToPage(ctx context.Context) bool {
	url := stringField(c.probe(ctx, probePatience, "get", "url"), "url")
	if url == "" || url == "about:blank" {
		return false
	}
	c.state.Target = contract.PageTarget{URL: url}
	c.details.SessionTabTarget = &contract.PageTarget{URL: url}
	return true
}

// noteRerender says that refs may be old after an action on one of them that left the address as it was. Natively the engine knows which still
// hold, so that only programs are told.
func (c *call) noteRerender(record *electron.Record) {
	ref := c.words.Positional(0)
	if !strings.HasPrefix(ref, "@e") || !c.mutated() || c.before.URL != "" && !samePage(c.before.URL, c.state.Target.URL) {
		return
	}
	f := &contract.ElectronRefFreshness{
		Command: c.words.Name(), Ref: ref,
		Summary: "Electron ref freshness: " + record.AppName + " may have redrawn itself under the same address; take a new snapshot before the next ref.",
	}
	after := c.tool.apps.Named(record).AfterRerender()
	for _, a := range after {
		f.NextActionIDs = append(f.NextActionIDs, a.ID)
	}
	c.details.ElectronRefFreshness = f
	c.verdict.after = append(c.verdict.after, after...)
	if !c.native() {
		c.notes = append(c.notes, f.Summary)
	}
}

// noteTextScope warns of texts that are those of a whole window.
func (c *call) noteTextScope(record *electron.Record) {
	lines := c.plan.rows
	if lines == nil {
		lines = []argv.Words{c.words}
	}
	for i := range lines {
		selector := lines[i].Positional(0)
		if !lines[i].Does(trait.ReadsText) || !wholeWindow(selector) {
			continue
		}
		w := &contract.ElectronTextScopeHint{
			Selector: selector,
			Summary:  "Electron text scope warning: " + selector + " is the whole window of " + record.AppName + ", hidden parts included; read the element that is meant.",
		}
		after := c.tool.apps.Named(record).AfterBroadText()
		for _, a := range after {
			w.NextActionIDs = append(w.NextActionIDs, a.ID)
		}
		c.details.ElectronGetTextScopeWarning = w
		c.tell(w.Summary, after)
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

// inPackagedApp says of a lookup without candidates, in a session that works in an app, where the app's code may be instead.
func (c *call) inPackagedApp(l *contract.SourceLookup) {
	record, ok := c.app()
	if !ok || len(l.Candidates) > 0 {
		return
	}
	l.WorkspaceRoot = c.tool.options.Cwd
	l.ElectronContext = &contract.ElectronContext{
		LaunchID: record.LaunchID, AppName: record.AppName, AppPath: record.AppPath, ExecutablePath: record.ExecutablePath,
		SessionName: c.plan.key.Name, URL: c.state.Target.URL,
	}
	limits := []string{
		"The workspace scan was limited to " + l.WorkspaceRoot + ", which may not be the source of " + record.AppName + ".",
		"The packaged Electron app code may live outside of the workspace, in the app's archive, bundled and without the names that its source had.",
	}
	if code := electron.CodeOf(record.ExecutablePath, record.AppPath, c.state.Target.URL); code != nil {
		l.ElectronContext.Code = code
		limits = append(limits, aboutCode(code))
	}
	l.Limitations = append(l.Limitations, limits...)
	c.verdict.after = append(c.verdict.after, c.tool.apps.Named(&record).AfterLookup()...)
}

// aboutCode says what there is of an app's code, and how one gets at it.
func aboutCode(code *electron.Code) string {
	text := "The app's code is in " + code.Path
	if code.Page != "" {
		text += ", the page is its " + code.Page
	}
	count := fmt.Sprintf("%d files", code.Files)
	if code.Cut {
		count = "more than " + count
	}
	switch {
	case code.SourceMaps > 0:
		text += fmt.Sprintf(". Of its %s %d are source maps, as %s: the sources that they name can be looked for in them.", count, code.SourceMaps, code.MapOfOne)
	default:
		text += ". None of its " + count + " is a source map, so the names and lines of the source are not available."
	}
	if code.Packed {
		text += " It was not unpacked; its list of files and its package.json were read."
	}
	return text
}
