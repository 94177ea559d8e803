package planning

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
)

// shape is a form of a command that works on the machine instead of in a session.
type shape struct {
	subcommands []string
	words       int      // how many further words there may be; -1: any number
	flags       []string // that it may have; nil: any
}

// sessionless are the commands that need no session. The registry cannot say it: that a command needs no browser (actions.NoBrowser) is true
// of `close` and `stream status` as well, which are about a session, and half of these only the agent-browser program has.
func sessionless(command string) (shape, bool) {
	switch command {
	case "skills":
		return shape{subcommands: []string{"list", "get", "path"}, words: -1}, true
	case "auth":
		return shape{subcommands: []string{"save", "list", "show", "delete", "remove"}, words: -1}, true
	case "plugin":
		return shape{subcommands: []string{"", "add", "list", "show", "run"}, words: -1}, true
	case "profiles", "install", "upgrade":
		return shape{words: -1}, true
	case "doctor":
		return shape{}, true
	case "dashboard":
		return shape{subcommands: []string{"", "start", "stop", "status"}, flags: []string{"port"}}, true
	case "device":
		return shape{subcommands: []string{"list"}}, true
	case "session":
		return shape{subcommands: []string{"list", "info", "id"}, words: -1}, true
	case "state":
		return shape{subcommands: []string{"list", "show", "rename", "clear", "clean"}, words: 2, flags: []string{"all", "older-than"}}, true
	}
	return shape{}, false
}

// Sessionless reports whether a command line needs no session unless it names one.
func Sessionless(w *argv.Words) bool {
	if w.Does(trait.ServesTools) {
		return w.Help
	}
	s, ok := sessionless(w.Command)
	if !ok {
		return false
	}
	sub, words := subcommand(w)
	if s.subcommands != nil && !slices.Contains(s.subcommands, sub) {
		return false
	}
	if s.subcommands == nil {
		words = subcommandWords(w)
	}
	if s.words >= 0 && len(words) > s.words {
		return false
	}
	if w.Command == "state" && !targeted(w, sub, words) {
		return false
	}
	for i := range w.Flags {
		if f := &w.Flags[i]; !f.Global && s.flags != nil && !slices.Contains(s.flags, f.Name) {
			return false
		}
	}
	return true
}

// targeted reports whether a line on saved states says which ones it means.
func targeted(w *argv.Words, sub string, words []string) bool {
	switch sub {
	case "clear":
		return (len(words) == 1) != w.Has("all")
	case "clean":
		return len(words) == 0 && w.Has("older-than")
	}
	return true
}

// subcommand returns the second word of the command, and the words after it, whether or not the registry takes it for a part of the name.
func subcommand(w *argv.Words) (sub string, words []string) {
	all := subcommandWords(w)
	if len(all) == 0 {
		return "", nil
	}
	return all[0], all[1:]
}

func subcommandWords(w *argv.Words) []string {
	if w.Subcommand == "" {
		return w.Positionals
	}
	return append(strings.Fields(w.Subcommand), w.Positionals...)
}
