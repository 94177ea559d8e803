package desktop

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// cleanUpApps ends apps that were launched from here, and no others.
func (m *Mode) cleanUpApps(ctx context.Context) *contract.Refusal {
	records, refused := m.selectApps()
	if refused != nil {
		return refused
	}
	wish := m.Wish
	timeout := m.Close
	if wish.TimeoutMs > 0 {
		timeout = time.Duration(wish.TimeoutMs) * time.Millisecond
	}
	m.Progress(fmt.Sprintf("Cleaning up %d desktop app(s)", len(records)))
	h := &host{mode: m, timeout: timeout}
	r, err := lifecycle.CleanUp(ctx, h, records, timeout)
	if err != nil {
		return refusalOf(err)
	}
	m.out.Report = r
	var after []contract.NextAction
	for i, done := range r.Cleanup.Results {
		if closed := h.closed[done.LaunchID]; closed != nil &&
			(m.out.Session == nil || m.out.Session.ManagedSessionOutcome == nil) {
			// at most one of them is the managed session
			m.out.Session = closed
		}
		if done.State != electron.Cleaned {
			after = append(after, m.Apps.Named(&records[i]).AfterCleanupFailed()...)
		}
	}
	text := cleanupText(r.Cleanup)
	switch {
	case r.Cleanup.Partial:
		first, _, _ := strings.Cut(text, "\n")
		m.out.fail(contract.CleanupFailed, "Electron cleanup failed in part: "+first, text,
			judging.AppendUnique(nil, after...))
	case len(records) == 0:
		m.out.succeed("Electron cleanup: 0 app(s) fully cleaned", "Electron cleanup: no launched app is left.")
	default:
		m.out.succeed(fmt.Sprintf("Electron cleanup: %d app(s) fully cleaned", len(records)), text)
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
