package showing

import (
	"strings"

	"github.com/skua-browser/skua/actions/grammar"
)

// asCalls rewrites a guide for the command line into one for the tool: the lines of its examples that run the program
// become the calls that do the same. Comments of examples are left out; everything else stays.
func asCalls(guide string) string {
	lines := strings.Split(guide, "\n")
	out := make([]string, 0, len(lines))
	inCode := false
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			inCode = !inCode
			out = append(out, line)
			continue
		}
		if !inCode {
			out = append(out, inText(line))
			continue
		}
		if strings.HasPrefix(trimmed, "#") {
			continue
		}
		used, call := asCall(lines[i:])
		if call == "" {
			out = append(out, line)
			continue
		}
		out = append(out, call)
		i += used - 1
	}
	return strings.Join(out, "\n")
}

// programs are the names under which guides run the program.
var programs = []string{"agent-browser ", "skua "}

// asCall returns the call that the first of these lines stands for, and how many lines it took; "" when it runs
// something else.
func asCall(lines []string) (used int, call string) {
	line := strings.TrimSpace(lines[0])
	line = strings.TrimPrefix(line, "$ ")
	rest, ok := "", false
	for _, program := range programs {
		if rest, ok = strings.CutPrefix(line, program); ok {
			break
		}
	}
	if !ok {
		return 0, ""
	}
	used = 1
	for strings.HasSuffix(rest, "\\") && used < len(lines) {
		rest = strings.TrimSuffix(rest, "\\") + " " + strings.TrimSpace(lines[used])
		used++
	}
	stdin := ""
	if at := strings.Index(rest, "<<"); at >= 0 {
		mark := strings.Trim(strings.TrimSpace(strings.TrimPrefix(rest[at+2:], "-")), `'"`)
		if mark == "" || strings.ContainsAny(mark, " \t") {
			return 0, ""
		}
		var body []string
		for used < len(lines) && strings.TrimSpace(lines[used]) != mark {
			body = append(body, lines[used])
			used++
		}
		used = min(used+1, len(lines))
		rest, stdin = rest[:at], strings.Join(body, "\n")
	}
	if at := strings.Index(rest, " #"); at >= 0 && strings.Count(rest[:at], `"`)%2 == 0 &&
		strings.Count(rest[:at], "'")%2 == 0 {
		rest = rest[:at]
	}
	if strings.ContainsAny(withoutQuoted(rest), "|;&>`$") {
		return 0, "" // more than one program
	}
	words, err := grammar.SplitWords(strings.TrimSpace(rest))
	if err != nil || len(words) == 0 {
		return 0, ""
	}
	params := `{ "args": ` + compactJSON(words)
	if stdin != "" {
		params += `, "stdin": ` + compactJSON(stdin)
	}
	return used, params + " }"
}

// withoutQuoted is a line without what is between quotes.
func withoutQuoted(line string) string {
	var b strings.Builder
	var quote rune
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
		case r == '"' || r == '\'':
			quote = r
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// inText rewrites the commands between backquotes in a line of text.
func inText(line string) string {
	if !strings.Contains(line, "`") {
		return line
	}
	parts := strings.Split(line, "`")
	for i := 1; i < len(parts); i += 2 {
		if _, call := asCall(parts[i : i+1]); call != "" {
			parts[i] = call
		}
	}
	return strings.Join(parts, "`")
}
