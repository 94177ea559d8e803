package tool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/planning"
)

// Patience with an app that has just begun: its port answers before its windows are there, and they are there before they show something.
const (
	targetPatience = 5 * time.Second
	tabPatience    = 2 * time.Second
	settleEvery    = 100 * time.Millisecond
	emptySnapshots = 5 // as many are taken before an app counts as one that shows nothing
	emptyPause     = 300 * time.Millisecond
)

// launch is an app on its way from its start to the caller's hands.
type launch struct {
	keeper   *electron.Keeper
	launched *electron.Launched
	target   electron.Target // that the session is to work in
	found    bool            // there is such a target
	session  *appSession     // once it is attached
	tabs     []any           // of the session
	texts    []string        // what the model gets to see of the app
}

// launchApp starts an app, attaches a new managed session to it and shows what is wanted of it. What fails after the start leaves nothing
// of the app.
func (c *call) launchApp(ctx context.Context) *refusal {
	wish := c.details.CompiledElectron
	c.details.Electron.ProfileIsolation = profileIsolation()
	k, err := c.tool.appKeeper()
	if err != nil {
		return refuseFor(err)
	}
	env := make([]string, 0, len(c.tool.options.Env))
	for name, value := range c.tool.options.Env {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	c.progress("Launching the desktop app " + wish.AppName + wish.AppPath + wish.BundleID + wish.ExecutablePath)
	began := time.Now()
	timeout := time.Duration(wish.TimeoutMs) * time.Millisecond
	launched, err := k.Launch(ctx, electron.LaunchOptions{
		AppPath: wish.AppPath, AppName: wish.AppName, BundleID: wish.BundleID, ExecutablePath: wish.ExecutablePath, Args: wish.AppArgs,
		Allow: wish.Allow, Deny: wish.Deny, Timeout: timeout, Cwd: c.tool.options.Cwd, Env: env,
	})
	if err != nil {
		return c.notLaunched(err)
	}
	c.tool.apps.launched(launched.Record.LaunchID)
	l := &launch{keeper: k, launched: launched}
	l.awaitTarget(ctx, wish.TargetType, min(targetPatience, timeout-time.Since(began)))
	if r := c.handOver(ctx, l); r != nil {
		c.undo(ctx, l, r)
		return nil
	}
	c.tellLaunch(l)
	return nil
}

// notLaunched is the refusal for an app that did not start, with all that is known of it.
func (c *call) notLaunched(err error) *refusal {
	f := &contract.ElectronFailure{Reason: string(fault.CodeOf(err)), Message: err.Error()}
	if e, ok := errors.AsType[*fault.Error](err); ok {
		f.Diagnostics, f.Policy = e.Facts["diagnostics"], e.Facts["policy"]
		c.details.Code, c.details.Facts = string(e.Code), e.Facts
	}
	c.details.Electron.Failure = f
	return refuseFor(err)
}

// awaitTarget waits until the app has a window of the wanted kind. Its port tells of new windows only when it is asked.
func (l *launch) awaitTarget(ctx context.Context, kind string, patience time.Duration) {
	for deadline := time.Now().Add(patience); ; {
		l.target, l.found = electron.Choose(l.launched.Targets, kind)
		if l.found && l.target.URL != "" && l.target.URL != "about:blank" || time.Now().After(deadline) || pause.For(ctx, settleEvery) != nil {
			return
		}
		if !l.refresh(ctx) {
			return
		}
	}
}

// refresh asks the app's port which windows there are now.
func (l *launch) refresh(ctx context.Context) bool {
	status, err := l.keeper.Status(ctx, l.launched.Record.LaunchID)
	if err != nil || !status.PortAlive {
		return false
	}
	l.launched.Targets = status.Targets
	return true
}

// lookAnew chooses the target among the windows that there are now.
func (l *launch) lookAnew(ctx context.Context, kind string) {
	if !l.refresh(ctx) {
		return
	}
	if target, ok := electron.Choose(l.launched.Targets, kind); ok {
		l.target = target
	}
}

// handOver attaches a session and does what is wanted in it.
//
// It is attached to the app's browser and not to the target's own address: a connection to a window ends with that window, and with it the
// session's others. Which of them is meant is chosen by its tab, to the same effect.
func (c *call) handOver(ctx context.Context, l *launch) *refusal {
	attach, r := c.within(ctx, nil, 0, "", "connect", l.launched.Record.WebSocketDebuggerURL)
	d := c.details
	d.SessionDetails = attach.details.SessionDetails
	if r.IsError {
		return refuse(r.Details.FailureCategory, "The app was started, and its window could not be attached to: "+whyNot(r))
	}
	l.session = &appSession{attach.backend, attach.plan.key}
	h := &contract.ElectronHandoff{Handoff: d.CompiledElectron.Handoff}
	d.Electron.Handoff = h
	for _, step := range []func(context.Context, *launch, *contract.ElectronHandoff) *refusal{c.chooseWindow, c.seeWindow, c.showTabs, c.showSnapshot} {
		if r := step(ctx, l, h); r != nil {
			return r
		}
	}
	return nil
}

// chooseWindow makes the target's tab the active one. A session may hear of it a little later than the app's port tells of it.
func (c *call) chooseWindow(ctx context.Context, l *launch, _ *contract.ElectronHandoff) *refusal {
	kind := c.details.CompiledElectron.TargetType
	for deadline := time.Now().Add(tabPatience); ; l.lookAnew(ctx, kind) {
		listed, r := c.within(ctx, l.session, 0, "", "tab", "list")
		if r.IsError {
			return refuse(r.Details.FailureCategory, "The app was started, and its windows could not be listed: "+whyNot(r))
		}
		l.tabs = rowsOf(listed.answer.Data, "tabs")
		if !l.found {
			l.texts = append(l.texts, "The app has no target of the type "+kind+" yet; the session is attached to what it has.")
			return nil
		}
		tab := l.tab()
		patient := func() bool { return time.Now().Before(deadline) && pause.For(ctx, settleEvery) == nil }
		switch {
		case tab == nil && patient():
			continue
		case tab == nil:
			l.texts = append(l.texts, "The app's "+l.target.Type+" "+l.target.URL+" is not among the session's tabs; the session works in another one.")
			return nil
		case tab["active"] == true:
			return nil
		}
		id, _ := tab["tabId"].(string)
		chosen, r := c.within(ctx, l.session, 0, "", "tab", id)
		if r.IsError && patient() { // windows come and go while an app begins
			continue
		}
		if r.IsError {
			return refuse(r.Details.FailureCategory, "The app was started, and its window could not be chosen: "+whyNot(r))
		}
		c.details.SessionTabTarget = chosen.details.SessionTabTarget
		for _, other := range l.tabs {
			if m, ok := other.(map[string]any); ok {
				m["active"] = m["tabId"] == id
			}
		}
		return nil
	}
}

// tab is the session's tab of the target; nil: it has none.
func (l *launch) tab() map[string]any {
	for _, row := range l.tabs {
		if tab, _ := row.(map[string]any); tab["targetId"] == l.target.ID {
			return tab
		}
	}
	return nil
}

func rowsOf(data any, name string) []any {
	m, _ := data.(map[string]any)
	rows, _ := m[name].([]any)
	return rows
}

// seeWindow asks for the live address before something of the window's content is read.
func (c *call) seeWindow(ctx context.Context, l *launch, h *contract.ElectronHandoff) *refusal {
	asked, r := c.within(ctx, l.session, 0, "", "get", "url")
	for deadline := time.Now().Add(tabPatience); r.IsError && time.Now().Before(deadline) && pause.For(ctx, settleEvery) == nil; { // it may have just come, or gone
		l.lookAnew(ctx, c.details.CompiledElectron.TargetType)
		if r := c.chooseWindow(ctx, l, h); r != nil {
			return r
		}
		asked, r = c.within(ctx, l.session, 0, "", "get", "url")
	}
	if r.IsError {
		return refuse(r.Details.FailureCategory, "The app was started, and its window tells no address: "+whyNot(r))
	}
	if l.found {
		h.Target = l.target
	}
	h.URL = stringField(asked.answer, "url")
	if t := asked.details.SessionTabTarget; t != nil {
		c.details.SessionTabTarget, h.Title = t, t.Title
	}
	return nil
}

// showTabs keeps the list of windows, where it is wanted.
func (c *call) showTabs(_ context.Context, l *launch, h *contract.ElectronHandoff) *refusal {
	if h.Handoff == "connect" {
		return nil
	}
	h.Tabs = l.tabs
	l.texts = append(l.texts, fmt.Sprintf("Tabs: %d", len(l.tabs)))
	for _, row := range l.tabs {
		tab, _ := row.(map[string]any)
		mark := "  "
		if tab["active"] == true {
			mark = "→ "
		}
		line := fmt.Sprintf("%s[%v] %v %v", mark, tab["tabId"], tab["title"], tab["url"])
		if kind, _ := tab["type"].(string); kind != "" && kind != electron.PageTarget {
			line += " (" + kind + ")"
		}
		l.texts = append(l.texts, line)
	}
	return nil
}

// showSnapshot takes the first snapshot, where it is wanted. An app that has just begun may still be about to draw itself.
func (c *call) showSnapshot(ctx context.Context, l *launch, h *contract.ElectronHandoff) *refusal {
	if h.Handoff != "snapshot" {
		return nil
	}
	for try := 1; ; try++ {
		seen, r := c.within(ctx, l.session, 0, "", "snapshot", "-i")
		if r.IsError {
			return refuse(r.Details.FailureCategory, "The app was started, and no snapshot of its window could be taken: "+whyNot(r))
		}
		d := c.details
		d.RefSnapshot, d.SessionTabTarget = seen.details.RefSnapshot, seen.details.SessionTabTarget
		if d.RefSnapshot != nil {
			h.RefCount = len(d.RefSnapshot.RefIDs)
		}
		if h.RefCount > 0 {
			l.texts = append(l.texts, text(r))
			return nil
		}
		h.EmptyTries = try
		if try == emptySnapshots {
			l.texts = append(l.texts, text(r), fmt.Sprintf("%d snapshots show no refs: the app may still be settling. "+
				"Run snapshot -i once more before the UI counts as unusable.", try))
			return nil
		}
		if pause.For(ctx, emptyPause) != nil {
			return refuse(contract.Aborted, "The launch was given up while the app was settling; nothing of it is left.")
		}
	}
}

// tellLaunch makes the result of an app that runs and is attached to.
func (c *call) tellLaunch(l *launch) {
	d, e := c.details, c.details.Electron
	record, ok := c.tool.apps.record(l.launched.Record.LaunchID)
	if !ok {
		record = l.launched.Record
	}
	ids := c.identifiers(&record)
	e.Launch, e.Targets, e.Version, e.Identifiers = record, electron.Attachable(l.launched.Targets), l.launched.Version, &ids
	d.NextActions = judging.AppendUnique(d.NextActions, c.named(&record).AfterLaunch()...)
	head := fmt.Sprintf("Electron launch: %s runs with a new profile of its own (launchId %s, session %s).", record.AppName, ids.LaunchID, ids.SessionName)
	if h := e.Handoff; h.URL != "" {
		head += "\nWindow: " + strings.TrimSpace(h.Title+" "+h.URL)
	}
	if e.Exposure = l.launched.Exposure; e.Exposure != "" {
		head += "\nThe app runs without Chromium's sandbox: " + e.Exposure + "."
	}
	if l.launched.Note != "" {
		head += "\n" + l.launched.Note
	}
	text := joined(head, strings.Join(l.texts, "\n"), "End it with electron.cleanup; closing the session leaves the app running.")
	c.did("Electron launch: "+record.AppName, text)
	if account := planning.OutcomeText(d.ManagedSessionOutcome, false); account != "" {
		c.content = append(c.content, contract.TextOf("\n\n"+account))
	}
}

// undo takes an app back that was started and could not be handed over.
func (c *call) undo(ctx context.Context, l *launch, r *refusal) {
	if err := context.Cause(ctx); err != nil {
		r = refuse(contract.Aborted, "The launch was given up after the app had started: "+err.Error()+".")
	}
	d, e := c.details, c.details.Electron
	id := l.launched.Record.LaunchID
	var result electron.Cleanup
	c.cleanUp(context.WithoutCancel(ctx), l.keeper, &l.launched.Record, c.tool.limits.Close, &result)
	record, ok := c.tool.apps.record(id)
	if !ok {
		record = l.launched.Record
	}
	e.Status, e.Launch, e.Handoff, d.RefSnapshot = "failed", record, nil, nil
	e.Failure = &contract.ElectronFailure{Reason: string(r.category), Message: r.message}
	e.Cleanup = &contract.ElectronCleanup{
		Partial: result.State != electron.Cleaned, Records: []electron.Record{record}, Results: []electron.Cleanup{result},
	}
	after := []contract.NextAction(nil)
	text := r.message
	if e.Cleanup.Partial {
		after = judging.Electron{LaunchID: id}.AfterCleanupFailed()
		text = joined(text, cleanupText(&record, &result))
	}
	c.didNot(r.category, r.message, text, after)
}
