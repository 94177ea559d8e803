package launch

import (
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/fault"
)

// The values of --isolate.
const (
	inContext = "context" // in a context of a shared browser
	inProcess = "process" // in the session's own browser
)

// profileOptions are a call's options that are resolved when the browser starts.
type profileOptions struct {
	isolate string
	profile string // a name or a path, as given
	live    bool   // of a name: the profile itself instead of a copy
	dir     string // of a path: the absolute path
	getenv  func(string) string

	plainTrust bool // only the browser's own certificate authorities
}

func readProfileOptions(in *actions.Input, getenv func(string) string, path func(string) string) profileOptions {
	w := profileOptions{
		isolate: in.String("isolate"),
		profile: in.String("profile"),
		live:    in.Bool("profile-live"),
		getenv:  getenv,
	}
	if w.profile == "~" || strings.HasPrefix(w.profile, "~/") {
		w.dir = filepath.Join(getenv("HOME"), w.profile[1:])
	} else if isPath(w.profile) {
		w.dir = path(w.profile)
	}
	return w
}

// isPath reports whether a profile is given by its folder, not its name.
func isPath(profile string) bool {
	return strings.ContainsAny(profile, `/\`) || profile == "." || profile == ".."
}

// paths makes a list of paths absolute.
func paths(values []string, path func(string) string) []string {
	for i, v := range values {
		values[i] = path(v)
	}
	return values
}

// OwnBrowser reports whether the session has its own browser.
func (l Options) OwnBrowser() bool {
	return !l.Browser.Headless || l.isolate == inProcess || l.UsesProfile()
}

// UsesProfile reports whether the session's pages are in the browser's own profile, which contains the profile's data
// and the extensions.
func (l Options) UsesProfile() bool { return l.profile != "" || len(l.Browser.Extensions) > 0 }

// Resolved returns the launch with the profile's folder.
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

// checkEngine refuses engines that skua does not start. agent-browser's two other engines speak the same protocol.
func checkEngine(name string) error {
	switch name {
	case "", "chrome":
		return nil
	case "lightpanda", "obscura":
		return fault.New(fault.Usage, "%s is not started by skua", name).About("--engine").
			WithHint("Start it (%s serve --host 127.0.0.1 --port 9222), and connect to it with --cdp 9222.", name)
	}
	return fault.New(fault.Usage, "Unknown engine '%s'. Supported engines: chrome, lightpanda, obscura", name).
		About("--engine")
}
