package login

import (
	"context"
	_ "embed" // the scripts
	"slices"
	"strconv"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/guard/vault"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

//go:generate go run ../../internal/pagescript/bundle -tools ../../scripts/packaging/go.mod .
var (
	//go:embed bundle/loginform.js
	loginFormScript string
	//go:embed bundle/loginchange.js
	loginChangeScript string
)

// codeSource gives a one-time code that holds.
type codeSource func(context.Context) (string, error)

// login is one run of `auth login`.
type login struct {
	*actions.Call
	entry *vault.Entry
	bound vault.Binding
	code  codeSource // nil means none

	tab     *actions.Tab
	steps   []string // what was typed so far: username, password, code
	secrets []string // codes that were typed
	cookies map[string]string
	stored  string // keys of what the page stored before
	from    string // the address at which the first thing was typed

	counted passkeyCounter // nil means that the login is not from the vault
	loan    *webauthn.Loan // the passkeys that the page has during the login, or nil
}

// How long a login waits: for a page to answer what was sent to it, and for one that has answered to be at rest.
const (
	replyPatience = 12 * time.Second
	loginRest     = 500 * time.Millisecond
	loginLook     = 250 * time.Millisecond // between looks, when nothing changes that can be heard of
)

// run goes from form to form until the login has succeeded or failed.
func (l *login) run(ctx context.Context) (actions.Result, error) {
	defer l.returnPasskeys(ctx)
	if err := l.arrive(ctx); err != nil {
		return actions.Result{}, err
	}
	// the values of the fields are secret: the reply reports the result of the login instead
	defer run.ForgetEffects(l.Call)
	first := l.firstForm
	if l.loan != nil {
		first = l.byPasskey
	}
	seen, err := first(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	for {
		if seen.form == nil {
			return l.succeeded(ctx, seen)
		}
		what := seen.form.asks()
		if err := l.mayType(seen, what); err != nil {
			return actions.Result{}, err
		}
		if err := l.maySend(seen.form); err != nil {
			return actions.Result{}, err
		}
		if err := l.fillForm(ctx, seen.form); err != nil {
			return actions.Result{}, err
		}
		before := seen
		if seen, err = l.answer(ctx, before); err != nil {
			return actions.Result{}, err
		}
	}
}

// arrive brings the tab to the page of the login, and refuses one of another origin.
func (l *login) arrive(ctx context.Context) error {
	var err error
	if l.Bool("no-navigate") {
		if l.tab, err = run.ArrivedTab(ctx, l.Call); err != nil {
			return err
		}
		if origin, err := vault.Origin(l.tab.Page.URL()); err != nil || !l.bound.Allows(origin) {
			return l.elsewhere(l.tab.Page.URL())
		}
		if err := l.lendPasskeys(ctx); err != nil {
			return err
		}
	} else {
		if l.tab, err = l.Tabs.Tab(ctx); err != nil {
			return err
		}
		if err := l.lendPasskeys(ctx); err != nil { // the page may ask for one as soon as it is there
			return err
		}
		nav, err := navigate.GoTo(ctx, l.Call, l.tab, l.entry.URL)
		if err != nil {
			return err
		}
		if nav.Status >= 400 {
			l.Note("the server answered with HTTP " + strconv.Itoa(nav.Status))
		}
	}
	run.AnswerDialogs(l.Call, l.tab)
	l.from = l.tab.Page.URL()
	l.cookies, err = l.cookieMarks(ctx)
	return err
}

// elsewhere refuses a page that the login does not belong to.
func (l *login) elsewhere(where string) error {
	origin, err := vault.Origin(where)
	if err != nil {
		origin = endpoint.ShownAddress(where)
	}
	e := fault.New(fault.PolicyBlocked,
		"The login %s belongs to %s, but the page asks for it at %s: it was not typed there.", wording.Quote(l.entry.Name),
		l.bound.Home(), origin).
		About(origin).With("origin", origin).With("belongsTo", l.bound.Home()).With("loggedIn", false)
	if len(l.steps) > 0 {
		e.With("steps", l.steps)
	}
	return e.WithHint(
		"A login may only be typed on the origins that it was saved for. If you trust that origin with it, save it again "+
			"with --allow-origin %s.", origin)
}

// firstForm waits for a form, or for a sign that the user is logged in already.
func (l *login) firstForm(ctx context.Context) (*pageSeen, error) {
	var last *pageSeen
	for {
		seen, err := l.look(ctx)
		if fault.Is(err, fault.Timeout) && last != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		if seen != nil {
			last = seen
			l.stored = seen.main.Stored
			if seen.form != nil {
				return seen, nil
			}
			if !l.bound.Allows(seen.main.Origin) && l.tab.Page.Loading().To() == "" {
				return nil, l.elsewhere(l.tab.Page.URL())
			}
			if seen.main.Logout != "" && seen.away == nil {
				return seen, nil
			}
		}
		if l.left() < loginLook {
			break
		}
		if err := l.change(ctx, min(loginLook, l.left())); err != nil {
			return nil, err
		}
	}
	switch {
	case last == nil:
		return nil, fault.New(fault.Timeout, "the page of the login %s did not settle", wording.Quote(l.entry.Name)).
			About(l.tab.Page.URL())
	case last.away != nil:
		return nil, l.elsewhere(last.away.Origin)
	case last.missing != "":
		return nil, fault.New(fault.SelectorNotFound, "No visible, usable element matches '%s' in the login form.",
			last.missing).About(last.missing).
			WithHint("Look at the form with `snapshot -i`, or leave out the selector.")
	case last.main.Captcha != "":
		return nil, l.failed("captcha", last, "the page shows a %s instead of a form", last.main.Captcha).
			WithHint("A person must solve it: use `dashboard start`, then `auth login --no-navigate`.")
	}
	return nil, l.failed("form", last,
		"Timed out waiting for username field or password field: there is no visible login form").
		WithHint(
			"Look with `snapshot -i`: a cookie banner or a button may be in front of it. Name the fields with " +
				"--username-selector and --password-selector.")
}

// mayType says what keeps the login from going on with what a page asks for.
func (l *login) mayType(seen *pageSeen, what string) error {
	switch {
	case what == "a new password":
		return l.failed("new-password", seen, "the page asks for a new password").
			WithHint("Choose one by hand, and save it with `auth save`.")
	case what == "code" && l.code == nil:
		return l.failed("code", seen, "the page asks for a one-time code, but the login has no secret for them").
			WithHint(
				"Type the code into the page (`snapshot -i`, `fill`), or save the secret with `auth save ... --totp-stdin`.")
	case seen.main.Captcha != "" && slices.Contains(l.steps, "password"):
		return l.failed("captcha", seen, "the page shows a %s", seen.main.Captcha).
			WithHint("A person must solve it: use `dashboard start`, then `auth login --no-navigate`.")
	}
	return nil
}

// left is how much time the command has.
func (l *login) left() time.Duration { return max(0, time.Until(l.Deadline)) }

// change waits until something in the page changes, for a time.
func (l *login) change(ctx context.Context, wait time.Duration) error {
	watched, stop := l.tab.Page.Watch(ctx, true)
	defer stop()
	err := l.tab.Page.Main().RunScript(watched, loginChangeScript, map[string]int64{"wait": wait.Milliseconds()}, nil)
	if engine.IsNavigated(err) {
		return nil
	}
	return err
}
