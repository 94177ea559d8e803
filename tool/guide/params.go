package guide

import (
	"strings"

	"github.com/skua-browser/skua/internal/plainjson"
)

// asParams turns the command lines in the text's shell blocks into parameters of the tool.
func asParams(text string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimRight(line, "\n")
		switch {
		case trimmed == "```sh":
			inside = true
			line = "```jsonc\n"
		case trimmed == "```":
			inside = false
		case inside:
			line = paramsOf(trimmed) + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// program begins each command line of the text.
const program = "skua "

// paramsOf returns the parameters of one command line, with the comment behind it.
func paramsOf(line string) string {
	rest, ok := strings.CutPrefix(line, program)
	if !ok {
		return line
	}
	args, comment := words(rest)
	text, _ := plainjson.Marshal(map[string][]string{"args": args}) // strings can always be written
	out := string(text)
	if comment != "" {
		out += " // " + comment
	}
	return out
}

// words splits a command line as a shell does, as far as the text uses one: quotes, and a comment at the end.
func words(line string) (args []string, comment string) {
	var word strings.Builder
	var quote rune
	begun := false
	flush := func() {
		if begun {
			args = append(args, word.String())
			word.Reset()
			begun = false
		}
	}
	for i, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, begun = r, true
		case r == ' ':
			flush()
		case r == '#' && !begun && strings.HasPrefix(line[i:], "# "):
			return args, strings.TrimSpace(line[i+1:])
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	flush()
	return args, ""
}
