package wait

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
)

// A wait that is met before it begins says so, so that an agent leaves out the next one. Callers that expect agent-browser's texts are not told.

// wasSo is what the text says.
const wasSo = "it was so already"

// looksOnce runs one of the engine's waits for as long as one look takes, and reports whether that ended it: they look before they ask their
// context.
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
}

func startOf(ctx context.Context, c *actions.Call, tab *actions.Tab) start {
	s := start{page: tab.Page, loader: tab.Page.Main().Loader()}
	if !c.UpstreamText() {
		settled, err := tab.Page.Loading().Settle(ctx, 0)
		s.settled = settled && err == nil
	}
	return s
}

// holds reports whether the page is still that of the start, so that what it shows at the first look is what it showed before the wait. A navigation may
// be on its way before its first event is here.
func (s start) holds() bool { return s.settled && s.page.Main().Loader() == s.loader }

// waitArg is the argument of the in-page op wait: a state of a target, or a text.
type waitArg struct {
	Target   *element.Wanted `json:"target,omitempty"`
	State    string          `json:"state,omitempty"`
	Text     string          `json:"text,omitempty"`
	Patience int64           `json:"patience"` // in ms
	ID       int64           `json:"id"`       // of the wait
}

var opWait = inpage.Define[waitArg, waited]("wait")

// waited is its answer.
type waited struct {
	element.Located
	Met     bool   `json:"met"`
	Text    string `json:"text"`
	Already bool   `json:"already"` // at the first look
}

// newID tells waits of one document apart.
func newID() int64 { return time.Now().UnixMicro() }

// done is the text of a wait that has nothing to print.
func done(already bool) string {
	if already {
		return "✓ Done · " + wasSo
	}
	return "✓ Done"
}

// found is the text of a wait that prints what it waited for.
func found(what string, already bool) string {
	if already {
		return what + "\n✓ " + wasSo
	}
	return what
}
