package actions

import (
	"fmt"
	"slices"
	"strings"
)

// Called by the name of agent-browser, the program writes its help as programs that wrap agent-browser search it: every command with its
// arguments, every flag and every variable, in agent-browser's words.

// forms are the calls of a command as agent-browser writes them, else as we do.
func (c *Command) forms() []string {
	if len(c.Upstream) > 0 {
		return c.Upstream
	}
	return []string{call(c, c.Name)}
}

// formRows are rows for a command: its forms, the first of which has the summary.
func formRows(c *Command) (rows [][2]string) {
	for i, form := range c.forms() {
		row := [2]string{form}
		if i == 0 {
			row[1] = c.Summary
		}
		rows = append(rows, row)
	}
	return rows
}

// dropInAll writes the overview.
func (r *Registry) dropInAll(p *page) {
	p.line("%s: a browser for agents", UpstreamName)
	p.line("")
	p.line("Usage: %s <command> [args] [options]", UpstreamName)
	p.line("")
	p.line("Start with `%s skills get core`, or `skills get core --full` to include the files beside that guide.", UpstreamName)
	for _, group := range r.groups() {
		var rows [][2]string
		title := string(group.name)
		flush := func() {
			p.section(title, rows)
			rows = nil
		}
		family := ""
		for _, c := range group.commands {
			first, _, _ := strings.Cut(c.Name, " ")
			switch {
			case c.Heading != "":
				flush()
				title, family = c.Heading, first
			case family != "" && first != family:
				flush()
				title, family = string(group.name), ""
			}
			rows = append(rows, formRows(c)...)
		}
		flush()
	}
	p.section("Global flags", r.globalRows())
	p.section("Flags of single commands, which may also come before them", r.ownRows())
	p.section("Environment", r.variableRows())
	p.section("Configuration, where the later win", r.configRows())
	for _, c := range r.commands {
		p.paragraph(c.Name, c.UpstreamHelp)
	}
	p.section("Features of agent-browser that this program does not have", missingRows())
	p.line("")
	p.line("Flags without a value take true or false, too, such as `--headed false`. For AGENT_BROWSER_X, SKUA_X is read, too, and wins.")
	p.line("`%s <command> --help` tells more about a command.", UpstreamName)
}

// ownRows are the flags that single commands have, with the commands.
func (r *Registry) ownRows() (rows [][2]string) {
	const few = 3
	var shown []string
	commands := map[string][]string{}
	for _, c := range r.commands {
		for i := range c.Flags {
			text := indentFlag(&c.Flags[i])
			if commands[text] == nil {
				shown = append(shown, text)
			}
			commands[text] = append(commands[text], c.Name)
		}
	}
	for _, text := range shown {
		of := commands[text]
		if len(of) > few {
			of = append(slices.Clone(of[:few]), "…")
		}
		rows = append(rows, [2]string{text, strings.Join(of, ", ")})
	}
	return rows
}

// variableRows are the variables of global flags, and those that belong to none.
func (r *Registry) variableRows() (rows [][2]string) {
	for _, s := range r.globals {
		if s.flag.Env != "" {
			rows = append(rows, [2]string{"AGENT_BROWSER_" + s.flag.Env, "The same as --" + s.flag.Name})
		}
	}
	for _, v := range variables {
		rows = append(rows, [2]string{v.name, v.help})
	}
	return rows
}

// configRows are the configuration files that agent-browser reads, too, and the keys that they may have.
func (r *Registry) configRows() [][2]string {
	var keys []string
	for _, s := range r.globals {
		if key := s.flag.ConfigKey(); key != "" {
			keys = append(keys, key)
		}
	}
	return [][2]string{
		{"1. ~/.agent-browser/config.json", "Settings of the user"},
		{"2. ./agent-browser.json", "Settings of the project around the current folder; those that need trust count only if the project is trusted"},
		{"3. Environment variables", "AGENT_BROWSER_X and SKUA_X"},
		{"4. CLI flags", "Those of the command line"},
		{"--config <path>", "This file in place of the project's"},
		{"Keys", strings.Join(keys, ", ")},
	}
}

// missingRows names what callers may look for without success.
func missingRows() [][2]string {
	return [][2]string{
		{"-p ios, --device <name>", "iOS simulators, with `device list`, AGENT_BROWSER_IOS_DEVICE and AGENT_BROWSER_IOS_UDID"},
		{"--engine lightpanda, --engine obscura", "Other engines, with OBSCURA_BIN, OBSCURA_ALLOW_PRIVATE_NETWORK and AGENT_BROWSER_OBSCURA_STEALTH"},
	}
}

// dropInCommand writes the help of one command, and of those that begin with its name, under one of its names.
func (r *Registry) dropInCommand(p *page, name string, c *Command) {
	r.helpCommand(p, UpstreamName, name, c)
	r.dropInFamily(p, name, c)
}

// dropInFamily writes how agent-browser calls the commands that begin with a name, with all that their own help says. The one whose own help
// comes before it is one of them.
func (r *Registry) dropInFamily(p *page, name string, own *Command) {
	var calls, flags, examples [][2]string
	var members []*Command
	for _, c := range r.commands {
		if c != own && !strings.HasPrefix(c.Name, name+" ") {
			continue
		}
		members = append(members, c)
		calls = append(calls, formRows(c)...)
		if c == own {
			continue
		}
		for i := range c.Flags {
			flags = append(flags, [2]string{indentFlag(&c.Flags[i]), c.Name + ": " + describeFlag(&c.Flags[i])})
		}
		for _, ex := range c.Examples {
			examples = append(examples, [2]string{UpstreamName + " " + ex.Line, ex.Note})
		}
	}
	p.section("Calls", calls)
	p.section("Flags of the calls", flags)
	for _, c := range members {
		if c != own {
			p.paragraph(c.Name, c.Help)
		}
		p.paragraph(c.Name, c.UpstreamHelp)
	}
	p.section("Examples of the calls", examples)
	if own != nil && len(own.Aliases) > 0 {
		p.line("")
		p.line("Aliases: %s", strings.Join(own.Aliases, ", "))
	}
	p.line("")
	shown := make([]string, len(r.globals))
	for i, s := range r.globals {
		shown[i] = flagShown(s.flag)
	}
	p.line("Global flags: %s", strings.Join(shown, ", "))
	var names []string
	for _, row := range r.variableRows() {
		names = append(names, row[0])
	}
	p.line("Variables: %s", strings.Join(names, ", "))
	if own == nil {
		p.line("")
		p.line("%s", fmt.Sprintf("`%s %s <subcommand> --help` tells more.", UpstreamName, name))
	}
}
