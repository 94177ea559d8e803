package main

import "github.com/skua-browser/skua/session/wire/callenv"

//go:generate go run ../../scripts/clientflags flags.go

// cmdline is the part of a command line that the client itself reads; the host reads the rest.
type cmdline struct {
	namespace    string
	hasNamespace bool
	json         bool // print errors as JSON
	stdin        bool // the command reads standard input
	provider     bool // a provider starts the browser, which needs keys
	model        bool // the command asks a language model, which needs keys
	standalone   bool // the host program runs the command by itself, without a session
}

// scan reads the command line up to a "--". Standard input belongs to the command with --stdin, --password-stdin or
// --totp-stdin, to a batch or a chat without arguments, and to run. It is never read otherwise, for example for help:
// agents often leave a pipe open there that never ends.
func scan(args []string) cmdline {
	var c cmdline
	words, rest, help := 0, false, false
	c.standalone = startsProgram(args)
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			words += len(args) - i - 1
			break
		}
		if len(a) < 2 || a[0] != '-' {
			// A switch may be followed by its value; no command has such a name.
			if (a == "true" || a == "false") && i > 0 && hasPrefix(args[i-1], "--") {
				if args[i-1] == "--json" {
					c.json = a == "true"
				}
				continue
			}
			if words == 0 {
				rest, c.model = a == "batch" || a == "chat", asksModel(a)
				c.stdin = c.stdin || a == "run" // the host knows whether it has its program already
			}
			words++
			continue
		}
		switch {
		case a == "--json", a == "--json=true":
			c.json = true
		case a == "--help", a == "-h", a == "--help=true":
			help = true
		case a == "--stdin", a == "--password-stdin", a == "--totp-stdin":
			c.stdin = true
		case hasPrefix(a, "-p"), a == "--provider", hasPrefix(a, "--provider="):
			c.provider = true
		case a == "--namespace" && i+1 < len(args):
			c.namespace, c.hasNamespace = args[i+1], true
		case len(a) > len("--namespace=") && a[:len("--namespace=")] == "--namespace=":
			c.namespace, c.hasNamespace = a[len("--namespace="):], true
		}
		if takesValue(a) {
			i++
		}
	}
	if rest && words == 1 {
		c.stdin = true
	}
	c.stdin = c.stdin && !help
	return c
}

// startsProgram reports whether the first word names a program that the host program runs by itself. Its help comes
// from the host.
func startsProgram(args []string) bool {
	found := false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--help" || a == "-h":
			return false
		case found || a == "":
		case a[0] != '-':
			if !isProgram(a) {
				return false
			}
			found = true
		case takesValue(a):
			i++
		}
	}
	return found
}

// isForwarded reports whether a variable (NAME=value) is sent to the host. All others stay here, since environments
// contain secrets.
func isForwarded(entry string) bool {
	n := 0
	for n < len(entry) && entry[n] != '=' {
		n++
	}
	if n == len(entry) {
		return false
	}
	name := entry[:n]
	for i := range callenv.Names {
		if name == callenv.Names[i] {
			return true
		}
	}
	return hasBeginning(name, callenv.Beginnings[:])
}

func hasBeginning(s string, beginnings []string) bool {
	for i := range beginnings {
		if hasPrefix(s, beginnings[i]) {
			return true
		}
	}
	return false
}

// isProviderVariable reports whether a variable configures a browser provider. Such variables contain keys: they are
// sent only with a command line that uses a provider.
func isProviderVariable(entry string) bool {
	return hasBeginning(entry, callenv.ProviderBeginnings[:])
}

// asksModel reports whether a command that starts with the word may ask a language model.
func asksModel(word string) bool { return word == "chat" || word == "task" }

// isModelVariable reports whether a variable configures a language model. Such variables contain keys: they are sent
// only with a command that asks a model.
func isModelVariable(entry string) bool {
	return hasBeginning(entry, callenv.ModelBeginnings[:])
}

// granted reports whether the arguments grant a task the secret in a variable, as `--grant name=env:VARIABLE` does.
// Only such a variable is sent with that command line.
func granted(args []string, entry string) bool {
	const mark = callenv.GrantMark
	n := 0
	for n < len(entry) && entry[n] != '=' {
		n++
	}
	name := entry[:n]
	for _, a := range args {
		for i := 0; i+len(mark)+n <= len(a) && n > 0; i++ {
			if a[i:i+len(mark)] != mark || !hasPrefix(a[i+len(mark):], name) {
				continue
			}
			if rest := a[i+len(mark)+n:]; rest == "" || rest[0] == '@' {
				return true
			}
		}
	}
	return false
}

// asksProvider reports whether a variable (NAME=value) selects a provider.
func asksProvider(entry string) bool {
	for i := range callenv.ProviderNames {
		if n := len(callenv.ProviderNames[i]); hasPrefix(entry, callenv.ProviderNames[i]) && len(entry) > n &&
			entry[n] == '=' {
			return true
		}
	}
	return false
}

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

// baseName returns the last element of a path, without .exe on Windows.
func baseName(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if isSeparator(path[i]) {
			path = path[i+1:]
			break
		}
	}
	if n := len(path) - len(".exe"); programSuffix != "" && n > 0 && path[n:] == ".exe" {
		path = path[:n]
	}
	return path
}
