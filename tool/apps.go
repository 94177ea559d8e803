package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/skua-browser/skua/tool/conversation"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
)

// apps are the desktop apps that a tool has launched, and the sessions that are attached to them. The zero value has none and costs nothing.
type apps struct {
	mu       sync.Mutex
	launcher *electron.Launcher
	own      bool                  // the launcher is the tool's, and ends with it
	over     bool                  // the tool has been closed
	current  map[string]bool       // launches that the conversation tells of as it is now; others are of other branches of it
	attached map[appSession]string // launch ids by session; empty for a browser that was not launched from here
}

// appSession is a session that works in an app.
type appSession struct {
	backend backend.Backend
	key     conversation.Key
}

// appLauncher returns the launcher of the tool's apps. It is made when it is needed first.
func (t *Tool) appLauncher() (*electron.Launcher, error) {
	a := &t.apps
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return nil, fault.New(fault.Canceled, "the tool has been closed")
	}
	if a.launcher != nil {
		return a.launcher, nil
	}
	if a.launcher = t.options.Apps; a.launcher != nil {
		return a.launcher, nil
	}
	k, err := electron.NewLauncher(electron.LauncherOptions{Dir: t.appRecords(), Getenv: func(name string) string { return t.options.Env[name] }, Log: t.log})
	if err != nil {
		return nil, err
	}
	a.launcher, a.own = k, true
	return k, nil
}

// appRecords is the folder of the records of the conversation's apps; empty: they end with the process.
func (t *Tool) appRecords() string {
	if t.options.StateDir == "" || t.options.SessionID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(t.options.SessionID))
	return filepath.Join(t.options.StateDir, "electron", hex.EncodeToString(sum[:8]))
}

// launched notes an app of the conversation as it is now.
func (a *apps) launched(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current == nil {
		a.current = map[string]bool{}
	}
	a.current[id] = true
}

// in returns the launch that a session is attached to; empty: none that the tool knows.
func (a *apps) in(s appSession) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.attached[s]
}

// attachedTo reports whether a session works in a browser that was not started for it, be it an app of ours or not.
func (a *apps) attachedTo(s appSession) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.attached[s]
	return ok
}

// sessionOf returns the session that is attached to an app.
func (a *apps) sessionOf(id string) (s appSession, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for s, launch := range a.attached {
		if launch == id {
			return s, true
		}
	}
	return appSession{}, false
}

// attach notes that a session works in an app, and no longer in another one; with an empty id, in a browser that was not launched from here.
func (a *apps) attach(s appSession, id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.attached == nil {
		a.attached = map[appSession]string{}
	}
	maps.DeleteFunc(a.attached, func(_ appSession, launch string) bool { return id != "" && launch == id })
	a.attached[s] = id
}

// detach notes that sessions have ended, or work somewhere else.
func (a *apps) detach(gone func(appSession) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.attached, func(s appSession, _ string) bool { return gone(s) })
}

// noteApp looks whether a session that was attached to a browser works in one of the tool's apps.
func (c *call) noteApp() {
	s := appSession{c.backend, c.plan.key}
	id := c.tool.apps.listening(portOf(attachedTo(&c.words)))
	c.tool.apps.attach(s, id)
	if id == "" {
		return
	}
	if err := c.tool.apps.launcher.Attached(id, s.key.Name); err != nil {
		c.tool.log.Warn("the session of an app is not on record", "launch", id, "err", err)
	}
}

// listening returns the launch whose app listens on a port of this machine; empty: none.
func (a *apps) listening(port int) string {
	for _, r := range a.records() {
		if port != 0 && r.Port == port && r.CleanupState == electron.Active {
			return r.LaunchID
		}
	}
	return ""
}

// records are those of the launcher, if there is one yet.
func (a *apps) records() []electron.Record {
	a.mu.Lock()
	k := a.launcher
	a.mu.Unlock()
	if k == nil {
		return nil
	}
	return k.Records()
}

// attachedTo is the browser that a command line attaches to, as it names it.
func attachedTo(w *argv.Words) string {
	if w.Does(trait.Connects) {
		return w.Positional(0)
	}
	return w.Value("cdp")
}

// portOf is the port of this machine in the address of a browser; 0: it names none.
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

// app returns the launch whose app the call's session works in.
func (c *call) app() (electron.Record, bool) {
	if c.plan.stateless {
		return electron.Record{}, false
	}
	id := c.tool.apps.in(appSession{c.backend, c.plan.key})
	if id == "" {
		return electron.Record{}, false
	}
	return c.tool.apps.record(id)
}

func (a *apps) record(id string) (electron.Record, bool) {
	records := a.records()
	i := slices.IndexFunc(records, func(r electron.Record) bool { return r.LaunchID == id })
	if i < 0 {
		return electron.Record{}, false
	}
	return records[i], true
}

// endApps ends the apps with the tool. Those that the conversation tells of as it is now stay where another one has the launcher, and asks for it.
func (t *Tool) endApps(ctx context.Context, keep bool) error {
	a := &t.apps
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
			done, err := k.Cleanup(ctx, r.LaunchID, electron.CleanupOptions{Timeout: t.limits.Close})
			if err != nil || done.State != electron.Cleaned {
				t.log.Warn("a desktop app is not cleaned up", "launch", r.LaunchID, "state", done.State, "err", err)
			}
		})
	}
	wg.Wait()
	return nil
}
