package admin

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/install"
	"github.com/skua-browser/skua/skills"
)

// The data of the replies, with agent-browser's keys where it has them.

// Config is the settings that are in force, and the files that are looked for.
type Config struct {
	Files    []configFile    `json:"files"`
	Settings []configSetting `json:"settings"`
}

// ConfigFiles are the files that are looked for, those that win last.
type ConfigFiles struct {
	Files []configFile `json:"files"`
}

// Steps are what was done, where nobody saw it as it was done.
type Steps struct {
	Steps []string `json:"steps,omitempty"`
}

// Installed are the browsers that were asked for.
type Installed struct {
	Installed []install.Outcome `json:"installed"`
	Steps
}

// Packages are what a package manager has installed, and the browser that was found then.
type Packages struct {
	Manager  string   `json:"manager"`
	Packages []string `json:"packages"`
	Path     string   `json:"path"`
	Steps
}

// Upgraded are what there was to upgrade.
type Upgraded struct {
	Browsers []install.Outcome `json:"browsers"`
	Skua     upgraded          `json:"skua"`
	Steps
}

// Locked tells of the lock that a session has now. Times are in milliseconds.
type Locked struct {
	Holder      string `json:"holder"`
	Locked      bool   `json:"locked"`
	RemainingMS int64  `json:"remainingMs"`
	Session     string `json:"session"`
	Token       string `json:"token,omitempty"` // of one that the caller did not give
	Until       int64  `json:"until"`
}

// Unlocked tells who held the session; null: nobody.
type Unlocked struct {
	Session  string              `json:"session"`
	Unlocked bool                `json:"unlocked"`
	Was      *actions.LockHolder `json:"was"`
}

// Guide is one guide, or files of it.
type Guide struct {
	Content string             `json:"content,omitempty"`
	Files   []skills.Reference `json:"files,omitzero"`
	Name    string             `json:"name"`
}

// GuideFolders are where all guides lie.
type GuideFolders struct {
	Paths []string `json:"paths"`
}

// GuideFolder is where one lies.
type GuideFolder struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// GuideSummary is a guide in a list.
type GuideSummary struct {
	Description string `json:"description"`
	Name        string `json:"name"`
}
