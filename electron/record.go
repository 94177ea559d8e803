package electron

// CleanupState says how much of a launch is left.
type CleanupState string

// The states of a launch.
const (
	Active  CleanupState = "active"  // as far as is known the app runs
	Cleaned CleanupState = "cleaned" // nothing of it is left
	Dead    CleanupState = "dead"    // the app ended by itself; its profile may be left
	Failed  CleanupState = "failed"  // nothing could be cleaned
	Partial CleanupState = "partial" // something is left
)

// recordVersion is the version of the form of a Record.
const recordVersion = 1

// Record is the account of one launch, as it is kept on the disk.
type Record struct {
	Version              int    `json:"version"`
	LaunchID             string `json:"launchId"` // electron-<uuid>
	LaunchedByWrapper    bool   `json:"launchedByWrapper"`
	AppName              string `json:"appName"`
	BundleID             string `json:"bundleId,omitempty"`
	AppPath              string `json:"appPath,omitempty"`
	ExecutablePath       string `json:"executablePath"`
	UserDataDir          string `json:"userDataDir"`
	Port                 int    `json:"port,omitempty"`
	PID                  int    `json:"pid,omitempty"`
	SessionName          string `json:"sessionName,omitempty"` // that is attached to it
	WebSocketDebuggerURL string `json:"webSocketDebuggerUrl,omitempty"`
	// of the main process; empty means that it is not inspected
	InspectorURL string       `json:"inspectorUrl,omitempty"`
	CreatedAtMs  int64        `json:"createdAtMs"`
	CleanupState CleanupState `json:"cleanupState"`
}

// Target is something of an app that can be attached to: a window, or a webview in it.
type Target struct {
	ID                   string `json:"id"`
	Type                 string `json:"type"` // page, webview, and others of Chromium
	Title                string `json:"title"`
	URL                  string `json:"url"`
	ParentID             string `json:"parentId,omitempty"` // of a webview: the window that shows it
	WebSocketDebuggerURL string `json:"webSocketDebuggerUrl,omitempty"`

	Window *WindowFacts `json:"window,omitempty"` // how a person sees it; nil means not asked, or the app did not say it
}

// Version is what an app's debugging port says of itself.
type Version struct {
	Browser         string `json:"browser,omitempty"`
	ProtocolVersion string `json:"protocolVersion,omitempty"`
	UserAgent       string `json:"userAgent,omitempty"`
}
