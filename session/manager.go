package session

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
	"unicode"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/guard/gate"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/notifier"
	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/session/config"
	"github.com/skua-browser/skua/session/counters"
	"github.com/skua-browser/skua/session/handover"
	"github.com/skua-browser/skua/session/identity"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/ledger"
)

// Version is the version of the product.
var Version = product.Version

// Options configure a Manager. Only Registry is required.
type Options struct {
	Registry *actions.Registry // the commands that sessions run; those of the product are catalog.Registry()

	Log   *slog.Logger
	Level *slog.LevelVar // of Log, lowered by --debug; nil means --debug changes nothing
	// shared with other managers and closed by their owner; nil means that the manager has its own
	Browsers *launch.Browsers
	Journal  string // file for the open sessions, so that the next host can restore them, or empty

	Owner *policy.Owner // the process owner's rules for all sessions, or nil

	SocketDir string // the host's socket directory, for `session info`, or empty
	Namespace string // the host's namespace; "" is the default one

	// folder for the records of launched apps, so that the next host can clean up; empty means no records
	Apps    string
	Brief   bool               // the manager runs one command line and leaves nothing behind
	Metrics *counters.Counters // shared with other managers; nil means that nothing is counted

	Resolver gate.Resolver // resolves names for sessions with network rules; nil means the system's resolver

	IdleTimeout time.Duration // how long the host stays without a command, unless a command sets it; 0 means forever
	// how much longer than its timeout a command may take to report; 0 means enough for a page that answers
	Grace time.Duration
}

// Manager holds the sessions of one host. Its methods may be called from several goroutines.
type Manager struct {
	options      Options // as they were given
	registry     *actions.Registry
	config       *config.Reader
	log          *slog.Logger
	browsers     *launch.Browsers
	ownBrowsers  bool // the manager closes the browsers
	journal      *ledger.Ledger
	idle         idleSetting
	changes      notifier.Notifier // of any session
	board        dashboardServer
	apps         *apps
	grace        time.Duration // see Options
	owner        *policy.Owner // never changes
	finder       identity.Finder
	metrics      *counters.Counters
	tasks        task.Registry
	moves        *handover.Mover
	flows        flows // of all sessions, if the owner has a rule for them
	machineNoted machineNotes

	vocabulary func() policy.Vocabulary // the names for rules, found when the first rule is read

	mu       sync.Mutex
	sessions map[string]*Session
	lost     map[string]*ledger.Session // by name, until the session is used; nil until the first command
	closed   bool
}

// New returns a manager without sessions.
func New(o Options) (*Manager, error) {
	if o.Registry == nil {
		return nil, fault.New(fault.Internal,
			"session.Options: Registry is missing; give catalog.Registry(), of package actions/catalog")
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	m := &Manager{
		options:  o,
		registry: o.Registry,
		config:   config.New(),
		log:      log,
		browsers: o.Browsers,
		journal:  ledger.New(o.Journal, log),
		sessions: map[string]*Session{},
		apps:     &apps{dir: o.Apps, log: log},
		grace:    cmp.Or(o.Grace, answerGrace),
		owner:    o.Owner,
		metrics:  o.Metrics,
	}
	if m.browsers == nil {
		var err error
		if m.browsers, err = launch.NewBrowsers(launch.BrowsersOptions{Log: log}); err != nil {
			return nil, err
		}
		m.ownBrowsers = true
	}
	m.vocabulary = sync.OnceValue(o.Registry.ActionWords)
	m.moves = handover.NewMover(moving{m}, log)
	m.idle.init(o.IdleTimeout)
	return m, nil
}

// SharedBrowsers returns the browsers that the manager shares; nil means that it has its own.
func (m *Manager) SharedBrowsers() *launch.Browsers {
	if m.ownBrowsers {
		return nil
	}
	return m.browsers
}

// Owner returns the process owner's rules, or nil.
func (m *Manager) Owner() *policy.Owner { return m.owner }

// Registry returns the commands that the manager runs.
func (m *Manager) Registry() *actions.Registry { return m.registry }

// session returns the session with the name and creates it if needed. It starts no browser. The session counts one more
// caller, so that another caller's request cannot prune it before the command begins.
func (m *Manager) session(name, source string) (*Session, error) {
	if err := checkName(name, source); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, fault.New(fault.HostUnreachable, "the host is shutting down").WithHint("Try again; a new one is started.")
	}
	if !m.moves.Serves(name) {
		return nil, handover.ErrMoved
	}
	m.loadLedgerLocked()
	s := m.sessions[name]
	if s == nil {
		m.pruneLocked(time.Now())
		s = newSession(m, name)
		if lost, ok := m.lost[name]; ok {
			s.recover(lost)
			delete(m.lost, name)
		}
		m.sessions[name] = s
		m.changes.Notify()
	}
	s.callers.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastUsed = time.Now()
	return s, nil
}

