package admin

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/plugins"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/plugin"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func pluginCommands() []actions.Command {
	name := actions.Arg{Name: "name", Help: "The plugin's name"}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "plugin list",
				Aliases: []string{"plugin"},
				Group:   actions.GroupPlugins,
				Summary: "List the configured plugins",
				Help: "Plugins are programs that the configuration names: the list `plugins` of a trusted file, or " +
					"SKUA_PLUGINS and AGENT_BROWSER_PLUGINS as a JSON array. Each has a name, a command, perhaps args, and " +
					"capabilities: credential.read (logins for `auth login`), browser.provider (browsers for --provider), " +
					"launch.mutate (additions to how a browser is started), command.run (requests of its own). A plugin is called " +
					"for nothing else. From the environment it gets a few harmless variables, and those that its list `env` names.",
				Upstream: []string{"plugin [list]", "plugin [subcommand]", "plugin list"},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachineAlone},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Plugins{}}, Bare: true},
			Run:      runPluginList,
		},
		{
			Spec: actions.Spec{
				Name: "plugin show", Group: actions.GroupPlugins, Summary: "Show how a plugin is configured",
				Args: []actions.Arg{name},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{OnePlugin{}}, Bare: true},
			Run:      runPluginShow,
		},
		{
			Spec: actions.Spec{
				Name:    "plugin add",
				Group:   actions.GroupPlugins,
				Summary: "Add a plugin to the configuration",
				Help: "The reference is the path of an executable (/, ./, ../ or ~/ at its beginning), an npm package, or a " +
					"GitHub repository as owner/repo; the last two are run by npx, which fetches them. The plugin is asked for its " +
					"name and capabilities, unless they are given.",
				Args: []actions.Arg{{Name: "reference", Value: "path|package|owner/repo", Optional: true, Help: "What to add"}},
				Flags: []actions.Flag{
					{Name: "name", Value: "name", Help: "The name to give it"},
					{
						Name:  "capability",
						Value: "name",
						Kind:  actions.List,
						Help:  "A capability that it may be called for, instead of those that it names itself",
					},
					{Name: "env", Value: "variable", Kind: actions.List, Help: "An environment variable that it gets"},
					{
						Name: "project",
						Kind: actions.Bool,
						Help: "Write to agent-browser.json in the current folder, which counts only if the project is trusted",
					},
					{Name: "no-manifest", Kind: actions.Bool, Help: "Do not run it to ask for its name and capabilities"},
				},
				Examples: []actions.Example{{Line: "plugin add ./my-vault --name vault"}, {
					Line: "plugin add agent-browser-plugin-captcha",
				}},
				Upstream: []string{"plugin add <ref>", "plugin add <owner>/<repo>", "plugin add @<scope>/<name>"},
				UpstreamHelp: "It writes the user's own configuration file, or ./agent-browser.json with --project; plugins of " +
					"~/.agent-browser/config.json are read, too. A plugin speaks " + plugin.Protocol +
					" over stdio and is asked for " +
					"plugin.manifest. `auth login <name> --credential-provider <plugin> --item <ref>` uses one for credentials " +
					"(credential.read), " +
					"`--provider <name>` one for browsers (browser.provider), each start of a browser those with launch.mutate, " +
					"`plugin run` one with command.run.",
			},
			Schedule: actions.Schedule{
				Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine,
				AtLeast: func(*actions.Input) time.Duration { return pluginAddTakes },
			},
			Safety:   actions.Safety{Families: policy.Does(policy.RunsPrograms), Around: actions.Always},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{AddedPlugin{}}, Bare: true},
			Run:      runPluginAdd,
		},
		{
			Spec: actions.Spec{
				Name:     "plugin run",
				Group:    actions.GroupPlugins,
				Summary:  "Send a request to a plugin",
				Args:     []actions.Arg{name, {Name: "type", Help: "The type of the request, such as captcha.solve"}},
				Flags:    []actions.Flag{{Name: "payload", Value: "json", Default: "{}", Help: "The data of the request, as JSON"}},
				Examples: []actions.Example{{Line: `plugin run captcha captcha.solve --payload '{"url":"https://example.com"}'`}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Families: policy.Does(policy.RunsPrograms)},
			Showing:  actions.Showing{Traits: trait.Once},
			Bindings: actions.Bindings{Data: []any{json.RawMessage{}}, Bare: true},
			Run:      runPluginRun,
		},
	}
}

