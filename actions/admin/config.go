package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

// configCommands returns the commands that show configuration files.
func configCommands() []actions.Command {
	const help = "Settings come from the command line, else from environment variables (SKUA_X before AGENT_BROWSER_X), " +
		"else from configuration files. All of these files are read, and later ones win: ~/.agent-browser/config.json and " +
		"~/.config/skua/config.json of the user; agent-browser.json and skua.json in the current folder, which may set " +
		"only a few options, because they may come with a project that you do not trust; and .skua/config.json there, if " +
		"SKUA_TRUST_PROJECT_CONFIG=1 is set. With that variable the files of the current folder may set everything. " +
		"--config or its variable names one file to read instead of all these."
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "config",
				Aliases: []string{"config show"},
				Group:   actions.GroupConfig,
				Summary: "Show the settings in effect, and where each comes from",
				Help:    help,
				Flags:   []actions.Flag{{Name: "all", Kind: actions.Bool, Help: "Show defaults, too"}},
				Examples: []actions.Example{{Line: "config"}, {Line: "config show --all --json"}, {
					Line: "--config ./ci.json config",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Config{}}},
			Run:      func(_ context.Context, c *actions.Call) (actions.Result, error) { return showConfig(c), nil },
		},
		{
			Spec: actions.Spec{
				Name: "config path", Group: actions.GroupConfig,
				Summary: "List the configuration files that are looked for; later ones win", Help: help,
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{ConfigFiles{}}},
			Run: func(_ context.Context, c *actions.Call) (actions.Result, error) {
				files := configFiles(c)
				return actions.Result{Data: ConfigFiles{files}, Text: strings.Join(shownFiles(files), "\n")}, nil
			},
		},
		{
			Spec: actions.Spec{
				Name: "config schema", Group: actions.GroupConfig,
				Summary: "Print the JSON Schema of configuration files, for editors and checks",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{actions.Schema{}}},
			Run: func(_ context.Context, c *actions.Call) (actions.Result, error) {
				schema := actions.ConfigSchema()
				return actions.Result{Data: schema, Text: schema.String()}, nil
			},
		},
	}
}

// configSetting is a setting as it is shown.
type configSetting struct {
	Key    string `json:"key,omitempty"` // in files; empty means that they cannot set it
	Flag   string `json:"flag"`
	Value  string `json:"value"`
	Source string `json:"source"`         // a flag, a variable, "userAgent in ./skua.json", or "default"
	File   string `json:"file,omitempty"` // that says it, absolute
}

// configFile is a file as it is shown.
type configFile struct {
	Path    string             `json:"path"`
	Role    grammar.ConfigRole `json:"role"`
	Found   bool               `json:"found"`
	Trusted bool               `json:"trusted"`
	Error   string             `json:"error,omitempty"`
	Ignored []string           `json:"ignored,omitempty"`
	Unknown []string           `json:"unknown,omitempty"`
}

func showConfig(c *actions.Call) actions.Result {
	settings := []configSetting{}
	configuration := c.Configuration()
	for _, f := range actions.Globals() {
		if f.Name == grammar.FlagHelp || f.Name == grammar.FlagVersion ||
			!c.Has(f.Name) && (f.Default == "" || !c.Bool("all")) {
			continue
		}
		s := configSetting{Key: f.ConfigKey(), Flag: "--" + f.Name, Value: c.String(f.Name), Source: "default"}
		if c.Has(f.Name) {
			s.Source = c.Source(f.Name)
		}
		if configuration != nil && configuration.Settings[f.Name].Source == s.Source {
			s.File = configuration.Settings[f.Name].File
		}
		if f.Shown != nil && s.Value != "" {
			s.Value = f.Shown(s.Value)
		}
		settings = append(settings, s)
	}
	files := configFiles(c)
	var lines []string
	if len(settings) == 0 {
		lines = append(lines, "Nothing is set; all settings have their defaults")
	}
	widest := 0
	for _, s := range settings {
		widest = max(widest, len(s.Flag)+1+len(wording.OneLine(s.Value)))
	}
	for _, s := range settings {
		lines = append(lines, fmt.Sprintf("%-*s  %s", min(widest, 60), s.Flag+" "+wording.OneLine(s.Value), s.Source))
	}
	lines = append(lines, "", "Files; later ones win:")
	lines = append(lines, shownFiles(files)...)
	return actions.Result{Data: Config{files, settings}, Text: strings.Join(lines, "\n")}
}

func configFiles(c *actions.Call) []configFile {
	files := []configFile{}
	if c.Configuration() == nil {
		return files
	}
	for _, f := range c.Configuration().Files {
		one := configFile{
			Path:    f.Path,
			Role:    f.Role,
			Found:   f.Found,
			Trusted: f.Trusted,
			Ignored: f.Ignored,
			Unknown: f.Unknown,
		}
		if f.Err != nil {
			one.Error = f.Err.Error()
		}
		files = append(files, one)
	}
	return files
}

func shownFiles(files []configFile) []string {
	keys := make([]string, 0, len(actions.Globals()))
	for _, f := range actions.Globals() {
		keys = append(keys, f.ConfigKey())
	}
	keys = slices.DeleteFunc(keys, func(key string) bool { return key == "" })
	var lines []string
	for _, f := range files {
		about := []string{string(f.Role)}
		switch {
		case !f.Found:
			about = append(about, "not there")
		case !f.Trusted:
			about = append(about, "not trusted")
		}
		lines = append(lines, "  "+f.Path+" ("+strings.Join(about, ", ")+")")
		if f.Error != "" {
			lines = append(lines, "    cannot be used: "+f.Error)
		}
		if len(f.Ignored) > 0 {
			lines = append(lines, "    a project may not set: "+strings.Join(f.Ignored, ", "))
		}
		for _, key := range f.Unknown {
			line := "    unknown: " + wording.OneLine(key)
			if suggestion := wording.Nearest(key, keys); suggestion != "" {
				line += "; did you mean " + suggestion + "?"
			}
			lines = append(lines, line)
		}
	}
	return lines
}
