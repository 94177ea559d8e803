package session

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/gate"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/notifier"
	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/session/config"
	"github.com/skua-browser/skua/session/identity"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/ledger"
)

// Version is the version of the product.
const Version = product.Version

// Options configure a Manager. The zero value works.
type Options struct {
	Log      *slog.Logger
	Level    *slog.LevelVar   // of Log, lowered by --debug; nil: --debug changes nothing
	Browsers *launch.Browsers // what sessions run in, shared with other managers and closed by who made it; nil: browsers of the manager's own
	Journal  string           // file that remembers the open sessions, so that the next host can say what was lost; empty: none

	Owner *policy.Owner // what the owner of the process has forbidden for all sessions; nil: nothing

	SocketDir string // where the host is reached, for people who ask; empty: nowhere
	Namespace string // whose sessions these are; "" is the ordinary one

	Apps    string   // folder for the accounts of launched desktop apps, so that the next host can clear away what this one left; empty: none is kept
	Brief   bool     // the manager ends with its one command line, and nothing may be left behind
	Metrics *Metrics // what is counted, shared with other managers; nil: nothing is

	Resolver gate.Resolver // of names, for sessions that may not reach everything; nil: the system's

	IdleTimeout time.Duration // how long the host stays without a command as long as no command says otherwise; 0 is for ever
	Grace       time.Duration // how much longer than its timeout a command may take to say what it saw; 0: as long as a page needs that can answer
}

// Manager holds the sessions of one host. Its methods may be called from several goroutines.
type Manager struct {
	registry    *actions.Registry
	config      *config.Reader
	log         *slog.Logger
	level       *slog.LevelVar
	browsers    *launch.Browsers
	ownBrowsers bool // the browsers are the manager's
	journal     *ledger.Ledger
	idle        idleSetting
	changes     notifier.Notifier // of anything of a session
	board       board
	apps        *apps
	brief       bool
	grace       time.Duration // see Options
	resolver    gate.Resolver
	owner       *policy.Owner // never changes
	socketDir   string
	namespace   string
	finder      identity.Finder
	metrics     *Metrics
	tasks       task.Registry
	exposed     atomic.Bool  // it has been said that browsers run without Chromium's sandbox
	lastWork    atomic.Int64 // when a person worked in a session last, in Unix nanoseconds

	words func() policy.Vocabulary // the names that rules may use, found when the first rule is read

	mu       sync.Mutex
	sessions map[string]*Session
	lost     map[string]*ledger.Session // by name, until its user has been told; nil until the first command
	closed   bool
}

// New returns a manager without sessions.
func New(o Options) (*Manager, error) {
	registry := catalog.Registry()
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	m := &Manager{
		registry: registry,
		config:   config.New(),
		log:      log,
		level:    o.Level,
		browsers: o.Browsers,
		journal:  ledger.New(o.Journal, log),
		sessions: map[string]*Session{},
		apps:     &apps{dir: o.Apps, log: log},
		brief:    o.Brief,
		grace:    cmp.Or(o.Grace, answerGrace),
		resolver: o.Resolver,
		owner:    o.Owner,

		socketDir: o.SocketDir,
		namespace: o.Namespace,
		metrics:   o.Metrics,
	}
	if m.browsers == nil {
		var err error
		if m.browsers, err = launch.NewBrowsers(launch.BrowsersOptions{Log: log}); err != nil {
			return nil, err
		}
		m.ownBrowsers = true
	}
	m.words = sync.OnceValue(registry.ActionWords)
	m.idle.init(o.IdleTimeout)
	return m, nil
}

// SharedBrowsers returns the browsers that the manager shares with others; nil when it has its own.
func (m *Manager) SharedBrowsers() *launch.Browsers {
	if m.ownBrowsers {
		return nil
	}
	return m.browsers
}

// Owner returns what the owner of the process has forbidden; nil: nothing.
func (m *Manager) Owner() *policy.Owner { return m.owner }

// Registry returns the commands that the manager runs.
func (m *Manager) Registry() *actions.Registry { return m.registry }

