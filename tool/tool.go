package tool

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/limits"
	"github.com/skua-browser/skua/tool/redact"
)

// Options are how a Tool is opened. The zero value is the native backend in the current folder.
type Options struct {
	Backend   backend.Backend   // where calls run; nil: a native one of the tool's own
	SessionID string            // of the conversation that calls come from; with it the names of managed sessions are the same after a restart
	Cwd       string            // what relative paths of calls are relative to; empty: the process's folder
	Env       map[string]string // the environment of calls; nil: the process's
	StateDir  string            // where what has to outlive the process is kept; empty: nothing outlives it
	Log       *slog.Logger
}

// Tool runs the calls of one caller: a conversation, or a connection. Its sessions are its own. Its methods may be called from several
// goroutines; calls of one session run one after another.
type Tool struct {
	options Options
	backend backend.Backend
	owned   bool // the backend is the tool's own
	log     *slog.Logger

	registry *actions.Registry
	limits   limits.Limits

	mu       sync.Mutex
	sessions map[sessionKey]*sessionState
	managed  managed
	closed   bool
}

// Open returns a tool without sessions. It starts no browser.
func Open(o Options) (*Tool, error) {
	if o.Cwd == "" {
		cwd, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		o.Cwd = cwd
	}
	if o.Env == nil {
		o.Env = environment(os.Environ())
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Log = slog.New(redact.Log(o.Log.Handler()))
	t := &Tool{options: o, backend: o.Backend, log: o.Log, sessions: map[sessionKey]*sessionState{}}
	t.limits = limits.From(func(name string) string { return o.Env[name] })
	if t.backend == nil {
		native, err := backend.NewNative(o.Log)
		if err != nil {
			return nil, err
		}
		t.backend, t.owned = native, true
	}
	if native, ok := t.backend.(*backend.Native); ok {
		t.registry = native.Registry()
		return t, nil
	}
	var err error
	t.registry, err = actions.NewRegistry(actions.Commands())
	return t, err
}

func environment(list []string) map[string]string {
	env := make(map[string]string, len(list))
	for _, entry := range list {
		if name, value, ok := strings.Cut(entry, "="); ok {
			env[name] = value
		}
	}
	return env
}

// Request is one call.
type Request struct {
	contract.Params
	Backend  backend.Backend   // in place of the tool's own, for this call; nil: the tool's
	Progress func(text string) // is told what goes on while the call runs; nil: nobody is
}

// Call runs a call. It never returns nil, and every failure is a result too.
func (t *Tool) Call(ctx context.Context, r Request) *contract.Result {
	c := &call{tool: t, params: r.Params, backend: r.Backend, details: &contract.Details{}}
	if c.backend == nil {
		c.backend = t.backend
	}
	c.progress = func(text string) {
		if r.Progress != nil {
			r.Progress(c.secrets().Text(text))
		}
	}
	return c.run(ctx)
}

// Close ends the sessions that the tool made.
func (t *Tool) Close(ctx context.Context) error {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	err := t.closeManaged(ctx)
	if t.owned {
		if closing := t.backend.Close(ctx); err == nil {
			err = closing
		}
	}
	return err
}
