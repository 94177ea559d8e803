package actions

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/plugin"
	"github.com/skua-browser/skua/vault"
)

// Plugins returns the plugins of a caller: those of trusted configuration files, of which the later ones win, and those of the environment, which win over
// them. Problems say what cannot be used.
func Plugins(in *Input, getenv func(string) string) (set plugin.Set, problems []string) {
	add := func(text []byte, where string) {
		more, wrong := plugin.Parse(text)
		for _, w := range wrong {
			problems = append(problems, "plugins of "+where+": "+w)
		}
		set = set.With(more)
	}
	if config := in.Configuration(); config != nil {
		for _, file := range config.Files {
			if !file.Trusted || file.Role == OwnerFile {
				continue
			}
			text, err := os.ReadFile(file.Path)
			if err != nil {
				continue
			}
			var members struct {
				Plugins json.RawMessage `json:"plugins"`
			}
			if json.Unmarshal(text, &members) == nil && members.Plugins != nil { // of a file that is no JSON the configuration itself tells
				add(members.Plugins, file.Path)
			}
		}
	}
	if text, name := FromEnv("PLUGINS", getenv); text != "" {
		add([]byte(text), name)
	}
	return set, problems
}

// HasPlugins reports whether a caller may have plugins, without reading a file for it.
func HasPlugins(in *Input, getenv func(string) string) bool {
	if text, _ := FromEnv("PLUGINS", getenv); text != "" {
		return true
	}
	config := in.Configuration()
	return config != nil && len(config.Sections["plugins"].Value) > 0
}

// pluginFile is the file that `plugin add` writes: the one that was chosen, else the user's own, else that of the project.
func (c *Call) pluginFile() (string, error) {
	if c.Bool("project") {
		return filepath.Join(c.Cwd, "agent-browser.json"), nil
	}
	if config := c.Configuration(); config != nil {
		for _, file := range slices.Backward(config.Files) {
			if file.Role == ChosenFile || file.Role == UserFile {
				return file.Path, nil
			}
		}
	}
	return "", fault.New(fault.File, "no folder for the configuration is known").WithHint("Set HOME or XDG_CONFIG_HOME, or give --project.")
}

// PluginCredential asks the plugin of --credential-provider for a login.
func (c *Call) PluginCredential(ctx context.Context) (e *vault.Entry, code func(context.Context) (string, error), err error) {
	name, set := c.String("credential-provider"), c.plugins()
	if _, err := set.Find(name); err != nil {
		return nil, nil, fault.New(fault.PluginNotFound, "Credential plugin '%s' is not configured", name).About(name).WithHint("`plugin list` shows which are.")
	}
	p, err := set.For(name, plugin.CredentialRead)
	if err != nil {
		return nil, nil, err
	}
	got, err := c.pluginHost().Credential(ctx, p, c.String("name"), c.String("item"), c.String("url"))
	if err != nil {
		return nil, nil, err
	}
	e = &vault.Entry{
		Name: c.String("name"), URL: got.URL, Username: got.Username, Password: got.Password,
		UsernameSelector: got.UsernameSelector, PasswordSelector: got.PasswordSelector, SubmitSelector: got.SubmitSelector,
	}
	if e.URL == "" {
		return nil, nil, fault.New(fault.PolicyBlocked, "The plugin %s does not say which address its login belongs to: nothing was typed.", name).About(name).
			WithHint("The plugin has to answer with the url of the login, so that it is typed nowhere else.")
	}
	if got.OTP == "" {
		return e, nil, nil
	}
	return e, func(context.Context) (string, error) { return got.OTP, nil }, nil
}
