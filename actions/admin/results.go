package admin

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/browsers/install"
	"github.com/skua-browser/skua/guard/plugin"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/guides"
)

// The data of the replies, with agent-browser's keys where it has them.

// Config is the settings that are in force, and the files that are looked for.
type Config struct {
	Files    []configFile    `json:"files"`
	Settings []configSetting `json:"settings"`
}

// ConfigFiles are the files that are looked for, in ascending order of precedence.
type ConfigFiles struct {
	Files []configFile `json:"files"`
}

// Steps are what was done, unless progress was shown meanwhile.
type Steps struct {
	Steps []string `json:"steps,omitempty"`
}

// Installed are the browsers that were asked for.
type Installed struct {
	Installed []install.Outcome `json:"installed"`
	Steps
}

// Packages are the packages that a package manager has installed, and the browser that was found afterwards.
type Packages struct {
	Manager  string   `json:"manager"`
	Packages []string `json:"packages"`
	Path     string   `json:"path"`
	Steps
}

// Upgraded lists the parts that were upgraded.
type Upgraded struct {
	Browsers []install.Outcome `json:"browsers"`
	Skua     upgraded          `json:"skua"`
	Steps
}

// Locked describes the lock that a session has now. Times are in milliseconds.
type Locked struct {
	Holder      string `json:"holder"`
	Locked      bool   `json:"locked"`
	RemainingMS int64  `json:"remainingMs"`
	Session     string `json:"session"`
	Token       string `json:"token,omitempty"` // of one that the caller did not give
	Until       int64  `json:"until"`
}

// Handed returns the token, which the caller needs for the next command. It is not removed as a secret.
func (l Locked) Handed() []string {
	if l.Token == "" {
		return nil
	}
	return []string{l.Token}
}

// Unlocked names who had locked the session; null if it was not locked.
type Unlocked struct {
	Session  string              `json:"session"`
	Unlocked bool                `json:"unlocked"`
	Was      *actions.LockHolder `json:"was"`
}

// Guide is one guide, or files of it.
type Guide struct {
	Content string             `json:"content,omitempty"`
	Files   []guides.Reference `json:"files,omitzero"`
	Name    string             `json:"name"`
}

// GuideFolders are where all guides lie.
type GuideFolders struct {
	Paths []string `json:"paths"`
}

// GuideFolder is a folder with an installed guide.
type GuideFolder struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// GuideSummary is a guide in a list.
type GuideSummary struct {
	Description string `json:"description"`
	Name        string `json:"name"`
}

// Confirmed is the reply of a command that had to be confirmed.
type Confirmed struct {
	Action    string          `json:"action"`
	Confirmed bool            `json:"confirmed"`
	Result    ConfirmedResult `json:"result"`
}

// ConfirmedResult is the data of that command.
type ConfirmedResult struct {
	Data    any    `json:"data"`
	ID      string `json:"id"`
	Success bool   `json:"success"`
}

// Denied names a command that was dropped without confirmation.
type Denied struct {
	Action string `json:"action"`
	Denied bool   `json:"denied"`
}

// Plugins are the plugins that are configured.
type Plugins struct {
	Plugins plugin.Set `json:"plugins"`
}

// OnePlugin is one of the configured plugins.
type OnePlugin struct {
	Plugin *plugin.Plugin `json:"plugin"`
}

// AddedPlugin is one that is configured now, and in which file.
type AddedPlugin struct {
	PluginEntry
	Success bool `json:"success"`
}

// WithoutEnvelope returns the entry, for callers that learn of success in another way.
func (p AddedPlugin) WithoutEnvelope() any { return p.PluginEntry }

// PluginEntry is a plugin in a file of configuration.
type PluginEntry struct {
	ConfigPath string        `json:"configPath"`
	Plugin     plugin.Plugin `json:"plugin"`
	Replaced   bool          `json:"replaced,omitempty"` // there was one of that name
}

// Rules are the rules that the owner of a session has set.
type Rules struct {
	Families []actions.ShownFamily `json:"families"` // what rules may name
	Pending  []policy.Held         `json:"pending"`  // what waits to be confirmed
	Refused  int                   `json:"refused"`
	Rules    []policy.Rule         `json:"rules"`
}

// Refusals lists what was refused, and how many of each kind the list omits.
type Refusals struct {
	Dropped map[policy.Kind]int `json:"dropped"`
	Refused []policy.Refusal    `json:"refused"`
}
