package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
)

// Called by the name of agent-browser, the program writes its help as programs that wrap agent-browser search it: every
// command with its arguments, every flag and every variable, in agent-browser's words.

// forms are the calls of a command as agent-browser writes them, else as we do.
func forms(c *actions.Command) []string {
	if len(c.Upstream) > 0 {
		return c.Upstream
	}
	return []string{c.Form(c.Name)}
}

// formRows are rows for a command: its forms, the first of which has the summary.
func formRows(c *actions.Command) (rows [][2]string) {
	for i, form := range forms(c) {
		row := [2]string{form}
		if i == 0 {
			row[1] = c.Summary
		}
		rows = append(rows, row)
	}
	return rows
}

// dropInAll writes the overview.
func dropInAll(r *actions.Registry, p *page) {
	p.line("%s: a browser for agents", grammar.UpstreamName)
	p.line("")
	p.line("Usage: %s <command> [args] [options]", grammar.UpstreamName)
	p.line("")
	p.line("Start with `%s skills get core`, or `skills get core --full` to include the files beside that guide.",
		grammar.UpstreamName)
	for _, group := range groups(r) {
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
	p.section("Global flags", globalRows())
	p.section("Flags of single commands, which may also come before them", ownRows(r))
	p.section("Environment", variableRows())
	p.section("Configuration, where the later win", configRows())
	for _, c := range r.Commands() {
		p.paragraph(c.Name, c.UpstreamHelp)
	}
	p.section("Features of agent-browser that this program does not have", missingRows())
	p.line("")
	p.line(
		"Flags without a value take true or false, too, such as `--headed false`. For AGENT_BROWSER_X, SKUA_X is read, " +
			"too, and wins.")
	p.line("`%s <command> --help` tells more about a command.", grammar.UpstreamName)
}

// ownRows are the flags that single commands have, with the commands.
func ownRows(r *actions.Registry) (rows [][2]string) {
	const few = 3
	var shown []string
	commands := map[string][]string{}
	for _, c := range r.Commands() {
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
func variableRows() (rows [][2]string) {
	for _, f := range actions.Globals() {
		if f.Env != "" {
			rows = append(rows, [2]string{"AGENT_BROWSER_" + f.Env, "The same as --" + f.Name})
		}
	}
	for _, v := range variables {
		rows = append(rows, [2]string{v.name, v.help})
	}
	return rows
}

// variables are the variables of the environment that belong to no global flag, with their names in full.
var variables = []struct{ name, help string }{
	{
		"AGENT_BROWSER_AUTOSAVE_INTERVAL_MS",
		"How often --restore saves the state after commands (default: 30000; 0: never)",
	},
	{"AGENT_BROWSER_ENCRYPTION_KEY", "The key for saved states and logins"},
	{"AGENT_BROWSER_STATE_EXPIRE_DAYS", "How many days a saved state can be used (default: 30)"},
	{"AGENT_BROWSER_SOCKET_DIR", "The folder of the host's socket"},
	{"AGENT_BROWSER_SKILLS_DIR", "A folder with guides to use instead of the built-in ones"},
	{"AGENT_BROWSER_PLUGINS", "The plugins, as JSON"},
	{"AGENT_BROWSER_ANNOTATE", "The same as screenshot --annotate"},
	{"AGENT_BROWSER_SCREENSHOT_DIR", "The folder of screenshots that have no path"},
	{"AGENT_BROWSER_SCREENSHOT_FORMAT", "The format of screenshots: png or jpeg"},
	{"AGENT_BROWSER_SCREENSHOT_QUALITY", "The quality of JPEG pictures, 0 to 100"},
	{"AGENT_BROWSER_STREAM_PORT", "The port of the session's stream"},
	{"AGENT_BROWSER_STREAM_QUALITY", "The quality of the stream's pictures, 0 to 100"},
	{"AGENT_BROWSER_STREAM_MAX_WIDTH", "The largest width of the stream's pictures"},
	{"AGENT_BROWSER_STREAM_MAX_HEIGHT", "The largest height of the stream's pictures"},
	{"AGENT_BROWSER_DASHBOARD_ALLOWED_ORIGINS", "The same as dashboard start --allowed-origins"},
	{"AGENT_BROWSER_NO_VERSION_CHECK", "Ask no server for newer versions"},
	{"HTTP_PROXY / HTTPS_PROXY", "The proxy when --proxy says none"},
	{"ALL_PROXY", "The same for all kinds of addresses"},
	{
		"NO_PROXY",
		"Hosts that are reached without a proxy; each of these proxy variables may be in lower case, such as no_proxy",
	},
	{"AI_GATEWAY_URL", "The endpoint of chat's language model"},
	{"AI_GATEWAY_API_KEY", "The key for that endpoint"},
	{"AI_GATEWAY_MODEL", "The model when --model says none"},
	{"BROWSER_USE_API_KEY", "The key for the provider browseruse"},
	{"BROWSER_USE_PROFILE_ID", "A profile at that provider"},
	{"BROWSER_USE_PROXY_COUNTRY", "Its proxies' country"},
	{"BROWSER_USE_ENABLE_RECORDING", "Let that provider record the session"},
}

// configRows are the configuration files that agent-browser reads, too, and the keys that they may have.
func configRows() [][2]string {
	var keys []string
	for _, f := range actions.Globals() {
		if key := f.ConfigKey(); key != "" {
			keys = append(keys, key)
		}
	}
	return [][2]string{
		{"1. ~/.agent-browser/config.json", "Settings of the user"},
		{
			"2. ./agent-browser.json",
			"Settings of the project around the current folder; those that need trust count only if the project is trusted",
		},
		{"3. Environment variables", "AGENT_BROWSER_X and SKUA_X"},
		{"4. CLI flags", "Those of the command line"},
		{"--config <path>", "This file in place of the project's"},
		{"Keys", strings.Join(keys, ", ")},
	}
}

// missingRows names what callers may look for without success.
func missingRows() [][2]string {
	return [][2]string{
		{
			"-p ios, --device <name>",
			"iOS simulators, with `device list`, AGENT_BROWSER_IOS_DEVICE and AGENT_BROWSER_IOS_UDID",
		},
		{
			"--engine lightpanda, --engine obscura",
			"Other engines, with OBSCURA_BIN, OBSCURA_ALLOW_PRIVATE_NETWORK and AGENT_BROWSER_OBSCURA_STEALTH",
		},
	}
}

// dropInCommand writes the help of one command, and of those that begin with its name, under one of its names.
func dropInCommand(r *actions.Registry, p *page, name string, c *actions.Command) {
	helpCommand(r, p, grammar.UpstreamName, name, c)
	dropInFamily(r, p, name, c)
}

// dropInFamily writes how agent-browser calls the commands that begin with a name, with all that their own help says.
// The one whose own help comes before it is one of them.
func dropInFamily(r *actions.Registry, p *page, name string, own *actions.Command) {
	var calls, flags, examples [][2]string
	var members []*actions.Command
	for _, c := range r.Commands() {
		if c != own && !strings.HasPrefix(c.Name, name+" ") {
			continue
		}
		members = append(members, c)
		calls = append(calls, formRows(c)...)
		if c == own {
			continue
		}
		for i := range c.Flags {
			flags = append(flags, [2]string{indentFlag(&c.Flags[i]), c.Name + ": " + c.Flags[i].Described()})
		}
		for _, ex := range c.Examples {
			examples = append(examples, [2]string{grammar.UpstreamName + " " + ex.Line, ex.Note})
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
	var shown []string
	for _, f := range actions.Globals() {
		shown = append(shown, f.Listed())
	}
	p.line("Global flags: %s", strings.Join(shown, ", "))
	var names []string
	for _, row := range variableRows() {
		names = append(names, row[0])
	}
	p.line("Variables: %s", strings.Join(names, ", "))
	if own == nil {
		p.line("")
		p.line("%s", fmt.Sprintf("`%s %s <subcommand> --help` tells more.", grammar.UpstreamName, name))
	}
}
