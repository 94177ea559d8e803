package login

import (
	"context"

	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
)

// formField is something in a page that takes text, or is pressed.
type formField struct {
	Token int64  `json:"token"`
	Label string `json:"label"`
	Form  int64  `json:"form"`

	IsPassword bool `json:"password"` // what it holds is not shown
}

// saying is a text of a page that may be about a login.
type saying struct {
	Text string `json:"text"`
	Bad  bool   `json:"bad"` // it sounds like a failure
}

// formSeen is what loginform.js says of a document.
type formSeen struct {
	Doc      string      `json:"doc"`
	Origin   string      `json:"origin"`
	Shown    bool        `json:"shown"`
	Invalid  string      `json:"invalid"` // the invalid selector
	Status   int         `json:"status"`
	Username *formField  `json:"username"`
	Password *formField  `json:"password"`
	Codes    []formField `json:"codes"`
	Submit   *formField  `json:"submit"`
	Passkey  *formField  `json:"passkey"` // what offers to log in with a passkey
	// the origins that the form sends to; of other schemes than http and https the scheme
	Targets  []string `json:"targets"`
	Choosing bool     `json:"choosing"` // it asks for a new password
	Missing  string   `json:"missing"`  // which selector matches nothing, although the form is there
	Told     []saying `json:"told"`
	Logout   string   `json:"logout"`
	Captcha  string   `json:"captcha"`
	Second   string   `json:"second"` // it speaks of a second factor: what its headings say
	Title    string   `json:"title"`
	Stored   string   `json:"stored"`

	frame *engine.Frame
	main  bool
}

// asks names what the document asks for, or empty.
func (f *formSeen) asks() string {
	switch {
	case f.Missing != "":
		return ""
	case f.Choosing:
		return "a new password"
	case f.Password != nil:
		return "password"
	case len(f.Codes) > 0:
		return "code"
	case f.Username != nil:
		return "username"
	}
	return ""
}

// pageSeen is what all documents of a page say.
type pageSeen struct {
	main *formSeen
	form *formSeen // that asks for something, in a document that the login may be typed into, or nil
	away *formSeen // that asks for a password elsewhere

	offer *formSeen // that offers to log in with a passkey, in a document that the login may be used in, or nil

	missing string // a selector that matches nothing in a form that is there
}

// look looks at the page and its frames. It is nil while the page changes its document.
func (l *login) look(ctx context.Context) (*pageSeen, error) {
	page := l.tab.Page
	if to := page.Loading().To(); to != "" {
		if _, err := page.Loading().Settle(ctx, min(run.SettleLimit, l.left())); err != nil {
			return nil, err
		}
	}
	if err := page.Answers(ctx); err != nil {
		return nil, err
	}
	seen := &pageSeen{}
	arg := map[string]string{
		"username": l.entry.UsernameSelector, "password": l.entry.PasswordSelector,
		"submit": l.entry.SubmitSelector,
	}
	const mostFrames = 20
	frames := page.Frames().All(ctx)
	for _, frame := range frames[:min(len(frames), mostFrames)] {
		f := &formSeen{frame: frame, main: frame == page.Main()}
		watched, stop := page.Watch(ctx, true)
		err := frame.RunScript(watched, loginFormScript, arg, f)
		stop()
		switch {
		case f.main && engine.IsNavigated(err):
			return nil, nil
		case err != nil && f.main:
			return nil, err
		case err != nil: // a frame that is gone or does not answer takes no login
			continue
		case f.Invalid != "":
			return nil, element.InvalidSelector(arg[f.Invalid], "Invalid selector '%s' for the %s.", arg[f.Invalid], f.Invalid)
		}
		if f.main {
			seen.main = f
		}
		if f.Missing != "" && l.bound.Allows(f.Origin) {
			seen.missing = arg[f.Missing]
		}
		if seen.offer == nil && f.Shown && f.Passkey != nil && l.bound.Allows(f.Origin) {
			seen.offer = f
		}
		switch {
		case !f.Shown || f.asks() == "":
		case !l.bound.Allows(f.Origin):
			if f.Password != nil || f.main {
				seen.away = f
			}
		case seen.form == nil || seen.form.Password == nil && f.Password != nil:
			seen.form = f
		}
	}
	if seen.main == nil {
		return nil, nil
	}
	return seen, nil
}
