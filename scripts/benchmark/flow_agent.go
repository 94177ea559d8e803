//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/skua-browser/skua/scripts/benchmark/apps"
	"github.com/skua-browser/skua/scripts/benchmark/replies"
)

// agent works through a server as a model would: it knows what the replies show and nothing else. It counts what that
// costs.
type agent struct {
	*server
	dir   string    // for files
	views []string  // what snapshots showed, the last first; only one when the refs of earlier ones are stale
	said  string    // the last reply
	app   *apps.App // what the workflow works in; nil means the office of the site
	start string    // the address of its page in the application, where it is not the application's

	cost cost
	made []replies.Call
}

// cost is what a workflow took.
type cost struct {
	Calls     int `json:"calls"`
	Bytes     int `json:"bytes"`     // of text that a model had to read
	Stale     int `json:"stale"`     // calls that failed since the ref was no longer good
	Recovered int `json:"recovered"` // of those, how often the agent got on with a new snapshot
	Again     int `json:"again"`     // how often it had to look again, since what it waited for was not there yet
	Failed    int `json:"failed"`    // calls that failed, for whatever reason
}

// errStale: a ref of an earlier snapshot is no longer good.
var errStale = errors.New("the ref is stale")

// errNotThere: the page does not show what the agent looks for.
var errNotThere = errors.New("the snapshot does not show it")

// errDisabled: the element cannot be used yet.
var errDisabled = errors.New("the element is disabled")

// staleWords is how agent-browser says it.
var staleWords = regexp.MustCompile(
	`(?i)\bstale\b|unknown ref|ref.{0,40}(not found|no longer)|could not locate element`)

// do makes a call and keeps the reply.
func (a *agent) do(ctx context.Context, words ...string) error {
	c, err := a.peer.call(words)
	if err != nil {
		return err
	}
	return a.make(ctx, c, words)
}

// see makes a call that leads to something new, and sees that: in the reply, where the peer shows it there, else with a
// snapshot.
func (a *agent) see(ctx context.Context, words ...string) error {
	if a.peer.observe == nil {
		if err := a.do(ctx, words...); err != nil {
			return err
		}
		return a.look(ctx)
	}
	c, err := a.peer.call(words)
	if err != nil {
		return err
	}
	err = a.make(ctx, a.peer.observe(c), words)
	if err == nil {
		a.viewed()
	}
	return err
}

// make makes a call that means these words.
func (a *agent) make(ctx context.Context, c toolCall, words []string) error {
	r, err := a.call(ctx, c)
	if err != nil {
		return err
	}
	a.cost.Calls++
	a.cost.Bytes += len(r.text)
	a.said = r.text
	a.made = append(a.made, replies.Call{Words: words, Reply: r.text, Failed: r.failed, Took: r.took})
	if !r.failed {
		return nil
	}
	a.cost.Failed++
	err = fmt.Errorf("%s %s: %s", a.program.name, strings.Join(words, " "), firstLines(r.text, 6))
	if r.facts["failureCategory"] == "stale-ref" || r.facts["failureCategory"] == nil && staleWords.MatchString(r.text) {
		a.cost.Stale++
		return fmt.Errorf("%w: %w", errStale, err)
	}
	if strings.Contains(r.text, "is disabled") {
		return fmt.Errorf("%w: %w", errDisabled, err)
	}
	return err
}

// look takes a snapshot of what can be acted on.
func (a *agent) look(ctx context.Context) error {
	err := a.do(ctx, "snapshot", "-i")
	a.viewed()
	return err
}

// viewed keeps the last reply as what the page shows.
func (a *agent) viewed() {
	if !a.peer.refsStand {
		a.views = nil
	}
	a.views = append([]string{a.said}, a.views...)
}

// ref finds the ref of an element in what was seen.
func (a *agent) ref(role, name string) (string, error) {
	missing := fmt.Errorf("%w: %s %q", errNotThere, role, name)
	for _, view := range a.views {
		ref, err := a.peer.ref(view, role, name)
		if err == nil {
			return ref, nil
		}
		missing = errors.Join(missing, err)
	}
	return "", missing
}

// pick finds the ref of a control in what was seen.
func (a *agent) pick(w wish) (string, error) {
	missing := fmt.Errorf("%w: %s", errNotThere, w)
	for _, view := range a.views {
		ref, err := w.in(view)
		if err == nil {
			return ref, nil
		}
		missing = errors.Join(missing, err)
	}
	return "", missing
}

