package run

import (
	"context"
	"slices"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/traffic"
)

// How long a reply waits for what the page says of what was sent: for the server's answer to a form, for that to a
// press, which may be no more than a count of visitors, for the page to show it, and for a page that asks no server.
const (
	serverPatience = 1500 * time.Millisecond
	pressPatience  = 500 * time.Millisecond
	shownPatience  = 150 * time.Millisecond
	scriptPatience = 700 * time.Millisecond
)

// answerArg is the argument of the in-page op answer.
type answerArg struct {
	Wait int64 `json:"wait"` // in ms
}

var opAnswer = inpage.Define[answerArg, *SeenEffects]("answer")

// awaitAnswer waits for what the page says of a form that was sent, and of what was pressed and changes something at
// the server, while the page shows that it is at work, as by a spinner. A form is waited for when nothing is to be
// seen, too, and with --observe all that a script asks the server for: a dialog may come with the answer. A page that
// tells its server of each click, and shows nothing of that, is not waited for.
func (a *Action) awaitAnswer(ctx context.Context, c *actions.Call) {
	if a.Seen == nil || !a.Seen.Pressed || c.UpstreamText() || a.isAnswered() || !a.stays() {
		return
	}
	toChange, asked := a.asked(changes), a.asked(func(traffic.Request) bool { return true })
	switch {
	case a.isAtWork() && (a.Seen.Sent || toChange):
	case !a.Seen.Any && (a.Seen.Sent || asked && c.Bool("observe")):
	default:
		return
	}
	watched, stop := a.Tab.Page.Watch(ctx, true)
	defer stop()
	wait := scriptPatience
	if toChange || !a.Seen.Sent {
		wait = shownPatience
	}
	if asked {
		patience := serverPatience
		if !a.Seen.Sent && !c.Bool("observe") {
			patience = pressPatience
		}
		limited, stop := context.WithTimeout(watched, min(patience, max(0, c.TimeLeft()-reserve)))
		defer stop()
		_ = a.Traffic.Await(limited, "the server's answer", func(all []traffic.Request) bool {
			// otherwise the next reply reports it
			return !slices.ContainsFunc(all, func(r traffic.Request) bool { return r.Begun && isOfScript(r) && !r.Ended })
		})
	}
	if !a.stays() {
		return
	}
	wait = min(wait, max(0, c.TimeLeft()-reserve))
	if seen, _, err := opAnswer.Here(watched, a.Frame, answerArg{wait.Milliseconds()}); err == nil && seen != nil {
		a.Seen = seen
	}
}

// isAnswered reports whether what was seen says how it ended.
func (a *Action) isAnswered() bool {
	return len(a.Seen.Messages)+len(a.Seen.Closed) > 0 ||
		len(a.Seen.Appeared) > 0 && loadingText(a.Seen.Appeared, nil) == ""
}

// isAtWork reports whether the page shows that it is: it says so, or has disabled what was pressed.
func (a *Action) isAtWork() bool {
	disabled, changed := a.Seen.State["disabled"]
	return loadingText(a.Seen.Appeared, a.Seen.Texts) != "" || changed && disabled.To == true
}

// asked reports whether the action began such a request of a script.
func (a *Action) asked(which func(traffic.Request) bool) bool {
	return a.Traffic != nil && slices.ContainsFunc(a.Traffic.Requests(), func(r traffic.Request) bool {
		return r.Begun && isOfScript(r) && which(r)
	})
}

func isOfScript(r traffic.Request) bool { return r.Type == "Fetch" || r.Type == "XHR" }

// changes reports whether a request is to change something at the server.
func changes(r traffic.Request) bool {
	return r.Method == "POST" || r.Method == "PUT" || r.Method == "PATCH" || r.Method == "DELETE"
}
