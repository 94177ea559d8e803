package showing

import (
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// general hints begin with this; a text has at most one of them.
const hintMark = "Agent-browser hint:"

// getterUsage returns how a command is written that reads from a page what a word says that was taken for a command,
// such as title; empty means that none does.
func getterUsage(word string) string {
	for _, c := range argv.Registry().Commands() {
		if !yieldsOneOf(c, values) || !strings.HasSuffix(c.Name, " "+word) {
			continue
		}
		words := []string{c.Name}
		for i := range c.Args {
			words = append(words, "<"+c.Args[i].Name+">")
		}
		return strings.Join(words, " ")
	}
	return ""
}

// Hint says what to do about a failure, where its text does not say so. text is all that is shown of it.
func Hint(w *argv.Words, category contract.FailureCategory, text string) string {
	lower := strings.ToLower(text)
	var hints []string
	if general := generalHint(w, category, lower); general != "" && !strings.Contains(text, hintMark) {
		hints = append(hints, hintMark+" "+general)
	}
	add := func(mark, hint string) {
		if !strings.Contains(text, mark) {
			hints = append(hints, mark+" "+hint)
		}
	}
	if w.Akin(trait.AboutClipboard) &&
		(strings.Contains(lower, "permission") || strings.Contains(lower, "notallowed") ||
			strings.Contains(lower, "not focused")) {
		add("Agent-browser clipboard hint:",
			"the page may not use the clipboard. Allow it with `set permissions`, or read the text with `get text` and type "+
				"it with `fill`.")
	}
	if w.Entry == nil && argv.Lookup(w.Subcommand).TakesKey() {
		add("Agent-browser keyboard hint:", "keys are pressed by `press <key>`; `keyboard` has type and inserttext.")
	}
	if isLoopback(w) && category != contract.PolicyBlocked &&
		(strings.Contains(lower, "connection_refused") || strings.Contains(lower, "connection refused") ||
			strings.Contains(lower, "empty_response") || strings.Contains(lower, "connection_reset")) {
		add("Agent-browser local fixture hint:",
			"nothing answers at this address of the local machine. Start its server, and check that it listens on this port "+
				"and host, before you open it again.")
	}
	return strings.Join(hints, "\n")
}

func generalHint(w *argv.Words, category contract.FailureCategory, lower string) string {
	switch {
	case category == contract.StaleRef && !strings.Contains(lower, "snapshot"):
		return "refs belong to the snapshot that showed them. Take a new `snapshot -i` and use its refs."
	case category == contract.SelectorUnsupported:
		return "selectors are CSS, or xpath=…; for what a person sees use `find role|text|label|placeholder|testid <value> " +
			"<action>`, or a ref of `snapshot -i`."
	}
	for _, unknown := range [...]string{"unknown command", "unknown subcommand", "unrecognized command"} {
		if strings.Contains(lower, unknown) {
			if usage := getterUsage(w.Command); usage != "" {
				return "commands that read from a page begin with `get`: `" + usage + "`."
			}
		}
	}
	return ""
}

// isLoopback reports whether a line opens an address of this machine.
func isLoopback(w *argv.Words) bool {
	if !w.Entry.Loads() {
		return false
	}
	address := strings.ToLower(w.Positional(0))
	if _, rest, ok := strings.Cut(address, "://"); ok {
		address = rest
	}
	for _, host := range [...]string{"localhost", "127.", "[::1]", "0.0.0.0"} {
		if strings.HasPrefix(address, host) {
			return true
		}
	}
	return false
}

// NextActions lists follow-ups as calls that can be sent unchanged.
func NextActions(actions []contract.NextAction) string {
	const most, longest = 3, 300 // actions, and bytes of a call: a part of one cannot be sent
	if len(actions) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Next actions:")
	for _, a := range actions[:min(len(actions), most)] {
		b.WriteString("\n- " + a.ID + ": ")
		if a.Tool != contract.ToolName { // one of a client that has others
			b.WriteString(a.Tool + " " + compactJSON(a.Params))
			continue
		}
		switch params := compactJSON(a.Params); {
		case !a.Params.IsZero() && len(params) <= longest:
			b.WriteString(params)
		case !a.Params.IsZero():
			b.WriteString(clip(a.Reason, 160) + " The call is in details.nextActions.")
		case a.ArtifactPath != "":
			b.WriteString(a.ArtifactPath)
		default:
			b.WriteString(clip(a.Reason, 160))
		}
	}
	if left := len(actions) - most; left > 0 {
		b.WriteString("\n(" + number(left) + " more in details.nextActions)")
	}
	return b.String()
}
