package visible

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s with its control characters as escapes: \x1b for those of ASCII, \u009b for the others, as JSON spells
// them, so that JSON stays the same value. Line ends and tabs remain.
func Text(s string) string {
	from := 0 // the start of what is not in b yet
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if escape := escaped(r, s[i:i+size], s[i+size:]); escape != "" {
			b.WriteString(s[from:i])
			b.WriteString(escape)
			from = i + size
		}
		i += size
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// escaped returns the escape of a character, or nothing if it is harmless. encoded are its bytes, rest is the text
// after it.
func escaped(r rune, encoded, rest string) string {
	switch {
	case r == '\n', r == '\t', r == '\r' && strings.HasPrefix(rest, "\n"):
		return ""
	case r < ' ':
		return fmt.Sprintf(`\x%02x`, r)
	case r == utf8.RuneError && len(encoded) == 1: // terminals of eight bits obey the bytes from 0x80 to 0x9f
		return fmt.Sprintf(`\x%02x`, encoded[0])
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
		return fmt.Sprintf(`\u%04x`, r)
	}
	return ""
}

// Stream returns a writer to a stream of a program. If that is a terminal, it gets text as [Text] returns it; anything
// else, such as a pipe, gets it unchanged. A write must not end within a character.
func Stream(stream io.Writer, terminal bool) io.Writer {
	if !terminal {
		return stream
	}
	return writer{stream}
}

type writer struct{ to io.Writer }

// Write returns the length of p, which does not count the escapes.
func (w writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.to, Text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
