package actions

import (
	"context"
	_ "embed" // the scripts
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/vault"
)

var (
	//go:embed js/loginform.js
	loginFormScript string
	//go:embed js/loginchange.js
	loginChangeScript string
)

// codeSource gives a one-time code that holds.
type codeSource func(context.Context) (string, error)

// login is one run of `auth login`.
type login struct {
	*Call
	entry *vault.Entry
	bound vault.Bound
	code  codeSource // nil: none

	tab     *Tab
	steps   []string // what was typed so far: username, password, code
	secrets []string // codes that were typed
	cookies map[string]string
	stored  string // keys of what the page stored before
	from    string // the address at which the first thing was typed
}

// How long a login waits: for a page to answer what was sent to it, and for one that has answered to be at rest.
const (
	replyPatience = 12 * time.Second
	loginRest     = 500 * time.Millisecond
	loginLook     = 250 * time.Millisecond // between looks, when nothing changes that can be heard of
)

// formField is something in a page that takes text, or is pressed.
type formField struct {
	Token int64  `json:"token"`
	Label string `json:"label"`
	Form  int64  `json:"form"`
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
	Invalid  string      `json:"invalid"` // which selector is none
	Status   int         `json:"status"`
	Username *formField  `json:"username"`
	Password *formField  `json:"password"`
	Codes    []formField `json:"codes"`
	Submit   *formField  `json:"submit"`
	Choosing bool        `json:"choosing"` // it asks for a new password
	Missing  string      `json:"missing"`  // which selector matches nothing, although the form is there
	Told     []saying    `json:"told"`
	Logout   string      `json:"logout"`
	Captcha  string      `json:"captcha"`
	Second   string      `json:"second"` // it speaks of a second factor: what its headings say
	Title    string      `json:"title"`
	Stored   string      `json:"stored"`

	frame *engine.Frame
	main  bool
}

// asks names what the document asks for; empty: nothing.
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
	form *formSeen // that asks for something, in a document that the login may be typed into; nil: none
	away *formSeen // that asks for a password elsewhere

	missing string // a selector that matches nothing in a form that is there
}

