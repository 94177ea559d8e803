package skua

import (
	"context"
	"log/slog"
	"os"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/rules"
)

// Options are those of a host. The zero value is ready for use.
type Options struct {
	Dir string       // what relative paths start from; empty means the folder of the process
	Log *slog.Logger // nil means that nothing is logged
	// Getenv is the environment, with the variables of skua; nil means that of the process.
	Getenv func(name string) string
}

// Host holds sessions. Those of one host share a browser where their options allow it, each with its own cookies and
// storage. Its methods may be called from several goroutines.
type Host struct {
	manager *session.Manager
	options Options
}

// Open returns a host without sessions. Its rules are those that the environment and the configuration files of the
// folder say; they hold for all sessions. It starts no browser: the first command that needs one does.
func Open(o Options) (*Host, error) {
	if o.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		o.Dir = dir
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	registry := catalog.Registry()
	owner, err := rules.ReadOwner(rules.OwnerSource{Registry: registry, Getenv: o.Getenv, Cwd: o.Dir})
	if err != nil {
		return nil, errorOf(err)
	}
	manager, err := session.New(session.Options{Registry: registry, Log: o.Log, Owner: owner})
	if err != nil {
		return nil, errorOf(err)
	}
	return &Host{manager: manager, options: o}, nil
}

// Close ends all sessions and their browsers.
func (h *Host) Close(ctx context.Context) { h.manager.Close(ctx) }

// Page returns the session of that name. Commands of one session run one after another, those of different sessions at
// the same time.
func (h *Host) Page(name string, o SessionOptions) *Page {
	return &Page{host: h, name: name, session: o, said: &notices{}}
}
