package showing

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// Command is one command and its result, without secrets.
type Command struct {
	Words   *argv.Words
	Success bool
	Data    any
	Text    string // what a person would be shown; natively it is made for agents. Empty from a subprocess
	Error   string
	JSON    bool                // the caller wants JSON to read
	Known   string              // the address that the caller knows of the session's page
	Page    contract.PageTarget // what the session shows after the command
	Cleared bool                // the log that is shown was emptied by the same caller for this purpose
	Keep    SpillFunc
	Heads   []string // what is said before the text
}

// SpillFunc puts a text on disk that is too long to show, and returns where it is.
type SpillFunc func(kind, ext, text string) (path string, err error)

// View is what there is to see of a command.
type View struct {
	Text       string
	Summary    string
	Data       any    // in place of the command's
	FullOutput string // where the whole of a preview is
	KeepError  string // why it is nowhere
	Bounded    bool   // the text has a budget of its own, and may be longer than others
	Navigation *contract.NavigationSummary
}

// Show returns the view of a command that was run.
func Show(c *Command) View {
	v := View{Data: c.Data}
	if !c.Success {
		v.Text = c.Error
		if v.Text == "" {
			v.Text = c.Text
		}
		v.Summary = firstLine(v.Text, 160)
		return finished(c, v)
	}
	family := familyOf(c.Words)
	switch {
	case c.Words.Inspects() || waits(c.Data):
		// help and versions are text; and what waits for a confirmation has not been done
		family = nil
	case family == nil && c.Words.Entry != nil && c.Words.Entry.Brief != nil:
		family = brief
	}
	if family == nil || !family(c, &v) {
		general(c, &v)
	}
	if len(c.Heads) > 0 {
		v.Text = strings.Join(c.Heads, "\n") + "\n" + v.Text
	}
	return finished(c, v)
}

// waits reports whether the data says that the command waits for a confirmation.
func waits(data any) bool {
	if held, ok := data.(actions.HeldResult); ok {
		return held.ConfirmationRequired
	}
	m, _ := data.(map[string]any) // of another program
	return m["confirmation_required"] == true || m["confirmationRequired"] == true || m["requires_confirmation"] == true ||
		m["requiresConfirmation"] == true
}

// finished bounds a view, and turns it into JSON for who wants that.
func finished(c *Command, v View) View {
	if v.FullOutput == "" && v.KeepError == "" && !v.Bounded {
		large(c, &v)
	}
	if v.Summary == "" {
		v.Summary = firstLine(v.Text, 160)
	}
	if c.JSON {
		v.Text = envelope(c, v.Data)
	}
	return v
}

// brief shows a command as its definition says.
func brief(c *Command, v *View) bool {
	v.Text = c.Words.Entry.Brief(c.Data)
	return v.Text != ""
}

// object returns the members of what is an object in JSON.
func object(v any) map[string]any { return fact.Read[map[string]any](v) }

func str(m map[string]any, name string) string {
	s, _ := m[name].(string)
	return s
}

func list(m map[string]any, names ...string) ([]any, bool) {
	for _, name := range names {
		if l, ok := m[name].([]any); ok {
			return l, true
		}
	}
	return nil, false
}

// clip shortens a text to a number of bytes, the ellipsis among them.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return wording.ClipBytes(s, most-len("…"))
}

func firstLine(s string, most int) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return clip(line, most)
}

func number(n int) string { return strconv.Itoa(n) }
