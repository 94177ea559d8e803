package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// shownTargets bounds how many windows of an app are named in an account of it.
const shownTargets = 20

// selectApps returns the launches that the call means.
func (c *call) selectApps() (*electron.Keeper, []electron.Record, *refusal) {
	wish := c.details.CompiledElectron
	k, err := c.tool.appKeeper()
	if err != nil {
		return nil, nil, refuseFor(err)
	}
	records, err := k.Select(wish.LaunchID, wish.All)
	switch {
	case err == nil:
		return k, records, nil
	case !fault.Is(err, fault.LaunchNotFound):
		return nil, nil, refuseFor(err)
	case wish.LaunchID != "":
		return nil, nil, refuse(contract.ValidationError, "No wrapper-tracked Electron launch found for launchId "+wish.LaunchID+
			". electron.status with all: true shows those that there are.")
	}
	var running []string
	for _, r := range k.Records() {
		if r.CleanupState != electron.Cleaned {
			running = append(running, r.LaunchID+" ("+r.AppName+")")
		}
	}
	if len(running) == 0 {
		return nil, nil, refuse(contract.ValidationError, "There is no active wrapper-tracked Electron launch. Only apps that electron.launch started are tracked.")
	}
	return nil, nil, refuse(contract.ValidationError, fmt.Sprintf("%d launches are tracked: %s. Say which is meant: pass electron.launchId or electron.all.",
		len(running), strings.Join(running, ", ")))
}

// identify tells a launch's names, in a list where there are several.
func (c *call) identify(r *electron.Record, of int) {
	ids := c.identifiers(r)
	if of == 1 {
		c.details.Electron.Identifiers = &ids
		return
	}
	c.details.Electron.IdentifierList = append(c.details.Electron.IdentifierList, ids)
}

// statusOfApps looks at launched apps and changes nothing.
func (c *call) statusOfApps(ctx context.Context) *refusal {
	k, records, r := c.selectApps()
	if r != nil {
		return r
	}
	d, e := c.details, c.details.Electron
	timeout := time.Duration(d.CompiledElectron.TimeoutMs) * time.Millisecond
	statuses := make([]electron.Status, 0, len(records))
	targets := []electron.Target{}
	var lines []string
	for i := range records {
		record := &records[i]
		status, err := k.Status(ctx, record.LaunchID)
		if err != nil {
			return refuseFor(err)
		}
		statuses = append(statuses, status)
		targets = append(targets, status.Targets...)
		if now, ok := c.tool.apps.record(record.LaunchID); ok {
			*record = now
		}
		c.identify(record, len(records))
		lines = append(lines, statusText(record, &status))
		if !status.PortAlive {
			d.NextActions = judging.AppendUnique(d.NextActions, judging.Electron{LaunchID: record.LaunchID}.AfterLaunch()...)
			continue
		}
		session := c.shownBy(ctx, record, timeout)
		if session != nil {
			e.ManagedSessions = append(e.ManagedSessions, *session)
		}
		mismatch := c.mismatch(record, &status, session)
		if mismatch == nil {
			d.NextActions = judging.AppendUnique(d.NextActions, c.named(record).AfterLaunch()...)
			continue
		}
		e.Mismatches = append(e.Mismatches, *mismatch)
		lines = append(lines, mismatch.Summary)
	}
	if len(e.ManagedSessions) == 1 {
		e.ManagedSession = &e.ManagedSessions[0]
	}
	if len(e.Mismatches) == 1 {
		e.SessionMismatch = &e.Mismatches[0]
	}
	e.Launches, e.Statuses, e.Targets = records, statuses, targets
	if len(records) == 0 {
		lines = []string{"Electron status: no app that was launched from here is left."}
	}
	c.did(firstLine(lines[0]), strings.Join(lines, "\n"))
	return nil
}

// statusText is what is to be seen of an app, as the model reads it.
func statusText(r *electron.Record, s *electron.Status) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Electron status: %s (launchId %s) is %s; process %d %s, debug port %d %s.", r.AppName, r.LaunchID, s.State,
		s.PID, alive(s.PIDAlive), s.Port, alive(s.PortAlive))
	tree := electron.Tree(s.Targets, "  ")
	shown := tree[:min(len(tree), shownTargets)]
	for _, line := range shown {
		b.WriteString("\n" + line)
	}
	if left := len(tree) - len(shown) + s.TargetsCut; left > 0 {
		fmt.Fprintf(&b, "\n  %d more", left)
	}
	return b.String()
}

func alive(yes bool) string {
	if yes {
		return "alive"
	}
	return "dead"
}

// shownBy asks the session that is attached to an app what it shows; nil where none is attached.
func (c *call) shownBy(ctx context.Context, r *electron.Record, timeout time.Duration) *contract.ElectronSession {
	s, ok := c.tool.apps.sessionOf(r.LaunchID)
	if !ok {
		return nil
	}
	out := &contract.ElectronSession{LaunchID: r.LaunchID, SessionName: s.key.name}
	asked, result := c.within(ctx, &s, timeout, "", "get", "url")
	if result.IsError {
		out.Error = whyNot(result)
		return out
	}
	out.URL = stringField(asked.answer, "url")
	if page := asked.answer.Page; page != nil { // natively the one answer tells both
		out.Title = page.Title
		return out
	}
	if asked, result = c.within(ctx, &s, timeout, "", "get", "title"); result.IsError {
		out.Error = whyNot(result)
	} else {
		out.Title = stringField(asked.answer, "title")
	}
	return out
}

// mismatch says how the session of an app that runs shows something else than one of its windows; nil when it shows one.
func (c *call) mismatch(r *electron.Record, status *electron.Status, session *contract.ElectronSession) *contract.ElectronMismatch {
	live := electron.Attachable(status.Targets)
	m := &contract.ElectronMismatch{LaunchID: r.LaunchID, LiveTargets: live}
	if session != nil {
		m.SessionName, m.SessionURL = session.SessionName, session.URL
	}
	shows := func(url string) bool {
		return slices.ContainsFunc(live, func(t electron.Target) bool { return samePage(t.URL, url) })
	}
	switch {
	case session == nil:
		m.Reason, m.Summary = "no-session", "Session mismatch: "+r.AppName+" runs, and no session is attached to it any more."
	case session.Error != "" && session.URL == "":
		m.Reason, m.Summary = "no-answer", "Session mismatch: "+r.AppName+" runs, and the session "+m.SessionName+" does not say what it shows: "+session.Error
	case shows(session.URL):
		return nil
	case session.URL == "" || session.URL == "about:blank":
		m.Reason, m.Summary = "blank-page", "Session mismatch: "+r.AppName+" runs, and the session "+m.SessionName+" shows an empty page that is none of its windows."
	case status.TargetsCut > 0: // its window may be among those that are left out
		return nil
	default:
		m.Reason, m.Summary = "other-page", "Session mismatch: the session "+m.SessionName+" shows "+session.URL+", which is none of the windows of "+r.AppName+"."
	}
	m.Summary += " Attach to it again by reattach-electron-launch."
	after := c.named(r).AfterMismatch()
	for _, a := range after {
		m.NextActionIDs = append(m.NextActionIDs, a.ID)
	}
	c.details.NextActions = judging.AppendUnique(c.details.NextActions, after...)
	return m
}
