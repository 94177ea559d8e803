package session

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
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

// alone reports whether the session has a browser of its own.
func (l launch) alone() bool {
	return !l.browser.Headless || l.isolate == inProcess || l.ofProfile()
}

// ofProfile reports whether the session's pages are in the browser's own profile: what a profile keeps, and extensions, are nowhere else.
func (l launch) ofProfile() bool { return l.profile != "" || len(l.browser.Extensions) > 0 }

// resolved is the launch with the profile that it means.
func (l launch) resolved() (launch, error) {
	switch {
	case l.profile == "":
		return l, nil
	case l.dir != "":
		l.browser.UserDataDir = l.dir
		return l, nil
	}
	found, err := chrome.FindUserProfile(chrome.UserDataDirs(l.getenv), l.profile)
	if err != nil {
		return l, err
	}
	if l.live {
		l.browser.UserDataDir, l.browser.Profile = found.UserData.Dir, found.Directory
	} else {
		l.browser.Copy = found
	}
	return l, nil
}

// startAlone starts the session's own browser. The caller holds s.starting.
func (s *Session) startAlone(ctx context.Context, l launch) (*lease, error) {
	wanted := l
	l, err := l.resolved()
	if err != nil {
		return nil, err
	}
	l, guard, err := s.gateFor(l)
	if err != nil {
		return nil, err
	}
	if l.ofProfile() { // the proxy of a profile is that of its browser
		if p := l.context.Proxy; p != "" {
			l.browser.Args = append(slices.Clone(l.browser.Args), "--proxy-server="+p, "--proxy-bypass-list="+l.context.ProxyBypass)
		}
	}
	key := l.browser.Key() + fmt.Sprintf("session %s of %p", s.name, s.manager)
	return s.leaseOf(ctx, key, l, wanted, guard, func(ctx context.Context, b *engine.Browser) (*engine.Context, error) {
		return s.contextOf(ctx, b, l)
	})
}

// contextOf makes the session's context in its own browser, with what belongs to the profile.
func (s *Session) contextOf(ctx context.Context, b *engine.Browser, l launch) (*engine.Context, error) {
	if !l.ofProfile() {
		return b.NewContext(ctx, l.context)
	}
	for _, dir := range l.browser.Extensions {
		if _, err := b.LoadExtension(ctx, dir); err != nil {
			return nil, err
		}
	}
	c := b.NewView(l.context)
	if copied := b.Copied(); copied != nil {
		s.tellCopied(ctx, c, l, copied)
	}
	return c, nil
}

// tellCopied says what of a profile is not in its copy, or cannot be read there.
func (s *Session) tellCopied(ctx context.Context, c *engine.Context, l launch, copied *chrome.Copied) {
	name := l.browser.Copy.Directory + " of " + l.browser.Copy.UserData.Browser
	if len(copied.LeftOut) > 0 {
		s.tell("the copy of the profile " + name + " lacks what is too large or not readable: " + strings.Join(copied.LeftOut, ", "))
	}
	if copied.Moving {
		s.tell("the profile " + name + " was written to while it was copied; the copy may lack what came last")
	}
	if copied.Keyring == 0 {
		return
	}
	if cookies, err := c.Cookies(ctx); err == nil && len(cookies) == 0 {
		s.tell("the cookies of the profile " + name + " are encrypted with a key of the desktop's keyring, which cannot be had here: " +
			"none could be decrypted, and its logins are missing")
	}
}

// Profiles returns the profiles of the browsers of the caller.
func (s *inCall) Profiles() []chrome.UserProfile {
	return chrome.UserProfiles(chrome.UserDataDirs(s.getenv))
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
