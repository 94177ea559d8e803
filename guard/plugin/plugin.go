package plugin

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/internal/fault"
)

// Protocol is the protocol that plugins speak.
const Protocol = "agent-browser.plugin.v1"

// The capabilities that skua uses. A plugin may declare others, for its own requests.
const (
	CredentialRead  = "credential.read"
	BrowserProvider = "browser.provider"
	LaunchMutate    = "launch.mutate"
	CommandRun      = "command.run"
)

// Plugin is a configured plugin. Its field names are those of configuration files.
type Plugin struct {
	Name         string   `json:"name"`
	Command      string   `json:"command"`
	Args         []string `json:"args,omitempty"`
	Capabilities []string `json:"capabilities"`
	Env          []string `json:"env,omitempty"`    // variables that it gets besides the harmless ones
	Source       string   `json:"source,omitempty"` // where it was added from
}

// Has reports whether the plugin declares a capability.
func (p *Plugin) Has(capability string) bool { return slices.Contains(p.Capabilities, capability) }

// CheckName refuses an invalid name of a plugin.
func CheckName(name string) error {
	switch {
	case name == "":
		return fault.New(fault.Usage, "plugin name cannot be empty")
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == ':' }):
		return fault.New(fault.Usage, "plugin name cannot contain whitespace or ':'").About(name)
	}
	return nil
}

// Parse reads a list of plugins from a configuration file or variable. An unusable entry is a problem; the others
// count.
func Parse(text []byte) (plugins []Plugin, problems []string) {
	var entries []json.RawMessage
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, []string{"they are not a JSON array of plugins"} // json's error may quote the text
	}
	for i, raw := range entries {
		var p Plugin
		err := json.Unmarshal(raw, &p)
		switch {
		case err != nil:
			problems = append(problems, "entry "+number(i+1)+" is not a plugin")
		case CheckName(p.Name) != nil:
			problems = append(problems, "entry "+number(i+1)+" has no usable name")
		case p.Command == "":
			problems = append(problems, "plugin "+p.Name+" has no command")
		default:
			plugins = append(plugins, p)
		}
	}
	return plugins, problems
}

func number(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// Set contains the plugins of a caller.
type Set []Plugin

// With returns the set with more plugins, which replace those with the same name.
func (s Set) With(more []Plugin) Set {
	all := slices.Clone(s)
	for _, p := range more {
		if i := slices.IndexFunc(all, func(o Plugin) bool { return o.Name == p.Name }); i >= 0 {
			all[i] = p
		} else {
			all = append(all, p)
		}
	}
	return all
}

// Find returns the plugin with a name, or PluginNotFound.
func (s Set) Find(name string) (*Plugin, error) {
	for i := range s {
		if s[i].Name == name {
			return &s[i], nil
		}
	}
	return nil, fault.New(fault.PluginNotFound, "Plugin '%s' is not configured", name).About(name).
		WithHint("`plugin list` shows which are, `plugin add` adds one.")
}

// For returns the plugin with a name if it declares a capability, or PluginNotFound.
func (s Set) For(name, capability string) (*Plugin, error) {
	p, err := s.Find(name)
	if err != nil {
		return nil, err
	}
	if !p.Has(capability) {
		return nil, fault.New(fault.PluginNotFound, "Plugin '%s' does not declare required capability '%s'", name,
			capability).About(name).
			WithHint("It declares: %s.", orNone(p.Capabilities))
	}
	return p, nil
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// All returns the plugins that declare a capability.
func (s Set) All(capability string) []Plugin {
	var found []Plugin
	for _, p := range s {
		if p.Has(capability) {
			found = append(found, p)
		}
	}
	return found
}
