package plugins

import (
	"context"
	"encoding/json"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/guard/plugin"
	"github.com/skua-browser/skua/guard/vault"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// mostConfiguration is the largest configuration file, which has been read before.
const mostConfiguration = 1 << 20

// Of returns the plugins of a caller: those of trusted configuration files, of which the later ones win, and those of
// the environment, which win over them. Problems say what cannot be used.
func Of(in *actions.Input, getenv func(string) string) (set plugin.Set, problems []string) {
	add := func(text []byte, where string) {
		more, wrong := plugin.Parse(text)
		for _, w := range wrong {
			problems = append(problems, "plugins of "+where+": "+w)
		}
		set = set.With(more)
	}
	if config := in.Configuration(); config != nil {
		for _, file := range config.Files {
			if !file.Trusted || file.Role == grammar.OwnerFile {
				continue
			}
			text, err := userfile.Read(context.Background(), file.Path, mostConfiguration)
			if err != nil {
				continue
			}
			var members struct {
				Plugins json.RawMessage `json:"plugins"`
			}
			if json.Unmarshal(text, &members) == nil && members.Plugins != nil {
				// a file that is not JSON is reported with the configuration
				add(members.Plugins, file.Path)
			}
		}
	}
	if text, name := grammar.FromEnv("PLUGINS", getenv); text != "" {
		add([]byte(text), name)
	}
	return set, problems
}

// Any reports whether a caller may have plugins. It reads no file.
func Any(in *actions.Input, getenv func(string) string) bool {
	if text, _ := grammar.FromEnv("PLUGINS", getenv); text != "" {
		return true
	}
	config := in.Configuration()
	return config != nil && len(config.Sections["plugins"].Value) > 0
}

// Credential asks the plugin of --credential-provider for a login.
func Credential(
	ctx context.Context, c *actions.Call,
) (e *vault.Entry, code func(context.Context) (string, error), err error) {
	name, set := c.String("credential-provider"), Set(c)
	if _, err := set.Find(name); err != nil {
		return nil, nil, fault.New(fault.PluginNotFound, "Credential plugin '%s' is not configured", name).About(name).
			WithHint("`plugin list` shows which are.")
	}
	p, err := set.For(name, plugin.CredentialRead)
	if err != nil {
		return nil, nil, err
	}
	got, err := Host(c).Credential(ctx, p, c.String("name"), c.String("item"), c.String("url"))
	if err != nil {
		return nil, nil, err
	}
	e = &vault.Entry{
		Name:             c.String("name"),
		URL:              got.URL,
		Username:         got.Username,
		Password:         got.Password,
		UsernameSelector: got.UsernameSelector,
		PasswordSelector: got.PasswordSelector,
		SubmitSelector:   got.SubmitSelector,
	}
	if e.URL == "" {
		return nil, nil, fault.New(fault.PolicyBlocked,
			"The plugin %s does not return the address that its login belongs to: nothing was typed.", name).About(name).
			WithHint("The plugin must return the login's url, so that it is typed nowhere else.")
	}
	if got.OTP == "" {
		return e, nil, nil
	}
	return e, func(context.Context) (string, error) { return got.OTP, nil }, nil
}

// Host calls plugins for this caller.
func Host(c *actions.Call) plugin.Host { return plugin.Host{Getenv: c.Getenv, Dir: c.Cwd} }

// Set returns the caller's plugins. What of their configuration cannot be used is noted.
func Set(c *actions.Call) plugin.Set {
	set, problems := Of(c.Input, c.Getenv)
	for _, p := range problems {
		c.Note(p)
	}
	return set
}
