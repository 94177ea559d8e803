package appfiles

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/internal/userfile"
)

// maxScript is more than any script has that starts an app.
const maxScript = 64 << 10

// Unknown replaces a part of a word that only the shell can tell.
const Unknown = "\x00"

// Script reads a shell script as far as a look at its words goes: commands one after another, whatever conditions they
// are under, with the variables that it sets. It runs nothing.
type Script struct {
	Vars   map[string]string
	Passes bool // its own arguments go to a command
}

// Run calls visit with the words of each command, until visit returns false.
func (s *Script) Run(text string, visit func(words []string) bool) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	for len(text) > 0 {
		var words []string
		words, text = s.command(text)
		for len(words) > 0 && isKeyword(words[0]) {
			words = words[1:]
		}
		if len(words) > 1 && (words[0] == "export" || words[0] == "readonly" || words[0] == "local") {
			words = words[1:]
		}
		if len(words) == 0 || s.assigned(words) {
			continue
		}
		if !strings.Contains(words[0], Unknown) && !visit(words) {
			return
		}
	}
}

// assigned notes the variables of a command that only sets some.
func (s *Script) assigned(words []string) bool {
	for _, word := range words {
		if !isAssignment(word) {
			return false
		}
	}
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		s.Vars[name] = value
	}
	return true
}

func isKeyword(word string) bool {
	switch word {
	case "if", "then", "else", "elif", "do", "while", "until", "fi", "done", "!", "{", "}":
		return true
	}
	return false
}

// Command reads the words of the command at the beginning of a text, and returns the text behind it.
func (s *Script) command(text string) (words []string, rest string) {
	var word strings.Builder
	begun, list := false, false // list: the word stands for any number of words
	end := func() {
		if w := word.String(); begun && !(list && w == "") {
			words = append(words, w)
		}
		word.Reset()
		begun, list = false, false
	}
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == '\'' && c != '\'':
			word.WriteByte(c)
		case c == '\'' && quote == 0, c == '"' && quote == 0:
			quote, begun = c, true
		case c == quote:
			quote = 0
		case c == '\\' && i+1 < len(text):
			i++
			begun = true
			word.WriteByte(text[i])
		case c == '$' || c == '`':
			value, length, many := s.expand(text[i:])
			word.WriteString(value)
			begun, list = true, list || many
			i += length - 1
		case quote != 0:
			word.WriteByte(c)
		case c == ' ' || c == '\t':
			end()
		case c == '#' && !begun:
			if newline := strings.IndexByte(text[i:], '\n'); newline >= 0 {
				end()
				return words, text[i+newline+1:]
			}
			return words, ""
		case strings.IndexByte("\n;&|()<>", c) >= 0:
			end()
			return words, text[i+1:]
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	end()
	return words, ""
}

// expand reads what begins with $ or a backtick: its value, how long it is, and whether it stands for any number of
// words.
func (s *Script) expand(text string) (value string, length int, many bool) {
	if text[0] == '`' {
		if end := strings.IndexByte(text[1:], '`'); end >= 0 {
			return Unknown, end + 2, false
		}
		return Unknown, len(text), false
	}
	if len(text) == 1 {
		return "$", 1, false
	}
	switch c := text[1]; {
	case c == '@' || c == '*':
		s.Passes = true
		return "", 2, true
	case c == '(':
		return Unknown, 1 + closing(text[1:], '(', ')'), false
	case c == '{':
		length = 1 + closing(text[1:], '{', '}')
		name := strings.TrimSuffix(text[2:length], "}")
		if name == "@" || name == "*" {
			s.Passes = true
		}
		if strings.HasSuffix(name, "@") || strings.HasSuffix(name, "@]") || strings.HasSuffix(name, "*]") {
			return "", length, true
		}
		name, fallback, _ := strings.Cut(name, "-")
		name = strings.TrimSuffix(name, ":")
		if value, ok := s.Vars[name]; ok {
			return value, length, false
		}
		if fallback != "" && !strings.ContainsAny(fallback, "$`") {
			return fallback, length, false
		}
		return Unknown, length, false
	}
	length = 1
	for length < len(text) && isName(text[1:length+1]) {
		length++
	}
	if length == 1 {
		return Unknown, 2, false // $0, $?, and the like
	}
	if value, ok := s.Vars[text[1:length]]; ok {
		return value, length, false
	}
	return Unknown, length, false
}

// closing is the length of a text until its first bracket is closed.
func closing(text string, open, shut byte) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// ReadScript returns the text of a shell script.
func ReadScript(path string) (string, bool) {
	f, err := userfile.Open(context.Background(), path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	head := make([]byte, 2)
	if _, err := f.ReadAt(head, 0); err != nil || string(head) != "#!" {
		return "", false
	}
	b, err := readSmallFile(path, maxScript)
	first, rest, _ := strings.Cut(string(b), "\n")
	if err != nil || !strings.Contains(first, "sh") {
		return "", false
	}
	return rest, true
}
