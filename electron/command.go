package electron

import (
	"path/filepath"
	"slices"
	"strings"
)

// command is what a command line starts, without the programs that only lead there.
type command struct {
	env     []string // NAME=value
	program string   // empty: there is none, or it cannot be told
	args    []string
}

// commandOf takes a command line apart: `env A=b app --x` starts app, as `sh -c "exec app --x"` does.
func commandOf(words []string) command { return unwrapped(command{}, words, 0) }

func unwrapped(c command, words []string, depth int) command {
	const most = 4
	for len(words) > 0 && isAssignment(words[0]) {
		c.env, words = append(c.env, words[0]), words[1:]
	}
	if len(words) == 0 || depth > most {
		return command{}
	}
	rest := words[1:]
	switch filepath.Base(words[0]) {
	case "env":
		return unwrapped(c, withoutOptions(rest, "-u", "--unset", "-C", "--chdir"), depth+1)
	case "exec", "nohup", "setsid", "command":
		return unwrapped(c, withoutOptions(rest, "-a"), depth+1)
	case "sh", "bash", "dash", "zsh", "ash", "ksh":
		at := slices.IndexFunc(rest, func(word string) bool { return strings.HasPrefix(word, "-") && strings.HasSuffix(word, "c") })
		if at < 0 || at+1 >= len(rest) {
			break // a script: it is looked into where files are
		}
		var found command
		shell := script{vars: map[string]string{}}
		shell.run(rest[at+1], func(words []string) bool {
			found = unwrapped(c, slices.DeleteFunc(words, isFieldCode), depth+1)
			return found.program == "" || shellBuiltin(found.program)
		})
		return found
	}
	c.program, c.args = words[0], rest
	return c
}

// withoutOptions drops a wrapper's own options; those with a value are named.
func withoutOptions(words []string, valued ...string) []string {
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

func shellBuiltin(word string) bool {
	return slices.Contains([]string{"cd", "export", "set", "unset", "umask", "ulimit", "test", "[", "[[", "true", ":", "echo", "source", ".", "sleep"}, word)
}
