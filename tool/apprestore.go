package tool

import (
	"context"
	"os"
	"slices"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/planning"
)

// restoreApps takes up the apps that the rows of a conversation tell of: which of them are the conversation's, and which sessions work in
// them. What the launcher has no record of is not guessed at. Sessions have been restored before.
func (t *Tool) restoreApps(_ context.Context, rows []*contract.Details) {
	current, attached, ports := map[string]bool{}, map[sessionKey]string{}, map[sessionKey]int{}
	for _, d := range rows {
		if d == nil {
			continue
		}
		if e := d.Electron; e != nil {
			readApps(e, d, current, attached)
		} else if w := argv.Read(d.Args); planning.Attaches(&w) && d.ResultCategory == contract.Success {
			key := sessionKey{valueOf(d.SessionNamespace), d.SessionName}
			delete(attached, key)
			ports[key] = portOf(attachedTo(&w))
		}
	}
	if len(current) == 0 && !t.hasApps() {
		t.apps.setCurrent(current)
		return
	}
	if _, err := t.appLauncher(); err != nil {
		t.log.Warn("the records of desktop apps cannot be read", "err", err)
		return
	}
	t.apps.setCurrent(current)
	s := t.on(t.backend)
	s.mu.Lock()
	open := map[sessionKey]bool{} // sessions that were not closed; true: attached to a browser
	for key, state := range s.known {
		open[key] = state.attached
	}
	s.mu.Unlock()
	for key, isAttached := range open {
		if !isAttached {
			continue
		}
		id, told := attached[key]
		if !told {
			id = t.apps.listening(ports[key])
		} else if _, ok := t.apps.record(id); !ok {
			id = ""
		}
		t.apps.attach(appSession{s.backend, key}, id)
	}
}

// hasApps reports whether there is a launcher, or were apps of the conversation before this process.
func (t *Tool) hasApps() bool {
	t.apps.mu.Lock()
	k := t.apps.launcher
	t.apps.mu.Unlock()
	if k != nil || t.options.Apps != nil {
		return true
	}
	dir := t.appRecords()
	if dir == "" {
		return false
	}
	_, err := os.Stat(dir)
	return err == nil
}

func (a *apps) setCurrent(current map[string]bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.current = current
}

// readApps takes what a result of electron says of launches and of their sessions.
func readApps(e *lifecycle.Report, d *contract.Details, current map[string]bool, attached map[sessionKey]string) {
	if e.Action == "launch" && e.Launch != nil && d.ResultCategory == contract.Success {
		current[e.Launch.LaunchID] = true
		if e.Identifiers != nil && e.Identifiers.SessionName != "" {
			attached[sessionKey{valueOf(d.SessionNamespace), e.Identifiers.SessionName}] = e.Launch.LaunchID
		}
	}
	if e.Cleanup == nil {
		return
	}
	for _, result := range e.Cleanup.Results {
		if result.State == electron.Cleaned {
			delete(current, result.LaunchID)
		}
	}
}

// closedByCleanup are the sessions that a cleanup has closed.
func closedByCleanup(d *contract.Details) (names []string) {
	if d.Electron == nil || d.Electron.Cleanup == nil {
		return nil
	}
	ids := d.Electron.IdentifierList
	if d.Electron.Identifiers != nil {
		ids = append(slices.Clone(ids), *d.Electron.Identifiers)
	}
	for _, result := range d.Electron.Cleanup.Results {
		if !slices.ContainsFunc(result.Steps, func(s electron.Step) bool { return s.Name == electron.SessionStep && s.Status == electron.StepDone }) {
			continue
		}
		for _, id := range ids {
			if id.LaunchID == result.LaunchID && id.SessionName != "" {
				names = append(names, id.SessionName)
			}
		}
	}
	return names
}
