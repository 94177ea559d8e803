package stream

import "github.com/skua-browser/skua/engine"

// Source is a session as those who watch it see it.
type Source interface {
	// State returns what there is to see now.
	State() State
	// OnChange has fn called whenever the state may have changed, until stop is called. fn does not block.
	OnChange(fn func()) (stop func())
	// Worked is told of input.
	Worked()
}

// State is what a session shows.
type State struct {
	Running   bool // it has a browser that works
	Recording bool // a video is being made
	Tabs      []Tab
	Active    *engine.Page
}

// Tab is one tab, as messages tell of it.
type Tab struct {
	Active   bool    `json:"active"`
	Label    *string `json:"label"`
	TabID    string  `json:"tabId"`
	TargetID string  `json:"targetId"`
	Title    string  `json:"title"`
	Type     string  `json:"type"`
	URL      string  `json:"url"`
	Dialog   string  `json:"dialog,omitempty"` // the kind of dialog that it shows
}