// session returns the session with the name, making it when there is none. It starts no browser. The session has one more caller, since whoever
// asks for another one must not have this one forgotten before its command has begun.
func (m *Manager) session(name, source string) (*Session, error) {
	if err := checkName(name, source); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, fault.New(fault.HostUnreachable, "the host is shutting down").WithHint("Try again; a new one is started.")
	}
	if m.lost == nil {
		// Not before: a host that finds another one running must leave that one's journal alone.
		m.lost = m.journal.Load()
		m.apps.sweep()
	}
	s := m.sessions[name]
	if s == nil {
		m.pruneLocked(time.Now())
		s = newSession(m, name)
		if lost, ok := m.lost[name]; ok {
			s.inherit(lost)
			delete(m.lost, name)
		}
		m.sessions[name] = s
		m.changes.Notify()
	}
	s.callers.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = time.Now()
	return s, nil
}

// maxIdle is how many sessions there may be before those are forgotten that nobody has used for idleAge and that hold nothing.
const (
	maxIdle = 100
	idleAge = time.Minute
)

func (m *Manager) pruneLocked(now time.Time) {
	if len(m.sessions) < maxIdle {
		return
	}
	maps.DeleteFunc(m.sessions, func(_ string, s *Session) bool { return s.empty(now) })
}

// empty reports whether nothing would be lost if the session was made anew: it has no browser, nothing of an earlier one, nothing to say, nobody
// who works or waits in it, and no setting that outlives a browser.
func (s *Session) empty(now time.Time) bool {
	if s.waiting.any() || s.callers.Load() > 0 || s.queue.Taken() || s.taken.Is() || s.lock.Holder() != nil || !s.starting.TryLock() {
		return false
	}
	defer s.starting.Unlock()
	s.live.mu.Lock()
	streams := s.live.server != nil
	s.live.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return !streams && s.holds == nil && s.loss == nil && s.bereft == nil && s.lostTab == nil && s.policy == nil && !s.keepAll && !s.pinned &&
		len(s.told) == 0 && now.Sub(s.used) > idleAge
}

// forgetLost forgets what earlier hosts had open and nobody has asked for.
func (m *Manager) forgetLost() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name := range m.lost {
		m.journal.Set(name, nil)
		delete(m.lost, name)
	}
}

// checkName refuses what agent-browser refuses, since names become file names there and scripts rely on it.
func checkName(name, source string) error {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' {
			return fault.New(fault.SessionInvalid,
				"Invalid session name '%s'. Only alphanumeric characters, hyphens, and underscores are allowed. Source: %s.", name, source).About(name)
		}
	}
	const most = 100
	if name == "" || len(name) > most {
		return fault.New(fault.SessionInvalid, "Invalid session name '%s'. It must have 1 to %d characters.", name, most).About(name)
	}
	return nil
}

// names returns the sessions that have a browser, sorted.
func (m *Manager) names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for name, s := range m.sessions {
		if s.running() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// closeAll ends all sessions and returns the names of those that had a browser.
// Those that keep wants are left.
func (m *Manager) closeAll(ctx context.Context, keep func(*Session) bool) (closed []string, failed map[string]error) {
	m.mu.Lock()
	sessions := maps.Clone(m.sessions)
	m.mu.Unlock()
	maps.DeleteFunc(sessions, func(_ string, s *Session) bool { return keep(s) })
	failed = map[string]error{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for name, s := range sessions {
		wg.Go(func() {
			was := s.running()
			err := s.close(ctx)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				failed[name] = err
			case was:
				closed = append(closed, name)
			}
		})
	}
	wg.Wait()
	slices.Sort(closed)
	return closed, failed
}

// Close ends all sessions and their browsers. What was open stays in the journal, for the next host to tell.
func (m *Manager) Close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, launch.CloseLimit)
	defer cancel()
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.journal.Freeze()
	m.board.close()
	apps := m.apps.close(ctx) // beside the sessions: a page that hangs must not keep an app alive
	if _, failed := m.closeAll(ctx, func(*Session) bool { return false }); len(failed) > 0 {
		m.log.Warn("sessions not closed in order", "failed", failed)
	}
	<-apps
	if m.ownBrowsers {
		m.browsers.Close(ctx)
	}
}
