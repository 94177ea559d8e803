package launch

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// SavedOptions are the launch options that a file keeps, so that a browser that replaces one that ended is started the
// same way: its tabs are never loaded through another network path or as another user. They contain no secrets: options
// whose values may be secret are only named.

// SavedOptions is what a file keeps of how a browser was started. It holds no secret: options whose values may be one
// are named, and no more.
type SavedOptions struct {
	Given             map[string]string `json:"given,omitempty"` // by flag, for comparing and for messages
	Executable        string            `json:"executable,omitempty"`
	Headed            bool              `json:"headed,omitempty"`
	Args              []string          `json:"args,omitempty"`
	NoWebMCP          bool              `json:"noWebMCP,omitempty"`
	CACerts           []string          `json:"caCerts,omitempty"`
	SystemCA          bool              `json:"systemCA,omitempty"`
	ShowScrollbars    bool              `json:"showScrollbars,omitempty"`
	NoXvfb            bool              `json:"noXvfb,omitempty"`
	Extensions        []string          `json:"extensions,omitempty"`
	Proxy             string            `json:"proxy,omitempty"`
	ProxyBypass       string            `json:"proxyBypass,omitempty"`
	UserAgent         string            `json:"userAgent,omitempty"`
	IgnoreHTTPSErrors bool              `json:"ignoreHTTPSErrors,omitempty"`
	ColorScheme       string            `json:"colorScheme,omitempty"`
	Isolate           string            `json:"isolate,omitempty"`
	Profile           string            `json:"profile,omitempty"`
	ProfileDir        string            `json:"profileDir,omitempty"`
	ProfileLive       bool              `json:"profileLive,omitempty"`
	Plugins           bool              `json:"plugins,omitempty"`  // plugins added to the launch
	Withheld          []string          `json:"withheld,omitempty"` // flags that a call must repeat
}

// Save returns the part of the options that a file may keep.
func (l Options) Save() *SavedOptions {
	k := &SavedOptions{
		Given:             map[string]string{},
		Executable:        l.Browser.ExecutablePath,
		Headed:            !l.Browser.Headless,
		NoWebMCP:          l.Browser.NoWebMCP,
		CACerts:           l.Browser.CACerts,
		SystemCA:          l.Browser.SystemCA,
		ShowScrollbars:    l.Browser.ShowScrollbars,
		NoXvfb:            l.Browser.NoXvfb,
		Extensions:        l.Browser.Extensions,
		ProxyBypass:       l.Context.ProxyBypass,
		UserAgent:         l.Context.UserAgent,
		IgnoreHTTPSErrors: l.Context.IgnoreHTTPSErrors,
		ColorScheme:       l.Context.ColorScheme,
		Isolate:           l.isolate,
		Profile:           l.profile,
		ProfileDir:        l.dir,
		ProfileLive:       l.live,
		Plugins:           len(l.Added) > 0,
	}
	for _, name := range launchFlags {
		value, given := l.Given[name]
		switch {
		case !given || isGateFlag(name):
		case secretOption(name, value, l):
			k.Withheld = append(k.Withheld, name)
		default:
			k.Given[name] = value
		}
	}
	if !SecretAddress(l.Context.Proxy) {
		k.Proxy = l.Context.Proxy
	}
	if !secretSwitches(l.Browser.Args) {
		k.Args = l.Browser.Args
	}
	return k
}

// secretOption reports whether an option's value must not be saved. Restored states are excluded, too: they are read
// with a key that only calls have.
func secretOption(name, value string, l Options) bool {
	switch name {
	case "proxy":
		return SecretAddress(value)
	case "args":
		return secretSwitches(l.Browser.Args)
	case "state", "restore", "session-name":
		return true
	}
	return false
}

// SecretAddress reports whether an address contains a user name.
func SecretAddress(address string) bool { return strings.Contains(address, "@") }

// secretSwitches reports whether the value of a browser switch looks like a secret.
func secretSwitches(args []string) bool {
	for _, arg := range args {
		name, value, _ := strings.Cut(strings.ToLower(arg), "=")
		for _, word := range []string{"password", "secret", "token", "key", "auth", "credential"} {
			if strings.Contains(name, word) {
				return true
			}
		}
		if strings.Contains(value, "@") {
			return true
		}
	}
	return false
}

// Options returns the saved options, completed by the call l. It fails if the call lacks what could not be saved.
func (k *SavedOptions) Options(l Options, session string) (Options, error) {
	if k.Plugins && l.Extend == nil {
		return l, fault.New(fault.BrowserLaunch,
			"the host of session %s was restarted; plugins had added launch options to its browser, but this command has no "+
				"plugins: nothing was loaded", session).About(session).With("reason", "options-lost").
			WithHint("Configure the plugins for this command, too, or `close` the session to start without them.")
	}
	again := l
	b, c := &again.Browser, &again.Context
	b.ExecutablePath, b.Headless, b.Args, b.NoWebMCP = k.Executable, !k.Headed, k.Args, k.NoWebMCP
	b.CACerts, b.SystemCA, b.ShowScrollbars, b.NoXvfb, b.Extensions = k.CACerts, k.SystemCA, k.ShowScrollbars, k.NoXvfb,
		k.Extensions
	c.Proxy, c.ProxyBypass, c.UserAgent, c.IgnoreHTTPSErrors, c.ColorScheme = k.Proxy, k.ProxyBypass, k.UserAgent,
		k.IgnoreHTTPSErrors, k.ColorScheme
	again.isolate, again.profile, again.dir, again.live, again.plainTrust = k.Isolate, k.Profile, k.ProfileDir,
		k.ProfileLive, false
	again.Given = maps.Clone(k.Given)
	if again.Given == nil {
		again.Given = map[string]string{}
	}
	for _, flag := range k.Withheld {
		value, given := l.Given[flag]
		if !given {
			return l, fault.New(fault.BrowserLaunch,
				"the host of session %s was restarted; its browser ran with --%s, whose value was not saved: nothing was loaded",
				session, flag).About("--"+flag).With("reason", "options-lost").
				WithHint("Repeat --%s with the command, or `close` the session to start without it.", flag)
		}
		again.Given[flag] = value
		switch flag {
		case "proxy":
			c.Proxy = l.Context.Proxy
		case "args":
			b.Args = l.Browser.Args
		}
	}
	return again, nil
}

// ChangedFrom returns, as flags, the options that l names and stood lacks or has with other values.
func (l Options) ChangedFrom(stood Options) []string {
	if l.plainTrust && stood.Given["ca-cert"] != "" {
		return []string{"no --ca-cert"}
	}
	var flags []string
	for _, name := range launchFlags {
		want, wanted := l.Given[name]
		have, has := stood.Given[name]
		if wanted && (!has || want != have) && !isGateFlag(name) {
			flags = append(flags, fmt.Sprintf("--%s %s", name, strconv.Quote(shownOption(name, want))))
		}
	}
	return flags
}
