package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// probeApp takes a short look at what an app shows: the one of a launch, or the one that the managed session is attached to.
func (c *call) probeApp(ctx context.Context) *refusal {
	wish, d := c.details.CompiledElectron, c.details
	s, record, r := c.probed(ctx, wish.LaunchID)
	if r != nil {
		return r
	}
	e := d.Electron
	e.ProbeContext = &contract.ElectronProbeContext{Scope: "current-session", SessionName: s.key.name}
	if wish.LaunchID != "" {
		e.ProbeContext.Scope = "launch"
	}
	var lines []string
	var status electron.Status
	if record != nil {
		e.ProbeContext.LaunchID = record.LaunchID
		c.identify(record, 1)
		k, err := c.tool.appKeeper()
		if err != nil {
			return refuseFor(err)
		}
		if status, err = k.Status(ctx, record.LaunchID); err != nil {
			return refuseFor(err)
		}
		e.LaunchStatus, e.StatusTargets = status, electron.Attachable(status.Targets)
		lines = append(lines, fmt.Sprintf("Launch %s: process %d %s, debug port %d %s.", record.LaunchID, status.PID, alive(status.PIDAlive), status.Port, alive(status.PortAlive)))
	}
	var probe electron.Probe
	asked := 0
	if s.key.name != "" && (record == nil || status.PortAlive) {
		asked = c.askAll(ctx, &s, time.Duration(wish.TimeoutMs)*time.Millisecond, &probe)
	} else {
		probe.Errors = append(probe.Errors, electron.ProbeError{Step: "session", Error: "no session is attached to an app that runs"})
	}
	if record != nil && status.PortAlive {
		var session *contract.ElectronSession
		if s.key.name != "" {
			session = &contract.ElectronSession{LaunchID: record.LaunchID, SessionName: s.key.name, Title: probe.Title, URL: probe.URL}
		}
		if m := c.mismatch(record, &status, session); m != nil {
			e.SessionMismatch = m
			lines = append(lines, m.Summary)
		}
	}
	if record != nil && e.SessionMismatch == nil {
		d.NextActions = judging.AppendUnique(d.NextActions, c.named(record).AfterLaunch()...)
	}
	probe.Summary = probeSummary(&probe)
	e.Probe = probe
	text := joined(append([]string{probe.Summary}, append(lines, probeText(&probe))...)...)
	switch failed := len(probe.Errors); {
	case asked == 0 || failed == asked:
		e.Status = "failed"
		message := "Electron probe: none of the questions was answered: " + probe.Errors[0].Error
		c.didNot(contract.UpstreamError, message, joined(message, text), nil)
		return nil
	case failed > 0:
		e.Status = "partial"
	}
	c.did(probe.Summary, text)
	return nil
}

// probed returns the session that is meant, and the launch whose app it works in, if that was launched from here. A session without a name is
// none: the launch has none any more.
func (c *call) probed(_ context.Context, launchID string) (s appSession, record *electron.Record, r *refusal) {
	if launchID != "" {
		_, records, r := c.selectApps()
		if r != nil {
			return s, nil, r
		}
		s, _ = c.tool.apps.sessionOf(launchID)
		return s, &records[0], nil
	}
	sessions := c.tool.on(c.backend)
	m := sessions.current()
	s = appSession{c.backend, keyOf(m)}
	if id := c.tool.apps.in(s); id != "" {
		if found, ok := c.tool.apps.record(id); ok {
			record = &found
		}
	}
	if !m.Active || record == nil && !c.tool.apps.attachedTo(s) {
		return s, nil, refuse(contract.ValidationError, "electron.probe looks at the app that the managed session is attached to, and it is attached to none. "+
			"Launch an app with electron.launch, attach to one by args [\"connect\", \"<port>\"], or name a launch by launchId.")
	}
	return s, record, nil
}

// askAll asks the five questions of a probe, and returns how many they are.
func (c *call) askAll(ctx context.Context, s *appSession, timeout time.Duration, p *electron.Probe) int {
	questions := []struct {
		name  string
		stdin string
		args  []string
		take  func(inner *call)
	}{
		{"title", "", []string{"get", "title"}, func(inner *call) { p.Title = stringField(inner.answer, "title") }},
		{"url", "", []string{"get", "url"}, func(inner *call) { p.URL = stringField(inner.answer, "url") }},
		{"focusedElement", electron.FocusScript, []string{"eval", "--stdin"}, func(inner *call) { p.FocusedElement = focused(inner.answer.Data) }},
		{"tabs", "", []string{"tab", "list"}, func(inner *call) { p.SetTabs(probeTabs(inner.answer.Data)) }},
		{"snapshot", "", []string{"snapshot", "-i"}, func(inner *call) {
			d := c.details
			d.SessionDetails, d.RefSnapshot = inner.details.SessionDetails, inner.details.RefSnapshot
			data, _ := inner.answer.Data.(map[string]any)
			shown, _ := data["snapshot"].(string)
			var refs []string
			if d.RefSnapshot != nil {
				refs = d.RefSnapshot.RefIDs
			}
			p.SetSnapshot(shown, refs)
		}},
	}
	for _, q := range questions {
		inner, r := c.within(ctx, s, timeout, q.stdin, q.args...)
		if r.IsError {
			p.Errors = append(p.Errors, electron.ProbeError{Step: q.name, Error: whyNot(r)})
			continue
		}
		q.take(inner)
	}
	return len(questions)
}

func focused(data any) *electron.Focused {
	m, _ := data.(map[string]any)
	text, err := json.Marshal(m["result"])
	if err != nil || m["result"] == nil {
		return nil
	}
	var f electron.Focused
	if json.Unmarshal(text, &f) != nil {
		return nil
	}
	return &f
}

func probeTabs(data any) (tabs []electron.ProbeTab) {
	text, err := json.Marshal(rowsOf(data, "tabs"))
	if err == nil {
		_ = json.Unmarshal(text, &tabs) // what is of another shape is left out
	}
	return tabs
}

func probeSummary(p *electron.Probe) string {
	what := strings.TrimSpace(p.Title + " " + p.URL)
	if what == "" {
		what = "no page"
	}
	s := "Electron probe: " + what
	if p.Snapshot != nil {
		s += fmt.Sprintf("; %d refs", p.Snapshot.RefCount)
	}
	if n := len(p.Tabs) + p.TabsOmitted; n > 0 {
		s += fmt.Sprintf("; %d tab(s)", n)
	}
	return s + "."
}

// probeText is what the model reads of a probe below its summary.
func probeText(p *electron.Probe) string {
	var lines []string
	if f := p.FocusedElement; f != nil {
		lines = append(lines, "Focus: "+strings.Join(slices.DeleteFunc([]string{f.Tag, f.Role, f.Name}, func(s string) bool { return s == "" }), " "))
	}
	for _, t := range p.Tabs {
		mark := "  "
		if t.Active {
			mark = "→ "
		}
		lines = append(lines, mark+"["+t.TabID+"] "+strings.TrimSpace(t.Title+" "+t.URL))
	}
	if p.TabsOmitted > 0 {
		lines = append(lines, fmt.Sprintf("  (%d more tabs)", p.TabsOmitted))
	}
	if p.Snapshot != nil {
		lines = append(lines, p.Snapshot.Text)
		if n := p.Snapshot.LinesOmitted; n > 0 {
			lines = append(lines, fmt.Sprintf("(%d more lines; snapshot -i shows all)", n))
		}
	}
	for _, e := range p.Errors {
		lines = append(lines, "No answer for "+e.Step+": "+e.Error)
	}
	return strings.Join(lines, "\n")
}
