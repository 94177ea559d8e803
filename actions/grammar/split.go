package grammar

import (
	"strings"

	"github.com/skua-browser/skua/internal/wording"
)

// SplitWords splits a line into words as a POSIX shell does: at blanks and newlines, with '…', "…" and backslash
// quoting. Nothing is expanded and nothing is a comment.
func SplitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	open := false // a word has begun; it may be empty, as in ''
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t', '\n', '\r':
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		case '\\':
			i++
			if i == len(line) {
				return nil, splitError(line, "ends with a backslash that quotes nothing")
			}
			if line[i] != '\n' { // a backslash before a newline joins the lines
				open = true
				word.WriteByte(line[i])
			}
		case '\'', '"':
			open = true
			n, ok := quoted(line[i+1:], c, &word)
			if !ok {
				return nil, splitError(line, "has a "+string(c)+" that is not closed")
			}
			i += n
		default:
			open = true
			word.WriteByte(c)
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}

// quoted appends what precedes the closing quote to word and returns how many bytes of s it took, with the quote.
func quoted(s string, quote byte, word *strings.Builder) (n int, ok bool) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == quote:
			return i + 1, true
		case s[i] == '\\' && quote == '"' && i+1 < len(s) && strings.IndexByte("\\\"$`\n", s[i+1]) >= 0:
			i++
			if s[i] != '\n' {
				word.WriteByte(s[i])
			}
		default:
			word.WriteByte(s[i])
		}
	}
	return 0, false
}

// JoinWords writes words as a line that SplitWords splits into them again. Words that need no quotes get none.
func JoinWords(words []string) string {
	quotedWords := make([]string, len(words))
	for i, word := range words {
		quotedWords[i] = quoteWord(word)
	}
	return strings.Join(quotedWords, " ")
}

func quoteWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\r\n\\'\"") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func splitError(line, what string) error {
	return UsageError(InvalidValue, line, "The command line '"+wording.OneLine(line)+"' "+what)
}

// WholeWord leaves an argument as it is: it may hold commas.
func WholeWord(s string) []string { return []string{s} }
