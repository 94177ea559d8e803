package manual

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
)

// Help returns the help for a topic as program prints it, without trailing newline. A topic is a command's name or
// alias, or the first words of several; everything else gives the overview.
func Help(r *actions.Registry, program, topic string) string {
	var p page
	dropIn := program == grammar.UpstreamName
	switch c, known := r.Lookup(topic); {
	case known && dropIn:
		dropInCommand(r, &p, topic, c)
	case known:
		helpCommand(r, &p, program, topic, c)
	case topic != "" && r.Begins(topic):
		p.line("Usage: %s %s <subcommand>", program, topic)
		if dropIn {
			dropInFamily(r, &p, topic, nil)
			break
		}
		p.section("Subcommands", membersOf(r, topic))
		p.line("")
		p.line("`%s %s <subcommand> --help` tells more.", program, topic)
	case dropIn:
		dropInAll(r, &p)
	default:
		helpAll(r, &p, program)
	}
	return strings.TrimRight(p.String(), "\n")
}

// page is a help text that is being written.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// paragraph writes a text about something, unless it is empty.
func (p *page) paragraph(about, text string) {
	if text != "" {
		p.line("")
		p.line("%s: %s", about, strings.Trim(text, "\n"))
	}
}

// section writes a title and rows of two columns, unless there are no rows.
func (p *page) section(title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	const widest = 42 // what is longer pushes its own text to the right, and no other
	width := 0
	for _, row := range rows {
		if n := utf8.RuneCountInString(row[0]); n <= widest {
			width = max(width, n)
		}
	}
	if !strings.Contains(title, ":") { // agent-browser's headings have one
		title += ":"
	}
	p.line("")
	p.line("%s", title)
	for _, row := range rows {
		p.line("%s", strings.TrimRight(fmt.Sprintf("  %-*s  %s", width, row[0], row[1]), " "))
	}
}

// helpAll writes the overview.
func helpAll(r *actions.Registry, p *page, program string) {
	p.line("%s: a browser for agents", program)
	p.line("")
	p.line("Usage: %s %s", program, grammar.SynopsisOfAll)
	for _, group := range groups(r) {
		p.section(string(group.name), group.overview())
	}
	p.section("Global flags", globalRows())
	p.line("")
	p.line("Flags without a value take true or false, too. For SKUA_X, AGENT_BROWSER_X is read, too.")
	p.line("`%s <command> --help` tells more about a command.", program)
}

// Start returns what a caller who typed nothing is shown: the lines to begin with, which are examples of commands.
// Without a browser the line that gets one comes first.
func Start(r *actions.Registry, program string, hasBrowser bool) string {
	type line struct {
		at  int
		row [2]string
	}
	var lines []line
	for _, c := range r.Commands() {
		for _, ex := range c.Examples {
			if ex.Start > 0 || ex.Start == actions.StartWithoutBrowser && !hasBrowser {
				lines = append(lines, line{ex.Start, [2]string{program + " " + ex.Line, ex.Note}})
			}
		}
	}
	slices.SortFunc(lines, func(a, b line) int { return a.at - b.at })
	var p page
	p.line("%s: a browser for agents", program)
	if !hasBrowser {
		p.line("")
		p.line("There is no browser on this machine yet: the first line gets one.")
	}
	rows := make([][2]string, len(lines))
	for i, l := range lines {
		rows[i] = l.row
	}
	p.section("Type", rows)
	p.line("")
	p.line("`%s --help` lists all commands, `%s <command> --help` explains one.", program, program)
	return strings.TrimRight(p.String(), "\n")
}

// helpCommand writes the help of one command under one of its names.
func helpCommand(r *actions.Registry, p *page, program, name string, c *actions.Command) {
	if program == grammar.UpstreamName { // as its help begins
		p.line("%s %s - %s", program, name, c.Summary)
	} else {
		p.line("%s", c.Summary)
	}
	p.line("")
	p.line("Usage: %s %s", program, c.Synopsis(name))
	if c.Help != "" {
		p.line("")
		p.line("%s", strings.Trim(c.Help, "\n"))
	}
	var rows [][2]string
	for i := range c.Args {
		rows = append(rows, [2]string{c.Args[i].Listed(), c.Args[i].Described()})
	}
	p.section("Arguments", rows)
	rows = nil
	for i := range c.Flags {
		f := &c.Flags[i]
		rows = append(rows, [2]string{indentFlag(f), f.Described()})
	}
	p.section("Flags", rows)
	if r.Begins(c.Name) {
		p.section("Subcommands", membersOf(r, c.Name))
	}
	p.line("")
	p.line("Effects: %s", c.Effect.Words())
	if c.Stdin != nil {
		p.line("Reads standard input.")
	}
	if others := otherNames(c, name); len(others) > 0 {
		p.line("Also: %s", strings.Join(others, ", "))
	}
	rows = nil
	for _, ex := range c.Examples {
		rows = append(rows, [2]string{program + " " + ex.Line, ex.Note})
	}
	p.section("Examples", rows)
	if program == grammar.UpstreamName {
		return // it names them
	}
	p.line("")
	p.line("Global flags are in `%s --help`.", program)
}

// otherNames returns the names of a command other than the one in use.
func otherNames(c *actions.Command, name string) []string {
	return slices.DeleteFunc(append([]string{c.Name}, c.Aliases...), func(s string) bool { return s == name })
}

// indentFlag returns a flag so that the long names of a list stand below each other.
func indentFlag(f *actions.Flag) string {
	if f.Short == "" {
		return "    " + f.Listed()
	}
	return f.Listed()
}

// membersOf returns rows for the commands whose names begin with a command's or family's words.
func membersOf(r *actions.Registry, family string) (rows [][2]string) {
	for _, c := range r.Commands() {
		if strings.HasPrefix(c.Name, family+" ") {
			rows = append(rows, [2]string{c.Form(c.Name), c.Summary})
		}
	}
	return rows
}

// globalRows returns the rows of the global flags.
func globalRows() (rows [][2]string) {
	for _, f := range actions.Globals() {
		text := f.Described()
		if f.Env != "" {
			text += " [SKUA_" + f.Env + "]"
		}
		rows = append(rows, [2]string{indentFlag(&f), text})
	}
	return rows
}

// group is a section of the overview and of the reference.
type group struct {
	name     actions.Group
	commands []*actions.Command
}

// groups returns the groups with their commands.
func groups(r *actions.Registry) (groups []group) {
	for _, c := range r.Commands() {
		i := slices.IndexFunc(groups, func(g group) bool { return g.name == c.Group })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{name: c.Group})
		}
		groups[i].commands = append(groups[i].commands, c)
	}
	return groups
}

// overview returns a row for each command; a family of many gets one row for all.
func (g group) overview() (rows [][2]string) {
	const many = 3
	families := map[string][]string{}
	for _, c := range g.commands {
		if first, rest, more := strings.Cut(c.Name, " "); more {
			families[first] = append(families[first], rest)
		}
	}
	for _, c := range g.commands {
		first, rest, more := strings.Cut(c.Name, " ")
		switch members := families[first]; {
		case !more || len(members) < many:
			rows = append(rows, [2]string{c.Form(c.Name), c.Summary})
		case rest == members[0]:
			rows = append(rows, [2]string{first + " …", strings.Join(members, ", ")})
		}
	}
	return rows
}
