package contract

// ElectronDetails are the account of work with desktop apps, and of commands in sessions that are attached to one.
type ElectronDetails struct {
	Electron                    *Electron              `json:"electron,omitempty"`
	ElectronPostCommandHealth   *ElectronHealth        `json:"electronPostCommandHealth,omitempty"`
	ElectronRefFreshness        *ElectronRefFreshness  `json:"electronRefFreshness,omitempty"`
	ElectronGetTextScopeWarning *ElectronTextScopeHint `json:"electronGetTextScopeWarning,omitempty"`
}

// Electron is what became of an action on desktop apps. Fields of type any hold what package electron says of the thing.
type Electron struct {
	Action string `json:"action"`
	Status string `json:"status"` // succeeded, partial or failed

	// Of list.
	Platform          string `json:"platform,omitempty"` // darwin, linux, windows or unsupported
	Apps              any    `json:"apps,omitempty"`     // []electron.App
	Query             string `json:"query,omitempty"`
	MaxResults        int    `json:"maxResults,omitempty"`
	SkippedCount      *int   `json:"skippedCount,omitempty"`
	OmittedCount      int    `json:"omittedCount,omitempty"`
	SensitiveAppCount int    `json:"sensitiveAppCount,omitempty"`

	// Of launch.
	Launch  any `json:"launch,omitempty"`  // electron.Record
	Version any `json:"version,omitempty"` // electron.Version
	Targets any `json:"targets,omitempty"` // []electron.Target, of status too

	Exposure string           `json:"exposure,omitempty"` // why the app runs without Chromium's sandbox
	Handoff  *ElectronHandoff `json:"handoff,omitempty"`
	Failure  *ElectronFailure `json:"failure,omitempty"`

	// Of launch and cleanup.
	Cleanup *ElectronCleanup `json:"cleanup,omitempty"`

	// Of status.
	Launches        any                `json:"launches,omitempty"` // []electron.Record
	Statuses        any                `json:"statuses,omitempty"` // []electron.Status
	ManagedSession  *ElectronSession   `json:"managedSession,omitempty"`
	ManagedSessions []ElectronSession  `json:"managedSessions,omitempty"`
	SessionMismatch *ElectronMismatch  `json:"sessionMismatch,omitempty"`
	Mismatches      []ElectronMismatch `json:"sessionMismatches,omitempty"`

	// Of probe.
	Probe         any                   `json:"probe,omitempty"` // electron.Probe
	ProbeContext  *ElectronProbeContext `json:"probeContext,omitempty"`
	StatusTargets any                   `json:"statusTargets,omitempty"` // []electron.Target
	LaunchStatus  any                   `json:"launchStatus,omitempty"`  // electron.Status

	Identifiers      *ElectronIdentifiers  `json:"identifiers,omitempty"`
	IdentifierList   []ElectronIdentifiers `json:"identifierList,omitempty"` // where there are several
	ProfileIsolation *ProfileIsolation     `json:"profileIsolation,omitempty"`
}

// ProfileIsolation says what a launched app sees of the user's own data: nothing.
type ProfileIsolation struct {
	IsolatedLaunch                bool   `json:"isolatedLaunch"`
	ReusesExistingSignedInProfile bool   `json:"reusesExistingSignedInProfile"`
	AttachesToAlreadyRunningApp   bool   `json:"attachesToAlreadyRunningApp"`
	HostDebugLaunchExample        string `json:"hostDebugLaunchExample"` // how to attach to the app as the user has it
}

// ElectronIdentifiers tell what names an app in electron actions from what names its session in command lines.
type ElectronIdentifiers struct {
	LaunchID    string `json:"launchId"`
	SessionName string `json:"sessionName,omitempty"` // absent: no session is attached
}

// ElectronHandoff is what was done in the app's window after the launch.
type ElectronHandoff struct {
	Handoff    string `json:"handoff"` // connect, tabs or snapshot
	Target     any    `json:"target,omitempty"`
	URL        string `json:"url,omitempty"` // that the window showed when it was asked
	Title      string `json:"title,omitempty"`
	Tabs       any    `json:"tabs,omitempty"`
	RefCount   int    `json:"refCount,omitempty"`
	EmptyTries int    `json:"emptySnapshots,omitempty"` // snapshots without a ref, the last one included when it was such
}

// ElectronFailure says why a launch failed.
type ElectronFailure struct {
	Reason      string `json:"reason"` // the code of package fault
	Message     string `json:"message"`
	Diagnostics any    `json:"diagnostics,omitempty"` // electron.Diagnostics
	Policy      any    `json:"policy,omitempty"`      // electron.Policy
}

// ElectronCleanup is what became of launches that were cleaned up.
type ElectronCleanup struct {
	Partial bool `json:"partial"`
	Records any  `json:"records"` // []electron.Record
	Results any  `json:"results"` // []electron.Cleanup
}

// ElectronSession is what the session shows that is attached to an app.
type ElectronSession struct {
	LaunchID    string `json:"launchId"`
	SessionName string `json:"sessionName"`
	Title       string `json:"title,omitempty"`
	URL         string `json:"url,omitempty"`
	Error       string `json:"error,omitempty"` // of the question
}

// ElectronMismatch says that the session does not show a window of the app that runs.
type ElectronMismatch struct {
	Reason        string   `json:"reason"` // no-session, no-answer, blank-page or other-page
	LaunchID      string   `json:"launchId"`
	SessionName   string   `json:"sessionName,omitempty"`
	SessionURL    string   `json:"sessionUrl,omitempty"`
	LiveTargets   any      `json:"liveTargets"` // []electron.Target
	Summary       string   `json:"summary"`
	NextActionIDs []string `json:"nextActionIds"`
}

// ElectronProbeContext says what was probed.
type ElectronProbeContext struct {
	Scope       string `json:"scope"` // current-session or launch
	SessionName string `json:"sessionName,omitempty"`
	LaunchID    string `json:"launchId,omitempty"`
}

// ElectronHealth says that an app did not survive a command, or lost its page.
type ElectronHealth struct {
	Reason        string   `json:"reason"` // process-dead, debug-port-dead or about-blank
	LaunchID      string   `json:"launchId"`
	SessionName   string   `json:"sessionName,omitempty"`
	LaunchStatus  any      `json:"launchStatus,omitempty"` // electron.Status
	Summary       string   `json:"summary"`
	NextActionIDs []string `json:"nextActionIds"`
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
