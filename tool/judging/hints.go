package judging

import (
	"regexp"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions"

	"github.com/skua-browser/skua/actions/fact"
	reading "github.com/skua-browser/skua/actions/look"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

var functionShaped = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:async\s+)?(?:function\b|\([^()]*(?:\([^()]*\)[^()]*)*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)`)
})

// EvalHint explains why an eval may have returned an empty object: the code is a function that is not called. It looks
// at code from standard input, where whole functions are sent, and with the native backend also at code on the command
// line.
func EvalHint(line *argv.Words, code string, data any) *contract.Hint {
	if !actions.Yields[reading.EvalResult](line.Entry) || string(fact.Read[reading.EvalResult](data).Result) != "{}" ||
		!functionShaped().MatchString(strings.TrimSpace(code)) {
		return nil
	}
	return &contract.Hint{
		Reason:     "The code is a function and its value is an empty object: the function was not called.",
		Suggestion: "Call it, as in (() => …)(), or send the expression itself.",
	}
}

// EvalWarning says that a null from a page of a local file proves nothing.
func EvalWarning(line *argv.Words, code string, data any, pages ...string) *contract.Hint {
	code = strings.TrimSpace(code)
	if !actions.Yields[reading.EvalResult](line.Entry) || string(fact.Read[reading.EvalResult](data).Result) != "null" ||
		code == "" || code == "null" || code == "undefined" {
		return nil
	}
	for _, page := range pages {
		if strings.HasPrefix(strings.ToLower(page), "file:") {
			return &contract.Hint{
				Reason:     "The page is a local file, and the result is null.",
				Suggestion: "Check it with `snapshot -i`, a getter or a screenshot, or serve the page over http.",
			}
		}
	}
	return nil
}
