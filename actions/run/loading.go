package run

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
)

// loadingPatience is how long --observe waits for the end of what the page shows while it loads something.
const loadingPatience = 2 * time.Second

// longestLoading is how long the text of such a part can be, in characters: a longer title is a beginning only.
const longestLoading = 50

var loadingWords = []string{
	"loading", "please wait", "saving", "sending", "processing", "searching", "uploading",
	"working",
}

// loadingText returns the text of what appeared, or was written, in place of something that is to come, such as a
// "Loading…", or empty.
func loadingText(appeared, texts []string) string {
	for _, text := range texts {
		if isLoading(text) {
			return text
		}
	}
	for _, title := range appeared {
		role, quoted, named := strings.Cut(title, " ")
		var text string
		if !named || json.Unmarshal([]byte(quoted), &text) != nil || utf8.RuneCountInString(text) > longestLoading {
			continue
		}
		switch role {
		case "button", "link", "menuitem", "menu", "option", "listbox", "combobox", "textbox", "searchbox", "tab", "tabpanel",
			"checkbox", "radio", "switch", "heading", "tooltip":
		case "dialog", "alertdialog": // one may be called "Save as…"
			if startsAsLoading(text) {
				return text
			}
		default:
			if isLoading(text) {
				return text
			}
		}
	}
	return ""
}

// isLoading reports whether a text stands for something that is to come: it ends with dots, or is only such a word.
func isLoading(text string) bool {
	if utf8.RuneCountInString(text) > longestLoading {
		return false
	}
	dotted := strings.HasSuffix(text, "…") || strings.HasSuffix(text, "...")
	return dotted || startsAsLoading(text) && len(strings.Fields(text)) <= 3
}

func startsAsLoading(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(loadingWords, func(word string) bool { return strings.HasPrefix(lower, word) })
}

// goneArg asks the in-page op wait for the end of a text.
type goneArg struct {
	Text     string `json:"text"`
	State    string `json:"state"`
	Patience int64  `json:"patience"` // in ms
}

// awaitLoading notes what appeared while the page loads something, and with --observe waits for its end.
func (a *Action) awaitLoading(ctx context.Context, c *actions.Call) {
	text := loadingText(a.Effect.Appeared, a.Effect.Texts)
	if text == "" || c.UpstreamText() {
		return
	}
	a.Effect.Loading = &fact.Loading{Text: text}
	if !c.Bool("observe") || !a.stays() {
		return
	}
	watched, stop := a.Tab.Page.Watch(ctx, true)
	defer stop()
	var answer struct {
		Met bool `json:"met"`
	}
	patience := min(loadingPatience, max(0, c.TimeLeft()-reserve))
	err := a.Frame.Call(watched, "wait", goneArg{text, "hidden", patience.Milliseconds()}, &answer)
	a.Effect.Loading.Gone = err == nil && answer.Met // else the page has gone on, which the reply says
}
