package session

import (
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/session/launch"
)

// lostSession is what a host that ended had open under a name.
type lostSession struct {
	Tabs    []keptTab  `json:"tabs"`
	Active  string     `json:"active,omitempty"`  // id of the active tab
	LastTab int        `json:"lastTab,omitempty"` // the number of the tab that came last
	Other   string     `json:"other,omitempty"`   // the address, without secrets, of a browser that was not the host's
	Rules   *keptRules `json:"rules,omitempty"`   // what it was under
	Bare    bool       `json:"bare,omitempty"`    // it had no browser, only rules
	Since   time.Time  `json:"since,omitzero"`    // when that was written

	Launch *launch.Kept `json:"launch,omitempty"` // how its browser was started
}

func (l *lostSession) equal(o *lostSession) bool {
	return l.Active == o.Active && l.LastTab == o.LastTab && l.Other == o.Other && l.Bare == o.Bare && l.Launch == o.Launch &&
		l.Rules.equal(o.Rules) && slices.Equal(l.Tabs, o.Tabs)
}

// What a journal remembers at most: sessions that nobody asked for again are forgotten in the end.
const (
	journalAge  = 7 * 24 * time.Hour
	journalSize = 500 // sessions
	journalTabs = 500 // of a session
)

// ledger keeps what sessions have open in a file, so that a host that was killed leaves word of what it had.
type ledger struct {
	path string
	log  *slog.Logger

	mu     sync.Mutex
	frozen bool
	open   map[string]*lostSession
}

func newLedger(path string, log *slog.Logger) *ledger {
	return &ledger{path: path, log: log, open: map[string]*lostSession{}}
}

// load returns what the hosts before this one left. It stays in the file until its sessions are opened or closed.
func (j *ledger) load() map[string]*lostSession {
	lost := map[string]*lostSession{}
	if j.path == "" {
		return lost
	}
	data, err := os.ReadFile(j.path)
	if err != nil {
		return lost
	}
	if err := json.Unmarshal(data, &lost); err != nil {
		j.log.Warn("journal not readable", "path", j.path, "err", err)
		_ = os.Remove(j.path)
		return map[string]*lostSession{}
	}
	maps.DeleteFunc(lost, func(_ string, l *lostSession) bool { return l == nil || time.Since(l.Since) > journalAge })
	j.mu.Lock()
	defer j.mu.Unlock()
	maps.Copy(j.open, lost)
	return lost
}

// set remembers what a session has open; nil when it has ended. The file is only written when something changed.
func (j *ledger) set(name string, to *lostSession) {
	if j.path == "" {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	old := j.open[name]
	if j.frozen || to == nil && old == nil || to != nil && old != nil && old.equal(to) {
		return
	}
	if to == nil {
		delete(j.open, name)
	} else {
		to.Since = time.Now().Round(0)
		to.Tabs = to.Tabs[:min(len(to.Tabs), journalTabs)]
		j.open[name] = to
	}
	for len(j.open) > journalSize {
		oldest := ""
		for name, l := range j.open {
			if oldest == "" || l.Since.Before(j.open[oldest].Since) {
				oldest = name
			}
		}
		delete(j.open, oldest)
	}
	if err := j.write(); err != nil {
		j.log.Warn("journal not written", "path", j.path, "err", err)
	}
}

// setRules remembers what a session without a browser is under, beside what it had open.
func (j *ledger) setRules(name string, rules *keptRules) {
	j.mu.Lock()
	old := j.open[name]
	j.mu.Unlock()
	if old == nil && rules == nil {
		return
	}
	to := lostSession{Bare: true}
	if old != nil {
		to = *old
	}
	to.Rules = rules
	j.set(name, &to)
}

// freeze keeps the file as it is: what is closed from now on is lost to its users.
func (j *ledger) freeze() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.frozen = true
}

// write replaces the file. It holds addresses of pages, which are the user's own.
func (j *ledger) write() error {
	if len(j.open) == 0 {
		err := os.Remove(j.path)
		if os.IsNotExist(err) {
			return nil
		}
		return err
	}
	data, err := json.Marshal(j.open)
	if err != nil {
		return err
	}
	return atomicfile.Write(j.path, data)
}
