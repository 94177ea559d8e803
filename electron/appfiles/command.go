package appfiles

import (
	"path/filepath"
	"slices"
	"strings"
)

// Command is what a command line starts, without the programs that only lead there.
type Command struct {
	Env     []string // NAME=value
	Program string   // empty means that there is none, or it cannot be told
	Args    []string
}

// CommandOf takes a command line apart: `env A=b app --x` starts app, as `sh -c "exec app --x"` does.
func CommandOf(words []string) Command { return unwrapped(Command{}, words, 0) }

func unwrapped(c Command, words []string, depth int) Command {
	const most = 4
	for len(words) > 0 && isAssignment(words[0]) {
		c.Env, words = append(c.Env, words[0]), words[1:]
	}
	if len(words) == 0 || depth > most {
		return Command{}
	}
	rest := words[1:]
	switch filepath.Base(words[0]) {
	case "env":
		return unwrapped(c, WithoutOptions(rest, "-u", "--unset", "-C", "--chdir"), depth+1)
	case "exec", "nohup", "setsid", "command":
		return unwrapped(c, WithoutOptions(rest, "-a"), depth+1)
	case "sh", "bash", "dash", "zsh", "ash", "ksh":
		at := slices.IndexFunc(rest, func(word string) bool {
			return strings.HasPrefix(word, "-") && strings.HasSuffix(word, "c")
		})
		if at < 0 || at+1 >= len(rest) {
			break // a script: it is looked into where files are
		}
		var found Command
		shell := Script{Vars: map[string]string{}}
		shell.Run(rest[at+1], func(words []string) bool {
			found = unwrapped(c, slices.DeleteFunc(words, isFieldCode), depth+1)
			return found.Program == "" || IsBuiltin(found.Program)
		})
		return found
	}
	c.Program, c.Args = words[0], rest
	return c
}

// After returns what follows a word that a program is started with: `app --x` after "run" of `snap run app --x`. It is
// empty for another command.
func (c Command) After(program, word string) []string {
	if filepath.Base(c.Program) != program || len(c.Args) == 0 || c.Args[0] != word {
		return nil
	}
	return c.Args[1:]
}

// WithoutOptions drops a wrapper's own options; those with a value are named.
func WithoutOptions(words []string, valued ...string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		takes := slices.Contains(valued, words[0])
		if words = words[1:]; takes && len(words) > 0 {
			words = words[1:]
		}
	}
	return words
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && isName(name)
}

// isName reports whether a text can be the name of a variable.
func isName(text string) bool {
	for i, c := range text {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != ""
}

func IsBuiltin(word string) bool {
	return slices.Contains([]string{
		"cd", "export", "set", "unset", "umask", "ulimit", "test", "[", "[[", "true", ":",
		"echo", "source", ".", "sleep",
	}, word)
}
