package run

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/inpage"
)

// printWords are what a script has that may print: the word itself, or what makes the page act.
var printWords = []string{"print", "click", "submit", "dispatchEvent"}

// notePrint says what saves the page, if a request to print is among what appeared. It is a note: effects tell what was
// seen, and no commands.
func notePrint(c *actions.Call, appeared ...string) {
	if slices.ContainsFunc(appeared, func(what string) bool {
		return strings.HasPrefix(what, "a request to print, window.print():")
	}) {
		c.Note("nothing was printed; `pdf` saves the page")
	}
}

// The in-page ops that watch for a request to print, and report it.
var (
	opWatchPrint = inpage.Define[inpage.None, inpage.None]("watchPrint")
	opPrinted    = inpage.Define[inpage.None, string]("printed")
)

// WatchPrint watches for a request to print while a script runs. The function that it returns, which is called when the
// script has ended, makes it an effect. A script that cannot lead to one costs nothing.
func WatchPrint(ctx context.Context, c *actions.Call, tab *actions.Tab, script string) (tell func()) {
	frame, able := tab.Page.Main(), false
	for _, word := range printWords {
		able = able || strings.Contains(script, word)
	}
	if !able {
		return func() {}
	}
	if _, err := opWatchPrint.In(ctx, frame, inpage.None{}); err != nil {
		// a page that cannot be asked cannot run the script either, and says why
		return func() {}
	}
	return func() {
		if asked, err := opPrinted.In(ctx, frame, inpage.None{}); err == nil && asked != "" {
			// if the frame is gone, the page navigated, which is reported
			Of(c).Effect.Appeared = append(Of(c).Effect.Appeared, asked)
			notePrint(c, asked)
		}
	}
}
