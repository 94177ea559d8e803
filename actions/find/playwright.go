package find

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/session/journal"
)

// finders are Playwright's methods for the ways to look for a text.
var finders = map[string]string{
	"text": "getByText", "label": "getByLabel", "placeholder": "getByPlaceholder", "alt": "getByAltText",
	"title": "getByTitle", "testid": "getByTestId",
}

// foundLocator is the Playwright locator of what a find command looks for. Where several elements match it takes the
// first one, as the command does.
func foundLocator(in *actions.Input, by string) string {
	switch by {
	case "first", "last", "nth":
		all := strings.TrimSuffix(journal.Locator(in.String("selector"), nil), ".first()")
		if all == "" {
			return ""
		}
		return inside(in, all) +
			map[string]string{"first": ".first()", "last": ".last()", "nth": ".nth(" + strconv.Itoa(in.Int("index")) + ")"}[by]
	case "role":
		return inside(in, "page.getByRole("+plainjson.Quote(in.String("value"))+findOptions(in, "name")+")") + ".first()"
	}
	return inside(in, "page."+finders[by]+"("+plainjson.Quote(in.String("value"))+findOptions(in)+")") + ".first()"
}

// findOptions are the options of a finder, behind a comma: the texts that were given, and whether they are the whole
// text.
func findOptions(in *actions.Input, texts ...string) string {
	var options []string
	for _, name := range texts {
		if in.Has(name) {
			options = append(options, name+": "+plainjson.Quote(in.String(name)))
		}
	}
	if in.Bool("exact") {
		options = append(options, "exact: true")
	}
	if len(options) == 0 {
		return ""
	}
	return ", { " + strings.Join(options, ", ") + " }"
}

// inside is a locator in the smallest box that shows the text of --within.
func inside(in *actions.Input, locator string) string {
	if !in.Has("within") {
		return locator
	}
	return "page.locator('*').filter({ hasText: " + plainjson.Quote(in.String("within")) + " }).filter({ has: " + locator +
		" }).last()" +
		strings.TrimPrefix(locator, "page")
}

// foundLine is the command line that does with a selector what a find command does with what it finds.
func foundLine(in *actions.Input) []string {
	line := []string{in.String("action"), "--", actions.Found}
	if chosenAction(in).needsText {
		line = append(line, in.String("text"))
	}
	return line
}
