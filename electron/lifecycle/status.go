package lifecycle

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/inspector"
	"github.com/skua-browser/skua/internal/wording"
)

// maxTreeLines limits how many windows of an app are named in the text about it.
const maxTreeLines = 20

// Status looks at launched apps and changes nothing. With ask, it asks the sessions that work in them what they show;
// without, it waits for no page.
func Status(ctx context.Context, h Host, records []electron.Record, ask bool) (*Report, error) {
	k, err := h.Launcher()
	if err != nil {
		return nil, err
	}
	r := &Report{
		Action:   "status",
		Status:   Succeeded,
		Launches: []electron.Record{},
		Statuses: []electron.Status{},
		Targets:  []electron.Target{},
	}
	for i := range records {
		status, err := k.Status(ctx, records[i].LaunchID)
		if err != nil {
			return nil, err
		}
		describeMain(ctx, &records[i], &status)
		if m := status.Main; m != nil && m.Activity == string(inspector.Blocked) {
			status.LastWords = k.LastSaid(records[i].LaunchID)
		}
		record := records[i]
		if now, err := k.Select(record.LaunchID, false); err == nil { // it may have ended
			record = now[0]
		}
		r.Launches, r.Statuses, r.Targets = append(r.Launches, record), append(r.Statuses, status), append(r.Targets,
			status.Targets...)
		s := h.Attached(&record)
		r.identify(&record, s, len(records))
		if !status.PortAlive {
			continue
		}
		var shown *ShownPage
		if s != nil && ask {
			shown = show(ctx, record.LaunchID, s)
			r.ManagedSessions = append(r.ManagedSessions, *shown)
		}
		if s != nil && !ask {
			continue
		}
		if m := mismatch(h, &record, &status, shown); m != nil {
			r.Mismatches = append(r.Mismatches, *m)
		}
	}
	if len(r.ManagedSessions) == 1 {
		r.ManagedSession = &r.ManagedSessions[0]
	}
	if len(r.Mismatches) == 1 {
		r.SessionMismatch = &r.Mismatches[0]
	}
	return r, nil
}

// identify adds the names of a launch, to a list when the action is about several.
func (r *Report) identify(record *electron.Record, s Session, of int) {
	ids := Identifiers{LaunchID: record.LaunchID}
	if s != nil {
		ids.SessionName = s.Name()
	}
	if of == 1 {
		r.Identifiers = &ids
		return
	}
	r.IdentifierList = append(r.IdentifierList, ids)
}

// Mismatch returns the mismatch of a launch, or nil.
func (r *Report) Mismatch(launchID string) *Mismatch {
	for i := range r.Mismatches {
		if r.Mismatches[i].LaunchID == launchID {
			return &r.Mismatches[i]
		}
	}
	return nil
}

// StatusLines describes each launch of a status: a line for the app, then its windows, then a mismatch.
func (r *Report) StatusLines() (lines []string) {
	for i := range r.Statuses {
		lines = append(lines, statusLines(&r.Launches[i], &r.Statuses[i])...)
		if m := r.Mismatch(r.Launches[i].LaunchID); m != nil {
			lines = append(lines, "  "+m.Summary)
		}
	}
	return lines
}

func statusLines(r *electron.Record, s *electron.Status) []string {
	line := r.LaunchID + " " + s.State + ": " + r.AppName + ", process " + strconv.Itoa(s.PID)
	if !s.PIDAlive {
		line += " (" + strings.TrimSuffix("ended, "+s.Exit, ", ") + ")"
	}
	line += ", port " + strconv.Itoa(s.Port)
	switch {
	case s.Port == 0:
		line = strings.TrimSuffix(line, ", port 0") + ", no debugging port"
	case s.PortSilent:
		line += " (does not answer)"
	case !s.PortAlive:
		line += " (closed)"
	}
	if r.SessionName != "" {
		line += ", session " + r.SessionName
	}
	stalls := stallLines(s)
	if s.LastWords != "" {
		stalls = append(stalls, "  It said: "+s.LastWords)
	}
	tree := electron.Tree(s.Targets, "  ")
	if len(tree) == 0 && s.PIDAlive && (s.PortAlive || s.Port == 0) {
		tree = []string{"  It has no window."}
	}
	shown := tree[:min(len(tree), maxTreeLines)]
	lines := slices.Concat([]string{line}, stalls, shown)
	if left := len(tree) - len(shown) + s.TargetsCut; left > 0 {
		lines = append(lines, "  "+wording.Plural(left, "more target"))
	}
	return lines
}

