package launch

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/tabs"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/session/restore"
)

// Options are a call's options for its browser.
type Options struct {
	Browser chrome.Options
	Context engine.ContextOptions
	Connect *External        // a running browser to connect to; nil means start one
	App     *electron.Record // the launched app to connect to, or nil
	Target  string           // of the app: the target to activate; empty means the last used one
	profileOptions
	Restore *restore.Options  // options for saved states, or nil
	Added   []string          // what plugins added, in words
	Extend  Additions         // asks plugins for additions, or nil
	Gates   map[string]string // the network rules of this and earlier calls, by flag
	Network *policy.Network   // all network rules that apply, or nil
	Above   *policy.Network   // the network rules of the process owner, the environment and configuration files
	Given   map[string]string // the options that the call gives, by flag, for comparison and messages
	Typed   []string          // those of them that are flags of the command line

	partial bool                   // there is more to check than Given tells
	Private func(path string) bool // reports whether a file is one of skua's secrets

	Ceilings []policy.NetworkRules // the network rules of environments and configuration files in the session
}

// Additions asks plugins for additions to a launch.
type Additions func(context.Context, *Options) (Addition, error)

// launchFlags are the global flags that fix how a browser runs. A call with none of them uses the session's browser as
// it is.
var launchFlags = []string{
	"headed", "executable-path", "args", "user-agent", "proxy", "proxy-bypass", "ignore-https-errors", "no-webmcp",
	"color-scheme", "allow-file-access", "webgpu", "cdp", "auto-connect", "provider", "isolate", "profile", "profile-live",
	"extension", "ca-cert",
	"use-system-ca", "hide-scrollbars", "no-xvfb", "state", "restore", "session-name",
	policy.FlagDomains, policy.FlagResources, policy.FlagBlockPrivate, policy.FlagAllowPrivate,
}

// IsFlag reports whether a global flag affects how a browser starts.
func IsFlag(name string) bool {
	return slices.Contains(launchFlags, name) ||
		slices.Contains([]string{"engine", "no-ca-cert", "init-script", "enable", "timeout"}, name)
}

// Asked returns what a call asks of its browser: enough to know whether a running one is as asked. Fill reads the rest.
func Asked(in *actions.Input, getenv func(string) string, path func(string) string) Options {
	l := Options{Given: map[string]string{}, profileOptions: readProfileOptions(in, getenv, path)}
	for _, name := range launchFlags {
		if v := in.Strings(name); len(v) > 0 && in.Has(name) && v[0] != "false" {
			l.Given[name] = strings.Join(v, ",")
		}
		if in.Flagged(name) {
			l.Typed = append(l.Typed, name)
		}
	}
	if l.isolate == inContext { // the default
		delete(l.Given, "isolate")
	}
	if delete(l.Given, "hide-scrollbars"); showsScrollbars(in) {
		l.Given["hide-scrollbars"] = "false"
	}
	if l.plainTrust = in.Bool("no-ca-cert"); l.plainTrust {
		delete(l.Given, "ca-cert")
	}
	l.partial = in.Has("engine") || in.Has("cdp-headers")
	l.Private = func(path string) bool { return home.IsPrivate(getenv, path) || home.IsPrivate(os.Getenv, path) }
	return l
}

func showsScrollbars(in *actions.Input) bool {
	return in.Has("hide-scrollbars") && !in.Bool("hide-scrollbars")
}

// Plain reports whether the call asks for nothing that would have to be read to know whether it is right.
func (l Options) Plain() bool { return len(l.Given) == 0 && !l.partial }

// named are the options that name files, which are checked for each call.
var named = []string{"extension", "state", "restore", "session-name"}

// Same reports whether a running browser is as the call asks, with nothing to check.
func (l Options) Same(running Options) bool {
	names := func(option string) bool { _, given := l.Given[option]; return given }
	return !l.partial && !slices.ContainsFunc(named, names) && len(l.NotIn(running)) == 0
}

// Fill reads how a browser is to be started, besides what Asked has read. ReadExternal returns the running browser that
// a call names.
func (l *Options) Fill(in *actions.Input, path func(string) string, log *slog.Logger) {
	authorities := paths(in.Strings("ca-cert"), path)
	if l.plainTrust {
		authorities = nil
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
		ShowScrollbars: showsScrollbars(in),
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
}

// ReadExternal returns the running browser that the call names, or nil.
func ReadExternal(in *actions.Input, l Options, getenv func(string) string) (*External, error) {
	if err := checkEngine(in.String("engine")); err != nil && !in.Command().Effect.Has(actions.NoBrowser) {
		return nil, err
	}
	if in.String("provider") != "" {
		return providerBrowser(in, l, getenv), nil
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
		search = typed("auto-connect") // a flag on the command line wins
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

// switches returns the browser switches for skua's own flags.
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

// NotIn returns, as flags, the options and the rules above the call's that the running browser does not have.
func (l Options) NotIn(running Options) []string {
	return append(l.differsFrom(running), l.missingRules(running)...)
}

// differsFrom returns, as flags, the options in which l differs from the running browser. A call without launch options
// accepts any browser.
func (l Options) differsFrom(running Options) []string {
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
		if name == "auto-connect" && running.Connect != nil { // any running browser will do, and there is one
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

// Hash returns a hash of the options that is exact in a JSON number.
func (l Options) Hash() uint32 {
	h := fnv.New32a()
	for _, name := range launchFlags {
		fmt.Fprintf(h, "%s=%s\n", name, l.Given[name])
	}
	return h.Sum32()
}

// shownOption returns the value of an option without secrets: the address of a browser may contain a token.
func shownOption(name, value string) string {
	if name == "cdp" || name == "provider" || name == "proxy" {
		return endpoint.ShownAddress(value)
	}
	return value
}
