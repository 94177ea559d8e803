package lifecycle

import (
	"encoding/json"

	"github.com/skua-browser/skua/electron"
)

// The values of Report.Status.
const (
	Succeeded    = "succeeded"
	Incomplete   = "partial"
	Unsuccessful = "failed"
)

// Report is the result of an action. Each action fills its own fields.
type Report struct {
	Action string `json:"action"`
	Status string `json:"status"`

	Listing

	// Of launch. Targets is of status, too.
	Launch   *electron.Record  `json:"launch,omitempty"`
	Version  *electron.Version `json:"version,omitempty"`
	Targets  []electron.Target `json:"targets,omitzero"`
	Exposure string            `json:"exposure,omitempty"` // why the app runs without Chromium's sandbox
	Handoff  *Handoff          `json:"handoff,omitempty"`
	Failure  *Failure          `json:"failure,omitempty"`

	// Of launch and cleanup.
	Cleanup *Cleanup `json:"cleanup,omitempty"`

	// Of status.
	Launches        []electron.Record `json:"launches,omitzero"`
	Statuses        []electron.Status `json:"statuses,omitzero"`
	ManagedSession  *ShownPage        `json:"managedSession,omitempty"`
	ManagedSessions []ShownPage       `json:"managedSessions,omitempty"`
	SessionMismatch *Mismatch         `json:"sessionMismatch,omitempty"` // of probe, too
	Mismatches      []Mismatch        `json:"sessionMismatches,omitempty"`

	// Of probe.
	Probe         *electron.Probe   `json:"probe,omitempty"`
	ProbeContext  *ProbeContext     `json:"probeContext,omitempty"`
	StatusTargets []electron.Target `json:"statusTargets,omitempty"`
	LaunchStatus  *electron.Status  `json:"launchStatus,omitempty"`

	Identifiers      *Identifiers  `json:"identifiers,omitempty"`
	IdentifierList   []Identifiers `json:"identifierList,omitempty"` // when there are several launches
	ProfileIsolation *Isolation    `json:"profileIsolation,omitempty"`

	Notes []string `json:"-"` // what the caller has to see besides
}

// Listing is what list says.
type Listing struct {
	Platform          string         `json:"platform,omitempty"` // darwin, linux, windows or unsupported
	Apps              []electron.App `json:"apps,omitzero"`
	Query             string         `json:"query,omitempty"`
	MaxResults        int            `json:"maxResults,omitempty"`
	SkippedCount      *int           `json:"skippedCount,omitempty"`
	OmittedCount      int            `json:"omittedCount,omitempty"`
	SensitiveAppCount int            `json:"sensitiveAppCount,omitempty"`
}

// Identifiers are the two names that work with an app needs: the launch ID for actions on apps, the session name for
// all other commands.
type Identifiers struct {
	LaunchID    string `json:"launchId"`
	SessionName string `json:"sessionName,omitempty"` // empty means that no session is attached
}

// Isolation says what a launched app sees of the user's own data: nothing.
type Isolation struct {
	IsolatedLaunch                bool `json:"isolatedLaunch"`
	ReusesExistingSignedInProfile bool `json:"reusesExistingSignedInProfile"`
	AttachesToAlreadyRunningApp   bool `json:"attachesToAlreadyRunningApp"`
	// how to attach to the app with the user's own profile
	HostDebugLaunchExample string `json:"hostDebugLaunchExample"`
}

// Handoff is what was done in the app's window after the launch.
type Handoff struct {
	Handoff    string              `json:"handoff"` // connect, tabs or snapshot
	Target     *electron.Target    `json:"target,omitempty"`
	URL        string              `json:"url,omitempty"` // of the active tab
	Title      string              `json:"title,omitempty"`
	Tabs       []electron.ProbeTab `json:"tabs,omitempty"`
	Snapshot   json.RawMessage     `json:"snapshot,omitempty"` // data of `snapshot -i`, for callers that show it here
	RefCount   int                 `json:"refCount,omitempty"`
	EmptyTries int                 `json:"emptySnapshots,omitempty"` // snapshots without a ref
}

// Failure says why a launch failed.
type Failure struct {
	Reason      string                `json:"reason"` // a code of package fault, or of the caller
	Message     string                `json:"message"`
	Diagnostics *electron.Diagnostics `json:"diagnostics,omitempty"`
	Policy      *electron.Policy      `json:"policy,omitempty"`
}

// Cleanup is the result of the cleanup of several launches.
type Cleanup struct {
	Partial bool               `json:"partial"`
	Records []electron.Record  `json:"records"`
	Results []electron.Cleanup `json:"results"`
}

// ShownPage is what the session shows that is attached to an app.
type ShownPage struct {
	LaunchID    string `json:"launchId"`
	SessionName string `json:"sessionName"`
	Title       string `json:"title,omitempty"`
	URL         string `json:"url,omitempty"`
	Error       string `json:"error,omitempty"` // why it did not answer
}

// Mismatch says that the session that was attached to a running app shows no window of it.
type Mismatch struct {
	Reason        string            `json:"reason"` // no-session, no-answer, blank-page or other-page
	LaunchID      string            `json:"launchId"`
	SessionName   string            `json:"sessionName,omitempty"`
	SessionURL    string            `json:"sessionUrl,omitempty"`
	LiveTargets   []electron.Target `json:"liveTargets"`
	Summary       string            `json:"summary"`
	NextActionIDs []string          `json:"nextActionIds,omitempty"` // of the tool's follow-ups
}

// ProbeContext says what was probed.
type ProbeContext struct {
	Scope       string `json:"scope"` // current-session or launch
	SessionName string `json:"sessionName,omitempty"`
	LaunchID    string `json:"launchId,omitempty"`
}
