package contract

import (
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
)

// ElectronDetails are the account of work with desktop apps, and of commands in sessions that are attached to one.
type ElectronDetails struct {
	Electron                    *lifecycle.Report      `json:"electron,omitempty"`
	ElectronPostCommandHealth   *ElectronHealth        `json:"electronPostCommandHealth,omitempty"`
	ElectronRefFreshness        *ElectronRefFreshness  `json:"electronRefFreshness,omitempty"`
	ElectronGetTextScopeWarning *ElectronTextScopeHint `json:"electronGetTextScopeWarning,omitempty"`
}

// ElectronHealth says that an app did not survive a command, or lost its page.
type ElectronHealth struct {
	Reason        string          `json:"reason"` // process-dead, debug-port-dead or about-blank
	LaunchID      string          `json:"launchId"`
	SessionName   string          `json:"sessionName,omitempty"`
	LaunchStatus  electron.Status `json:"launchStatus"`
	Summary       string          `json:"summary"`
	NextActionIDs []string        `json:"nextActionIds"`
}

// ElectronRefFreshness says that refs of an app may be old though its address is the same.
type ElectronRefFreshness struct {
	Command       string   `json:"command"`
	Ref           string   `json:"ref"`
	Summary       string   `json:"summary"`
	NextActionIDs []string `json:"nextActionIds"`
}

// ElectronTextScopeHint says that a text is that of a whole window of an app.
type ElectronTextScopeHint struct {
	Selector      string   `json:"selector"`
	Summary       string   `json:"summary"`
	NextActionIDs []string `json:"nextActionIds"`
}
