package actions

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/plugin"
	"github.com/skua-browser/skua/policy"
)

func pluginCommands() []Command {
	name := Arg{Name: "name", Help: "The plugin's name"}
	return []Command{
		{
			Name:     "plugin list",
			Upstream: []string{"plugin [list]", "plugin [subcommand]", "plugin list"},
			Aliases:  []string{"plugin"}, Group: GroupPlugins, Summary: "List the configured plugins",
			Help: "Plugins are programs that the configuration names: the list `plugins` of a trusted file, or SKUA_PLUGINS and AGENT_BROWSER_PLUGINS as a " +
				"JSON array. Each has a name, a command, perhaps args, and capabilities: credential.read (logins for `auth login`), browser.provider (browsers for " +
				"--provider), launch.mutate (additions to how a browser is started), command.run (requests of its own). It is called for nothing else. Of the " +
				"environment a plugin gets a few harmless variables, and those that its list `env` names.",
			Effect: Control | NoBrowser, Run: runPluginList,
			Policy: Policy{Families: policy.Does()},
		},
		{Name: "plugin show", Group: GroupPlugins, Summary: "Show how a plugin is configured", Args: []Arg{name}, Effect: Control | NoBrowser, Run: runPluginShow, Policy: Policy{Families: policy.Does()}},
		{
			Name:     "plugin add",
			Upstream: []string{"plugin add <ref>", "plugin add <owner>/<repo>"},
			Group:    GroupPlugins, Summary: "Add a plugin to the configuration",
			Help: "The reference is the path of an executable (/, ./, ../ or ~/ at its beginning), an npm package, or a GitHub repository as owner/repo; the last two " +
				"are run by npx, which fetches them. The plugin is asked for its name and capabilities, unless they are given.",
			Args: []Arg{{Name: "reference", Value: "path|package|owner/repo", Optional: true, Help: "What to add"}},
			Flags: []Flag{
				{Name: "name", Value: "name", Help: "Call it so"},
				{Name: "capability", Value: "name", Kind: List, Help: "What it may be called for, in place of what it says itself"},
				{Name: "env", Value: "variable", Kind: List, Help: "A variable that it gets from the environment"},
				{Name: "project", Kind: Bool, Help: "Write agent-browser.json here, which counts only for who trusts it"},
				{Name: "no-manifest", Kind: Bool, Help: "Do not ask it"},
			},
			Effect: Control | NoBrowser, AtLeast: func(*Input) time.Duration { return pluginAddTakes }, Run: runPluginAdd,
			Examples: []Example{{Line: "plugin add ./my-vault --name vault"}, {Line: "plugin add agent-browser-plugin-captcha"}},
			Policy:   Policy{Families: policy.Does(policy.RunsPrograms), Around: Always},
		},
		{
			Name: "plugin run", Group: GroupPlugins, Summary: "Make a request of a plugin's own",
			Args:   []Arg{name, {Name: "type", Help: "The type of the request, such as captcha.solve"}},
			Flags:  []Flag{{Name: "payload", Value: "json", Default: "{}", Help: "What the request says"}},
			Effect: Control | NoBrowser, Run: runPluginRun,
			Examples: []Example{{Line: `plugin run captcha captcha.solve --payload '{"url":"https://example.com"}'`}},
			Policy:   Policy{Families: policy.Does(policy.RunsPrograms)},
		},
	}
}

// pluginAddTakes is more than npm needs to fetch a plugin.
const pluginAddTakes = 90 * time.Second

// pluginHost calls plugins for this caller.
func (c *Call) pluginHost() plugin.Host { return plugin.Host{Getenv: c.Getenv, Dir: c.Cwd} }

// plugins returns the caller's plugins. What of their configuration cannot be used is noted.
func (c *Call) plugins() plugin.Set {
	set, problems := Plugins(c.Input, c.Getenv)
	for _, p := range problems {
		c.Note(p)
	}
	return set
}

