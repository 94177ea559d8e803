package input

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// has reports whether a mode that is an object was given.
func has(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func attached(p *contract.Params) bool {
	var q struct {
		Attached bool `json:"attached"`
	}
	return has(p.QA) && json.Unmarshal(p.QA, &q) == nil && q.Attached
}

func isObserve(f actions.Flag) bool { return f.Name == "observe" }

// splitName are the words of the command's name as they are in the line.
func splitName(w *argv.Words) []string {
	return strings.Fields(w.Command + " " + w.Subcommand)
}

// checkArgs checks a command line of the caller's own.
func (c *Line) checkArgs(hasStdin bool) error {
	for _, check := range []func(*Line) error{
		(*Line).shellWords, (*Line).wrongPlace, (*Line).oneKey, (*Line).flagValues, (*Line).oneSession,
	} {
		if err := check(c); err != nil {
			return err
		}
	}
	return c.readsStdin(hasStdin)
}

var shellOperators = []string{"&&", "||", "|", ";", ">", ">>", "<"}

func (c *Line) shellWords() error {
	if len(c.Args) == 0 {
		return wrong("args needs at least one command token, such as [\"open\", \"https://example.com\"].")
	}
	for _, word := range c.Args {
		if slices.Contains(shellOperators, word) {
			return wrong("Do not pass shell operators like %s in args: no shell reads them. Use batch for several commands.",
				word)
		}
	}
	return nil
}

// wrongPlace refuses what belongs elsewhere.
func (c *Line) wrongPlace() error {
	w := &c.Words
	for _, word := range c.Args {
		if word == "--session-mode" || strings.HasPrefix(word, "--session-mode=") {
			return wrong("Do not pass `--session-mode` in args; use the top-level field sessionMode.")
		}
	}
	if w.Does(trait.ServesTools) && !w.Help {
		return wrong(
			"mcp starts a server for external MCP clients, which a tool call cannot be one of. Run the browser " +
				"commands directly.")
	}
	if w.Entry.Waits() && slices.ContainsFunc(w.Rest(), func(s string) bool {
		return strings.HasPrefix(s, "--download=")
	}) {
		return wrong("Pass the path of wait --download as its own token: [\"wait\", \"--download\", \"<path>\"].")
	}
	return nil
}

// keyLabel is what a command that takes one key is called in messages: by the word that was typed, and by its own,
// where that is another one.
func keyLabel(w *argv.Words) string {
	if w.Command == w.Name() {
		return w.Command
	}
	return w.Command + "/" + w.Name()
}

// isWord reports whether a word is made of letters and digits alone, as the names of keys are, and refs and selectors
// are not.
func isWord(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func (c *Line) oneKey() error {
	w := &c.Words
	// with the element that gets it
	takes := len(w.Positionals) == 1 || len(w.Positionals) == 2 && len(w.Entry.Args) == 2 && !isWord(w.Positionals[1])
	if w.Entry.TakesKey() && !w.Inspects() && !takes {
		return wrong(
			"%s accepts exactly one key argument, and got %d. Write key combinations as one word, such as Control+a.",
			keyLabel(w), len(w.Positionals))
	}
	return nil
}

// flagValues refuses globals in front of the command that lack their value, which would take the command for it.
func (c *Line) flagValues() error {
	w := &c.Words
	for i := range w.Flags {
		f := &w.Flags[i]
		if !f.Leading || !f.NeedsValue || f.HasValue && (f.Value != "" || f.Name == "namespace") {
			continue
		}
		invalid := &contract.InvalidValueFlag{Flag: f.Token, Index: f.Index, Reason: "missing-value"}
		c.Details.InvalidValueFlag = invalid
		if !f.HasValue && f.Index+1 < len(c.Args) {
			invalid.Reason, invalid.ReceivedToken = "unexpected-flag", c.Args[f.Index+1]
			return wrong("%s requires a value, but received the flag %s.", f.Token, invalid.ReceivedToken)
		}
		return wrong("%s requires a value immediately after it.", f.Token)
	}
	return nil
}

// oneSession refuses command lines whose session depends on who reads them.
func (c *Line) oneSession() error {
	w := &c.Words
	for _, name := range []string{"session", "namespace"} {
		count := 0
		for i := range w.Flags {
			f := &w.Flags[i]
			if !f.Global || f.Name != name || !f.HasValue {
				continue
			}
			if f.Inline && f.Leading {
				return wrong("Do not pass --%s=<name> in args; write --%[1]s <name> as two tokens.", name)
			}
			if count++; count > 1 {
				return wrong("Pass --%s only once.", name)
			}
		}
	}
	return nil
}

// readsStdin checks that the command reads the stdin that was given, and moves the code of an `eval --stdin <code>`
// there.
func (c *Line) readsStdin(given bool) error {
	w := &c.Words
	evals := w.Has("stdin") && w.ReadsStdin()
	switch {
	case w.Inspects() && given:
		return wrong("stdin is not read by a call that asks for help or the version.")
	case evals && !given && len(w.Positionals) > 0:
		return c.moveCode()
	case !given, w.ReadsStdin():
		return nil
	}
	return wrong("stdin is only read by eval --stdin, batch, run, and auth save --password-stdin; %s does not read it.",
		w.Name())
}

// moveCode makes the words behind --stdin the stdin.
func (c *Line) moveCode() error {
	at := slices.Index(c.Args, "--stdin")
	code := c.Args[at+1:]
	if len(code) == 0 {
		return nil // the code comes before the flag, and the command says what is wrong with that
	}
	c.Stdin = []byte(strings.Join(code, " "))
	c.Args = slices.Clone(c.Args[:at+1])
	c.Words = argv.Read(c.Args)
	return nil
}
