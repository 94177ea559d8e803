package electron

import (
	"context"
	"log/slog"
	"time"

	"github.com/skua-browser/skua/engine/fault"
)

// Bounds of a launch and its end.
const (
	DefaultLaunchTimeout  = 15 * time.Second
	MaxLaunchTimeout      = 120 * time.Second
	DefaultCleanupTimeout = 5 * time.Second
)

// KeeperOptions say where a Keeper keeps its records and profiles.
type KeeperOptions struct {
	Dir    string // of the records, which survive the process; empty: they end with it
	Getenv func(string) string
	Log    *slog.Logger // nil: no log
}

// Keeper launches apps and keeps account of them until nothing of them is left. Its methods may be called from several goroutines.
type Keeper struct {
	options KeeperOptions
}

// NewKeeper returns a keeper that knows the launches whose records are in its folder. It starts nothing.
func NewKeeper(o KeeperOptions) (*Keeper, error) { return &Keeper{options: o}, nil }

// LaunchOptions say which app is launched and how. Exactly one of the first four is given.
type LaunchOptions struct {
	AppPath, AppName, BundleID, ExecutablePath string

	Args        []string      // for the app; see CheckArgs
	Allow, Deny []string      // parts of names or paths; deny wins
	Timeout     time.Duration // until its port answers; 0: DefaultLaunchTimeout, at most MaxLaunchTimeout
	Cwd         string
	Env         []string // as in os.Environ; nil: the process's
}

// Launched is an app whose debugging port answers.
type Launched struct {
	Record  Record
	Version Version
	Targets []Target
	App     App
}

// Launch starts an app with a profile of its own and returns when its debugging port answers. When it does not, or ctx ends, nothing is left
// of the app. Errors: AppNotFound, AppUnsuitable, AppBlocked (with the fact `policy`, a Policy), AppLaunch, Timeout and Canceled (with the
// fact `diagnostics`, a Diagnostics, once something was started).
func (k *Keeper) Launch(ctx context.Context, o LaunchOptions) (*Launched, error) {
	return nil, notBuilt("launch")
}

// Policy says which entry of the caller's lists decided against an app.
type Policy struct {
	List  string `json:"list"`            // allow or deny
	Entry string `json:"entry,omitempty"` // of deny; of allow none matched
}

// Diagnostics are what is known of a launch that failed.
type Diagnostics struct {
	PID                int    `json:"pid,omitempty"`
	PIDAlive           bool   `json:"pidAlive"`
	UserDataDir        string `json:"userDataDir,omitempty"`
	ElapsedMs          int64  `json:"elapsedMs"`
	TimeoutMs          int64  `json:"timeoutMs"`
	DevToolsActivePort string `json:"devToolsActivePort"` // missing, empty, invalid or found
	Port               int    `json:"port,omitempty"`
	VersionReached     bool   `json:"versionReached"` // /json/version answered
	Stderr             string `json:"stderr,omitempty"`
}

// Records returns the launches that the keeper tracks, the oldest first, those that are cleaned included until Forget.
func (k *Keeper) Records() []Record { return nil }

// Select returns the launches that are meant: the one with the id, all active ones, or, with neither, the only active one. Its error is
// LaunchNotFound.
func (k *Keeper) Select(id string, all bool) ([]Record, error) { return nil, notBuilt("select") }

// Attached notes which session works in the app.
func (k *Keeper) Attached(launchID, session string) error { return notBuilt("attached") }

// Ended returns a channel that is closed when the app's first process has ended. It is nil for a launch whose process is not watched: there
// is none, or it was started by an earlier run.
func (k *Keeper) Ended(launchID string) <-chan struct{} { return nil }

// Status is what is to be seen of a launch from outside.
type Status struct {
	LaunchID   string   `json:"launchId"`
	State      string   `json:"state"` // as CleanupState, after a look
	PID        int      `json:"pid,omitempty"`
	PIDAlive   bool     `json:"pidAlive"`
	Port       int      `json:"port,omitempty"`
	PortAlive  bool     `json:"portAlive"`
	Targets    []Target `json:"targets"`
	Version    Version  `json:"version"`
	TargetsCut int      `json:"targetsOmitted,omitempty"`
}

// Status looks at a launch without changing the app. Each question to its port has a second.
func (k *Keeper) Status(ctx context.Context, launchID string) (Status, error) {
	return Status{}, notBuilt("status")
}

// CleanupOptions bound a cleanup.
type CleanupOptions struct {
	Timeout      time.Duration                                   // for all of it; 0: DefaultCleanupTimeout
	CloseSession func(ctx context.Context, session string) error // closes the session that is attached; nil: there is none to close
}

// Step is one part of a cleanup: managed-session, process, debug-port or user-data-dir.
type Step struct {
	Name   string `json:"step"`
	Status string `json:"status"` // done, skipped or failed
	Detail string `json:"detail,omitempty"`
}

// Cleanup is what became of a launch.
type Cleanup struct {
	LaunchID string       `json:"launchId"`
	State    CleanupState `json:"state"`
	Steps    []Step       `json:"steps"`
}

// Cleanup ends a launched app and removes its profile. What could not be done is in the steps, and can be tried again; its error is only
// that there is no such launch.
func (k *Keeper) Cleanup(ctx context.Context, launchID string, o CleanupOptions) (Cleanup, error) {
	return Cleanup{}, notBuilt("cleanup")
}

// Close cleans up all active launches of the keeper.
func (k *Keeper) Close(ctx context.Context) error { return nil }

func notBuilt(what string) error {
	return fault.New(fault.Internal, "electron %s has no runner yet", what)
}
