package phrase

import (
	"strconv"
	"strings"
)

const hexDigits = "0123456789abcdef"

// Quoted appends s as a JSON string. s must be valid UTF-8, which decode sees to for everything that comes from a page.
func Quoted(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			b = append(b, s[start:i]...)
			b = appendEscape(b, c)
			start = i + 1
		}
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// Member appends a member of a JSON object whose value is a string, unless that is empty.
func Member(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	b = append(append(append(b, `,"`...), name...), `":`...)
	return Quoted(b, value)
}

// Plain appends s on one line: control characters are escaped, so that a text area cannot write lines of its own into a
// snapshot. Quotes and backslashes stay as they are.
func Plain(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == 0x7f {
			b = append(b, s[start:i]...)
			b = appendEscape(b, c)
			start = i + 1
		}
	}
	return append(b, s[start:]...)
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\t':
		return append(b, '\\', 't')
	case '\r':
		return append(b, '\\', 'r')
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// Splice appends how the lines of a text become those of another: {startLine, deleteCount, lines}.
func Splice(b []byte, was, now string) []byte {
	old, fresh := strings.Split(was, "\n"), strings.Split(now, "\n")
	from := 0
	for from < len(old) && from < len(fresh) && old[from] == fresh[from] {
		from++
	}
	old, fresh = old[from:], fresh[from:]
	for len(old) > 0 && len(fresh) > 0 && old[len(old)-1] == fresh[len(fresh)-1] {
		old, fresh = old[:len(old)-1], fresh[:len(fresh)-1]
	}
	b = strconv.AppendInt(append(b, `{"startLine":`...), int64(from), 10)
	b = strconv.AppendInt(append(b, `,"deleteCount":`...), int64(len(old)), 10)
	b = append(b, `,"lines":[`...)
	for i, line := range fresh {
		if i > 0 {
			b = append(b, ',')
		}
		b = Quoted(b, line)
	}
	return append(b, `]}`...)
}

// Counted returns a number with its noun: 1 line, 1,200 lines.
func Counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Thousands(n) + " " + noun
}

// Thousands writes a number with commas.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Are begins a sentence on so many things: 1 line is, 2 lines are.
func Are(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return Counted(n, noun) + " are"
}

// Some returns a format with a number in the place of its %s; "" for 0.
func Some(format string, n int) string {
	if n == 0 {
		return ""
	}
	return strings.Replace(format, "%s", Thousands(n), 1)
}
