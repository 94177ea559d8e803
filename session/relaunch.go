package session

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/engine/fault"
)

// How a browser is started that takes the place of one that ended: as that one was. Its tabs are loaded the way they were loaded before, or not at
// all: never through another network path or as somebody else.

// keptLaunch is what a file keeps of how a browser was started. It holds no secret: options whose values may be one are named, and no more.
type keptLaunch struct {
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

// kept is what a file may keep of the launch.
func (l launch) kept() *keptLaunch {
	k := &keptLaunch{
		Given: map[string]string{}, Executable: l.browser.ExecutablePath, Headed: !l.browser.Headless, NoWebMCP: l.browser.NoWebMCP,
		CACerts: l.browser.CACerts, SystemCA: l.browser.SystemCA, ShowScrollbars: l.browser.ShowScrollbars, NoXvfb: l.browser.NoXvfb,
		Extensions: l.browser.Extensions, ProxyBypass: l.context.ProxyBypass, UserAgent: l.context.UserAgent,
		IgnoreHTTPSErrors: l.context.IgnoreHTTPSErrors, ColorScheme: l.context.ColorScheme,
		Isolate: l.isolate, Profile: l.profile, ProfileDir: l.dir, ProfileLive: l.live, Plugins: len(l.added) > 0,
	}
	for _, name := range launchFlags {
		value, given := l.given[name]
		switch {
		case !given || isGateFlag(name):
		case secretOption(name, value, l):
			k.Withheld = append(k.Withheld, name)
		default:
			k.Given[name] = value
		}
	}
	if !secretAddress(l.context.Proxy) {
		k.Proxy = l.context.Proxy
	}
	if !secretSwitches(l.browser.Args) {
		k.Args = l.browser.Args
	}
	return k
}

// secretOption reports whether the value of an option may not be kept, or is not worth it: states that are restored are read with a key that only
// calls have.
func secretOption(name, value string, l launch) bool {
	switch name {
	case "proxy":
		return secretAddress(value)
	case "args":
		return secretSwitches(l.browser.Args)
	case "state", "restore", "session-name":
		return true
	}
	return false
}

// secretAddress reports whether an address names a user.
func secretAddress(address string) bool { return strings.Contains(address, "@") }

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

// launch is what was kept, with what the call l knows of it. It fails when the call does not carry what could not be kept.
func (k *keptLaunch) launch(l launch, session string) (launch, error) {
	if k.Plugins && l.extend == nil {
		return l, fault.New(fault.BrowserLaunch, "the host of session %s was restarted; plugins had added to how its browser was started, and this "+
			"command has none: nothing was loaded", session).About(session).With("reason", "options-lost").
			WithHint("Configure them for the command, too, or `close` the session to begin without.")
	}
	again := l
	b, c := &again.browser, &again.context
	b.ExecutablePath, b.Headless, b.Args, b.NoWebMCP = k.Executable, !k.Headed, k.Args, k.NoWebMCP
	b.CACerts, b.SystemCA, b.ShowScrollbars, b.NoXvfb, b.Extensions = k.CACerts, k.SystemCA, k.ShowScrollbars, k.NoXvfb, k.Extensions
	c.Proxy, c.ProxyBypass, c.UserAgent, c.IgnoreHTTPSErrors, c.ColorScheme = k.Proxy, k.ProxyBypass, k.UserAgent, k.IgnoreHTTPSErrors, k.ColorScheme
	again.isolate, again.profile, again.dir, again.live, again.plainTrust = k.Isolate, k.Profile, k.ProfileDir, k.ProfileLive, false
	again.given = maps.Clone(k.Given)
	if again.given == nil {
		again.given = map[string]string{}
	}
	for _, flag := range k.Withheld {
		value, given := l.given[flag]
		if !given {
			return l, fault.New(fault.BrowserLaunch, "the host of session %s was restarted; its browser ran with --%s, whose value was not kept: "+
				"nothing was loaded", session, flag).About("--"+flag).With("reason", "options-lost").
				WithHint("Repeat --%s with the command, or `close` the session to begin without it.", flag)
		}
		again.given[flag] = value
		switch flag {
		case "proxy":
			c.Proxy = l.context.Proxy
		case "args":
			b.Args = l.browser.Args
		}
	}
	return again, nil
}

// others returns the options that l names and the other one has not, or with other values, as flags.
func (l launch) others(stood launch) []string {
	if l.plainTrust && stood.given["ca-cert"] != "" {
		return []string{"no --ca-cert"}
	}
	var flags []string
	for _, name := range launchFlags {
		want, wanted := l.given[name]
		have, has := stood.given[name]
		if wanted && (!has || want != have) && !isGateFlag(name) {
			flags = append(flags, fmt.Sprintf("--%s %s", name, strconv.Quote(shownOption(name, want))))
		}
	}
	return flags
}

// launchAgain is how the browser is started for the call l: as one was that ended, if there is such a one, and what the call says else is not
// applied. A call that opens an address with other options has a browser with those, and the tabs of before are not loaded in it. The note says so.
func (s *Session) launchAgain(l launch, how revival) (again launch, as revival, note string, err error) {
	s.mu.Lock()
	lost := s.loss
	s.mu.Unlock()
	if lost == nil || l.connect != nil {
		return l, how, "", nil
	}
	switch {
	case lost.launch != nil:
		again = *lost.launch
	case lost.kept != nil:
		if again, err = lost.kept.launch(l, s.name); err != nil {
			return l, how, "", err
		}
	default:
		return l, how, "", nil
	}
	again.gates, again.ceilings, again.network, again.above = l.gates, l.ceilings, l.network, l.above // they stand by themselves
	differ := l.others(again)
	switch {
	case len(differ) == 0:
		return again, how, "", nil
	case how.opens:
		how.blank = true
		return l, how, "the browser was started anew for " + strings.Join(differ, ", "), nil
	}
	return again, how, "the session's browser keeps the options of the one that ended; not applied: " + strings.Join(differ, ", ") +
		" (use `close` first, or another --session)", nil
}
