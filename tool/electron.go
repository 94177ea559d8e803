package tool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/showing"
)

// attachCall is how a caller attaches to an app that the user started on port 9222.
const attachCall = "agent_browser connect 9222 with sessionMode=fresh"

// runElectron runs an action on desktop apps.
func (c *call) runElectron(ctx context.Context) *contract.Result {
	if r := c.reserveOutput(); r != nil {
		return c.refused(r)
	}
	d := c.details
	d.Electron = &lifecycle.Report{Action: d.CompiledElectron.Action, Status: lifecycle.Succeeded}
	var r *contract.Refusal
	switch d.CompiledElectron.Action {
	case "list":
		r = c.listApps(ctx)
	case "launch":
		if r = c.mayLaunch(); r == nil {
			r = c.launchApp(ctx)
		}
	case "status":
		r = c.statusOfApps(ctx)
	case "cleanup":
		r = c.cleanUpApps(ctx)
	case "probe":
		r = c.probeApp(ctx)
	}
	if r != nil {
		d.Electron.Status = lifecycle.Unsuccessful
		return c.refused(r)
	}
	c.save()
	return c.result()
}

// mayLaunch asks the owner's rules whether a program may be started on this machine.
func (c *call) mayLaunch() *contract.Refusal {
	line, err := argv.Registry().Parse([]string{"electron", "launch", "an-app"}, actions.ParseOptions{}) // no rule asks which app it is
	if err != nil {
		return contract.Refuse(contract.PolicyBlocked, err.Error())
	}
	v := c.tool.owner(c.backend).Judge(argv.Registry().ActionRequests(line, true))
	switch v.Effect {
	case policy.Permit:
		return nil
	case policy.Ask:
		return contract.Refuse(contract.PolicyBlocked, "policy-blocked: electron launch has to be confirmed, which this call cannot do; launch the app with the command `electron launch`.")
	}
	return contract.Refuse(contract.PolicyBlocked, "policy-blocked: Action 'electron_launch' denied by policy: "+v.Reason+". Nothing was launched.")
}

// succeed makes the call a success.
func (c *call) succeed(summary, text string) {
	d := c.details
	d.ResultCategory, d.SuccessCategory, d.Summary = contract.Success, contract.Completed, summary
	c.content = []contract.Content{contract.TextOf(text)}
}

// failWith makes the call a failure whose text is more than its message.
func (c *call) failWith(category contract.FailureCategory, message, text string, after []contract.NextAction) {
	d := c.details
	d.ResultCategory, d.FailureCategory, d.Error, d.Summary = contract.Failure, category, message, message
	d.NextActions = judging.AppendUnique(d.NextActions, after...)
	c.content = []contract.Content{contract.TextOf(joined(text, showing.NextActions(d.NextActions)))}
}

// refuseFor refuses a call because of an error of an app.
func refuseFor(err error) *contract.Refusal {
	if r, ok := errors.AsType[*contract.Refusal](err); ok { // of a command in the app's session
		return contract.Refuse(r.Category, err.Error())
	}
	return contract.Refuse(judging.OfCode(fault.CodeOf(err)), err.Error())
}

// listApps lists the desktop apps of this machine. It starts nothing.
func (c *call) listApps(ctx context.Context) *contract.Refusal {
	wish := c.details.CompiledElectron
	places := electron.Here(func(name string) string { return c.tool.options.Env[name] })
	if places.Platform == "windows" { // the contract lists macOS and Linux only; the command line lists Windows, too
		places = electron.Places{Platform: electron.Unsupported}
	}
	r, err := lifecycle.List(ctx, places, electron.Query{Text: wish.Query, MaxResults: wish.MaxResults}, attachCall)
	if err != nil {
		return contract.Refuse(contract.Aborted, "The search for desktop apps was canceled: "+err.Error()+".")
	}
	c.details.Electron = r
	summary := fmt.Sprintf("Electron apps: %d", len(r.Apps))
	lines := []string{summary}
	for _, line := range r.AppLines() {
		lines = append(lines, "- "+line)
	}
	switch {
	case r.Platform == electron.Unsupported:
		lines = append(lines, "Apps cannot be listed on this system; name one by executablePath.")
	case r.OmittedCount > 0:
		lines = append(lines, fmt.Sprintf("%d more are left out; narrow the query.", r.OmittedCount))
	}
	c.succeed(summary, strings.Join(append(lines, "A launched app gets a new profile of its own, without the user's logins."), "\n"))
	return nil
}

