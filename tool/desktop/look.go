package desktop

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/showing"
)

// listApps lists the desktop apps of this machine. It starts nothing.
func (m *Mode) listApps(ctx context.Context) *contract.Refusal {
	wish := m.Wish
	places := electron.Here(func(name string) string { return m.Env[name] })
	if places.Platform == "windows" { // the contract lists macOS and Linux only; the command line lists Windows, too
		places = electron.Places{Platform: electron.Unsupported}
	}
	r, err := lifecycle.List(ctx, places, electron.Query{Text: wish.Query, MaxResults: wish.MaxResults}, attachCall)
	if err != nil {
		return contract.Refuse(contract.Aborted, "The search for desktop apps was canceled: "+err.Error()+".")
	}
	m.out.Report = r
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
	m.out.succeed(summary,
		strings.Join(append(lines, "A launched app gets a new profile of its own, without the user's logins."), "\n"))
	return nil
}

// statusOfApps looks at launched apps and changes nothing.
func (m *Mode) statusOfApps(ctx context.Context) *contract.Refusal {
	records, refused := m.selectApps()
	if refused != nil {
		return refused
	}
	r, err := lifecycle.Status(ctx, &host{
		mode:    m,
		timeout: time.Duration(m.Wish.TimeoutMs) * time.Millisecond,
	}, records, true)
	if err != nil {
		return refusalOf(err)
	}
	m.out.Report = r
	for i := range r.Launches {
		app := m.Apps.Named(&r.Launches[i])
		switch wrong := r.Mismatch(app.LaunchID); {
		case !r.Statuses[i].PortAlive:
			m.out.After = judging.AppendUnique(m.out.After, app.AfterDeath()...)
		case wrong != nil:
			m.followMismatch(wrong, app)
		default:
			m.out.After = judging.AppendUnique(m.out.After, app.AfterLaunch()...)
		}
	}
	lines := r.StatusLines()
	if len(lines) == 0 {
		lines = []string{"no launched app is left"}
	}
	m.out.succeed("Electron status: "+lines[0], "Electron status: "+strings.Join(lines, "\n"))
	return nil
}

// probeApp takes a short look at what an app shows: the one of a launch, or the one that the managed session is
// attached to.
func (m *Mode) probeApp(ctx context.Context) *contract.Refusal {
	h := &host{mode: m, timeout: time.Duration(m.Wish.TimeoutMs) * time.Millisecond}
	what, refused := m.probed(h)
	if refused != nil {
		return refused
	}
	r, err := lifecycle.Probe(ctx, h, what.session, what.launch, what.scope)
	if r.Probe.Summary == "" && err != nil { // nothing was looked at
		return refusalOf(err)
	}
	m.out.Report = r
	switch {
	case r.SessionMismatch != nil:
		m.followMismatch(r.SessionMismatch, m.Apps.Named(what.launch))
	case what.launch != nil:
		m.out.After = judging.AppendUnique(m.out.After, m.Apps.Named(what.launch).AfterLaunch()...)
	}
	text := "Electron probe: " + strings.Join(r.ProbeLines(what.launch), "\n")
	if err != nil {
		message := "Electron probe: no question had an answer: " + r.Probe.Errors[0].Error
		m.out.fail(contract.UpstreamError, message, showing.Joined(message, text), nil)
		return nil
	}
	m.out.succeed("Electron probe: "+r.Probe.Summary, text)
	return nil
}

// probedApp is what a probe looks at.
type probedApp struct {
	session lifecycle.Session // nil means that none is attached to the launch
	launch  *electron.Record  // nil means that the app was not launched from here
	scope   string            // what the probe is of: "launch" or "current-session"
}

// probed returns the app that is meant.
func (m *Mode) probed(h *host) (probedApp, *contract.Refusal) {
	if m.Wish.LaunchID != "" {
		records, refused := m.selectApps()
		if refused != nil {
			return probedApp{}, refused
		}
		what := probedApp{launch: &records[0], scope: "launch"}
		if attached := h.session(&records[0]); attached != nil {
			attached.adopts, what.session = true, attached
		}
		return what, nil
	}
	managed := m.Apps.o.Sessions(m.Backend).Managed()
	where := Session{m.Backend, conversation.KeyOf(managed)}
	var launch *electron.Record
	if found, ok := m.Apps.In(where); ok {
		launch = &found
	}
	if !managed.Active || launch == nil && !m.Apps.attachedTo(where) {
		return probedApp{}, contract.Refuse(contract.ValidationError,
			"electron.probe: the managed session is not attached to an app. Launch an app with electron.launch, attach to one "+
				"by args [\"connect\", \"<port>\"], or name a launch by launchId.")
	}
	own := &session{mode: m, where: &where, timeout: h.timeout, adopts: true}
	return probedApp{own, launch, "current-session"}, nil
}
