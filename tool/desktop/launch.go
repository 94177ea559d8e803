package desktop

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
	"github.com/skua-browser/skua/tool/showing"
)

// attachCall is how a caller attaches to an app that the user started on port 9222.
const attachCall = "agent_browser connect 9222 with sessionMode=fresh"

// mayLaunch asks the owner's rules whether a program may be started on this machine.
func (m *Mode) mayLaunch() *contract.Refusal {
	// no rule asks which app it is
	line, err := argv.Registry().Parse([]string{"electron", "launch", "an-app"}, actions.ParseOptions{})
	if err != nil {
		return contract.Refuse(contract.PolicyBlocked, err.Error())
	}
	v := m.Owner.Judge(argv.Registry().ActionRequests(line, true))
	switch v.Effect {
	case policy.Permit:
		return nil
	case policy.Ask:
		return contract.Refuse(contract.PolicyBlocked,
			"policy-blocked: electron launch has to be confirmed, which this call cannot do; launch the app with the command "+
				"`electron launch`.")
	}
	return contract.Refuse(contract.PolicyBlocked,
		"policy-blocked: Action 'electron_launch' denied by policy: "+v.Reason+". Nothing was launched.")
}

// launchApp starts an app, attaches a new managed session to it and shows what is wanted of it.
func (m *Mode) launchApp(ctx context.Context) *contract.Refusal {
	wish := m.Wish
	env := make([]string, 0, len(m.Env))
	for name, value := range m.Env {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	m.Progress("Launching the desktop app " + wish.AppName + wish.AppPath + wish.BundleID + wish.ExecutablePath)
	s := &session{mode: m, adopts: true}
	r, err := lifecycle.Launch(ctx, &host{mode: m}, lifecycle.LaunchOptions{
		LaunchOptions: electron.LaunchOptions{
			AppPath:        wish.AppPath,
			AppName:        wish.AppName,
			BundleID:       wish.BundleID,
			ExecutablePath: wish.ExecutablePath,
			Args:           wish.AppArgs,
			Allow:          wish.Allow,
			Deny:           wish.Deny,
			Timeout:        time.Duration(wish.TimeoutMs) * time.Millisecond,
			Cwd:            m.Cwd,
			Env:            env,
		},
		Session:        s,
		Handoff:        wish.Handoff,
		TargetType:     wish.TargetType,
		Attach:         attachCall,
		CleanupTimeout: m.Close,
		Started:        m.Apps.launched,
	})
	m.out.Report = r.Report
	switch {
	case err != nil && r.Cleanup == nil: // it did not start
		if e, ok := errors.AsType[*fault.Error](err); ok {
			m.out.Code, m.out.Facts = string(e.Code), e.Facts
		}
		return refusalOf(err)
	case err != nil:
		m.tellUndone(r.Report, refusalOf(err))
		return nil
	}
	r.Handoff.Snapshot = nil // refSnapshot has the refs, and the text the tree
	m.out.After = judging.AppendUnique(m.out.After, m.Apps.Named(r.Launch).AfterLaunch()...)
	head := fmt.Sprintf("Electron launch: %s runs with a new profile of its own (launchId %s, session %s).",
		r.Launch.AppName, r.Launch.LaunchID, s.Name())
	if r.Handoff.URL != "" {
		head += "\nWindow: " + strings.TrimSpace(r.Handoff.Title+" "+r.Handoff.URL)
	}
	m.out.succeed("Electron launch: "+r.Launch.AppName,
		showing.Joined(strings.Join(append([]string{head}, r.Notes...), "\n"), strings.Join(r.Lines, "\n"),
			"End it with electron.cleanup; closing the session leaves the app running."))
	if s := m.out.Session; s != nil {
		m.out.Account = conversation.OutcomeText(s.ManagedSessionOutcome, false)
	}
	return nil
}

// tellUndone makes the result of a launch that failed after the app had started.
func (m *Mode) tellUndone(e *lifecycle.Report, r *contract.Refusal) {
	e.Failure.Reason, e.Failure.Message = string(r.Category), r.Message
	m.out.Refs = nil
	text := r.Message
	var after []contract.NextAction
	if e.Cleanup.Partial {
		after = judging.Electron{LaunchID: e.Launch.LaunchID}.AfterCleanupFailed()
		text = showing.Joined(text, cleanupText(e.Cleanup))
	}
	m.out.fail(r.Category, r.Message, text, after)
}