// launchApp starts an app, attaches a new managed session to it and shows what is wanted of it.
func (c *call) launchApp(ctx context.Context) *contract.Refusal {
	wish, d := c.details.CompiledElectron, c.details
	env := make([]string, 0, len(c.tool.options.Env))
	for name, value := range c.tool.options.Env {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	c.progress("Launching the desktop app " + wish.AppName + wish.AppPath + wish.BundleID + wish.ExecutablePath)
	s := &callSession{call: c, adopts: true}
	r, err := lifecycle.Launch(ctx, &callHost{call: c}, lifecycle.LaunchOptions{
		LaunchOptions: electron.LaunchOptions{
			AppPath: wish.AppPath, AppName: wish.AppName, BundleID: wish.BundleID, ExecutablePath: wish.ExecutablePath, Args: wish.AppArgs,
			Allow: wish.Allow, Deny: wish.Deny, Timeout: time.Duration(wish.TimeoutMs) * time.Millisecond, Cwd: c.tool.options.Cwd, Env: env,
		},
		Session: s, Handoff: wish.Handoff, TargetType: wish.TargetType, Attach: attachCall, CleanupTimeout: c.tool.limits.Close, Started: c.tool.apps.launched,
	})
	d.Electron = r.Report
	switch {
	case err != nil && r.Cleanup == nil: // it did not start
		if e, ok := errors.AsType[*fault.Error](err); ok {
			d.Code, d.Facts = string(e.Code), e.Facts
		}
		return refuseFor(err)
	case err != nil:
		c.tellUndone(r.Report, refuseFor(err))
		return nil
	}
	r.Handoff.Snapshot = nil // refSnapshot has the refs, and the text the tree
	d.NextActions = judging.AppendUnique(d.NextActions, c.named(r.Launch).AfterLaunch()...)
	head := fmt.Sprintf("Electron launch: %s runs with a new profile of its own (launchId %s, session %s).", r.Launch.AppName, r.Launch.LaunchID, s.Name())
	if r.Handoff.URL != "" {
		head += "\nWindow: " + strings.TrimSpace(r.Handoff.Title+" "+r.Handoff.URL)
	}
	c.succeed("Electron launch: "+r.Launch.AppName, joined(strings.Join(append([]string{head}, r.Notes...), "\n"), strings.Join(r.Lines, "\n"),
		"End it with electron.cleanup; closing the session leaves the app running."))
	if account := planning.OutcomeText(d.ManagedSessionOutcome, false); account != "" {
		c.content = append(c.content, contract.TextOf("\n\n"+account))
	}
	return nil
}

// tellUndone makes the result of a launch that failed after the app had started.
func (c *call) tellUndone(e *lifecycle.Report, r *contract.Refusal) {
	e.Failure.Reason, e.Failure.Message = string(r.Category), r.Message
	c.details.RefSnapshot = nil
	text := r.Message
	var after []contract.NextAction
	if e.Cleanup.Partial {
		after = judging.Electron{LaunchID: e.Launch.LaunchID}.AfterCleanupFailed()
		text = joined(text, cleanupText(e.Cleanup))
	}
	c.failWith(r.Category, r.Message, text, after)
}

// selectApps returns the launches that the call means.
func (c *call) selectApps() ([]electron.Record, *contract.Refusal) {
	wish := c.details.CompiledElectron
	k, err := c.tool.appLauncher()
	if err != nil {
		return nil, refuseFor(err)
	}
	records, err := k.Select(wish.LaunchID, wish.All)
	switch {
	case err == nil:
		return records, nil
	case !fault.Is(err, fault.LaunchNotFound):
		return nil, refuseFor(err)
	case wish.LaunchID != "":
		return nil, contract.Refuse(contract.ValidationError, "No wrapper-tracked Electron launch found for launchId "+wish.LaunchID+
			". electron.status with all: true lists the launches.")
	}
	var running []string
	for _, r := range k.Records() {
		if r.CleanupState != electron.Cleaned {
			running = append(running, r.LaunchID+" ("+r.AppName+")")
		}
	}
	if len(running) == 0 {
		return nil, contract.Refuse(contract.ValidationError, "There is no active wrapper-tracked Electron launch. Only apps that electron.launch started are tracked.")
	}
	return nil, contract.Refuse(contract.ValidationError, fmt.Sprintf("%d launches are tracked: %s. Name the one you mean: pass electron.launchId or electron.all.",
		len(running), strings.Join(running, ", ")))
}

// statusOfApps looks at launched apps and changes nothing.
func (c *call) statusOfApps(ctx context.Context) *contract.Refusal {
	records, refused := c.selectApps()
	if refused != nil {
		return refused
	}
	d := c.details
	r, err := lifecycle.Status(ctx, &callHost{call: c, timeout: time.Duration(d.CompiledElectron.TimeoutMs) * time.Millisecond}, records, true)
	if err != nil {
		return refuseFor(err)
	}
	d.Electron = r
	for i := range r.Launches {
		app := c.named(&r.Launches[i])
		switch m := r.Mismatch(app.LaunchID); {
		case !r.Statuses[i].PortAlive:
			d.NextActions = judging.AppendUnique(d.NextActions, app.AfterDeath()...)
		case m != nil:
			c.followMismatch(m, app)
		default:
			d.NextActions = judging.AppendUnique(d.NextActions, app.AfterLaunch()...)
		}
	}
	lines := r.StatusLines()
	if len(lines) == 0 {
		lines = []string{"no launched app is left"}
	}
	c.succeed("Electron status: "+lines[0], "Electron status: "+strings.Join(lines, "\n"))
	return nil
}

// followMismatch adds what may be done about a mismatch.
func (c *call) followMismatch(m *lifecycle.Mismatch, app judging.Electron) {
	after := app.AfterMismatch()
	for _, a := range after {
		m.NextActionIDs = append(m.NextActionIDs, a.ID)
	}
	c.details.NextActions = judging.AppendUnique(c.details.NextActions, after...)
}

// cleanUpApps ends apps that were launched from here, and no others.
func (c *call) cleanUpApps(ctx context.Context) *contract.Refusal {
	records, refused := c.selectApps()
	if refused != nil {
		return refused
	}
	wish, d := c.details.CompiledElectron, c.details
	timeout := c.tool.limits.Close
	if wish.TimeoutMs > 0 {
		timeout = time.Duration(wish.TimeoutMs) * time.Millisecond
	}
	c.progress(fmt.Sprintf("Cleaning up %d desktop app(s)", len(records)))
	h := &callHost{call: c, timeout: timeout}
	r, err := lifecycle.CleanUp(ctx, h, records, timeout)
	if err != nil {
		return refuseFor(err)
	}
	d.Electron = r
	var after []contract.NextAction
	for i, done := range r.Cleanup.Results {
		if closed := h.closed[done.LaunchID]; closed != nil && d.ManagedSessionOutcome == nil { // at most one of them is the managed session
			d.SessionDetails = closed.details.SessionDetails
		}
		if done.State != electron.Cleaned {
			after = append(after, c.named(&records[i]).AfterCleanupFailed()...)
		}
	}
	text := cleanupText(r.Cleanup)
	switch {
	case r.Cleanup.Partial:
		first, _, _ := strings.Cut(text, "\n")
		c.failWith(contract.CleanupFailed, "Electron cleanup failed in part: "+first, text, judging.AppendUnique(nil, after...))
	case len(records) == 0:
		c.succeed("Electron cleanup: 0 app(s) fully cleaned", "Electron cleanup: no launched app is left.")
	default:
		c.succeed(fmt.Sprintf("Electron cleanup: %d app(s) fully cleaned", len(records)), text)
	}
	return nil
}

// cleanupText describes the cleanup of each app, with its steps.
func cleanupText(cleanup *lifecycle.Cleanup) string {
	var lines []string
	for i := range cleanup.Results {
		lines = append(lines, "Electron cleanup: "+cleanup.Line(i)+".")
		for _, step := range cleanup.StepLines(i) {
			lines = append(lines, "- "+step)
		}
	}
	return strings.Join(lines, "\n")
}

// probeApp takes a short look at what an app shows: the one of a launch, or the one that the managed session is attached to.
func (c *call) probeApp(ctx context.Context) *contract.Refusal {
	d := c.details
	h := &callHost{call: c, timeout: time.Duration(d.CompiledElectron.TimeoutMs) * time.Millisecond}
	s, launch, scope, refused := c.probed(h)
	if refused != nil {
		return refused
	}
	r, err := lifecycle.Probe(ctx, h, s, launch, scope)
	if r.Probe.Summary == "" && err != nil { // nothing was looked at
		return refuseFor(err)
	}
	d.Electron = r
	switch {
	case r.SessionMismatch != nil:
		c.followMismatch(r.SessionMismatch, c.named(launch))
	case launch != nil:
		d.NextActions = judging.AppendUnique(d.NextActions, c.named(launch).AfterLaunch()...)
	}
	text := "Electron probe: " + strings.Join(r.ProbeLines(launch), "\n")
	if err != nil {
		message := "Electron probe: no question had an answer: " + r.Probe.Errors[0].Error
		c.failWith(contract.UpstreamError, message, joined(message, text), nil)
		return nil
	}
	c.succeed("Electron probe: "+r.Probe.Summary, text)
	return nil
}

// probed returns the session that is meant, the launch of the app in it if it was launched from here, and the scope of the probe. The session
// is nil when none is attached to the launch.
func (c *call) probed(h *callHost) (s lifecycle.Session, launch *electron.Record, scope string, refused *contract.Refusal) {
	if c.details.CompiledElectron.LaunchID != "" {
		records, refused := c.selectApps()
		if refused != nil {
			return nil, nil, "", refused
		}
		if attached := h.session(&records[0]); attached != nil {
			attached.adopts, s = true, attached
		}
		return s, &records[0], "launch", nil
	}
	m := c.tool.on(c.backend).Managed()
	where := appSession{c.backend, conversation.KeyOf(m)}
	if id := c.tool.apps.in(where); id != "" {
		if found, ok := c.tool.apps.record(id); ok {
			launch = &found
		}
	}
	if !m.Active || launch == nil && !c.tool.apps.attachedTo(where) {
		return nil, nil, "", contract.Refuse(contract.ValidationError, "electron.probe: the managed session is not attached to an app. "+
			"Launch an app with electron.launch, attach to one by args [\"connect\", \"<port>\"], or name a launch by launchId.")
	}
	return &callSession{call: c, where: &where, timeout: h.timeout, adopts: true}, launch, "current-session", nil
}
