package tool

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/session/rules"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/desktop"
	"github.com/skua-browser/skua/tool/limits"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/redact"
	"github.com/skua-browser/skua/tool/reply"
)

// Options are how a Tool is opened. The zero value is the native backend in the current folder.
type Options struct {
	Backend backend.Backend // where calls run; nil means a native one of the tool's own
	// of the conversation that calls come from; with it the names of managed sessions are the same after a restart
	SessionID string
	Cwd       string            // what relative paths of calls are relative to; empty means the process's folder
	Env       map[string]string // the environment of calls; nil means the process's
	StateDir  string            // where to keep what must survive the process; if empty, nothing survives
	// what the owner of the process has forbidden; nil means with a backend of the tool's own what Env says, else nothing
	Owner *policy.Owner
	// of the conversation's desktop apps, which end with it; nil means one of the tool's own, with its records below
	// StateDir
	Apps *electron.Launcher
	Log  *slog.Logger
}

// Tool runs the calls of one caller: a conversation, or a connection. Its sessions are its own. Its methods may be
// called from several goroutines; calls of one session run one after another.
type Tool struct {
	options Options
	backend backend.Backend
	owned   bool // the backend is the tool's own
	log     *slog.Logger

	limits    limits.Limits
	protected []string // folders that no call may touch
	files     *artifacts.Ledger
	spills    *artifacts.Spills

	apps *desktop.Apps

	giveUp     context.CancelFunc // ends what runs in the background; nil means that nothing does
	background sync.WaitGroup

	mu       sync.Mutex
	names    *conversation.Names
	sessions map[backend.Backend]*conversation.Sessions
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
	getenv := func(name string) string { return o.Env[name] }
	t := &Tool{
		options:   o,
		backend:   o.Backend,
		log:       o.Log,
		limits:    limits.From(getenv),
		protected: storage(o.Env),
		names:     conversation.NewNames(o.SessionID, o.Cwd, rand.Text()),
		sessions:  map[backend.Backend]*conversation.Sessions{},
	}
	t.apps = t.newApps()
	t.files = artifacts.NewLedger(t.limits.ManifestEntries)
	t.spills = t.spillStore()
	if t.backend == nil {
		if o.Owner == nil {
			owner, err := rules.ReadOwner(rules.OwnerSource{Registry: catalog.Registry(), Getenv: getenv, Cwd: o.Cwd})
			if err != nil {
				return nil, err
			}
			o.Owner, t.options.Owner = owner, owner
		}
		native, err := backend.NewNative(o.Log, o.Owner)
		if err != nil {
			return nil, err
		}
		t.backend, t.owned = native, true
	}
	if t.leases() != "" {
		ctx, cancel := context.WithCancel(context.Background())
		t.giveUp = cancel
		t.background.Go(func() { t.closeAbandoned(ctx) }) // ends with the tool, which waits for it
	}
	return t, nil
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
	// in place of the tool's own, for this call; nil means the tool's
	Backend backend.Backend
	// what the user asked for last: the browser is not closed before the pictures are there that it names; may be empty
	Prompt string
	// asks a person, by a way that who calls does not have, or nil
	Approve func(ctx context.Context, question string) (bool, error)
	// Hand asks a person in the same way to do something at an address, and returns whether it is done, or else why not;
	// nil means that there is no such way.
	Hand     func(ctx context.Context, text, address string) (done bool, reason string, err error)
	Progress func(text string) // receives the progress of the call; may be nil

	Caller Caller // puts what the result advises into the words of who called; nil means that it names command lines
}

// Caller is who calls with other tools than agent_browser.
type Caller = reply.Caller

// Can returns what the backend does that calls run on, unless they name another one.
func (t *Tool) Can() backend.Abilities { return t.backend.Can() }

// Close ends the sessions that the tool made, and the desktop apps that it launched. Sessions that calls named
// themselves stay.
func (t *Tool) Close(ctx context.Context) error { return t.end(ctx, false) }

// Leave ends the tool as Close does, but leaves the managed session and the conversation's apps for a tool that goes on
// with the same conversation (see Restore). Sessions of a native backend that is the tool's own end all the same, and
// so do apps of its own launcher.
func (t *Tool) Leave(ctx context.Context) error { return t.end(ctx, true) }

func (t *Tool) end(ctx context.Context, leave bool) error {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	if t.giveUp != nil {
		t.giveUp()
	}
	t.background.Wait()
	for _, s := range t.all() {
		var kept *conversation.Key
		if m := s.Managed(); leave && m.Active {
			kept = new(conversation.KeyOf(m))
		}
		s.CloseOwned(ctx, kept)
	}
	err := t.apps.End(ctx, leave)
	if closing := t.spills.Close(); err == nil {
		err = closing
	}
	if t.owned {
		if closing := t.backend.Close(ctx); err == nil {
			err = closing
		}
	}
	return err
}

// on returns the sessions of a backend.
func (t *Tool) on(b backend.Backend) *conversation.Sessions {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.sessions[b]
	if s == nil {
		s = conversation.New(conversation.Options{
			Backend: b,
			Env:     t.options.Env,
			Cwd:     t.options.Cwd,
			Limits:  t.limits,
			Names:   t.names,
			Log:     t.log,
			Ended: func(gone func(conversation.Key) bool) {
				t.apps.Detach(func(s desktop.Session) bool { return s.Backend == b && gone(s.Key) })
			},
		})
		t.sessions[b] = s
	}
	return s
}

// desk is where calls are planned that run on a backend.
func (t *Tool) desk(b backend.Backend) *planning.Desk {
	return &planning.Desk{Sessions: t.on(b), Files: t.files, Protected: t.protected, Closed: t.isClosed}
}

func (t *Tool) isClosed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.closed
}

// owner is what the owner of a backend has forbidden, or nil.
func (t *Tool) owner(b backend.Backend) *policy.Owner {
	if o, ok := b.(interface{ Owner() *policy.Owner }); ok && o.Owner() != nil {
		return o.Owner()
	}
	return t.options.Owner
}

// all returns the sessions of all backends that were used.
func (t *Tool) all() []*conversation.Sessions {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.sessions))
}

// spillStore is where outputs go that are too long to show: with the state of the conversation, if that outlives the
// process, else into a temporary folder, which ends with the tool.
func (t *Tool) spillStore() *artifacts.Spills {
	if t.options.StateDir == "" || t.options.SessionID == "" {
		return artifacts.NewTempSpills("", t.limits.TempBytes)
	}
	sum := sha256.Sum256([]byte(t.options.SessionID))
	return artifacts.NewSpills(filepath.Join(t.options.StateDir, "spills", hex.EncodeToString(sum[:8])),
		t.limits.SpillBytes)
}

// storage are the folders in which sessions are kept: sockets, saved states, the agent-browser program's own files.
// What is in them opens other people's sessions.
func storage(env map[string]string) []string {
	list := make([]string, 0, len(env))
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	folders := []string{daemon.SocketDir(list)}
	if dir := env["AGENT_BROWSER_SOCKET_DIR"]; dir != "" {
		folders = append(folders, dir)
	}
	if home := env["HOME"]; filepath.IsAbs(home) {
		folders = append(folders, filepath.Join(home, ".agent-browser"))
	}
	return slices.DeleteFunc(folders, func(dir string) bool { return !filepath.IsAbs(dir) || filepath.Dir(dir) == dir })
}
