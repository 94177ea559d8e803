package stream

import "github.com/skua-browser/skua/engine"

// Source is a session as its viewers see it.
type Source interface {
	// State returns what the session shows now.
	State() State
	// OnChange calls fn whenever the state may have changed, until stop is called. fn does not block.
	OnChange(fn func()) (stop func())
	// NoteActivity is called for each input.
	NoteActivity()
}

// State is what a session shows.
type State struct {
	Running   bool // the session has a working browser
	Recording bool // a video is being recorded
	Tabs      []Tab
	Active    *engine.Page
}

// Tab is a tab as messages describe it.
type Tab struct {
	Active   bool    `json:"active"`
	Label    *string `json:"label"`
	TabID    string  `json:"tabId"`
	TargetID string  `json:"targetId"`
	Title    string  `json:"title"`
	Type     string  `json:"type"`
	URL      string  `json:"url"`
	Dialog   string  `json:"dialog,omitempty"` // the type of its open dialog
}
