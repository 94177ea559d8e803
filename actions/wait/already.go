package wait

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
)

// A wait whose condition is already true says so, so that an agent leaves out the next one. Callers that expect
// agent-browser's texts do not get this note.

// wasSo is what the text says.
const wasSo = "it was so already"

// looksOnce runs one of the engine's waits for as long as one look takes, and reports whether that ended it: they look
// before they ask their context.
func looksOnce(ctx context.Context, c *actions.Call, await func(context.Context) error) bool {
	if c.UpstreamText() {
		return false
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	return await(over) == nil
}

// start is what a page was like when a wait began.
type start struct {
	page    *engine.Page
	settled bool   // nothing was on its way to it
	loader  string // of its document
	last    run.LastAction
}

func startOf(ctx context.Context, c *actions.Call, tab *actions.Tab) start {
	s := start{page: tab.Page, loader: tab.Page.Main().Loader(), last: run.LastActionIn(tab)}
	if !c.UpstreamText() {
		settled, err := tab.Page.Loading().Settle(ctx, 0)
		s.settled = settled && err == nil
	}
	return s
}

// holds reports whether the page is still that of the start, so that what it shows at the first look is what it showed
// before the wait. A navigation may be on its way before its first event is here.
func (s start) holds() bool { return s.settled && s.page.Main().Loader() == s.loader }

// waitArg is the argument of the in-page op wait: a state of a target, or a text.
type waitArg struct {
	Target   *element.Wanted `json:"target,omitempty"`
	State    string          `json:"state,omitempty"`
	Text     string          `json:"text,omitempty"`
	Fresh    bool            `json:"fresh,omitempty"` // a text that was there before the last action does not count
	Patience int64           `json:"patience"`        // in ms
	ID       int64           `json:"id"`              // of the wait
}

var opWait = inpage.Define[waitArg, waited]("wait")

// waited is its answer.
type waited struct {
	element.Located
	Met     bool   `json:"met"`
	Text    string `json:"text"`
	Already bool   `json:"already"`         // at the first look
	Since   string `json:"since,omitempty"` // came, again or before, by the last action that was watched in the document
}

// newID tells waits of one document apart.
func newID() int64 { return time.Now().UnixMicro() }

// The words of a result for when what was waited for became so, by the last action.
const (
	sinceCame   = "came"   // with it
	sinceAgain  = "again"  // it was so before, and was written again
	sinceBefore = "before" // nothing about it has changed
)

// newDocument reports whether all that the page shows came with its document, which the last action led to, or which
// nothing has acted on.
func (s start) newDocument() bool { return s.last.Loader != s.page.Main().Loader() }

// since returns what a state that was there at the first look is by the last action; empty means not known. Seen is
// what the document says of it.
func (s start) since(seen string) string {
	switch {
	case s.last.Name == "" || !s.last.Watched:
		return ""
	case s.newDocument():
		return sinceCame
	}
	return seen
}

// lastAction is how messages call the last action.
func (s start) lastAction() string {
	if s.last.Name == "" {
		return "the last action"
	}
	return "`" + s.last.Name + "`"
}

// sinceURL is that of an address that fits a test.
func (s start) sinceURL(fits func(url string) bool) string {
	if s.last.Name == "" || s.last.URL == "" {
		return ""
	}
	if fits(s.last.URL) {
		return sinceBefore
	}
	return sinceCame
}

// met is what the text of a wait says of what it was for.
type met struct {
	already bool
	since   string
	by      string // the last action
	came    string // how it says that it came
}

func (s start) met(already bool, since, came string) met {
	if !already {
		return met{}
	}
	return met{already: true, since: since, by: s.lastAction(), came: came}
}

func (m met) String() string {
	switch {
	case !m.already:
		return ""
	case m.since == sinceCame:
		return m.came + " with " + m.by
	case m.since == sinceAgain:
		return "it was so before " + m.by + ", and was written again since"
	case m.since == sinceBefore:
		return wasSo + ", before " + m.by
	}
	return wasSo
}

// done is the text of a wait that has nothing to print.
func (m met) done() string {
	if m.already {
		return "✓ Done · " + m.String()
	}
	return "✓ Done"
}

// found is the text of a wait that prints what it waited for.
func (m met) found(what string) string {
	if m.already {
		return what + "\n✓ " + m.String()
	}
	return what
}

// done is the text of a wait that knows of no action before it.
func done(already bool) string { return met{already: already}.done() }
