package clients

import (
	"regexp"
	"strings"

	"github.com/skua-browser/skua/actions"
)

var (
	inBackticks = regexp.MustCompile("`[^`]+`")
	longFlag    = regexp.MustCompile(`(^|[\s(])--([a-z][a-z-]*)`)
	shortFlag   = regexp.MustCompile(`(^|[\s(])-([a-zA-Z])\b`)
	withJSON    = regexp.MustCompile(`With --json: (\w)`)
)

// speak writes a text of the help, which speaks of command lines, for programs in a language: flags are options there,
// and commands are methods. The flags are those that the text is about.
func (m *Model) speak(text string, flags []actions.Flag, named func([]string) string) string {
	text = withJSON.ReplaceAllStringFunc(text, func(s string) string { return strings.ToUpper(s[len(s)-1:]) })
	text = inBackticks.ReplaceAllStringFunc(text, func(s string) string {
		return "`" + m.speakLine(strings.Trim(s, "`"), flags, named) + "`"
	})
	return flagWords(text, flags, named)
}

// flagWords writes the flags in a text as options.
func flagWords(text string, flags []actions.Flag, named func([]string) string) string {
	text = longFlag.ReplaceAllStringFunc(text, func(s string) string {
		before, name, _ := strings.Cut(s, "--")
		return before + named(words(name))
	})
	return shortFlag.ReplaceAllStringFunc(text, func(s string) string {
		before, letter, _ := strings.Cut(s, "-")
		for i := range flags {
			if flags[i].Short == letter {
				return before + named(words(flags[i].Name))
			}
		}
		return s
	})
}

// speakLine writes a command line as the method that it is, with the names of its options; another text stays.
func (m *Model) speakLine(line string, flags []actions.Flag, named func([]string) string) string {
	given := strings.Fields(line)
	for n := len(given); n > 0; n-- {
		method := m.called(strings.Join(given[:n], " "))
		if method == nil {
			continue
		}
		rest := flagWords(strings.Join(given[n:], " "), method.Command.Flags, named)
		return named(method.Words) + "(" + strings.Join(strings.Fields(rest), ", ") + ")"
	}
	return flagWords(line, flags, named)
}

// called returns the method of a command by its name, or by another name of it; nil: there is none.
func (m *Model) called(name string) *Method {
	for i := range m.Methods {
		c := m.Methods[i].Command
		if c.Name == name {
			return &m.Methods[i]
		}
	}
	return nil
}
