package tool

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/showing"
)

// runElectron works with desktop apps.
func (c *call) runElectron(ctx context.Context) *contract.Result {
	if r := c.reserveOutput(); r != nil {
		return c.refused(r)
	}
	d := c.details
	d.Electron = &contract.Electron{Action: d.CompiledElectron.Action, Status: "succeeded"}
	var r *refusal
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
		d.Electron.Status = "failed"
		return c.refused(r)
	}
	c.save()
	return c.result()
}

// mayLaunch asks the owner's rules whether a program of the machine may be started.
func (c *call) mayLaunch() *refusal {
	line, err := argv.Registry().Parse([]string{"electron", "launch", "an-app"}, actions.ParseOptions{}) // no rule asks which app it is
	if err != nil {
		return refuse(contract.PolicyBlocked, err.Error())
	}
	v := c.tool.owner(c.backend).Judge(argv.Registry().ActionRequests(line, true))
	switch v.Effect {
	case policy.Permit:
		return nil
	case policy.Ask:
		return refuse(contract.PolicyBlocked, "policy-blocked: electron launch has to be confirmed, which cannot be done for this call; launch the app with the command `electron launch`.")
	}
	return refuse(contract.PolicyBlocked, "policy-blocked: Action 'electron_launch' denied by policy: "+v.Reason+". Nothing was launched.")
}

// did makes the call a success.
func (c *call) did(summary, text string) {
	d := c.details
	d.ResultCategory, d.SuccessCategory, d.Summary = contract.Success, contract.Completed, summary
	c.content = []contract.Content{contract.TextOf(text)}
}

// didNot makes the call a failure that has more to tell than what is wrong.
func (c *call) didNot(category contract.FailureCategory, message, text string, after []contract.NextAction) {
	d := c.details
	d.ResultCategory, d.FailureCategory, d.Error, d.Summary = contract.Failure, category, message, message
	d.NextActions = judging.AppendUnique(d.NextActions, after...)
	c.content = []contract.Content{contract.TextOf(joined(text, showing.NextActions(d.NextActions)))}
}

// refuseFor refuses a call for an error of the keeper's.
func refuseFor(err error) *refusal { return refuse(judging.OfCode(fault.CodeOf(err)), err.Error()) }

// within runs a command line in a session, the way of all calls. In a fresh one where key is nil.
func (c *call) within(ctx context.Context, s *appSession, timeout time.Duration, stdin string, args ...string) (*call, *contract.Result) {
	p := contract.Params{Args: args}
	r := Request{Backend: c.backend, Progress: c.progress}
	if s == nil {
		p.SessionMode = contract.Fresh
	} else {
		r.Backend = s.backend
		p.Args = append(lineIn(s.key)[1:], args...)
	}
	if stdin != "" {
		p.Stdin = &stdin
	}
	if timeout > 0 {
		ms := float64(max(timeout.Milliseconds(), 1))
		p.TimeoutMs = &ms
	}
	r.Params = p
	inner := c.tool.newCall(r)
	return inner, inner.run(ctx)
}

// whyNot is what a call that failed says of it.
func whyNot(r *contract.Result) string {
	d := r.Details
	return cmp.Or(d.Error, d.ValidationError, d.SpawnError, d.ParseError, text(r))
}

// app names a launch in follow-ups.
func (c *call) named(r *electron.Record) judging.Electron {
	e := judging.Electron{LaunchID: r.LaunchID, Address: r.WebSocketDebuggerURL}
	if s, ok := c.tool.apps.sessionOf(r.LaunchID); ok {
		e.Session.Name = s.key.name
		if s.key.namespace != "" {
			e.Session.Namespace = &s.key.namespace
		}
		current := c.tool.on(s.backend).current()
		e.InUse = current.Active && keyOf(current) == s.key
	}
	return e
}

// identifiers tells what names a launch from what names its session.
func (c *call) identifiers(r *electron.Record) contract.ElectronIdentifiers {
	return contract.ElectronIdentifiers{LaunchID: r.LaunchID, SessionName: c.named(r).Session.Name}
}

// listApps lists the desktop apps of this machine. It starts nothing.
func (c *call) listApps(ctx context.Context) *refusal {
	wish, d := c.details.CompiledElectron, c.details
	getenv := func(name string) string { return c.tool.options.Env[name] }
	places := electron.Here(getenv)
	if places.Platform == "windows" { // the contract's list is that of macOS and Linux; the command line shows more
		places = electron.Places{Platform: electron.Unsupported}
	}
	found, err := places.Discover(ctx, electron.Query{Text: wish.Query, MaxResults: wish.MaxResults})
	if err != nil {
		return refuse(contract.Aborted, "The search for desktop apps was given up: "+err.Error()+".")
	}
	list := &contract.Electron{
		Action: wish.Action, Status: "succeeded", Platform: found.Platform, Apps: append([]electron.App{}, found.Apps...), Query: wish.Query, MaxResults: wish.MaxResults,
		SkippedCount: &found.Skipped, OmittedCount: found.Omitted, ProfileIsolation: profileIsolation(),
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Electron apps: %d\n", len(found.Apps))
	for _, a := range found.Apps {
		text.WriteString("- " + a.Name)
		if a.Version != "" {
			text.WriteString(" " + a.Version)
		}
		text.WriteString(" — " + a.ExecutablePath)
		if a.Sensitivity != nil {
			list.SensitiveAppCount++
			text.WriteString(" [likely sensitive: " + strings.Join(a.Sensitivity.Categories, ", ") + "]")
		}
		text.WriteString("\n")
	}
	switch {
	case found.Platform == electron.Unsupported:
		text.WriteString("Apps are not looked for on this system; name one by executablePath.\n")
	case found.Omitted > 0:
		fmt.Fprintf(&text, "%d more are left out; narrow the query.\n", found.Omitted)
	}
	text.WriteString("An app that is launched from here gets a profile of its own and sees nothing of what the user is signed in to.")
	d.Electron = list
	c.did(fmt.Sprintf("Electron apps: %d", len(found.Apps)), text.String())
	return nil
}

func profileIsolation() *contract.ProfileIsolation {
	return &contract.ProfileIsolation{IsolatedLaunch: true, HostDebugLaunchExample: electron.DebugStart() + "; then agent_browser connect 9222 with sessionMode=fresh"}
}
