package lifecycle

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// ProbeSteps is how many questions a probe asks.
const ProbeSteps = 5

// Probe takes a short look at what an app shows. The session is the one that works in it, or nil; the launch is nil for
// an app or browser that was not launched from here. The report is complete even with an error, which says that no
// question had an answer: its code is BrowserGone when the app does not answer, LaunchNotFound when no session is
// attached, else that of the first question.
func Probe(ctx context.Context, h Host, s Session, launch *electron.Record, scope string) (*Report, error) {
	r := &Report{
		Action:       "probe",
		Status:       Succeeded,
		Probe:        &electron.Probe{Tabs: []electron.ProbeTab{}},
		ProbeContext: &ProbeContext{Scope: scope},
	}
	if s != nil {
		r.ProbeContext.SessionName = s.Name()
	}
	p := r.Probe
	if launch != nil {
		r.ProbeContext.LaunchID = launch.LaunchID
		r.identify(launch, s, 1)
		k, err := h.Launcher()
		if err != nil {
			return r, err
		}
		status, err := k.Status(ctx, launch.LaunchID)
		if err != nil {
			return r, err
		}
		r.LaunchStatus, r.StatusTargets = &status, electron.Attachable(status.Targets)
		describeMain(ctx, launch, &status)
		if !status.PortAlive {
			hint := "`electron cleanup " + launch.LaunchID + "` removes the rest; then launch it again."
			if stall := stallLines(&status); len(stall) > 0 {
				hint = strings.TrimSpace(stall[0])
			}
			p.Errors = append(p.Errors, electron.ProbeError{Step: "session", Error: "the app no longer answers"})
			return r, r.unanswered(fault.New(fault.BrowserGone, "%s does not answer: %s", launch.AppName,
				statusLines(launch, &status)[0]).
				WithHint("%s", hint))
		}
	}
	var first error
	if s == nil {
		p.Errors = append(p.Errors, electron.ProbeError{Step: "session", Error: "no session is attached to the app"})
	} else {
		first = askAll(ctx, s, p)
	}
	if launch != nil {
		var shown *ShownPage
		if s != nil {
			shown = &ShownPage{LaunchID: launch.LaunchID, SessionName: s.Name(), Title: p.Title, URL: p.URL}
			if p.URL == "" && first != nil {
				shown.Error = first.Error()
			}
		}
		r.SessionMismatch = mismatch(h, launch, r.LaunchStatus, shown)
	}
	p.Summary = probeSummary(p)
	switch failed := len(p.Errors); {
	case s == nil:
		return r, r.unanswered(fault.New(fault.LaunchNotFound, "no session is attached to %s", launch.AppName).
			WithHint("%s It shows: %s.", h.Reattach(launch), strings.Join(electron.Tree(r.StatusTargets, ""), "; ")))
	case failed == ProbeSteps:
		return r, r.unanswered(fault.New(fault.CodeOf(first), "session %s did not answer any query: %w", s.Name(), first).
			With("errors", p.Errors))
	case failed > 0:
		r.Status = Incomplete
	}
	return r, nil
}

// unanswered makes the report one of a probe that failed.
func (r *Report) unanswered(err *fault.Error) error {
	r.Status = Unsuccessful
	r.Probe.Summary = probeSummary(r.Probe)
	if id := r.ProbeContext.LaunchID; id != "" {
		err = err.About(id).With("launchId", id).With("launchStatus", *r.LaunchStatus)
	}
	if r.SessionMismatch != nil {
		err = err.With("sessionMismatch", r.SessionMismatch)
	}
	return err
}

// askAll asks the questions of a probe, and returns the error of the first one that had no answer.
func askAll(ctx context.Context, s Session, p *electron.Probe) (first error) {
	answered := func(step string, err error) bool {
		if err == nil {
			return true
		}
		if first == nil {
			first = err
		}
		p.Errors = append(p.Errors, electron.ProbeError{Step: step, Error: err.Error()})
		return false
	}
	var err error
	p.URL, err = askPage(ctx, s, "url")
	answered("url", err)
	p.Title, err = askPage(ctx, s, "title")
	answered("title", err)
	p.FocusedElement, err = askFocus(ctx, s)
	answered("focusedElement", err)
	if tabs, err := askTabs(ctx, s); answered("tabs", err) {
		p.SetTabs(probeTabs(tabs))
	}
	if shot, err := askSnapshot(ctx, s); answered("snapshot", err) {
		p.SetSnapshot(shot.tree, shot.refs)
	}
	return first
}

// probeSummary describes a probe in one line.
func probeSummary(p *electron.Probe) string {
	var parts []string
	if p.Title != "" || p.URL != "" {
		parts = append(parts, strings.TrimPrefix(p.Title+" - ", " - ")+p.URL)
	}
	if n := len(p.Tabs) + p.TabsOmitted; n > 0 {
		parts = append(parts, wording.Plural(n, "tab"))
	}
	if p.Snapshot != nil {
		parts = append(parts, wording.Plural(p.Snapshot.RefCount, "ref"))
	}
	if len(p.Errors) > 0 {
		parts = append(parts, wording.Plural(len(p.Errors), "question")+" without an answer")
	}
	return strings.Join(parts, ", ")
}

// ProbeLines describes a probe: its summary, the launch if there is one, a mismatch, focus, tabs and the beginning of
// the snapshot.
func (r *Report) ProbeLines(launch *electron.Record) []string {
	p := r.Probe
	lines := []string{p.Summary}
	if r.LaunchStatus != nil && launch != nil {
		lines = append(lines, statusLines(launch, r.LaunchStatus)[0])
	}
	if r.SessionMismatch != nil {
		lines = append(lines, r.SessionMismatch.Summary)
	}
	if f := p.FocusedElement; f != nil {
		line := "focus: " + f.Tag
		if f.Role != "" {
			line = "focus: " + f.Role
		}
		for _, name := range []string{f.Name, f.Placeholder, f.ID} {
			if name != "" {
				line += " " + wording.Quote(name)
				break
			}
		}
		lines = append(lines, line)
	}
	for i := range p.Tabs {
		lines = append(lines, tabLine(&p.Tabs[i]))
	}
	if p.TabsOmitted > 0 {
		lines = append(lines, "  "+wording.Plural(p.TabsOmitted, "more tab"))
	}
	if s := p.Snapshot; s != nil {
		lines = append(lines, s.Text)
		if s.LinesOmitted > 0 {
			lines = append(lines, "… "+wording.Plural(s.LinesOmitted, "more line")+"; `snapshot -i` shows all")
		}
	}
	for _, e := range p.Errors {
		lines = append(lines, e.Step+": no answer: "+e.Error)
	}
	return lines
}
