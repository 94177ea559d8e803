package admin

import (
	"context"
	"path/filepath"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func profileCommands() []actions.Command {
	return []actions.Command{{
		Spec: actions.Spec{
			Name:    "profiles",
			Group:   actions.GroupSessions,
			Summary: "List the profiles of this user's browsers",
			Help: "Lists the profiles of Chrome, Chromium, Edge, Brave, Vivaldi, Opera and similar browsers. With " +
				"--profile and the folder or name of one, the session's browser gets a copy of its cookies, logins, settings and " +
				"site data; the profile itself is only read. \"Brave:Work\" means the profile Work of Brave.",
			Examples: []actions.Example{{Line: "profiles"}},
		},
		Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
		Safety:   actions.Safety{Families: policy.Does()},
		Bindings: actions.Bindings{Data: []any{[]profileEntry{}}, Bare: true},
		Run:      runProfiles,
	}}
}

// profileEntry is a profile in JSON: agent-browser's two members, and where it is.
type profileEntry struct {
	Directory   string `json:"directory"`
	Name        string `json:"name"`
	Browser     string `json:"browser"`
	UserDataDir string `json:"userDataDir"`
}

func runProfiles(_ context.Context, c *actions.Call) (actions.Result, error) {
	profiles := chrome.UserProfiles(chrome.UserDataDirs(c.Getenv))
	if len(profiles) == 0 {
		return actions.Result{}, fault.New(fault.ProfileNotFound, "No Chrome user data directory found")
	}
	entries, text := []profileEntry{}, ""
	var last chrome.UserData
	for _, p := range profiles {
		entries = append(entries, profileEntry{p.Directory, p.Name, p.UserData.Browser, p.UserData.Dir})
		if p.UserData != last {
			title := p.UserData.Browser
			if text == "" {
				title = "Chrome" // agent-browser knows no other
			} else {
				text += "\n"
			}
			text += title + " profiles (" + filepath.Clean(p.UserData.Dir) + "):\n\n"
			last = p.UserData
		}
		text += "  " + p.Directory + "  (" + p.Name + ")\n"
	}
	return actions.HostResult(entries, text[:len(text)-1]), nil
}
