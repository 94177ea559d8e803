package tabs

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/session/identity"
)

// The data of the replies. Keys that agent-browser has are spelled as it spells them.

// TabsResult is the result of `tab` and `tab list`.
type TabsResult struct {
	Tabs []TabEntry `json:"tabs"`
}

// AddFacts reports the tabs, and that the page of the active one is shown.
func (r TabsResult) AddFacts(f *fact.Facts) {
	f.Tabs = make([]fact.ShownTab, 0, len(r.Tabs))
	for i := range r.Tabs {
		t := &r.Tabs[i]
		if t.TabID == "" && t.URL == "" && t.Label == nil {
			continue // of a program that does not report it
		}
		shown := fact.ShownTab{Shown: fact.Shown{Tab: t.TabID, Title: t.Title, URL: t.URL}, Active: t.Active}
		if t.Label != nil {
			shown.Label = *t.Label
		}
		if f.Tabs = append(f.Tabs, shown); t.Active {
			f.Page = shown.Shown
		}
	}
}

// TabEntry is a tab of the list.
type TabEntry struct {
	Active bool              `json:"active"`
	Dialog *fact.ShownDialog `json:"dialog,omitempty"` // that is open in it
	Error  string            `json:"error,omitempty"`  // why it does not work any longer
	TabResult
	Hidden bool `json:"hidden,omitzero"` // of a desktop app: no person sees its window
	Modal  bool `json:"modal,omitzero"`  // of a desktop app: its window belongs to another one, which waits for it
	// of a desktop app: it is shown in a part of a window, beside the window's own page
	View   bool   `json:"view,omitzero"`
	Opener string `json:"opener,omitempty"` // the id of the tab that opened it
	Parent string `json:"parent,omitempty"` // of what does not have a window of its own
	Type   string `json:"type"`
}

// TabResult is the result of `tab <id>`: the tab that is active now.
type TabResult struct {
	Label    *string `json:"label"`
	TabID    string  `json:"tabId"`
	TargetID string  `json:"targetId"`
	Title    string  `json:"title"`
	URL      string  `json:"url"`
}

// AddFacts reports that the tab's page is shown.
func (r TabResult) AddFacts(f *fact.Facts) {
	f.Page = fact.Shown{Tab: r.TabID, Title: r.Title, URL: r.URL}
}

// NewTabResult is the result of `tab new`.
type NewTabResult struct {
	TabResult
	Total int `json:"total"` // open tabs
}

// NewWindowResult is the result of `window new`.
type NewWindowResult struct {
	TabID string `json:"tabId"`
	Total int    `json:"total"` // open tabs
}

// ClosedTabResult is the result of `tab close`.
type ClosedTabResult struct {
	ActiveTabID string  `json:"activeTabId"`
	Closed      bool    `json:"closed"`
	Label       *string `json:"label"`
	TabID       string  `json:"tabId"`
	TargetID    string  `json:"targetId"`
}

// FrameResult is the result of `frame`.
type FrameResult struct {
	Frame string  `json:"frame"`
	URL   *string `json:"url,omitempty"` // not of the main frame
}

// DialogAnswerResult is the result of `dialog accept` and `dialog dismiss`.
type DialogAnswerResult struct {
	Accepted bool   `json:"accepted"`
	Handled  bool   `json:"handled"`
	Response string `json:"response"`
}

// DialogPolicyResult is the result of `dialog policy`.
type DialogPolicyResult struct {
	Policy string  `json:"policy"`
	Text   *string `json:"text,omitempty"` // the answer to prompts
}

// DialogStatusResult is the result of `dialog status`. What it says of a dialog is there when one is open.
type DialogStatusResult struct {
	DefaultPrompt *string       `json:"defaultPrompt,omitempty"`
	HasDialog     bool          `json:"hasDialog"`
	Message       *string       `json:"message,omitempty"`
	OtherTabs     []DialogOfTab `json:"otherTabs,omitempty"`
	Type          string        `json:"type,omitempty"`
}

// DialogOfTab is a dialog that is open in another tab.
type DialogOfTab struct {
	Message string `json:"message"`
	TabID   string `json:"tabId"`
	Type    string `json:"type"`
}

// SessionResult is the result of `session`.
type SessionResult struct {
	Session string `json:"session"`
}

// ConnectedResult is the result of `connect`.
type ConnectedResult struct {
	Launched          bool `json:"launched"`
	RelaunchedBrowser bool `json:"relaunchedBrowser"` // the session had one, which was left
	Reused            bool `json:"reused"`
}

// ClosedResult is the result of `close`.
type ClosedResult struct {
	Closed        bool   `json:"closed"`
	Detached      bool   `json:"detached,omitempty"` // the browser goes on running
	RestoreStatus string `json:"restoreStatus"`
	SaveStatus    string `json:"saveStatus"`
	StatePath     string `json:"statePath,omitempty"`
}

// ClosedAllResult is the result of `close --all`.
type ClosedAllResult struct {
	Closed   int      `json:"closed"`
	Failed   []string `json:"failed"`
	Sessions []string `json:"sessions"`
}

// SessionsResult is the result of `session list`.
type SessionsResult struct {
	Details  []actions.SessionEntry `json:"details"`
	Sessions []string               `json:"sessions"`
}

// AddFacts reports the names of the sessions.
func (r SessionsResult) AddFacts(f *fact.Facts) { f.Sessions = r.Sessions }

// SessionIDResult is the result of `session id`.
type SessionIDResult struct {
	Hash    string         `json:"hash"`
	Path    string         `json:"path"`
	Scope   identity.Scope `json:"scope"`
	Session string         `json:"session"`
}
