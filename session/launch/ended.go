package launch

import (
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/limits"
)

// EndedError returns the error of a session whose launched app or rented browser has ended: another browser in its
// place would show something else. It applies until the session closes or connects again. Nil means another browser
// takes its place.
func (l Options) EndedError(session string) *fault.Error {
	switch {
	case l.App != nil:
		return AppEnded(session, l.App)
	case l.Connect != nil && l.Connect.Provider != "":
		return providerBrowserEnded(session, l.Connect.Provider)
	}
	return nil
}

// AppEnded returns the error of a command whose session worked in a launched app that has ended.
func AppEnded(session string, app *electron.Record) *fault.Error {
	return fault.New(fault.BrowserGone, "%s, the app of session %s, has ended (launch %s)", app.AppName, session,
		app.LaunchID).About(app.LaunchID).
		WithHint(
			"`electron status %s` shows its state and `electron cleanup %s` removes what is left. The session is free for "+
				"something else after `close`.",
			app.LaunchID, app.LaunchID).With("launchId", app.LaunchID)
}

func providerBrowserEnded(session, provider string) *fault.Error {
	return fault.New(fault.BrowserGone, "the browser that provider %s gave session %s has ended", provider, session).
		About(provider).
		WithHint("Give -p %s again for a new one, or `close` the session: after that it starts a browser of its own.",
			provider)
}

// Shortage returns the resource that a browser lacked, "" if that is not known. One that has ended tells; one that
// opens no pages has no other reason to offer than the limits.
func Shortage(b *engine.Browser) string {
	p := b.Process()
	if p == nil {
		return ""
	}
	if b.Err() == nil {
		return limits.Suspicion()
	}
	return p.Shortage()
}
