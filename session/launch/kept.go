package launch

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/engine/fault"
)

// How a browser is started that takes the place of one that ended: as that one was. Its tabs are loaded the way they were loaded before, or not at
// all: never through another network path or as somebody else.

// Kept is what a file keeps of how a browser was started. It holds no secret: options whose values may be one are named, and no more.
type Kept struct {
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
	Plugins           bool              `json:"plugins,omitempty"`  // they had added to it
	Withheld          []string          `json:"withheld,omitempty"` // flags that a call has to carry again
}

// Keep is what a file may keep of the launch.
func (l Options) Keep() *Kept {
	k := &Kept{
		Given: map[string]string{}, Executable: l.Browser.ExecutablePath, Headed: !l.Browser.Headless, NoWebMCP: l.Browser.NoWebMCP,
		CACerts: l.Browser.CACerts, SystemCA: l.Browser.SystemCA, ShowScrollbars: l.Browser.ShowScrollbars, NoXvfb: l.Browser.NoXvfb,
		Extensions: l.Browser.Extensions, ProxyBypass: l.Context.ProxyBypass, UserAgent: l.Context.UserAgent,
		IgnoreHTTPSErrors: l.Context.IgnoreHTTPSErrors, ColorScheme: l.Context.ColorScheme,
		Isolate: l.isolate, Profile: l.profile, ProfileDir: l.dir, ProfileLive: l.live, Plugins: len(l.Added) > 0,
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

// secretOption reports whether the value of an option may not be kept, or is not worth it: states that are restored are read with a key that only
// calls have.
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

// SecretAddress reports whether an address names a user.
func SecretAddress(address string) bool { return strings.Contains(address, "@") }

// secretSwitches reports whether one of the browser's switches looks as if its value were a secret.
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

// Options is what was kept, with what the call l knows of it. It fails when the call does not carry what could not be kept.
func (k *Kept) Options(l Options, session string) (Options, error) {
	if k.Plugins && l.Extend == nil {
		return l, fault.New(fault.BrowserLaunch, "the host of session %s was restarted; plugins had added to how its browser was started, and this "+
			"command has none: nothing was loaded", session).About(session).With("reason", "options-lost").
			WithHint("Configure them for the command, too, or `close` the session to begin without.")
	}
	again := l
	b, c := &again.Browser, &again.Context
	b.ExecutablePath, b.Headless, b.Args, b.NoWebMCP = k.Executable, !k.Headed, k.Args, k.NoWebMCP
	b.CACerts, b.SystemCA, b.ShowScrollbars, b.NoXvfb, b.Extensions = k.CACerts, k.SystemCA, k.ShowScrollbars, k.NoXvfb, k.Extensions
	c.Proxy, c.ProxyBypass, c.UserAgent, c.IgnoreHTTPSErrors, c.ColorScheme = k.Proxy, k.ProxyBypass, k.UserAgent, k.IgnoreHTTPSErrors, k.ColorScheme
	again.isolate, again.profile, again.dir, again.live, again.plainTrust = k.Isolate, k.Profile, k.ProfileDir, k.ProfileLive, false
	again.Given = maps.Clone(k.Given)
	if again.Given == nil {
		again.Given = map[string]string{}
	}
	for _, flag := range k.Withheld {
		value, given := l.Given[flag]
		if !given {
			return l, fault.New(fault.BrowserLaunch, "the host of session %s was restarted; its browser ran with --%s, whose value was not kept: "+
				"nothing was loaded", session, flag).About("--"+flag).With("reason", "options-lost").
				WithHint("Repeat --%s with the command, or `close` the session to begin without it.", flag)
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

// Others returns the options that l names and the other one has not, or with other values, as flags.
func (l Options) Others(stood Options) []string {
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