func runPluginList(_ context.Context, c *Call) (Result, error) {
	set := c.plugins()
	var lines []string
	for i := range set {
		capabilities := strings.Join(set[i].Capabilities, ", ")
		if capabilities == "" {
			capabilities = "(no capabilities)"
		}
		lines = append(lines, set[i].Name+"  "+capabilities)
	}
	if len(set) == 0 {
		set, lines = plugin.Set{}, []string{"No plugins configured"}
	}
	return Result{Data: map[string]any{"plugins": set}, Text: strings.Join(lines, "\n"), Bare: true}, nil
}

func runPluginShow(_ context.Context, c *Call) (Result, error) {
	p, err := c.plugins().Find(c.String("name"))
	if err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"plugin": p}, Text: pluginText("Name: "+p.Name, p), Bare: true}, nil
}

// pluginText tells how a plugin is configured, below a first line.
func pluginText(first string, p *plugin.Plugin) string {
	lines := []string{first}
	if p.Source != "" {
		lines = append(lines, "Source: "+p.Source)
	}
	lines = append(lines, "Command: "+p.Command)
	if len(p.Args) > 0 {
		lines = append(lines, "Args: "+strings.Join(p.Args, " "))
	}
	lines = append(lines, "Capabilities: "+strings.Join(p.Capabilities, ", "))
	if len(p.Env) > 0 {
		lines = append(lines, "Variables: "+strings.Join(p.Env, ", "))
	}
	return strings.Join(lines, "\n")
}

func runPluginAdd(ctx context.Context, c *Call) (Result, error) {
	reference := c.String("reference")
	host := c.pluginHost()
	p, err := host.Refer(reference)
	if err != nil {
		return Result{}, err
	}
	p.Name, p.Capabilities, p.Env = c.String("name"), c.Strings("capability"), c.Strings("env")
	fallback := plugin.NameOf(reference)
	if !c.Bool("no-manifest") && (p.Name == "" || len(p.Capabilities) == 0) {
		asked := p
		if asked.Name == "" {
			asked.Name = fallback
		}
		switch m, err := host.Manifest(ctx, &asked); {
		case err == nil:
			if p.Name == "" {
				p.Name = m.Name
			}
			if len(p.Capabilities) == 0 {
				p.Capabilities = m.Capabilities
			}
		case len(p.Capabilities) == 0:
			return Result{}, err
		}
	}
	if p.Name == "" {
		p.Name = fallback
	}
	if len(p.Capabilities) == 0 {
		return Result{}, fault.New(fault.Usage, "Plugin did not declare capabilities; rerun with --capability <name> or use a plugin that supports plugin.manifest").About(reference)
	}
	if err := plugin.CheckName(p.Name); err != nil {
		return Result{}, err
	}
	file, err := c.pluginFile()
	if err != nil {
		return Result{}, err
	}
	replaced, err := plugin.Write(file, p)
	if err != nil {
		return Result{}, err
	}
	if i := slices.IndexFunc(c.plugins(), func(o plugin.Plugin) bool { return o.Name == p.Name }); i < 0 {
		c.Note("this file counts only for who trusts it: SKUA_TRUST_PROJECT_CONFIG=1, or --config " + filepath.Base(file))
	}
	data := map[string]any{"configPath": file, "plugin": p, "success": true}
	text := pluginText("Added plugin '"+p.Name+"'\nConfig: "+file, &p)
	if replaced {
		data["replaced"] = true
		text = "Replaced" + strings.TrimPrefix(text, "Added")
	}
	return Result{Data: data, Text: text, Bare: true}, nil
}

func runPluginRun(ctx context.Context, c *Call) (Result, error) {
	p, err := c.plugins().Find(c.String("name"))
	if err != nil {
		return Result{}, err
	}
	payload := json.RawMessage(c.String("payload"))
	if !json.Valid(payload) {
		return Result{}, c.Invalid("plugin run --payload is invalid JSON.")
	}
	raw, err := c.pluginHost().Run(ctx, p, c.String("type"), payload)
	if err != nil {
		return Result{}, err
	}
	return Result{Data: raw, Text: string(raw), Bare: true}, nil
}