// on does something to the element that the last snapshot shows with this role and name. When its ref turns out to be
// stale, the element is disabled, or the snapshot was taken too early, it looks again and tries once more.
func (a *agent) on(ctx context.Context, command, role, name string, values ...string) error {
	return a.with(ctx, func() (string, error) { return a.ref(role, name) }, a.doing(ctx, command, values))
}

// seeOn is on for what leads to something new, which is seen afterwards.
func (a *agent) seeOn(ctx context.Context, command, role, name string, values ...string) error {
	return a.with(ctx, func() (string, error) { return a.ref(role, name) }, a.seeing(ctx, command, values))
}

// onWish and seeOnWish are on and seeOn for what is found by a wish.
func (a *agent) onWish(ctx context.Context, command string, w wish, values ...string) error {
	return a.with(ctx, func() (string, error) { return a.pick(w) }, a.doing(ctx, command, values))
}

func (a *agent) seeOnWish(ctx context.Context, command string, w wish, values ...string) error {
	return a.with(ctx, func() (string, error) { return a.pick(w) }, a.seeing(ctx, command, values))
}

func (a *agent) doing(ctx context.Context, command string, values []string) func(string) error {
	return func(ref string) error { return a.do(ctx, append([]string{command, ref}, values...)...) }
}

func (a *agent) seeing(ctx context.Context, command string, values []string) func(string) error {
	return func(ref string) error { return a.see(ctx, append([]string{command, ref}, values...)...) }
}

// with finds an element and uses its ref.
func (a *agent) with(ctx context.Context, find func() (string, error), use func(ref string) error) error {
	act := func() error {
		ref, err := find()
		if err != nil {
			return err
		}
		return use(ref)
	}
	first := act()
	if !errors.Is(first, errStale) && !errors.Is(first, errNotThere) && !errors.Is(first, errDisabled) {
		return first
	}
	if errors.Is(first, errStale) {
		a.views = nil
	}
	if err := a.look(ctx); err != nil {
		return err
	}
	if !errors.Is(first, errStale) {
		a.cost.Again++
		return act()
	}
	if err := act(); err != nil {
		return err
	}
	a.cost.Recovered++
	return nil
}

// reads reads a text: in the last reply, if it is there, else with a call, see find.
func (a *agent) reads(ctx context.Context, text string, words ...string) error {
	if a.sees(text) == nil {
		return nil
	}
	return a.find(ctx, text, words...)
}

// find makes a call until its reply shows a text: at most twice, with a look at the page in between, since some replies
// to a click come before the page that it leads to.
func (a *agent) find(ctx context.Context, text string, words ...string) error {
	err := a.do(ctx, words...)
	if err == nil {
		err = a.sees(text)
	}
	if err == nil {
		return nil
	}
	a.cost.Again++
	if err := a.look(ctx); err != nil {
		return err
	}
	if err := a.do(ctx, words...); err != nil {
		return err
	}
	return a.sees(text)
}

// press clicks a button.
func (a *agent) press(ctx context.Context, name string) error {
	return a.on(ctx, "click", "button", name)
}

// follow clicks a link.
func (a *agent) follow(ctx context.Context, name string) error {
	return a.on(ctx, "click", "link", name)
}

// write fills a text field.
func (a *agent) write(ctx context.Context, name, value string) error {
	return a.on(ctx, "fill", "textbox", name, value)
}

// sees says whether the last reply shows a text; if not, the agent cannot know it.
func (a *agent) sees(text string) error {
	if !strings.Contains(a.said, text) {
		return fmt.Errorf("%w: %q in %s", errNotThere, text, firstLines(a.said, 12))
	}
	return nil
}

// open opens the page of a workflow and sees it.
func (a *agent) open(ctx context.Context, page string) error {
	return a.see(ctx, "open", a.site.base+"/w/"+a.token+"/"+page)
}

// openApp opens a page of the application and sees it once it shows a text. Applications show themselves some time
// after they have been loaded.
func (a *agent) openApp(ctx context.Context, address, text string) error {
	if err := a.see(ctx, "open", address); err != nil {
		return err
	}
	return a.until(ctx, text)
}

// until waits for a text and looks, unless the last reply has it.
func (a *agent) until(ctx context.Context, text string) error {
	if a.sees(text) == nil {
		return nil
	}
	if err := a.do(ctx, "wait", "--text", text); err != nil {
		return err
	}
	return a.look(ctx)
}

// inTurn runs steps until one fails.
func inTurn(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
