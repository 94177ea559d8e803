package judging

import (
	"encoding/json"
	"regexp"
	"slices"
	"sync"

	"github.com/skua-browser/skua/tool/contract"
)

// Drift is how a session came to show a page other than the intended one.
type Drift struct {
	Blank    bool   // it shows about:blank
	TabID    string // the intended tab, if it is known
	Selected bool   // that tab was chosen again already
}

var stableTab = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^t\d+$`) })

// AfterDrift returns how to get back to the intended tab.
func AfterDrift(d Drift) []contract.NextAction {
	id := "list-tabs-for-tab-drift-recovery"
	if d.Blank {
		id = "list-tabs-for-about-blank-recovery"
	}
	list := []contract.NextAction{Act(id, "List the tabs.", "tab", "list")}
	if !stableTab().MatchString(d.TabID) {
		return list
	}
	list = append(list, Act("select-intended-tab-after-drift", "Choose the right tab.", "tab", d.TabID))
	if d.Selected {
		return append(list, look("snapshot-after-tab-recovery", "See the page of the tab that was chosen again."))
	}
	rows, _ := json.Marshal([][]string{{"tab", d.TabID}, {snapshot, "-i"}})
	return append(list, inBatch("snapshot-after-tab-recovery", "Choose the right tab and see its page.", string(rows)))
}

// Electron names a desktop app that the tool has started.
type Electron struct {
	LaunchID string
	Session  Session // that it is attached to; without a name: none
	InUse    bool    // that is the session which the next call works in anyway
	Address  string  // at which it can be attached to; empty means that it cannot
}

func (e Electron) act(id, reason, action string) contract.NextAction {
	return contract.NextAction{
		Tool:   contract.ToolName,
		ID:     id,
		Reason: reason,
		Params: contract.NextParams{Electron: &contract.NextElectron{Action: action, LaunchID: e.LaunchID}},
	}
}

// AfterLaunch is what may be done with an app that runs.
func (e Electron) AfterLaunch() []contract.NextAction {
	list := []contract.NextAction{
		e.act("status-electron-launch", "See whether the app still runs.", "status"),
		e.act("probe-electron-launch", "See a summary of what the app shows.", "probe"),
		e.act("cleanup-electron-launch", "End the app and remove its profile when it is no longer needed.", "cleanup"),
	}
	if e.Session.Name == "" {
		return list
	}
	named := e.Session
	if e.InUse {
		named = Session{}
	}
	return append(list, In(named, []contract.NextAction{
		Act("list-electron-tabs", "See the app's windows.", "tab", "list"),
		look("snapshot-electron-session", "See what the app's window offers."),
	})...)
}

// AfterMismatch is what to do when the session is not attached to the app any longer, and the app runs. The new session
// is the managed one, so that nothing is bound to the one before.
func (e Electron) AfterMismatch() []contract.NextAction {
	return []contract.NextAction{
		fresh(Act("reattach-electron-launch", "Attach to the app again, in a new session.", "connect", e.Address)),
		Act("list-electron-tabs", "See the app's windows.", "tab", "list"),
		look("snapshot-electron-session", "See what the app's window offers."),
	}
}

// AfterDeath is what to do when an app has ended, or has lost its page.
func (e Electron) AfterDeath() []contract.NextAction {
	return Electron{LaunchID: e.LaunchID}.AfterLaunch()
}

// AfterLookup is what to do when the source of something in an app was not found.
func (e Electron) AfterLookup() []contract.NextAction {
	list := e.AfterLaunch()
	byID := func(id string) contract.NextAction {
		return list[slices.IndexFunc(list, func(a contract.NextAction) bool { return a.ID == id })]
	}
	return []contract.NextAction{
		byID("snapshot-electron-session"), byID("probe-electron-launch"),
		byID("list-electron-tabs"),
	}
}

// AfterCleanupFailed is what to do about an app that could not be cleaned up whole.
func (e Electron) AfterCleanupFailed() []contract.NextAction {
	return []contract.NextAction{
		e.act("status-electron-launch", "See what is left of the app.", "status"),
		e.act("retry-electron-cleanup", "Try the cleanup again.", "cleanup"),
	}
}

// AfterRerender is what to do when an app may have redrawn itself under the same address.
func (e Electron) AfterRerender() []contract.NextAction {
	return In(e.Session,
		[]contract.NextAction{caution(look("refresh-electron-refs-after-rerender", "The app may have redrawn itself."),
			oldRefs)})
}

// AfterBroadText is what to do when a text was read of the whole window of an app.
func (e Electron) AfterBroadText() []contract.NextAction {
	return In(e.Session,
		[]contract.NextAction{look("snapshot-for-electron-text-scope", "Find the element with the text that you need.")})
}
