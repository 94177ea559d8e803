package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
)

// Page is a page of the manual.
type Page struct {
	Name string // of its file, without the section: "skua-get"
	Text string // roff with the macros of man(7)
}

// Pages returns the manual: the page of the program and one for each first word of the commands.
func Pages(r *actions.Registry, version string) []Page {
	pages := []Page{{Name: "skua", Text: Roff(r, "", version)}}
	var seen []string
	for _, c := range r.Commands() {
		first, _, _ := strings.Cut(c.Name, " ")
		if !slices.Contains(seen, first) {
			seen = append(seen, first)
			pages = append(pages, Page{Name: "skua-" + first, Text: Roff(r, first, version)})
		}
	}
	return pages
}

// Roff returns the manual page about a command or a family of them, given by its words or an alias, and that of the
// program for anything else.
func Roff(r *actions.Registry, topic, version string) string {
	m := &roffPage{}
	first, _, _ := strings.Cut(topic, " ")
	if c, known := r.Lookup(topic); known {
		first, _, _ = strings.Cut(c.Name, " ")
	}
	var members []*actions.Command
	for _, c := range r.Commands() {
		if c.Name == first || strings.HasPrefix(c.Name, first+" ") {
			members = append(members, c)
		}
	}
	if len(members) == 0 {
		manualOfAll(r, m, version)
		return m.String()
	}
	m.title("skua-"+first, version)
	about := members[0].Summary
	if len(members) > 1 && members[0].Name != first {
		about = "the commands that begin with " + first
	}
	m.section("NAME")
	m.line("skua\\-%s \\- %s", roff(first), roff(about))
	m.section("SYNOPSIS")
	for i, c := range members {
		if i > 0 {
			m.line(".br")
		}
		m.line("\\fBskua\\fR %s", roff(c.Synopsis(c.Name)))
	}
	m.section("DESCRIPTION")
	for _, c := range members {
		m.command(c)
	}
	m.section("SEE ALSO")
	m.line(".BR skua (1)")
	return m.String()
}

// roffPage is a page that is being written.
type roffPage struct{ strings.Builder }

func (m *roffPage) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

func (m *roffPage) section(title string) { m.line(".SH %s", title) }

func (m *roffPage) title(name, version string) {
	m.line(".TH %s 1 \"\" \"skua %s\" \"Manual of skua\"", roff(strings.ToUpper(name)), roff(version))
}

// text writes paragraphs, which empty lines separate.
func (m *roffPage) text(text string) {
	for i, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			m.line(".PP")
		}
		lines := strings.Split(paragraph, "\n")
		for j, line := range lines {
			if j > 0 {
				m.line(".br")
			}
			m.line("%s", roffLine(line))
		}
	}
}

// item writes a term and what it means.
func (m *roffPage) item(term, text string) {
	m.line(".TP")
	m.line("\\fB%s\\fR", roff(term))
	if text == "" {
		text = "\u00a0"
	}
	m.line("%s", roffLine(text))
}

func (m *roffPage) command(c *actions.Command) {
	m.line(".SS %s", roff("skua "+c.Name))
	m.text(c.Summary + ".")
	if c.Help != "" {
		m.line(".PP")
		m.text(c.Help)
	}
	if len(c.Aliases) > 0 {
		m.line(".PP")
		m.text("Also: " + strings.Join(c.Aliases, ", ") + ".")
	}
	for i := range c.Args {
		m.item(c.Args[i].Listed(), c.Args[i].Described())
	}
	for i := range c.Flags {
		m.item(c.Flags[i].Listed(), c.Flags[i].Described())
	}
	if len(c.Examples) > 0 {
		m.line(".PP")
		m.line("Examples:")
		m.line(".PP")
		m.line(".nf")
		for _, example := range c.Examples {
			m.line("%s", roffLine("    skua "+example.Line))
		}
		m.line(".fi")
	}
}

func manualOfAll(r *actions.Registry, m *roffPage, version string) {
	m.title("skua", version)
	m.section("NAME")
	m.line("skua \\- a browser for agents")
	m.section("SYNOPSIS")
	m.line("\\fBskua\\fR %s", roff(grammar.SynopsisOfAll))
	m.section("DESCRIPTION")
	m.text(
		"Skua drives a browser, and shows a page as a short snapshot in which elements have refs such as @e2, which " +
			"commands take.\n\n" +
			"The page of a command is found under its first word: skua-click(1), skua-get(1).")
	for _, g := range groups(r) {
		m.line(".SS %s", roff(string(g.name)))
		for _, c := range g.commands {
			m.item(c.Form(c.Name), c.Summary)
		}
	}
	m.section("OPTIONS")
	m.text("They go before or after the command. Flags without a value also take true or false.")
	for _, f := range actions.Globals() {
		m.item(f.Listed(), f.Described())
	}
	m.section("ENVIRONMENT")
	m.text(
		"For SKUA_X, AGENT_BROWSER_X is read, too, when the former is not set. A flag wins over a variable, and a variable " +
			"over a configuration file.")
	for _, f := range actions.Globals() {
		if f.Env != "" {
			m.item("SKUA_"+f.Env, "The same as --"+f.Name)
		}
	}
	m.section("FILES")
	m.item("~/.config/skua/config.json", "Settings of the user; `skua config schema` prints what it may say")
	m.item("~/.agent-browser/config.json", "Settings of the user that agent-browser has, too")
	m.item("skua.json, agent-browser.json", "Settings of a project, few of which count")
	m.section("EXIT STATUS")
	m.text("0 when the command was done, 1 when it was not.")
}

// roff escapes text, so that the page shows it unchanged. What is not ASCII goes by its number, which all formatters
// read.
func roff(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c == '\\':
			b.WriteString(`\e`)
		case c == '-':
			b.WriteString(`\-`)
		case c == '\'':
			b.WriteString(`\(aq`)
		case c == '`':
			b.WriteString(`\(ga`)
		case c == '^':
			b.WriteString(`\(ha`)
		case c == '~':
			b.WriteString(`\(ti`)
		case c < ' ':
			b.WriteByte(' ')
		case c > '~':
			fmt.Fprintf(&b, `\[u%04X]`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// roffLine is roff for the beginning of a line, where a point would be a request.
func roffLine(text string) string {
	text = roff(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}
