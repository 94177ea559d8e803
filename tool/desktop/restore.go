package desktop

import (
	"os"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
)

// Restore takes up the apps that the rows of a conversation tell of: which of them are the conversation's, and which
// sessions of a backend work in them. What the launcher has no record of is not guessed at. Sessions have been restored
// before.
func (a *Apps) Restore(b backend.Backend, rows []*contract.Details) {
	current, attached, ports := map[string]bool{}, map[conversation.Key]string{}, map[conversation.Key]int{}
	for _, d := range rows {
		if d == nil {
			continue
		}
		if e := d.Electron; e != nil {
			readApps(e, d, current, attached)
		} else if w := argv.Read(d.Args); w.Attaches() && d.ResultCategory == contract.Success {
			key := conversation.KeyIn(d.SessionNamespace, d.SessionName)
			delete(attached, key)
			ports[key] = portOf(browserOf(&w))
		}
	}
	if len(current) == 0 && !a.exist() {
		a.setCurrent(current)
		return
	}
	if _, err := a.Launcher(); err != nil {
		a.o.Log.Warn("the records of desktop apps cannot be read", "err", err)
		return
	}
	a.setCurrent(current)
	for key, isAttached := range a.o.Sessions(b).Attached() {
		if !isAttached {
			continue
		}
		id, told := attached[key]
		if !told {
			id = a.listening(ports[key])
		} else if _, ok := a.record(id); !ok {
			id = ""
		}
		a.attach(Session{b, key}, id)
	}
}

// exist reports whether there is a launcher, or were apps of the conversation before this process.
func (a *Apps) exist() bool {
	a.mu.Lock()
	k := a.launcher
	a.mu.Unlock()
	if k != nil || a.o.Shared != nil {
		return true
	}
	if a.o.Records == "" {
		return false
	}
	_, err := os.Stat(a.o.Records)
	return err == nil
}

func (a *Apps) setCurrent(current map[string]bool) {
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
