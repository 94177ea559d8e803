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

	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/rules"
)

// Session is what a host that ended had open under a name.
type Session struct {
	Tabs    []Tab  `json:"tabs"`
	Active  string `json:"active,omitempty"`  // id of the active tab
	LastTab int    `json:"lastTab,omitempty"` // the number of the last tab
	// the address, without secrets, of a browser that the host did not start
	External  string       `json:"other,omitempty"`
	Rules     *rules.Saved `json:"rules,omitempty"` // the session's rules
	RulesOnly bool         `json:"bare,omitempty"`  // the session had rules and no browser
	Since     time.Time    `json:"since,omitzero"`  // when it was saved

	Launch  *launch.SavedOptions `json:"launch,omitempty"`  // how its browser was started
	Handoff *Handoff             `json:"handoff,omitempty"` // it waited for a person
	App     *App                 `json:"app,omitempty"`     // the desktop app that it worked in, which ends with its host

	// it was handed over by a host that made way for this one; what follows is never saved
	Moved   bool                `json:"-"`
	Cookies []storage.NewCookie `json:"-"`
	Notes   []string            `json:"-"` // for the next reply
}

// App is a desktop app that a host launched.
type App struct {
	LaunchID string `json:"launchId"`
	Name     string `json:"name"`
}

func (a *App) equal(o *App) bool { return a == o || a != nil && o != nil && *a == *o }

// Handoff is what a session waited for.
type Handoff struct {
	ID    string    `json:"id"`
	Text  string    `json:"text"`
	Begun time.Time `json:"begun"`
}

func (h *Handoff) equal(o *Handoff) bool { return h == o || h != nil && o != nil && h.ID == o.ID }

func (l *Session) equal(o *Session) bool {
	return l.Active == o.Active && l.LastTab == o.LastTab && l.External == o.External && l.RulesOnly == o.RulesOnly &&
		l.Launch == o.Launch && l.Handoff.equal(o.Handoff) && l.App.equal(o.App) &&
		l.Rules.Equal(o.Rules) && slices.Equal(l.Tabs, o.Tabs)
}

// Limits of a ledger: a session that is never used again is dropped in the end.
const (
	maxAge      = 7 * 24 * time.Hour
	maxSessions = 500 // sessions
	maxTabs     = 500 // of a session
)

// Ledger saves what sessions have open in a file, so that the next host can restore it after a kill.
type Ledger struct {
	path string
	log  *slog.Logger

	mu     sync.Mutex
	frozen bool
	open   map[string]*Session
}

// New returns the ledger of a host. Without a path it saves nothing.
func New(path string, log *slog.Logger) *Ledger {
	return &Ledger{path: path, log: log, open: map[string]*Session{}}
}

// Load returns what earlier hosts had open. It stays in the file until those sessions are opened or closed.
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
	maps.DeleteFunc(lost, func(_ string, l *Session) bool { return l == nil || time.Since(l.Since) > maxAge })
	j.mu.Lock()
	defer j.mu.Unlock()
	maps.Copy(j.open, lost)
	return lost
}

// Set saves what a session has open; nil means that the session has ended. The file is written only if something
// changed.
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
		to.Tabs = to.Tabs[:min(len(to.Tabs), maxTabs)]
		j.open[name] = to
	}
	for len(j.open) > maxSessions {
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

// SetRules saves the rules of a session that has no browser, beside what it had open.
func (j *Ledger) SetRules(name string, rules *rules.Saved) {
	j.mu.Lock()
	old := j.open[name]
	j.mu.Unlock()
	if old == nil && rules == nil {
		return
	}
	to := Session{RulesOnly: true}
	if old != nil {
		to = *old
	}
	to.Rules = rules
	j.Set(name, &to)
}

// Freeze stops writing: sessions that close from now on count as lost.
func (j *Ledger) Freeze() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.frozen = true
}

// write replaces the file. It contains page addresses, which are private to the user.
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

// Tab is the saved part of a tab.
type Tab struct {
	ID     string `json:"id"`
	Label  string `json:"label,omitempty"`
	URL    string `json:"url"`
	Title  string `json:"title,omitempty"`
	Scroll Offset `json:"scroll,omitzero"`

	Address string `json:"-"` // the whole address, which may contain secrets and is never saved; empty means as URL
}

// FullURL returns the address to open for the tab.
func (k Tab) FullURL() string { return cmp.Or(k.Address, k.URL) }

func (k Tab) String() string { return k.ID + " (" + k.URL + ")" }

// Empty reports whether the tab shows nothing.
func (k Tab) Empty() bool { return k.URL == "" || k.URL == BlankPage }

// BlankPage is the address of an empty tab.
const BlankPage = "about:blank"
