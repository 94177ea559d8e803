package actions

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/home"
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
	for _, file := range pluginFiles(getenv) {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		var config struct {
			Plugins json.RawMessage `json:"plugins"`
		}
		if json.Unmarshal(text, &config) == nil && config.Plugins != nil {
			add(config.Plugins, file)
		}
	}
	if text, name := fromEnv("PLUGINS", getenv); text != "" {
		add([]byte(text), name)
	}
	return set, problems
}

// pluginFiles are the trusted files that plugins are configured in, those that win last.
func pluginFiles(getenv func(string) string) []string {
	var files []string
	if up, err := home.Upstream(getenv); err == nil {
		files = append(files, filepath.Join(up, "config.json"))
	}
	if own := userConfig(getenv); own != "" {
		files = append(files, own)
	}
	return files
}

// userConfig is the file in which skua itself writes what a caller sets; empty when the caller has no folder for it.
func userConfig(getenv func(string) string) string {
	base := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		up, err := home.Upstream(getenv)
		if err != nil {
			return ""
		}
		base = filepath.Join(filepath.Dir(up), ".config")
	}
	return filepath.Join(base, "skua", "config.json")
}

// pluginFile is the file that `plugin add` writes.
func (c *Call) pluginFile() (string, error) {
	if c.Bool("project") {
		return filepath.Join(c.Cwd, "agent-browser.json"), nil
	}
	if file := userConfig(c.Getenv); file != "" {
		return file, nil
	}
	return "", fault.New(fault.File, "no folder for the configuration is known").WithHint("Set HOME or XDG_CONFIG_HOME, or give --project.")
}

// pluginCredential asks the plugin of --credential-provider for a login.
func (c *Call) pluginCredential(ctx context.Context) (*vault.Entry, codeSource, error) {
	p, err := c.plugins().For(c.String("credential-provider"), plugin.CredentialRead)
	if err != nil {
		return nil, nil, err
	}
	got, err := c.pluginHost().Credential(ctx, p, c.String("name"), c.String("item"), c.String("url"))
	if err != nil {
		return nil, nil, err
	}
	e := &vault.Entry{
		Name: c.String("name"), URL: got.URL, Username: got.Username, Password: got.Password,
		UsernameSelector: got.UsernameSelector, PasswordSelector: got.PasswordSelector, SubmitSelector: got.SubmitSelector,
	}
	if got.OTP == "" {
		return e, nil, nil
	}
	return e, func(context.Context) (string, error) { return got.OTP, nil }, nil
}
