package launch

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// External is a browser that the session does not start.
type External struct {
	Name string // for messages, without secrets
	Find func(context.Context) (Endpoint, error)

	Provider string // the provider that starts it, or empty

	Searches bool // Find searches for running browsers and may be called again after the browser is gone
}

// Endpoint is the address of a running browser.
type Endpoint struct {
	Address string      // a port, or an http or ws address, with its secrets
	Headers http.Header // for HTTP requests and the WebSocket; may be nil
	About   string      // a description of the browser; may be empty
	// removes secrets from a connection error; nil means only those of the address and headers
	Hide  func(error) error
	Notes []string // notices for the session's next reply
	// gives the browser back to its provider, or nil. It is called once, when the session leaves
	Release func(context.Context) error

	// Open opens a connection to the browser where Address is not its own: it is reached through another program. nil
	// means it is reached there.
	Open func(context.Context) (cdp.Transport, error)

	Consent bool      // the browser may ask its user first
	Next    *Endpoint // the endpoint to try if this one fails, or nil
}

// At returns the browser at an address that the caller gives.
func At(address string, headers http.Header) *External {
	return &External{Name: endpoint.ShownAddress(address), Find: func(context.Context) (Endpoint, error) {
		return Endpoint{Address: address, Headers: headers}, nil
	}}
}

// Over returns the browser that is reached through a program at an address.
func Over(address string, open func(context.Context) (cdp.Transport, error)) *External {
	return &External{Name: endpoint.ShownAddress(address), Find: func(context.Context) (Endpoint, error) {
		return Endpoint{Address: address, Open: open}, nil
	}}
}

// About describes a connected browser, for --verbose.
func About(l Options, at Endpoint, where endpoint.Endpoint) string {
	switch {
	case l.Connect.Provider != "":
		return at.About
	case at.About != "":
		return at.About + ", which was running already and is left running"
	}
	s := "the browser at " + endpoint.ShownAddress(where.URL) + ", which was running already and is left running"
	if where.Lone {
		s += "; it is reached over the connection of one of its tabs, and lost when that is closed"
	}
	return s
}

// Remote returns the address that a caller gave for the browser; nil means that skua starts it.
func (l Options) Remote() *policy.Remote {
	for _, option := range policy.RemoteOptions() {
		if at, ok := option.Remote(l.Given[option.Flag]); ok && option.Kind != policy.Proxy {
			return &at
		}
	}
	return nil
}

// CheckUnused returns the error of a call that connects to a running browser and typed options that only a browser
// started by skua can use. noted are such options of the environment and configuration files.
func (l Options) CheckUnused() (noted []string, err error) {
	var refused []string
	for _, flag := range l.unusedFlags() {
		if slices.Contains(l.Typed, strings.TrimPrefix(flag, "--")) {
			refused = append(refused, flag)
		} else {
			noted = append(noted, flag)
		}
	}
	if len(refused) > 0 {
		return nil, fault.New(fault.BrowserOptions, "%s cannot be applied to a browser that already runs; nothing was done",
			strings.Join(refused, ", ")).
			About(refused[0]).WithHint("Leave it out, or let skua start a browser.")
	}
	return noted, nil
}

// unusedFlags returns the options of the call that only a browser started by skua can use.
func (l Options) unusedFlags() []string {
	if l.Connect.Provider != "" || l.App != nil { // its provider or launcher gets them
		return nil
	}
	var flags []string
	for _, name := range launchFlags {
		switch name {
		case policy.FlagDomains, policy.FlagResources, policy.FlagBlockPrivate, policy.FlagAllowPrivate, "user-agent",
			"ignore-https-errors", "color-scheme", "cdp", "auto-connect":
			continue
		}
		if _, given := l.Given[name]; given {
			flags = append(flags, "--"+name)
		}
	}
	return flags
}

// ConnectTo returns the launch with another browser to connect to.
func (l Options) ConnectTo(f *External, flag, value string) Options {
	l.Connect, l.App = f, nil
	l.Given = maps.Clone(l.Given)
	for _, other := range []string{"cdp", "auto-connect", "provider"} {
		delete(l.Given, other)
	}
	l.Given[flag] = value
	return l
}

// UserBrowser reports whether the browser is one that the user runs and named: no other browser can replace it. A
// rented browser or a launched app is not.
func (l Options) UserBrowser() bool {
	return l.Connect != nil && l.Connect.Provider == "" && l.App == nil
}
