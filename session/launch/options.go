package launch

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/tabs"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/restore"
)

// Options is how a call wants its browser.
type Options struct {
	Browser chrome.Options
	Context engine.ContextOptions
	Connect *External        // a browser that runs already; nil: start one
	App     *electron.Record // the launched app that is connected to; nil: none
	Target  string           // of the app: what is to be the active tab; empty: what was used last
	wishes
	Wish    *restore.Wish     // what is said of saved states; nil: nothing
	Added   []string          // what plugins have added to it, in words
	Extend  Additions         // nil: there are no such plugins
	Gates   map[string]string // what the session may reach, by flag: what the call says, and what was said before
	Network *policy.Network   // the same, with what counts beside it; nil: everything
	Above   *policy.Network   // what counts beside it: of the process's owner, of the environment and of configuration files
	Given   map[string]string // the options that the call carries, by flag, for comparing and for messages

	Ceilings []policy.NetworkRules // what environments and configuration files have said in the session
}

// Additions asks plugins what they add to a launch.
type Additions func(context.Context, *Options) (Addition, error)

// launchFlags are the global flags that fix how a browser runs. Calls that carry none of them take the browser that is there.
var launchFlags = []string{
	"headed", "executable-path", "args", "user-agent", "proxy", "proxy-bypass", "ignore-https-errors", "no-webmcp",
	"color-scheme", "allow-file-access", "webgpu", "cdp", "auto-connect", "provider", "isolate", "profile", "profile-live", "extension", "ca-cert",
	"use-system-ca", "hide-scrollbars", "no-xvfb", "state", "restore", "session-name",
	policy.FlagDomains, policy.FlagResources, policy.FlagBlockPrivate, policy.FlagAllowPrivate,
}

// IsFlag reports whether a global says how a browser is started.
func IsFlag(name string) bool {
	return slices.Contains(launchFlags, name) || slices.Contains([]string{"engine", "no-ca-cert", "init-script", "enable", "timeout"}, name)
}

// Read is how a call wants its browser. ReadExternal says which running one it means.
func Read(in *actions.Input, getenv func(string) string, path func(string) string, log *slog.Logger) Options {
	l := Options{Given: map[string]string{}, wishes: readWishes(in, getenv, path)}
	for _, name := range launchFlags {
		if v := in.Strings(name); len(v) > 0 && in.Has(name) && v[0] != "false" {
			l.Given[name] = strings.Join(v, ",")
		}
	}
	if l.isolate == inContext { // as it is without the flag
		delete(l.Given, "isolate")
	}
	scrollbars := in.Has("hide-scrollbars") && !in.Bool("hide-scrollbars")
	if scrollbars {
		l.Given["hide-scrollbars"] = "false"
	} else {
		delete(l.Given, "hide-scrollbars")
	}
	authorities := paths(in.Strings("ca-cert"), path)
	if in.Bool("no-ca-cert") {
		authorities, l.plainTrust = nil, true
		delete(l.Given, "ca-cert")
	}
	explicit := in.String("executable-path")
	if strings.ContainsAny(explicit, `/\`) {
		explicit = path(explicit)
	}
	l.Browser = chrome.Options{
		ExecutablePath: explicit,
		Headless:       !in.Bool("headed"),
		Args:           append(switches(in), in.Strings("args")...),
		NoWebMCP:       in.Bool("no-webmcp"),
		CACerts:        authorities,
		SystemCA:       in.Bool("use-system-ca"),
		ShowScrollbars: scrollbars,
		NoXvfb:         in.Bool("no-xvfb"),
		Extensions:     paths(in.Strings("extension"), path),
		Log:            log,
	}
	l.Context = engine.ContextOptions{
		Proxy:             in.String("proxy"),
		ProxyBypass:       in.String("proxy-bypass"),
		UserAgent:         in.String("user-agent"),
		IgnoreHTTPSErrors: in.Bool("ignore-https-errors"),
		ColorScheme:       in.String("color-scheme"),
		Width:             chrome.DefaultWidth,
		Height:            chrome.DefaultHeight,
	}
	return l
}

// ReadExternal says which running browser the call means; nil: none.
func ReadExternal(in *actions.Input, l Options, getenv func(string) string) (*External, error) {
	if err := checkEngine(in.String("engine")); err != nil && !in.Command().Effect.Has(actions.NoBrowser) {
		return nil, err
	}
	if in.String("provider") != "" {
		return rented(in, l, getenv), nil
	}
	header, err := tabs.CDPHeaders(in)
	if err != nil {
		return nil, err
	}
	address, search := in.String("cdp"), in.Bool("auto-connect")
	if address != "" && search {
		typed := func(flag string) bool { return strings.HasPrefix(in.Source(flag), "-") }
		if typed("cdp") == typed("auto-connect") {
			return nil, fault.New(fault.Usage, "Cannot use --auto-connect and --cdp together").About("--auto-connect").
				WithHint("They come from %s and %s; leave one of them out.", in.Source("auto-connect"), in.Source("cdp"))
		}
		search = typed("auto-connect") // who types one of them means that one
		if search {
			delete(l.Given, "cdp")
		} else {
			delete(l.Given, "auto-connect")
		}
	}
	switch {
	case search:
		return AnyRunning(getenv), nil
	case address != "":
		return At(address, header), nil
	}
	return nil, nil
}

// switches are those of the browser that flags of ours stand for.
func switches(in *actions.Input) []string {
	var s []string
	if in.Bool("allow-file-access") {
		s = append(s, "--allow-file-access-from-files")
	}
	if in.Bool("webgpu") {
		s = append(s, "--enable-unsafe-webgpu", "--enable-unsafe-swiftshader")
	}
	return s
}

// Differs returns the options in which l wants something else than the running browser was started with, as flags. A call that
// carries no launch option at all wants nothing.
func (l Options) Differs(running Options) []string {
	if l.plainTrust && running.Given["ca-cert"] != "" {
		return []string{"no --ca-cert"}
	}
	if len(l.Given) == 0 {
		return nil
	}
	var flags []string
	for _, name := range launchFlags {
		want, wanted := l.Given[name]
		have, has := running.Given[name]
		if name == "auto-connect" && running.Connect != nil { // any running browser is what is wanted, and one is had
			continue
		}
		if want == have && wanted == has || isGateFlag(name) && !wanted {
			continue
		}
		switch {
		case wanted:
			flags = append(flags, fmt.Sprintf("--%s %s", name, strconv.Quote(shownOption(name, want))))
		case has:
			flags = append(flags, "no --"+name)
		}
	}
	return flags
}

// Hash is a number for the options, small enough for readers that hold numbers as doubles.
func (l Options) Hash() uint32 {
	h := fnv.New32a()
	for _, name := range launchFlags {
		fmt.Fprintf(h, "%s=%s\n", name, l.Given[name])
	}
	return h.Sum32()
}

// shownOption is the value of an option as people may see it: the address of a browser may hold a token.
func shownOption(name, value string) string {
	if name == "cdp" || name == "provider" || name == "proxy" {
		return engine.ShownAddress(value)
	}
	return value
}
