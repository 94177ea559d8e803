package launch

import (
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/fault"
)

// Where a session's pages are.
const (
	inContext = "context" // in a context of its own of a browser that it shares
	inProcess = "process" // in a browser of its own
)

// wishes are what a call says of its browser that has to be looked up when one is started.
type wishes struct {
	isolate string
	profile string // a name or a path, as it was given
	live    bool   // of a name: the profile itself, and no copy
	dir     string // of a path: in full
	getenv  func(string) string

	plainTrust bool // no authorities but the browser's own
}

func readWishes(in *actions.Input, getenv func(string) string, path func(string) string) wishes {
	w := wishes{isolate: in.String("isolate"), profile: in.String("profile"), live: in.Bool("profile-live"), getenv: getenv}
	if w.profile == "~" || strings.HasPrefix(w.profile, "~/") {
		w.dir = filepath.Join(getenv("HOME"), w.profile[1:])
	} else if isPath(w.profile) {
		w.dir = path(w.profile)
	}
	return w
}

// isPath tells a folder from the name of a profile.
func isPath(profile string) bool {
	return strings.ContainsAny(profile, `/\`) || profile == "." || profile == ".."
}

// paths are the values of a list of paths, in full.
func paths(values []string, path func(string) string) []string {
	for i, v := range values {
		values[i] = path(v)
	}
	return values
}

// Alone reports whether the session has a browser of its own.
func (l Options) Alone() bool {
	return !l.Browser.Headless || l.isolate == inProcess || l.OfProfile()
}

// OfProfile reports whether the session's pages are in the browser's own profile: what a profile keeps, and extensions, are nowhere else.
func (l Options) OfProfile() bool { return l.profile != "" || len(l.Browser.Extensions) > 0 }

// Resolved is the launch with the profile that it means.
func (l Options) Resolved() (Options, error) {
	switch {
	case l.profile == "":
		return l, nil
	case l.dir != "":
		l.Browser.UserDataDir = l.dir
		return l, nil
	}
	found, err := chrome.FindUserProfile(chrome.UserDataDirs(l.getenv), l.profile)
	if err != nil {
		return l, err
	}
	if l.live {
		l.Browser.UserDataDir, l.Browser.Profile = found.UserData.Dir, found.Directory
	} else {
		l.Browser.Copy = found
	}
	return l, nil
}

// checkEngine refuses what is no browser that we start. The two others of agent-browser's speak the same protocol.
func checkEngine(name string) error {
	switch name {
	case "", "chrome":
		return nil
	case "lightpanda", "obscura":
		return fault.New(fault.Usage, "%s is not started by skua", name).About("--engine").
			WithHint("Start it (%s serve --host 127.0.0.1 --port 9222), and connect to it with --cdp 9222.", name)
	}
	return fault.New(fault.Usage, "Unknown engine '%s'. Supported engines: chrome, lightpanda, obscura", name).About("--engine")
}
