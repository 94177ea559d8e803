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

// loadingText returns the text of what appeared in place of something that is to come, such as a "Loading…"; empty:
// there is none.
func loadingText(appeared []string) string {
	for _, title := range appeared {
		role, quoted, named := strings.Cut(title, " ")
		var text string
		if !named || json.Unmarshal([]byte(quoted), &text) != nil || utf8.RuneCountInString(text) > longestLoading {
			continue
		}
		lower := strings.ToLower(text)
		worded := slices.ContainsFunc(loadingWords, func(word string) bool { return strings.HasPrefix(lower, word) })
		dotted := strings.HasSuffix(text, "…") || strings.HasSuffix(text, "...")
		switch role {
		case "button", "link", "menuitem", "menu", "option", "listbox", "combobox", "textbox", "searchbox", "tab", "tabpanel",
			"checkbox", "radio", "switch", "heading", "tooltip":
		case "dialog", "alertdialog": // one may be called "Save as…"
			if worded {
				return text
			}
		default:
			if dotted || worded && len(strings.Fields(text)) <= 3 {
				return text
			}
		}
	}
	return ""
}

// goneArg asks the in-page op wait for the end of a text.
type goneArg struct {
	Text     string `json:"text"`
	State    string `json:"state"`
	Patience int64  `json:"patience"` // in ms
}

// awaitLoading notes what appeared while the page loads something, and with --observe waits for its end.
func (a *Action) awaitLoading(ctx context.Context, c *actions.Call) {
	text := loadingText(a.Effect.Appeared)
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
	patience := min(loadingPatience, max(0, c.Left()-reserve))
	err := a.Frame.Call(watched, "wait", goneArg{text, "hidden", patience.Milliseconds()}, &answer)
	a.Effect.Loading.Gone = err == nil && answer.Met // else the page has gone on, which the reply says
}
