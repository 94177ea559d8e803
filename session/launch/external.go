package launch

import (
	"context"
	"maps"
	"net/http"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/guard/policy"
)

// External is how a session gets a browser that it does not start.
type External struct {
	Name string // what messages call it, without secrets
	Find func(context.Context) (Endpoint, error)

	Provider string // that find asks for a browser; empty: none

	Searches bool // find looks around and lends nothing, so that it may be asked again when the browser is gone
}

// Endpoint is where such a browser is reached.
type Endpoint struct {
	Address string                      // a port, an http or a ws address, with the secrets that it holds
	Headers http.Header                 // of the questions for its websocket and of the websocket; may be nil
	About   string                      // what is known of the browser, a sentence for people; may be empty
	Hide    func(error) error           // takes secrets out of an error of reaching it; nil: there are none but those of the address and headers
	Notes   []string                    // what its session has to say once it is reached
	Release func(context.Context) error // gives the browser back to who lent it; nil: nobody did. It is called once, when the session leaves

	Consent bool      // the browser may ask its user first
	Next    *Endpoint // to be tried when this one can't be reached; nil: none
}

// At is the browser at an address that the caller gives.
func At(address string, headers http.Header) *External {
	return &External{Name: engine.ShownAddress(address), Find: func(context.Context) (Endpoint, error) {
		return Endpoint{Address: address, Headers: headers}, nil
	}}
}

// About says what a session that is attached works in, for people who ask for details.
func About(l Options, at Endpoint, where engine.Endpoint) string {
	switch {
	case l.Connect.Provider != "":
		return at.About
	case at.About != "":
		return at.About + ", which was running already and is left running"
	}
	s := "the browser at " + engine.ShownAddress(where.URL) + ", which was running already and is left running"
	if where.Lone {
		s += "; it is reached over the connection of one of its tabs, and lost when that is closed"
	}
	return s
}

// MeantForOurs are the options of the call that only a browser which we start can take.
func (l Options) MeantForOurs() []string {
	if l.Connect.Provider != "" || l.App != nil { // who starts it is told of them
		return nil
	}
	var flags []string
	for _, name := range launchFlags {
		switch name {
		case policy.FlagDomains, policy.FlagResources, policy.FlagBlockPrivate, policy.FlagAllowPrivate, "user-agent", "ignore-https-errors", "color-scheme", "cdp", "auto-connect":
			continue
		}
		if _, given := l.Given[name]; given {
			flags = append(flags, "--"+name)
		}
	}
	return flags
}

// AimedAt is the launch with another browser than the options of the call name.
func (l Options) AimedAt(f *External, flag, value string) Options {
	l.Connect, l.App = f, nil
	l.Given = maps.Clone(l.Given)
	for _, other := range []string{"cdp", "auto-connect", "provider"} {
		delete(l.Given, other)
	}
	l.Given[flag] = value
	return l
}

// Chosen reports whether the browser is one that people run and named: no other one can take its place. One that was rented, or an app that was
// launched, is known to who did that.
func (l Options) Chosen() bool { return l.Connect != nil && l.Connect.Provider == "" && l.App == nil }
