package login

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// answer waits for the page's response to the submission, and returns the next form, or a page without one, on which
// the user is logged in.
func (l *login) answer(ctx context.Context, before *pageSeen) (*pageSeen, error) {
	begun, what, known := time.Now(), before.form.asks(), saidBefore(before)
	answer, last, err := l.lookUntil(ctx, sameState, func(seen *pageSeen, settled func() bool) (bool, error) {
		done, err := l.judge(seen, before, what, known)
		if err != nil {
			return false, err
		}
		still := settled()
		if !done && still && seen.form != nil && time.Since(begun) > replyPatience {
			return false, l.failed("unchanged", seen,
				"the form is still there %s after it was sent, and the page shows no message about it", replyPatience)
		}
		return done && (seen.form != nil || still), nil
	})
	switch {
	case err != nil:
		return nil, err
	case answer != nil:
		return answer, nil
	}
	if last == nil {
		return nil, l.unsettled("the login %s was sent", wording.Quote(l.entry.Name))
	}
	if last.away != nil {
		return nil, l.elsewhere(last.away.Origin)
	}
	return nil, l.failed("unknown", last, "the time limit was reached before the login could be verified").
		WithHint("Look at the page with a snapshot, or raise --timeout.")
}

// lookUntil looks at the page, and again when it changes, until judge takes what it shows for the answer. Settled tells
// judge whether the page has been the same for a while, as same compares two looks, and is not on its way to another
// one. If the time is over, there is no answer, and last is what the page showed last; nil means that it showed
// nothing.
func (l *login) lookUntil(
	ctx context.Context, same func(a, b *pageSeen) bool, judge func(seen *pageSeen, settled func() bool) (bool, error),
) (answer, last *pageSeen, err error) {
	var rest time.Time // since when the page has been as it is
	settled := func() bool { return time.Since(rest) >= loginRest && l.quiet() }
	for l.left() > loginLook {
		seen, err := l.look(ctx)
		if fault.Is(err, fault.Timeout) && last != nil {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if seen == nil {
			rest = time.Time{}
			continue
		}
		if last == nil || !same(last, seen) {
			rest = time.Now()
		}
		last = seen
		if is, err := judge(seen, settled); err != nil || is {
			return seen, seen, err
		}
		if err := l.change(ctx, min(loginLook, l.left())); err != nil {
			return nil, nil, err
		}
	}
	return nil, last, nil
}

// sameState reports whether two looks saw the same, as far as a login goes.
func sameState(a, b *pageSeen) bool {
	asked := func(p *pageSeen) string {
		if p.form == nil {
			return ""
		}
		return p.form.Doc + p.form.asks()
	}
	return a.main.Doc == b.main.Doc && asked(a) == asked(b) && a.main.Title == b.main.Title &&
		a.main.Stored == b.main.Stored
}

// quiet reports whether the page is not on its way to another one.
func (l *login) quiet() bool { return l.tab.Page.Loading().To() == "" }

// judge says of a page that has something to say whether the login goes on from there. An error is why it does not;
// neither is for a page that may not have answered yet.
func (l *login) judge(seen, before *pageSeen, what string, known map[string]bool) (done bool, err error) {
	form := seen.form
	replaced := seen.main.Doc != before.main.Doc || form != nil && form.Doc != before.form.Doc && !before.form.main
	if form != nil && form.asks() == what && !nextForm(before.form, form) {
		if message := newlySaid(seen, known, replaced, true); message != "" {
			return false, l.failed("rejected", seen, "the page says: %s", message).With("said", l.hidden(message))
		}
		if seen.main.Captcha != "" && before.main.Captcha == "" {
			return false, l.failed("captcha", seen, "the page shows a %s now", seen.main.Captcha).
				WithHint("A person must solve it: use `dashboard start`, then `auth login --no-navigate`.")
		}
		if replaced && l.quiet() {
			return false, l.failed("rejected", seen, "the page came back with the same form and no message")
		}
		return false, nil
	}
	if form != nil {
		return true, nil
	}
	main := seen.main
	if replaced && main.Status >= 400 {
		message := newlySaid(seen, known, true, false)
		if message == "" {
			message = main.Title
		}
		return false, l.failed("rejected", seen, "the server answered with HTTP %d: %s", main.Status, l.hidden(message)).
			With("status", main.Status)
	}
	if main.Logout != "" {
		return true, nil
	}
	if message := newlySaid(seen, known, replaced, false); message != "" {
		return false, l.failed("rejected", seen, "the page says: %s", message).With("said", l.hidden(message))
	}
	if seen.away != nil {
		return false, l.elsewhere(seen.away.Origin)
	}
	if main.Captcha != "" {
		return false, l.failed("captcha", seen, "the page shows a %s", main.Captcha).
			WithHint("A person must solve it: use `dashboard start`, then `auth login --no-navigate`.")
	}
	if main.Second != "" && replacedOrNew(before, main) {
		return false, l.failed("code", seen, "the page asks for a second factor: %s", main.Second).
			WithHint("Do what it asks for, then look with `snapshot`: %s.", "the session keeps its state so far")
	}
	// a user name alone is not a login
	return slices.Contains(l.steps, "password") || slices.Contains(l.steps, "code") ||
		slices.Contains(l.steps, "passkey"), nil
}

// replacedOrNew reports whether the words on a second factor were not there before.
func replacedOrNew(before *pageSeen, now *formSeen) bool { return before.main.Second != now.Second }

// nextForm reports whether a form of the same kind is another one: a page may ask for one code after another.
func nextForm(before, now *formSeen) bool {
	return before.Password == nil && now.Password != nil
}

// newlySaid returns what a page says that sounds like a failure. Of a document that was there before, only what is new
// counts.
func newlySaid(seen *pageSeen, known map[string]bool, replaced, form bool) string {
	for _, f := range []*formSeen{seen.form, seen.main} {
		if f == nil {
			continue
		}
		for _, s := range f.Told {
			if known[s.Text] && !replaced {
				continue
			}
			if s.Bad ||
				form && !replaced && !known[s.Text] && len(s.Text) > 12 && !strings.Contains(strings.ToLower(s.Text), "…") &&
					!waiting(s.Text) {
				return s.Text
			}
		}
	}
	return ""
}

// waiting reports whether a text says that something is under way.
func waiting(text string) bool {
	text = strings.ToLower(text)
	for _, word := range []string{
		"...", "loading", "please wait", "signing in", "logging in", "verifying", "checking",
		"redirecting",
	} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// unsettled is a login whose page was never seen at rest. The format says what was done.
func (l *login) unsettled(format string, args ...any) *fault.Error {
	return fault.New(fault.Timeout, format+", but the page did not settle in time", args...).
		About(l.tab.Page.URL()).With("loggedIn", false).WithHint("Look at the page with a snapshot, or raise --timeout.")
}

// failed is a login that was not seen to succeed.
func (l *login) failed(stage string, seen *pageSeen, format string, args ...any) *fault.Error {
	e := fault.New(fault.LoginFailed, "The login %s failed: "+format,
		append([]any{wording.Quote(l.entry.Name)}, args...)...).
		About(l.entry.Name).With("loggedIn", false).With("stage", stage).With("url", l.tab.Page.URL())
	if !strings.HasSuffix(e.Message, ".") && !strings.HasSuffix(e.Message, "!") && !strings.HasSuffix(e.Message, "?") {
		e.Message += "."
	}
	if len(l.steps) > 0 {
		e.With("steps", l.steps)
	}
	e.Message = l.hidden(e.Message)
	return e.WithHint("Look at the page with `snapshot`.")
}

// succeeded returns the evidence of a login that succeeded.
func (l *login) succeeded(ctx context.Context, seen *pageSeen) (actions.Result, error) {
	page := l.tab.Page
	var observed []string
	data := LoggedIn{LoggedIn: true, Name: l.entry.Name, URL: page.URL(), Title: seen.main.Title}
	text := "✓ Logged in as '" + l.entry.Name + "'"
	if len(l.steps) == 0 {
		data.Already = true
		observed = append(observed, "a control to log out: "+wording.Quote(seen.main.Logout))
		text = "✓ Logged in already"
	} else {
		if l.signed() {
			observed = append(observed, "a passkey signed the page's challenge")
		} else {
			observed = append(observed, "the form is gone")
		}
		if now := page.URL(); withoutFragment(now) != withoutFragment(l.from) {
			observed = append(observed, "the page is now "+wording.OneLine(now))
		}
		if seen.main.Logout != "" {
			observed = append(observed, "a control to log out: "+wording.Quote(seen.main.Logout))
		}
		now, err := l.cookieMarks(ctx)
		if err != nil {
			return actions.Result{}, err
		}
		var set []string
		for name, mark := range now {
			if l.cookies[name] != mark {
				set = append(set, name)
			}
		}
		if slices.Sort(set); len(set) > 0 {
			data.Cookies = set
			observed = append(observed, "cookies were set: "+strings.Join(set[:min(len(set), 5)], ", "))
		}
		if seen.main.Stored != l.stored {
			observed = append(observed, "the page has stored something")
		}
		data.Steps = l.steps
	}
	data.Observed = observed
	return actions.Result{Data: data, Text: text + "\n  " + strings.Join(observed, "\n  ")}, nil
}

func withoutFragment(address string) string {
	before, _, _ := strings.Cut(address, "#")
	return before
}

// cookieMarks returns a mark of what each cookie of the page holds, by name.
func (l *login) cookieMarks(ctx context.Context) (map[string]string, error) {
	cookies, err := storage.CookiesFor(ctx, l.tab.Page)
	if err != nil {
		return nil, err
	}
	marks := map[string]string{}
	for _, c := range cookies {
		marks[c.Name] = c.Domain + c.Path + "=" + c.Value
	}
	return marks, nil
}