// look looks at the page and its frames. It is nil while the page changes its document.
func (l *login) look(ctx context.Context) (*pageSeen, error) {
	page := l.tab.Page
	if to := page.Navigating(); to != "" {
		if _, err := page.Settle(ctx, min(settleLimit, l.left())); err != nil {
			return nil, err
		}
	}
	if err := page.Answers(ctx); err != nil {
		return nil, err
	}
	seen := &pageSeen{}
	arg := map[string]string{"username": l.entry.UsernameSelector, "password": l.entry.PasswordSelector, "submit": l.entry.SubmitSelector}
	const mostFrames = 20
	frames := page.Frames(ctx)
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
			return nil, invalidSelector(arg[f.Invalid], "Invalid selector '%s' for the %s.", arg[f.Invalid], f.Invalid)
		}
		if f.main {
			seen.main = f
		}
		if f.Missing != "" && l.bound.Allows(f.Origin) {
			seen.missing = arg[f.Missing]
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

// run goes from form to form until somebody is logged in, or it is plain that nobody is.
func (l *login) run(ctx context.Context) (Result, error) {
	if err := l.arrive(ctx); err != nil {
		return Result{}, err
	}
	defer func() { l.acting = nil }() // what the fields hold is nobody's business: the reply tells what became of the login instead
	seen, err := l.firstForm(ctx)
	if err != nil {
		return Result{}, err
	}
	for {
		if seen.form == nil {
			return l.succeeded(ctx, seen)
		}
		what := seen.form.asks()
		if err := l.mayType(seen, what); err != nil {
			return Result{}, err
		}
		if err := l.fillForm(ctx, seen.form); err != nil {
			return Result{}, err
		}
		before := seen
		if seen, err = l.answer(ctx, before); err != nil {
			return Result{}, err
		}
	}
}

// arrive brings the tab to the page of the login, and refuses one of another origin.
func (l *login) arrive(ctx context.Context) error {
	var err error
	if l.Bool("no-navigate") {
		if l.tab, err = l.arrived(ctx); err != nil {
			return err
		}
		if origin, err := vault.Origin(l.tab.Page.URL()); err != nil || !l.bound.Allows(origin) {
			return l.elsewhere(l.tab.Page.URL())
		}
	} else {
		if l.tab, err = l.Session.Tab(ctx); err != nil {
			return err
		}
		nav, err := l.goTo(ctx, l.tab, l.entry.URL)
		if err != nil {
			return err
		}
		if nav.Status >= 400 {
			l.Note("the server answered with HTTP " + itoa(nav.Status))
		}
	}
	l.answering(l.tab)
	l.from = l.tab.Page.URL()
	l.cookies, err = l.cookieMarks(ctx)
	return err
}

// elsewhere refuses a page that the login does not belong to.
func (l *login) elsewhere(where string) error {
	origin, err := vault.Origin(where)
	if err != nil {
		origin = engine.ShownAddress(where)
	}
	e := fault.New(fault.PolicyBlocked, "The login %s belongs to %s, and the page asks for it at %s: it was not typed there.", quote(l.entry.Name), l.bound.Home(), origin).
		About(origin).With("origin", origin).With("belongsTo", l.bound.Home()).With("loggedIn", false)
	if len(l.steps) > 0 {
		e.With("steps", l.steps)
	}
	return e.WithHint("If you trust that origin with it, give --allow-origin %s, here or with `auth save`.", origin)
}

// firstForm waits for a form, or for a sign that somebody is logged in already.
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
			if !l.bound.Allows(seen.main.Origin) && l.tab.Page.Navigating() == "" {
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
		return nil, fault.New(fault.Timeout, "the page of the login %s did not come to rest", quote(l.entry.Name)).About(l.tab.Page.URL())
	case last.away != nil:
		return nil, l.elsewhere(last.away.Origin)
	case last.missing != "":
		return nil, fault.New(fault.SelectorNotFound, "Nothing that can be seen and used matches '%s' in the login form.", last.missing).About(last.missing).
			WithHint("Look at the form with `snapshot -i`, or leave the selector out.")
	case last.main.Captcha != "":
		return nil, l.failed("captcha", last, "the page shows a %s, and no form", last.main.Captcha).
			WithHint("A person has to solve it: see `dashboard start`, then `auth login --no-navigate`.")
	}
	return nil, l.failed("form", last, "Timed out waiting for username field or password field: there is no login form that can be seen").
		WithHint("Look with `snapshot -i`: a cookie banner or a button may be in front of it. Name the fields with --username-selector and --password-selector.")
}

// mayType says what keeps the login from going on with what a page asks for.
func (l *login) mayType(seen *pageSeen, what string) error {
	switch {
	case what == "a new password":
		return l.failed("new-password", seen, "the page asks for a new password").WithHint("Choose one by hand, and save it with `auth save`.")
	case what == "code" && l.code == nil:
		return l.failed("code", seen, "the page asks for a one-time code, and the login has no secret for them").
			WithHint("Type the code into the page (`snapshot -i`, `fill`), or save the secret with `auth save ... --totp-stdin`.")
	case seen.main.Captcha != "" && slices.Contains(l.steps, "password"):
		return l.failed("captcha", seen, "the page shows a %s", seen.main.Captcha).
			WithHint("A person has to solve it: see `dashboard start`, then `auth login --no-navigate`.")
	}
	return nil
}

// fillForm types what the document asks for, and sends it.
func (l *login) fillForm(ctx context.Context, f *formSeen) error {
	if f.Username != nil && (f.Password != nil || len(f.Codes) == 0) && l.entry.Username != "" {
		if err := l.put(ctx, f, *f.Username, "username", l.entry.Username); err != nil {
			return err
		}
	}
	last := f.Username
	if f.Password != nil {
		if err := l.put(ctx, f, *f.Password, "password", l.entry.Password); err != nil {
			return err
		}
		last = f.Password
	}
	if len(f.Codes) > 0 && l.code != nil {
		if err := l.putCode(ctx, f); err != nil {
			return err
		}
		last = &f.Codes[len(f.Codes)-1]
	}
	return l.send(ctx, f, last)
}

// put types a text into a field. It goes there by the browser's input, after the field has the focus.
func (l *login) put(ctx context.Context, f *formSeen, field formField, step, text string) error {
	if _, err := l.fill(ctx, l.tab, l.target(f, field), text); err != nil {
		return l.hide(err)
	}
	l.steps = append(l.steps, step)
	return nil
}