// pluginAddTakes is more than npm needs to fetch a plugin.
const pluginAddTakes = 90 * time.Second

func runPluginList(_ context.Context, c *actions.Call) (actions.Result, error) {
	set := plugins.Set(c)
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
	return actions.Result{Data: Plugins{set}, Text: strings.Join(lines, "\n")}, nil
}

func runPluginShow(_ context.Context, c *actions.Call) (actions.Result, error) {
	p, err := plugins.Set(c).Find(c.String("name"))
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: OnePlugin{p}, Text: pluginText("Name: "+p.Name, p)}, nil
}

// pluginText describes a plugin's configuration, below a first line.
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

func runPluginAdd(ctx context.Context, c *actions.Call) (actions.Result, error) {
	reference := c.String("reference")
	host := plugins.Host(c)
	p, err := host.Resolve(reference)
	if err != nil {
		return actions.Result{}, err
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
			return actions.Result{}, err
		}
	}
	if p.Name == "" {
		p.Name = fallback
	}
	if len(p.Capabilities) == 0 {
		return actions.Result{}, fault.New(fault.Usage,
			"Plugin did not declare capabilities; rerun with --capability <name> or use a plugin that supports plugin.manifest").
			About(reference)
	}
	if err := plugin.CheckName(p.Name); err != nil {
		return actions.Result{}, err
	}
	file, err := pluginFile(c)
	if err != nil {
		return actions.Result{}, err
	}
	replaced, err := plugin.Write(file, p)
	if err != nil {
		return actions.Result{}, err
	}
	if i := slices.IndexFunc(plugins.Set(c), func(o plugin.Plugin) bool { return o.Name == p.Name }); i < 0 {
		c.Note("this file counts only if you trust it: with SKUA_TRUST_PROJECT_CONFIG=1, or --config " + filepath.Base(file))
	}
	data := AddedPlugin{PluginEntry{ConfigPath: file, Plugin: p, Replaced: replaced}, true}
	text := pluginText("Added plugin '"+p.Name+"'\nConfig: "+file, &p)
	if replaced {
		text = "Replaced" + strings.TrimPrefix(text, "Added")
	}
	return actions.Result{Data: data, Text: text}, nil
}

func runPluginRun(ctx context.Context, c *actions.Call) (actions.Result, error) {
	p, err := plugins.Set(c).Find(c.String("name"))
	if err != nil {
		return actions.Result{}, err
	}
	payload := json.RawMessage(c.String("payload"))
	if !json.Valid(payload) {
		return actions.Result{}, c.Invalid("plugin run --payload is invalid JSON.")
	}
	raw, err := plugins.Host(c).Run(ctx, p, c.String("type"), payload)
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: raw, Text: string(raw)}, nil
}

// pluginFile is the file that `plugin add` writes: the one that was chosen, else the user's own, else that of the
// project.
func pluginFile(c *actions.Call) (string, error) {
	if c.Bool("project") {
		return filepath.Join(c.Cwd, "agent-browser.json"), nil
	}
	if config := c.Configuration(); config != nil {
		for _, file := range slices.Backward(config.Files) {
			if file.Role == grammar.ChosenFile || file.Role == grammar.UserFile {
				return file.Path, nil
			}
		}
	}
	return "", fault.New(fault.File, "no folder for the configuration is known").
		WithHint("Set HOME or XDG_CONFIG_HOME, or give --project.")
}
