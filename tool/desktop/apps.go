package desktop

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/judging"
)

// Options are what [New] has to know.
type Options struct {
	// of apps that outlive the tool; nil means one of its own, made when it is needed first, which ends with the tool
	Shared   *electron.Launcher
	Records  string // the folder of the records of its own launcher; empty means that they end with the process
	Getenv   func(name string) string
	Close    time.Duration // bounds each cleanup at the end
	Sessions func(backend.Backend) *conversation.Sessions
	Log      *slog.Logger
}

// Apps are the desktop apps that a tool has launched, and the sessions that are attached to them. Before the first one
// they cost nothing. Its methods may be called from several goroutines.
type Apps struct {
	o Options

	mu       sync.Mutex
	launcher *electron.Launcher
	own      bool               // the launcher is the tool's, and ends with it
	over     bool               // the tool has been closed
	current  map[string]bool    // launches that the conversation reports as it is now; others are of other branches of it
	attached map[Session]string // launch ids by session; empty for a browser that was not launched from here
}

// Session is a session that works in an app.
type Session struct {
	Backend backend.Backend
	Key     conversation.Key
}

// New returns the apps of a tool that has launched none.
func New(o Options) *Apps { return &Apps{o: o} }

// Launcher returns the launcher of the apps. It is made when it is needed first.
func (a *Apps) Launcher() (*electron.Launcher, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return nil, fault.New(fault.Canceled, "the tool has been closed")
	}
	if a.launcher != nil {
		return a.launcher, nil
	}
	if a.launcher = a.o.Shared; a.launcher != nil {
		return a.launcher, nil
	}
	k, err := electron.NewLauncher(electron.LauncherOptions{Dir: a.o.Records, Getenv: a.o.Getenv, Log: a.o.Log})
	if err != nil {
		return nil, err
	}
	a.launcher, a.own = k, true
	return k, nil
}

// launched notes an app of the conversation as it is now.
func (a *Apps) launched(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current == nil {
		a.current = map[string]bool{}
	}
	a.current[id] = true
}

// in returns the launch that a session is attached to; empty means none that the tool knows.
func (a *Apps) in(s Session) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.attached[s]
}

// attachedTo reports whether a session works in a browser that was not started for it, be it an app of ours or not.
func (a *Apps) attachedTo(s Session) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.attached[s]
	return ok
}

// sessionOf returns the session that is attached to an app.
func (a *Apps) sessionOf(id string) (s Session, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for s, launch := range a.attached {
		if launch == id {
			return s, true
		}
	}
	return Session{}, false
}

// attach notes that a session works in an app, and no longer in another one; with an empty id, in a browser that was
// not launched from here.
func (a *Apps) attach(s Session, id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.attached == nil {
		a.attached = map[Session]string{}
	}
	maps.DeleteFunc(a.attached, func(_ Session, launch string) bool { return id != "" && launch == id })
	a.attached[s] = id
}

// Detach notes that sessions have ended, or work somewhere else.
func (a *Apps) Detach(gone func(Session) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.attached, func(s Session, _ string) bool { return gone(s) })
}

// Note looks whether a session that a command line attaches to a browser works in one of the apps from then on.
func (a *Apps) Note(s Session, line *argv.Words) {
	id := a.listening(portOf(browserOf(line)))
	a.attach(s, id)
	if id == "" {
		return
	}
	if err := a.launcher.Attached(id, s.Key.Name); err != nil {
		a.o.Log.Warn("the session of an app is not on record", "launch", id, "err", err)
	}
}

// listening returns the launch whose app listens on a port of this machine, or empty.
func (a *Apps) listening(port int) string {
	for _, r := range a.records() {
		if port != 0 && r.Port == port && r.CleanupState == electron.Active {
			return r.LaunchID
		}
	}
	return ""
}

// records returns the records of the launcher, if there is one yet.
func (a *Apps) records() []electron.Record {
	a.mu.Lock()
	k := a.launcher
	a.mu.Unlock()
	if k == nil {
		return nil
	}
	return k.Records()
}

// browserOf is the browser that a command line attaches to, as it names it.
func browserOf(w *argv.Words) string {
	if w.Entry.ChoosesBrowser() {
		return w.Positional(0)
	}
	return w.Value("cdp")
}

// portOf is the port of this machine in the address of a browser; 0 means that it names none.
func portOf(address string) int {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		host, _, _ := strings.Cut(rest, "/")
		at := strings.LastIndexByte(host, ':')
		if at < 0 {
			return 0
		}
		switch host[:at] {
		case "127.0.0.1", "localhost", "[::1]":
			address = host[at+1:]
		default:
			return 0
		}
	}
	port, err := strconv.ParseUint(address, 10, 16)
	if err != nil {
		return 0
	}
	return int(port)
}

// In returns the launch whose app a session works in.
func (a *Apps) In(s Session) (r electron.Record, ok bool) {
	id := a.in(s)
	if id == "" {
		return electron.Record{}, false
	}
	return a.record(id)
}

// Named is a launch as follow-ups name it.
func (a *Apps) Named(r *electron.Record) judging.Electron {
	e := judging.Electron{LaunchID: r.LaunchID, Address: r.WebSocketDebuggerURL}
	if s, ok := a.sessionOf(r.LaunchID); ok {
		e.Session.Name = s.Key.Name
		if s.Key.Namespace != "" {
			e.Session.Namespace = &s.Key.Namespace
		}
		current := a.o.Sessions(s.Backend).Managed()
		e.InUse = current.Active && conversation.KeyOf(current) == s.Key
	}
	return e
}

func (a *Apps) record(id string) (electron.Record, bool) {
	records := a.records()
	i := slices.IndexFunc(records, func(r electron.Record) bool { return r.LaunchID == id })
	if i < 0 {
		return electron.Record{}, false
	}
	return records[i], true
}

// End ends the apps with the tool. Those that the conversation reports as it is now stay where another one has the
// launcher, and asks for it.
func (a *Apps) End(ctx context.Context, keep bool) error {
	a.mu.Lock()
	a.over = true
	k, own, current := a.launcher, a.own, maps.Clone(a.current)
	a.mu.Unlock()
	switch {
	case k == nil:
		return nil
	case own:
		return k.Close(ctx)
	}
	var wg sync.WaitGroup
	for _, r := range k.Records() {
		if r.CleanupState == electron.Cleaned || keep && current[r.LaunchID] {
			continue
		}
		wg.Go(func() {
			done, err := k.Cleanup(ctx, r.LaunchID, electron.CleanupOptions{Timeout: a.o.Close})
			if err != nil || done.State != electron.Cleaned {
				a.o.Log.Warn("a desktop app is not cleaned up", "launch", r.LaunchID, "state", done.State, "err", err)
			}
		})
	}
	wg.Wait()
	return nil
}
