package phrase

import "strings"

// WithoutRefs returns the text of a snapshot without the refs in it, which say nothing about the page.
func WithoutRefs(text string) string {
	if !strings.Contains(text, "ref=e") && !strings.Contains(text, "@e") && !strings.Contains(text, "covered by e") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		appendWithoutRefs(&b, line)
	}
	return b.String()
}

// appendWithoutRefs writes a line without the refs outside its quotes: @e2, [level=1, ref=e2], [ref=e2, url=…],
// [ref=e2], covered by @e2. What follows the attributes is the page's.
func appendWithoutRefs(b *strings.Builder, line string) {
	for i := 0; i < len(line); {
		rest := line[i:]
		switch {
		case rest[0] == '"':
			end := quotedEnd(rest)
			b.WriteString(rest[:end])
			i += end
		case rest[0] == ']', strings.HasPrefix(rest, ": "):
			b.WriteString(rest)
			return
		case strings.HasPrefix(rest, "covered by @e"):
			b.WriteString("covered")
			i += len("covered by @e") + digits(rest[len("covered by @e"):])
		case strings.HasPrefix(rest, " @e"):
			i += len(" @e") + digits(rest[len(" @e"):])
		case strings.HasPrefix(rest, " [ref=e"):
			i += len(" [ref=e") + digits(rest[len(" [ref=e"):])
			if tail, ok := strings.CutPrefix(line[i:], "]"); ok {
				b.WriteString(tail)
				return
			}
			if strings.HasPrefix(line[i:], ", ") {
				i += len(", ")
			}
			b.WriteString(" [")
		case strings.HasPrefix(rest, ", ref=e"):
			i += len(", ref=e") + digits(rest[len(", ref=e"):])
		case strings.HasPrefix(rest, "covered by e"):
			b.WriteString("covered")
			i += len("covered by e") + digits(rest[len("covered by e"):])
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
}

// quotedEnd returns how long the quoted text at the start of s is.
func quotedEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

func digits(s string) (n int) {
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}
