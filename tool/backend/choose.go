package backend

import (
	"cmp"
	"log/slog"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// Choice is what decides on a backend. A flag wins over the environment, and that over a configuration.
type Choice struct {
	Flag, Config string // "native" or "subprocess"; empty if not given
	// the program of the subprocess backend, from a flag and from a configuration; empty if not given
	AgentBrowser, ConfiguredPath string
	Getenv                       func(string) string
	// what to use when it is the native one; nil means one with sessions of its own
	Native *Native
	Owner  *policy.Owner // what the owner has forbidden, or nil
	Log    *slog.Logger
}

// Choose returns the chosen backend: the native one unless something else is said. Path of the program of the
// subprocess backend and the backend itself are chosen one by one, each by SKUA_AGENT_BROWSER and SKUA_BACKEND in the
// environment.
func Choose(c Choice) (Backend, error) {
	getenv := c.Getenv
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	said := []struct {
		by, name string
	}{{"--backend", c.Flag}, {"SKUA_BACKEND", getenv("SKUA_BACKEND")}, {"The configuration", c.Config}}
	for _, s := range said {
		switch Name(s.name) {
		case "":
			continue
		case NameNative:
			return c.native()
		case NameSubprocess:
			path := cmp.Or(c.AgentBrowser, getenv("SKUA_AGENT_BROWSER"), c.ConfiguredPath)
			o := SubprocessOptions{Path: path, Owner: c.Owner, Log: c.Log}
			if !c.Owner.Any() {
				return NewSubprocess(o), nil
			}
			registry := catalog.Registry()
			return newSubprocessUnder(o, registry)
		}
		return nil, fault.New(fault.Usage, "%s names an unknown backend %q.", s.by, s.name).About(s.name).
			WithHint("Use native or subprocess.")
	}
	return c.native()
}

func (c Choice) native() (Backend, error) {
	if c.Native != nil {
		return c.Native, nil
	}
	return NewNative(c.Log, c.Owner)
}
