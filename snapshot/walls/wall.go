package walls

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/wording"
)

// Wall is what keeps a visitor from a page, as the in-page script tells it by status, structure and widgets.
type Wall struct {
	// bot-check, login, consent, age, paywall, rate-limit, ban, maintenance or empty
	Kind       string `json:"kind"`
	By         string `json:"by,omitempty"`         // the system whose wall it is
	Why        string `json:"why"`                  // the evidence
	RetryAfter int    `json:"retryAfter,omitempty"` // seconds until the server wants the next request
	Do         string `json:"do,omitempty"`         // what can be done
}

// wallKinds are the kinds in words, and what can be done.
var wallKinds = map[string]struct{ words, do string }{
	"bot-check":   {"a bot check", "have a person solve it: `handoff \"Solve the check\"`"},
	"login":       {"a login", "`auth login` with a saved login, or `handoff \"Log in\"`"},
	"consent":     {"a consent dialog", "answer it: its buttons are in the snapshot"},
	"age":         {"an age gate", "ask the user before you answer it"},
	"paywall":     {"a paywall", "log in with the user's subscription, or tell the user"},
	"rate-limit":  {"a rate limit", "wait before the next request"},
	"ban":         {"a refusal of the server", "tell the user; do not look for a way around it"},
	"maintenance": {"a maintenance page", "try again later"},
	"empty":       {"an application that has drawn nothing", "`errors` and `console` may say why; `reload` once"},
}

// Read decodes the script's report of a wall. It returns nil if there is none, or if its kind is unknown.
func Read(raw []byte) *Wall {
	var w *Wall
	if json.Unmarshal(raw, &w) != nil {
		return nil
	}
	return w.Known()
}

// OfPage asks a document for its wall.
var OfPage = inpage.Define[inpage.None, *Wall]("wall")

// Known returns the wall to report. It is nil if there is none, or if its kind is unknown.
func (w *Wall) Known() *Wall {
	if w == nil {
		return nil
	}
	kind, known := wallKinds[w.Kind]
	if !known {
		return nil
	}
	w.By, w.Why, w.Do = wording.Clip(w.By, 60), wording.Clip(wording.OneLine(w.Why), 200), kind.do
	return w
}

// Retry adds the header Retry-After: seconds, or a date.
func (w *Wall) Retry(header string, now time.Time) {
	seconds, err := strconv.Atoi(strings.TrimSpace(header))
	if err != nil {
		at, err := http.ParseTime(header)
		if err != nil {
			return
		}
		seconds = int(at.Sub(now).Round(time.Second).Seconds())
	}
	if seconds > 0 {
		w.RetryAfter = seconds
		w.Do = fmt.Sprintf("wait %d s before the next request", seconds)
	}
}

// Line says it in one line, with what can be done.
func (w *Wall) Line() string { return "the page is " + w.Words() + ": " + w.Why + "; " + w.Do }

// Words names the wall.
func (w *Wall) Words() string {
	words := wallKinds[w.Kind].words
	if w.By != "" {
		words += " of " + w.By
	}
	return words
}