// putCode types a one-time code, into one field or a digit into each of several.
func (l *login) putCode(ctx context.Context, f *formSeen) error {
	code, err := l.code(ctx)
	if err != nil {
		return err
	}
	l.secrets = append(l.secrets, code)
	if len(f.Codes) == 1 {
		return l.put(ctx, f, f.Codes[0], "code", code)
	}
	if len(f.Codes) != len(code) {
		return l.failed("code", &pageSeen{main: f}, "the page has %d fields for a code of %d digits", len(f.Codes), len(code))
	}
	// Such fields pass the focus on by themselves, or take a whole code that is pasted: each digit is put where it belongs.
	for i, field := range f.Codes {
		var now kept
		watched, stop := l.tab.Page.Watch(ctx, true)
		err := f.frame.Call(watched, "value", map[string]any{"token": field.Token, "expect": string(code[i])}, &now)
		stop()
		if engine.IsNavigated(err) { // it had all that it needs
			break
		}
		if err == nil && now.Kept {
			continue
		}
		if err := l.put(ctx, f, field, "code", string(code[i])); err != nil {
			if i == len(f.Codes)-1 && (engine.IsNavigated(err) || fault.Is(err, fault.RefStale)) {
				break
			}
			return err
		}
	}
	l.steps = slices.Compact(l.steps)
	return nil
}

func (l *login) target(f *formSeen, field formField) *target {
	return &target{label: field.Label, tab: l.tab, frame: f.frame, want: wanted{Ref: &wantedRef{Token: field.Token, Doc: f.Doc}}}
}

// send presses the button of a form, or Enter in its last field. Some forms are on their way as soon as they have all.
func (l *login) send(ctx context.Context, f *formSeen, last *formField) error {
	now, err := l.look(ctx)
	if err != nil || now == nil || now.form == nil || now.form.Doc != f.Doc || now.form.asks() != f.asks() {
		return l.hide(err)
	}
	if button := now.form.Submit; button != nil {
		_, err := l.clickTarget(ctx, l.tab, l.target(now.form, *button), engine.ClickOptions{Button: "left", Count: 1})
		if fault.Is(err, fault.RefStale) || fault.Is(err, fault.FrameGone) || engine.IsNavigated(err) {
			return nil // it has gone with its form, which was on its way
		}
		if err != nil {
			return l.hide(err)
		}
		return nil
	}
	t := l.target(now.form, *last)
	if _, err := l.focus(ctx, l.tab, t, nil); err != nil {
		if fault.Is(err, fault.RefStale) {
			return nil
		}
		return l.hide(err)
	}
	enter, err := engine.ParseKey("Enter")
	if err != nil {
		return err
	}
	_, err = l.sending(ctx, l.tab, func(ctx context.Context) error { return l.tab.Page.Keys(ctx, []engine.Stroke{enter}) })
	return l.hide(err)
}

// left is how much time the command has.
func (l *login) left() time.Duration { return max(0, time.Until(l.Deadline)) }

// change waits until something in the page changes, for a time.
func (l *login) change(ctx context.Context, wait time.Duration) error {
	watched, stop := l.tab.Page.Watch(ctx, true)
	defer stop()
	err := l.tab.Page.Main().RunScript(watched, loginChangeScript, map[string]any{"wait": wait.Milliseconds()}, nil)
	if engine.IsNavigated(err) {
		return nil
	}
	return err
}

// hide takes what nobody may see out of an error.
func (l *login) hide(err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	f.Message, f.Hint, f.Err = l.hidden(f.Message), l.hidden(f.Hint), nil
	for key, value := range f.Facts {
		f.Facts[key] = l.hiddenIn(value)
	}
	if f.Facts != nil {
		delete(f.Facts, "seen")
	}
	return f
}

func (l *login) hidden(text string) string {
	for _, s := range append(l.entry.Secrets(), l.secrets...) {
		text = strings.ReplaceAll(text, s, hidden)
	}
	return text
}

func (l *login) hiddenIn(value any) any {
	switch v := value.(type) {
	case string:
		return l.hidden(v)
	case []any:
		for i := range v {
			v[i] = l.hiddenIn(v[i])
		}
	case map[string]any:
		for key := range maps.Keys(v) {
			v[key] = l.hiddenIn(v[key])
		}
	case []string:
		out := make([]string, len(v))
		for i := range v {
			out[i] = l.hidden(v[i])
		}
		return out
	}
	return value
}
