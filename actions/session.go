package actions

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fetch"
	"github.com/skua-browser/skua/session/journal"
	"github.com/skua-browser/skua/snapshot"
)

// Session is the session that a command runs in: who it is, and what it keeps besides its browser.
type Session interface {
	Name() string
	// Owner returns who the session is of.
	Owner() Owner
	// Info returns the state of the session. It starts no browser.
	Info() SessionInfo
	// Refs returns the table of refs that snapshots of the session handed out.
	Refs() *snapshot.Refs
	// States returns what families of commands keep with the session.
	States() *States
	// Journal returns what was done in the session.
	Journal() *journal.Log
	// DialogPolicy returns how the session treats dialogs, and SetDialogPolicy sets it; nil means as its callers'
	// --no-auto-dialog says.
	DialogPolicy() dialogs.Policy
	SetDialogPolicy(policy *dialogs.Policy)
}

// Tabs are the tabs of a session, and which of them is meant.
type Tabs interface {
	// Tab returns the active tab. It starts a browser when the session has none.
	Tab(ctx context.Context) (*Tab, error)
	// All returns the open tabs and which of them is active, without starting a browser.
	All() (tabs []*Tab, active *Tab)
	// Active returns the tab that commands go to when they do not say which, or nil.
	Active() *Tab
	// FindTab returns the tab that an id, a label or a target id names.
	FindTab(name string) (*Tab, error)
	// NewTab opens a tab on about:blank, in a window of its own if wanted, and makes it the active one. Label may be
	// empty.
	NewTab(ctx context.Context, label string, window bool) (*Tab, error)
	// AdoptTab makes a page that was opened aside a tab, the active one if wanted.
	AdoptTab(page *engine.Page, activate bool) (*Tab, error)
	// SwitchTab makes a tab the active one. Name is an id, a label or a target id.
	SwitchTab(ctx context.Context, name string) (*Tab, error)
	// CloseTab closes a tab, "" for the active one, and returns it with the one that is active now.
	CloseTab(ctx context.Context, name string) (closed, active *Tab, err error)
}

// Browser is the browser that a session has, or is to have.
type Browser interface {
	// Running reports whether the session has a browser that works.
	Running() bool
	// Windowed reports whether the session's browser has windows that people see.
	Windowed() bool
	// Endpoint returns the address of the protocol of a browser that the session is attached to, "" for one that it
	// started.
	Endpoint() string
	// Connect attaches the session to a browser that runs already, at a port, an http or a ws address, with headers that
	// may be nil.
	Connect(ctx context.Context, address string, header http.Header) error
	// ConnectAny attaches the session to a browser of this machine that runs already.
	ConnectAny(ctx context.Context) error
	// Leaves reports whether Close leaves the session's browser running, since it is not ours.
	Leaves() bool
	// Close ends the session. It succeeds when nothing runs.
	Close(ctx context.Context) error
	// Restoring reports the result of --restore, also after Close.
	Restoring() RestoreReport
	// Road returns how this process makes requests of its own for the session: through its proxy, as its rules allow, with
	// the trust and the user agent that its browser has.
	Road(ctx context.Context) (fetch.Options, error)
	// Inspect lets DevTools work on the session's pages until the session is closed, and returns the address at which they
	// find one.
	Inspect(page *engine.Page) (Inspection, error)
}

// Lock is how one of several callers has a session for itself.
type Lock interface {
	// Holder returns who has locked the session, or nil if it is not locked.
	Holder() *LockHolder
	// Take holds the session for the owner of the token that the call has, or of a new one, or renews that.
	Take(ctx context.Context, in *Input, name string, last time.Duration) (token string, err error)
	// Release ends the lock of the token's owner; with force, anybody's. It returns who held the session, or nil.
	Release(token string, force bool) (*LockHolder, error)
}

// Host is the process that the session is in, with its other sessions. What it has for single families of commands,
// they ask by [Service].
type Host interface {
	// All returns the names of the sessions of this host that have a browser, sorted.
	All() []string
	// Sessions returns those of this host that have a browser.
	Sessions() []SessionEntry
	// CloseAll ends every session of this host, but those that others than the token's owner have locked, and returns
	// their names.
	CloseAll(ctx context.Context, token string) (closed []string, failed map[string]error)
	// JournalOf returns what was done in another session of this host, or nil.
	JournalOf(session string) *journal.Log
	// AppOf returns the launch of the desktop app that a session works in, or worked in when it ended; "" when there is
	// none.
	AppOf(session string) (launchID string)
	// RunningApps returns the desktop apps that were launched from this host and have not been cleaned up.
	RunningApps() []App
}

// App is a desktop app that was launched from a host.
type App struct{ LaunchID, Name string }

// Service returns what the host has for one family of commands, by the interface that the family has for it. That a
// host has none is a fault of the program.
func Service[T any](c *Call) T {
	service, ok := c.Host.(T)
	if !ok {
		panic(fmt.Sprintf("the host is no %T", new(T)))
	}
	return service
}

// NoteApps adds notes about launched apps that go on running when their sessions are closed.
func (c *Call) NoteApps(isMeant func(launchID string) bool) {
	for _, app := range c.Host.RunningApps() {
		if isMeant(app.LaunchID) {
			c.Note(app.Name + " still runs; `electron cleanup " + app.LaunchID + "` ends it")
		}
	}
}

// Rules is what the owner of a session forbids.
type Rules interface {
	// Standing returns the rules that stand.
	InForce() []policy.Rule
	// Refused returns what was refused since the session began, the latest at the end, and how many refusals of each kind
	// are not among it.
	Refused() (entries []policy.Refusal, dropped map[policy.Kind]int)
	// File returns the path by which a file of the caller's is to be opened, with links resolved when the owner has named
	// roots. The error has the code [fault.PolicyBlocked], and is in the log of refusals.
	File(in *Input, use policy.Use, path string) (string, error)
	// Folder returns where files that a caller gave no path for go; empty means where they always do.
	Folder(use policy.Use) string
	// Pending returns the commands that wait to be confirmed, the oldest first.
	Pending() []policy.Held
	// Confirm runs the command that waits with this id as it was asked for, and returns what it said. Held is the zero
	// value when none waits.
	Confirm(ctx context.Context, id string) (policy.Held, Result, error)
	// Deny forgets the command that waits with this id.
	Deny(id string) (policy.Held, error)
}
