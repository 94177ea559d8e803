package sandbox

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/skua-browser/skua/internal/wording"
)

// sourceName is what the engine calls the source of a script.
const sourceName = "script"

// linesBefore is how many lines stand before the source in what is compiled.
const linesBefore = 1

var position = regexp.MustCompile(sourceName + `:(\d+):(\d+)`)

// place shortens a stack to its message and the line of the script that it came from.
func place(stack string) string {
	message := firstLine(stack)
	if at := position.FindStringSubmatch(stack); at != nil {
		if line, err := strconv.Atoi(at[1]); err == nil && line > linesBefore {
			message += " (line " + strconv.Itoa(line-linesBefore) + ")"
		}
	}
	return wording.Clip(message, messageChars-1)
}

// syntax says what the parser did not understand, with the line of the script.
func syntax(err error) string {
	var list parser.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return list[0].Message + " (line " + strconv.Itoa(max(1, list[0].Position.Line-linesBefore)) + ")"
	}
	if compiled, ok := errors.AsType[*goja.CompilerSyntaxError](err); ok {
		return firstLine(compiled.Message)
	}
	return firstLine(err.Error())
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return wording.Clip(text, messageChars-1)
}