// loadLedgerLocked reads what earlier hosts had open. It does so with the first command: a host that finds another one
// running must not touch that host's ledger.
func (m *Manager) loadLedgerLocked() {
	if m.lost == nil {
		m.lost = m.journal.Load()
		m.apps.sweep()
	}
}

// leave counts one caller of a session less.
func (m *Manager) leave(s *Session) {
	if s.callers.Add(-1) == 0 {
		m.moves.Freed(s.name)
	}
}

// maxIdle is the number of sessions above which those are pruned that hold nothing and were not used for idleAge.
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

// empty reports whether pruning the session would lose nothing: it has no browser and none to restore, no notices, no
// callers, and no setting that outlives a browser.
func (s *Session) empty(now time.Time) bool {
	if s.pending.any() || s.callers.Load() > 0 || s.queue.Busy() || s.takeover.Active() || s.lock.Holder() != nil ||
		!s.browser.Empty() {
		return false
	}
	s.stream.mu.Lock()
	streams := s.stream.server != nil
	s.stream.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return !streams && !s.notices.Any() && now.Sub(s.lastUsed) > idleAge
}

// forgetLost drops the sessions of earlier hosts that no caller has used.
func (m *Manager) forgetLost() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name := range m.lost {
		m.journal.Set(name, nil)
		delete(m.lost, name)
	}
}

// checkName refuses the names that agent-browser refuses: they become file names there, and scripts rely on it.
func checkName(name, source string) error {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' {
			return fault.New(fault.SessionInvalid,
				"Invalid session name '%s'. Only alphanumeric characters, hyphens, and underscores are allowed. Source: %s.", name,
				source).About(name)
		}
	}
	const most = 100
	if name == "" || len(name) > most {
		return fault.New(fault.SessionInvalid, "Invalid session name '%s'. It must have 1 to %d characters.", name, most).
			About(name)
	}
	return nil
}

// names returns the names of the sessions that have a browser, sorted.
func (m *Manager) names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for name, s := range m.sessions {
		if s.browser.Running() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// closeAll closes all sessions except those that keep selects, and returns the names of those that had a browser.
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
			was := s.browser.Running()
			err := s.close(ctx)
			s.queue.Abandon()
			mu.Lock()
			defer mu.Unlock()
			if err != nil { // of a session that is closed: its state could not be saved
				failed[name] = err
			}
			if was && (err == nil || fault.Has(err, actions.FactClosed)) {
				closed = append(closed, name)
			}
		})
	}
	wg.Wait()
	slices.Sort(closed)
	return closed, failed
}

// Close closes all sessions and their browsers. The ledger keeps what was open, for the next host.
func (m *Manager) Close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, launch.CloseLimit)
	defer cancel()
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.journal.Freeze()
	m.board.close()
	apps := m.apps.close(ctx) // in parallel with the sessions: a hung page must not keep an app alive
	if _, failed := m.closeAll(ctx, func(*Session) bool { return false }); len(failed) > 0 {
		m.log.Warn("sessions not closed cleanly", "failed", failed)
	}
	<-apps
	m.moves.Close()
	if m.ownBrowsers {
		m.browsers.Close(ctx)
	}
}
