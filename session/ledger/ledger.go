package ledger

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/rules"
)

// Session is what a host that ended had open under a name.
type Session struct {
	Tabs    []Tab       `json:"tabs"`
	Active  string      `json:"active,omitempty"`  // id of the active tab
	LastTab int         `json:"lastTab,omitempty"` // the number of the tab that came last
	Other   string      `json:"other,omitempty"`   // the address, without secrets, of a browser that was not the host's
	Rules   *rules.Kept `json:"rules,omitempty"`   // what it was under
	Bare    bool        `json:"bare,omitempty"`    // it had no browser, only rules
	Since   time.Time   `json:"since,omitzero"`    // when that was written

	Launch *launch.Kept `json:"launch,omitempty"` // how its browser was started
}

func (l *Session) equal(o *Session) bool {
	return l.Active == o.Active && l.LastTab == o.LastTab && l.Other == o.Other && l.Bare == o.Bare && l.Launch == o.Launch &&
		l.Rules.Equal(o.Rules) && slices.Equal(l.Tabs, o.Tabs)
}

// What a journal remembers at most: sessions that nobody asked for again are forgotten in the end.
const (
	journalAge  = 7 * 24 * time.Hour
	journalSize = 500 // sessions
	journalTabs = 500 // of a session
)

// Ledger keeps what sessions have open in a file, so that a host that was killed leaves word of what it had.
type Ledger struct {
	path string
	log  *slog.Logger

	mu     sync.Mutex
	frozen bool
	open   map[string]*Session
}

// New returns the ledger of a host. Without a path nothing is written.
func New(path string, log *slog.Logger) *Ledger {
	return &Ledger{path: path, log: log, open: map[string]*Session{}}
}

// Load returns what the hosts before this one left. It stays in the file until its sessions are opened or closed.
func (j *Ledger) Load() map[string]*Session {
	lost := map[string]*Session{}
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
		return map[string]*Session{}
	}
	maps.DeleteFunc(lost, func(_ string, l *Session) bool { return l == nil || time.Since(l.Since) > journalAge })
	j.mu.Lock()
	defer j.mu.Unlock()
	maps.Copy(j.open, lost)
	return lost
}

// Set remembers what a session has open; nil when it has ended. The file is only written when something changed.
func (j *Ledger) Set(name string, to *Session) {
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

// SetRules remembers what a session without a browser is under, beside what it had open.
func (j *Ledger) SetRules(name string, rules *rules.Kept) {
	j.mu.Lock()
	old := j.open[name]
	j.mu.Unlock()
	if old == nil && rules == nil {
		return
	}
	to := Session{Bare: true}
	if old != nil {
		to = *old
	}
	to.Rules = rules
	j.Set(name, &to)
}

// Freeze keeps the file as it is: what is closed from now on is lost to its users.
func (j *Ledger) Freeze() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.frozen = true
}

// write replaces the file. It holds addresses of pages, which are the user's own.
func (j *Ledger) write() error {
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

// Tab is what is kept of a tab.
type Tab struct {
	ID     string `json:"id"`
	Label  string `json:"label,omitempty"`
	URL    string `json:"url"`
	Title  string `json:"title,omitempty"`
	Scroll Offset `json:"scroll,omitzero"`

	Address string `json:"-"` // the whole one, with what may be secret in it: no file has it. Empty: as URL
}

// GoesTo is the address to open for it.
func (k Tab) GoesTo() string { return cmp.Or(k.Address, k.URL) }

func (k Tab) String() string { return k.ID + " (" + k.URL + ")" }

// Empty reports whether there is nothing in the tab.
func (k Tab) Empty() bool { return k.URL == "" || k.URL == BlankPage }

// BlankPage is the address of a tab in which nothing was opened.
const BlankPage = "about:blank"
