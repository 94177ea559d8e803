package tool

import (
	"context"
	"os"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/planning"
)

// restoreApps takes up the apps that the rows of a conversation tell of: which of them are the conversation's, and which sessions work in
// them. What the launcher has no record of is not guessed at. Sessions have been restored before.
func (t *Tool) restoreApps(_ context.Context, rows []*contract.Details) {
	current, attached, ports := map[string]bool{}, map[conversation.Key]string{}, map[conversation.Key]int{}
	for _, d := range rows {
		if d == nil {
			continue
		}
		if e := d.Electron; e != nil {
			readApps(e, d, current, attached)
		} else if w := argv.Read(d.Args); planning.Attaches(&w) && d.ResultCategory == contract.Success {
			key := conversation.KeyIn(d.SessionNamespace, d.SessionName)
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
	for key, isAttached := range s.Attached() {
		if !isAttached {
			continue
		}
		id, told := attached[key]
		if !told {
			id = t.apps.listening(ports[key])
		} else if _, ok := t.apps.record(id); !ok {
			id = ""
		}
		t.apps.attach(appSession{t.backend, key}, id)
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
func readApps(e *lifecycle.Report, d *contract.Details, current map[string]bool, attached map[conversation.Key]string) {
	if e.Action == "launch" && e.Launch != nil && d.ResultCategory == contract.Success {
		current[e.Launch.LaunchID] = true
		if e.Identifiers != nil && e.Identifiers.SessionName != "" {
			attached[conversation.KeyIn(d.SessionNamespace, e.Identifiers.SessionName)] = e.Launch.LaunchID
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
