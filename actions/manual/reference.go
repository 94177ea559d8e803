package manual

import (
	"reflect"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/internal/fault"
)

// Reference returns the command reference of the documentation: Markdown of all commands, by group.
func Reference(r *actions.Registry, program string) string {
	var p page
	p.line("# Commands")
	p.line("")
	p.line("This page is generated from the command registry. `%s <command> --help` prints the same.", program)
	groups := groups(r)
	p.line("")
	for _, g := range groups {
		names := make([]string, len(g.commands))
		for i, c := range g.commands {
			names[i] = "[`" + c.Name + "`](#" + anchor(c.Name) + ")"
		}
		p.line("- %s: %s", g.name, strings.Join(names, ", "))
	}
	p.line("- [Global flags](#global-flags), [effects](#effects), [error codes](#error-codes)")
	for _, g := range groups {
		p.line("")
		p.line("## %s", g.name)
		for _, c := range g.commands {
			p.command(program, c)
		}
	}
	p.line("")
	p.line("## Global flags")
	p.line("")
	p.line("They go before or after the command. A flag wins over `SKUA_…`, which wins over `AGENT_BROWSER_…`.")
	p.line("Flags without a value also take `true` or `false`.")
	p.line("")
	p.line("| Flag | Environment | Meaning |")
	p.line("|---|---|---|")
	for _, f := range actions.Globals() {
		env := ""
		if f.Env != "" {
			env = "`SKUA_" + f.Env + "`, `AGENT_BROWSER_" + f.Env + "`"
		}
		p.line("| %s | %s | %s |", code(f.Listed()), env, cell(prose(f.Described())))
	}
	p.effects()
	p.codes()
	return p.String()
}

// effects writes what the data of actions say of their effect.
func (p *page) effects() {
	p.line("")
	p.line("## Effects")
	p.line("")
	p.line(
		"The data of a command that may change the page has the member `effect`: what was seen between the moment before " +
			"the action and the")
	p.line(
		"reply. Text mode says the same on the line that begins with `%s`. With `--observe` the data has the member "+
			"`observed` as well, the", actions.DoneText)
	p.line("changes of the snapshot.")
	p.line("")
	p.line("| Member | Meaning |")
	p.line("|---|---|")
	for field := range reflect.TypeFor[fact.Effects]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		p.line("| `%s` | %s |", name, cell(field.Tag.Get("doc")))
	}
}

// codes writes what the codes of errors mean.
func (p *page) codes() {
	p.line("")
	p.line("## Error codes")
	p.line("")
	p.line("A command that fails prints its error, with --json as `error`, `code` and `facts`, and its exit code is 1.")
	p.line("")
	p.line(
		"With --json, the reply of a command that changes something has `outcome`: whether it may be sent again. It is " +
			"`done` after success. `none` says that nothing was changed, because the command was refused, waits to be " +
			"confirmed, found nothing to act on, or failed before it sent anything that acts: send it again. `unknown` says " +
			"that it failed after that: look at the page first. That it scrolled or moved the focus does not count. A wrong " +
			"command line is refused before it has an outcome.")
	p.line("")
	p.line("| Code | Meaning |")
	p.line("|---|---|")
	for _, m := range fault.CodeInfos() {
		p.line("| `%s` | %s |", m.Code, cell(prose(m.Text)))
	}
}

// command writes the section of one command.
func (p *page) command(program string, c *actions.Command) {
	p.line("")
	p.line("### %s", c.Name)
	p.line("")
	p.line("%s.", prose(c.Summary))
	p.line("")
	p.line("```")
	p.line("%s %s", program, c.Synopsis(c.Name))
	p.line("```")
	if c.Help != "" {
		p.line("")
		p.line("%s", prose(strings.Trim(c.Help, "\n")))
	}
	if len(c.Args)+len(c.Flags) > 0 {
		p.line("")
		p.line("| | |")
		p.line("|---|---|")
		for i := range c.Args {
			p.line("| %s | %s |", code(c.Args[i].Listed()), cell(prose(c.Args[i].Described())))
		}
		for i := range c.Flags {
			p.line("| %s | %s |", code(c.Flags[i].Listed()), cell(prose(c.Flags[i].Described())))
		}
	}
	p.line("")
	p.line("Effects: %s.", c.Effect.Words())
	if c.Stdin != nil {
		p.line("Reads standard input.")
	}
	if len(c.Aliases) > 0 {
		p.line("Also: `%s`.", strings.Join(c.Aliases, "`, `"))
	}
	if len(c.Examples) == 0 {
		return
	}
	p.line("")
	p.line("```sh")
	for _, ex := range c.Examples {
		line := program + " " + ex.Line
		if ex.Note != "" {
			line += "  # " + ex.Note
		}
		p.line("%s", line)
	}
	p.line("```")
}

// anchor returns the id that Markdown renderers give to a heading of lower-case words.
func anchor(name string) string { return strings.ReplaceAll(name, " ", "-") }

// prose returns plain text as Markdown: outside of code spans nothing in it is markup.
func prose(s string) string {
	var b strings.Builder
	for i, part := range strings.Split(s, "`") {
		if i > 0 {
			b.WriteByte('`')
		}
		if i%2 == 0 {
			part = markup.Replace(part)
		}
		b.WriteString(part)
	}
	return b.String()
}

var markup = strings.NewReplacer("<", "\\<", "*", "\\*")

// code returns text as a code span that may stand in a table.
func code(s string) string { return "`" + cell(s) + "`" }

// cell returns text that does not end a table's cell.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "|", "\\|")
}
