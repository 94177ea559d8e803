package launch

import (
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine/fault"
)

// Irreplaceable is the error of commands of a session whose browser has ended when that was a launched app or a rented browser: one of this
// machine's in its place would show something else. It stands until the session is closed or connected anew. Nil: another one takes its place.
func (l Options) Irreplaceable(session string) *fault.Error {
	switch {
	case l.App != nil:
		return AppEnded(session, l.App)
	case l.Connect != nil && l.Connect.Provider != "":
		return rentedEnded(session, l.Connect.Provider)
	}
	return nil
}

// AppEnded is the error of a command whose session worked in a launched app that has ended.
func AppEnded(session string, app *electron.Record) *fault.Error {
	return fault.New(fault.BrowserGone, "%s, the app of session %s, has ended (launch %s)", app.AppName, session, app.LaunchID).About(app.LaunchID).
		WithHint("`electron status %s` says what became of it and `electron cleanup %s` removes what is left. The session is free for something else after `close`.",
			app.LaunchID, app.LaunchID).With("launchId", app.LaunchID)
}

func rentedEnded(session, provider string) *fault.Error {
	return fault.New(fault.BrowserGone, "the browser that provider %s gave session %s has ended", provider, session).About(provider).
		WithHint("Give -p %s again for a new one, or `close` the session: after that it starts a browser of its own.", provider)
}
