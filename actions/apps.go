package actions

import (
	"context"

	"github.com/skua-browser/skua/electron"
)

// Apps keeps account of the desktop apps that the sessions of a host have launched.
type Apps interface {
	// Keeper returns what launches apps and ends them. It is made when it is first asked for.
	Keeper() (*electron.Keeper, error)
	// Running returns the launches that have not been cleaned up. It makes no keeper.
	Running() []electron.Record
	// Attach attaches the session to a launched app in place of the browser that it has. Target, the id of a window or webview, becomes the
	// active tab; empty: the newest.
	Attach(ctx context.Context, app electron.Record, target string) error
	// Of returns the launch of the app that a session works in, or worked in when it ended; "" when there is none.
	Of(session string) (launchID string)
	// Leave closes a session if it works in the app of the launch.
	Leave(ctx context.Context, session, launchID string) error
}

// NoteApps tells of launched apps that go on when their sessions are closed.
func (c *Call) NoteApps(meant func(launchID string) bool) {
	for _, r := range c.Session.Apps().Running() {
		if meant(r.LaunchID) {
			c.Note(r.AppName + " still runs; `electron cleanup " + r.LaunchID + "` ends it")
		}
	}
}
