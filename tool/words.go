package tool

import "strings"

// words are what the tool has to know of a command line.
type words struct {
	session    string // of --session, if given
	command    string
	subcommand string
	rest       []string // from the command on
}

func readWords(args []string) words {
	var w words
	for i := 0; i < len(args); i++ {
		if args[i] == "--session" && i+1 < len(args) {
			w.session = args[i+1]
			i++
			continue
		}
		if strings.HasPrefix(args[i], "-") {
			continue
		}
		w.rest = args[i:]
		break
	}
	if len(w.rest) > 0 {
		w.command = w.rest[0]
	}
	if len(w.rest) > 1 && !strings.HasPrefix(w.rest[1], "-") {
		w.subcommand = w.rest[1]
	}
	return w
}
