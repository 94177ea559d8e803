package actions

// Where the name of a session comes from.
const (
	FromWorktree = "worktree" // the git worktree that the caller works in
	FromDefault  = "default"  // there is none
)

// Owner is who a session is of: why the first command that worked in it did so.
type Owner struct {
	// FromWorktree, FromDefault, or what named the session: "--session", "SKUA_SESSION"
	From string `json:"from"`
	Path string `json:"path,omitempty"` // of a worktree, its root
}

// PageEntry is an open page of a session.
type PageEntry struct {
	ID     string `json:"id"`
	URL    string `json:"url"`
	Title  string `json:"title"`
	Active bool   `json:"active"`
}

// LockHolder is the holder of a session's lock, and until when it lasts.
type LockHolder struct {
	Name        string `json:"holder"`
	Until       int64  `json:"until"` // Unix milliseconds
	RemainingMS int64  `json:"remainingMs"`
}

// SessionEntry is a session with a browser, as `session list` reports it. Times are Unix milliseconds.
type SessionEntry struct {
	Name       string      `json:"name"`
	Identity   Owner       `json:"identity"`
	BrowserPID int         `json:"browserPid,omitempty"` // 0 means that the browser is not ours
	Attached   bool        `json:"attached"`             // the browser is not ours
	Created    int64       `json:"created"`              // when the browser was started or connected
	LastUsed   int64       `json:"lastUsed"`
	Pages      []PageEntry `json:"pages"`
	LockedBy   *LockHolder `json:"lockedBy"`
}

// SessionInfo is the reply of `session info`: agent-browser's members and some of ours. A session without a browser has
// no runtime.
type SessionInfo struct {
	Active       bool            `json:"active"`
	Namespace    *string         `json:"namespace"`
	PID          *int            `json:"pid"` // of the host, while the session has a browser
	Runtime      *SessionRuntime `json:"runtime"`
	RuntimeError *string         `json:"runtimeError"`
	Session      string          `json:"session"`
	SocketDir    string          `json:"socketDir"`
	Version      *string         `json:"version"`

	Identity    Owner       `json:"identity"`
	Lock        *LockHolder `json:"lockedBy"`
	HostPID     int         `json:"hostPid"`
	HostVersion string      `json:"hostVersion"`
}

// SessionRuntime describes the browser of a session. Times are Unix milliseconds.
type SessionRuntime struct {
	BackgroundPID       int     `json:"backgroundPid"`
	BrowserLaunched     bool    `json:"browserLaunched"`
	CompatibilityStatus string  `json:"compatibilityStatus"`
	EffectiveLaunch     any     `json:"effectiveLaunch"`
	Engine              string  `json:"engine"`
	LaunchHash          uint32  `json:"launchHash"`
	Lifecycle           any     `json:"lifecycle"`
	Namespace           *string `json:"namespace"`
	PageCount           int     `json:"pageCount"`
	RuntimeRestore
	SaveStatus string `json:"saveStatus"`
	Session    string `json:"session"`
	SocketDir  string `json:"socketDir"`

	BrowserPID int    `json:"browserPid,omitempty"`
	Browser    string `json:"browser"`            // what runs, and how
	Endpoint   string `json:"endpoint,omitempty"` // of a browser that is not ours, without its secrets
	Created    int64  `json:"created"`
	LastUsed   int64  `json:"lastUsed"`
}

// RuntimeRestore is what the session restored when it began, and keeps restoring from.
type RuntimeRestore struct {
	RestoreCheckFn           *string  `json:"restoreCheckFn"`
	RestoreCheckText         *string  `json:"restoreCheckText"`
	RestoreCheckURL          *string  `json:"restoreCheckUrl"`
	RestoreKey               *string  `json:"restoreKey"`
	RestoreLoadedPath        *string  `json:"restoreLoadedPath"`
	RestoreSave              string   `json:"restoreSave"`
	RestoreSavedPath         *string  `json:"restoreSavedPath"`
	RestoreSkippedOrigins    []string `json:"restoreSkippedOrigins"`
	RestoreStatus            string   `json:"restoreStatus"`
	RestoreStatusDetail      *string  `json:"restoreStatusDetail"`
	RestoreValidationPending bool     `json:"restoreValidationPending"`
}

// RestoreReport is the result of --restore in a session, in agent-browser's words.
type RestoreReport struct {
	Key, Restore, Detail, Save, Loaded, Saved, Policy, CheckURL, CheckText, CheckFn string

	File     string // that the session saves to under the key
	SaveNote string // why the last save was left out, by --restore-save; empty if it was not

	Pending bool // a check waits for a page
	Skipped []string
}
