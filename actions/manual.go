package actions

import (
	"fmt"
	"slices"
	"strings"
)

// ManualPage is a page of the manual.
type ManualPage struct {
	Name string // of its file, without the section: "skua-get"
	Text string // roff with the macros of man(7)
}

// Manuals returns the manual: the page of the program and one for each first word of the commands.
func (r *Registry) Manuals(version string) []ManualPage {
	pages := []ManualPage{{Name: "skua", Text: r.Manual("", version)}}
	var seen []string
	for _, c := range r.commands {
		first, _, _ := strings.Cut(c.Name, " ")
		if !slices.Contains(seen, first) {
			seen = append(seen, first)
			pages = append(pages, ManualPage{Name: "skua-" + first, Text: r.Manual(first, version)})
		}
	}
	return pages
}

// Manual returns the manual page about a command or a family of them, given by its words or an alias, and that of the program for anything
// else.
func (r *Registry) Manual(topic, version string) string {
	m := &manual{}
	first, _, _ := strings.Cut(topic, " ")
	if e := r.names[topic]; e != nil {
		first, _, _ = strings.Cut(e.cmd.Name, " ")
	}
	var members []*Command
	for _, c := range r.commands {
		if c.Name == first || strings.HasPrefix(c.Name, first+" ") {
			members = append(members, c)
		}
	}
	if len(members) == 0 {
		r.manualOfAll(m, version)
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
		m.line("\\fBskua\\fR %s", roff(synopsis(c, c.Name)))
	}
	m.section("DESCRIPTION")
	for _, c := range members {
		m.command(c)
	}
	m.section("SEE ALSO")
	m.line(".BR skua (1)")
	return m.String()
}

// manual is a page that is being written.
type manual struct{ strings.Builder }

func (m *manual) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

func (m *manual) section(title string) { m.line(".SH %s", title) }

func (m *manual) title(name, version string) {
	m.line(".TH %s 1 \"\" \"skua %s\" \"Manual of skua\"", roff(strings.ToUpper(name)), roff(version))
}

// text writes paragraphs, which empty lines separate.
func (m *manual) text(text string) {
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
func (m *manual) item(term, text string) {
	m.line(".TP")
	m.line("\\fB%s\\fR", roff(term))
	if text == "" {
		text = "\u00a0"
	}
	m.line("%s", roffLine(text))
}

func (m *manual) command(c *Command) {
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
		m.item(argumentListed(&c.Args[i]), describeArg(&c.Args[i]))
	}
	for i := range c.Flags {
		m.item(flagShown(&c.Flags[i]), describeFlag(&c.Flags[i]))
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

func (r *Registry) manualOfAll(m *manual, version string) {
	m.title("skua", version)
	m.section("NAME")
	m.line("skua \\- a browser for agents")
	m.section("SYNOPSIS")
	m.line("\\fBskua\\fR %s", roff(synopsisOfAll))
	m.section("DESCRIPTION")
	m.text("Skua drives a browser, and shows a page as a short snapshot in which elements have refs such as @e2, which commands take.\n\n" +
		"The page of a command is found under its first word: skua-click(1), skua-get(1).")
	for _, g := range r.groups() {
		m.line(".SS %s", roff(string(g.name)))
		for _, c := range g.commands {
			m.item(call(c, c.Name), c.Summary)
		}
	}
	m.section("OPTIONS")
	m.text("They go before or after the command. Flags without a value also take true or false.")
	for _, s := range r.globals {
		m.item(flagShown(s.flag), describeFlag(s.flag))
	}
	m.section("ENVIRONMENT")
	m.text("For SKUA_X, AGENT_BROWSER_X is read, too, when the former is not set. A flag wins over a variable, and a variable over a configuration file.")
	for _, s := range r.globals {
		if s.flag.Env != "" {
			m.item("SKUA_"+s.flag.Env, "The same as --"+s.name)
		}
	}
	m.section("FILES")
	m.item("~/.config/skua/config.json", "Settings of the user; `skua config schema` prints what it may say")
	m.item("~/.agent-browser/config.json", "Settings of the user that agent-browser has, too")
	m.item("skua.json, agent-browser.json", "Settings of a project, few of which count")
	m.section("EXIT STATUS")
	m.text("0 when the command was done, 1 when it was not.")
}

// roff escapes text, so that the page shows it unchanged. What is not ASCII goes by its number, which all formatters read.
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