// describeMain adds to a status what the main process is doing, and how its windows are shown if it answers.
func describeMain(ctx context.Context, record *electron.Record, s *electron.Status) {
	if record.InspectorURL == "" || !s.PIDAlive {
		return
	}
	if s.Port == 0 {
		s.Targets = windowTargets(ctx, record.InspectorURL)
	}
	if (s.PortAlive || s.Port == 0) && askMain(ctx, record.InspectorURL, s.Targets) == nil {
		if len(s.Targets) == 0 { // a port does not list pages that have crashed
			s.Targets = windowTargets(ctx, record.InspectorURL)
		}
		s.Main = &electron.Main{Activity: string(inspector.Answering)}
		return
	}
	doing, stack := inspector.Look(ctx, record.InspectorURL)
	s.Main = &electron.Main{Activity: string(doing), Stack: stack}
}

// stallLines say why a running app does not answer, and what to do, or nothing if it answers.
func stallLines(s *electron.Status) []string {
	switch {
	case !s.PIDAlive || (s.PortAlive || s.Port == 0) && s.Main == nil:
		return nil
	case s.Main != nil && s.Main.Activity == string(inspector.Busy):
		line := "  Its main process runs JavaScript that does not return"
		if len(s.Main.Stack) > 0 {
			line += ": " + strings.Join(s.Main.Stack, " < ")
		}
		return []string{line + "."}
	case s.Main != nil && s.Main.Activity == string(inspector.Blocked):
		return []string{
			"  Its main process waits in native code: most likely a native dialog is open. The app goes on when a person at " +
				"its screen answers it.",
		}
	case s.PortSilent:
		return []string{
			"  The app runs, and its port takes connections and does not answer: its main process is busy, or a native " +
				"dialog is open.",
		}
	}
	return nil
}

// show asks a session what it shows.
func show(ctx context.Context, launchID string, s Session) *ShownPage {
	page := &ShownPage{LaunchID: launchID, SessionName: s.Name()}
	var err error
	if page.URL, err = askPage(ctx, s, "url"); err == nil {
		page.Title, err = askPage(ctx, s, "title")
	}
	if err != nil {
		page.Error = err.Error()
	}
	return page
}

// mismatch compares what the session of a running app shows with the app's windows. It is nil when the session shows
// one of them. Shown is nil when no session is attached.
func mismatch(h Host, r *electron.Record, status *electron.Status, shown *ShownPage) *Mismatch {
	live := append([]electron.Target{}, electron.Attachable(status.Targets)...)
	m := &Mismatch{LaunchID: r.LaunchID, LiveTargets: live}
	if shown != nil {
		m.SessionName, m.SessionURL = shown.SessionName, shown.URL
	}
	isShown := func(t electron.Target) bool { return samePage(t.URL, m.SessionURL) }
	switch {
	case shown == nil && r.SessionName == "": // it is about to be attached
		return nil
	case shown == nil:
		m.Reason, m.Summary = "no-session", "Session mismatch: "+r.AppName+" runs, but session "+r.SessionName+
			" is not attached to it any more."
	case shown.Error != "" && shown.URL == "":
		m.Reason, m.Summary = "no-answer", "Session mismatch: "+r.AppName+" runs, but session "+m.SessionName+
			" does not say what it shows: "+shown.Error+"."
	case slices.ContainsFunc(live, isShown):
		return nil
	case shown.URL == "" || shown.URL == "about:blank":
		m.Reason, m.Summary = "blank-page", "Session mismatch: "+r.AppName+" runs, but session "+m.SessionName+
			" shows an empty page that is not one of its windows."
	case status.TargetsCut > 0: // its window may be among those that are left out
		return nil
	default:
		m.Reason, m.Summary = "other-page", "Session mismatch: session "+m.SessionName+" shows "+shown.URL+
			", which is not a window of "+r.AppName+"."
	}
	m.Summary += " " + h.Reattach(r)
	return m
}

// samePage reports whether two addresses are of one document.
func samePage(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}
