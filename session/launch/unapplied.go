package launch

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// namesBrowser are the options that say which browser a command is for. Another one is never used in its place,
// wherever the option comes from.
var namesBrowser = []string{"cdp", "auto-connect", "provider"}

// Unapplied decides about what a running browser lacks, as [Options.NotIn] returns it, for a command that keeps the
// browser. The error is for options that the caller typed, and for those that name a browser: without them, the command
// would not be what was asked for. The note is for options of the environment and configuration files. An option that a
// call leaves out is neither.
func (l Options) Unapplied(differ []string) (note string, err error) {
	var refused, noted []string
	for _, flag := range differ {
		name, isFlag := strings.CutPrefix(flag, "--")
		name, _, _ = strings.Cut(name, " ")
		switch {
		case strings.HasPrefix(flag, "no --") && !l.plainTrust:
		case !isFlag, slices.Contains(l.Typed, name), slices.Contains(namesBrowser, name), l.plainTrust:
			refused = append(refused, flag)
		default:
			noted = append(noted, flag)
		}
	}
	if len(noted) > 0 {
		note = "not applied: " + strings.Join(noted, ", ") + " (use `close` first, or another --session)"
	}
	if len(refused) > 0 {
		err = fault.New(fault.BrowserOptions, "the session's browser already runs %s; nothing was done", conflict(refused)).
			About(refused[0]).
			WithHint("`open` a URL with it to start a browser that has it, `close` the session first, or use another --session.")
	}
	return note, err
}

// conflict says how a running browser differs from the options that were refused: "without --proxy, with --ca-cert".
func conflict(refused []string) string {
	words := make([]string, len(refused))
	for i, flag := range refused {
		if left, isLeft := strings.CutPrefix(flag, "no "); isLeft {
			words[i] = "with " + left
		} else {
			words[i] = "without " + flag
		}
	}
	return strings.Join(words, ", ")
}
