package session

import (
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"strings"
	"sync"

	"github.com/skua-browser/skua/internal/atomicfile"
)

// lostSession is what a host that ended had open under a name.
type lostSession struct {
	Tabs  []string `json:"tabs"`            // addresses, the active tab first
	Other string   `json:"other,omitempty"` // the address, without secrets, of a browser that was not the host's
}

// note says what was lost, for the next command of the session.
func (l lostSession) note() string {
	if l.Other != "" {
		return "the host of this session was restarted; it was attached to the browser at " + l.Other +
			", which was left running: `connect` to it again. Refs of earlier snapshots are gone"
	}
	if len(l.Tabs) == 0 {
		return "the host of this session was restarted; its browser and refs are gone"
	}
	return "the host of this session was restarted and its browser is gone; lost: " + strings.Join(l.Tabs, ", ") +
		". Refs of earlier snapshots are gone, too."
}

// journal keeps the addresses of the open sessions in a file, so that a host that was killed leaves word of what it had.
type journal struct {
	path string
	log  *slog.Logger

	mu     sync.Mutex
	frozen bool
	open   map[string]lostSession
}

func newJournal(path string, log *slog.Logger) *journal {
	return &journal{path: path, log: log, open: map[string]lostSession{}}
}

// load returns what the host before this one left, and forgets it.
func (j *journal) load() map[string]lostSession {
	lost := map[string]lostSession{}
	if j.path == "" {
		return lost
	}
	data, err := os.ReadFile(j.path)
	if err != nil {
		return lost
	}
	if err := json.Unmarshal(data, &lost); err != nil {
		j.log.Warn("journal not readable", "path", j.path, "err", err)
	}
	_ = os.Remove(j.path)
	return lost
}

// set remembers what a session has open, and the address of the browser when that is not ours; nil when it has ended. The file is only written when something changed.
func (j *journal) set(name string, tabs []string, other string) {
	if j.path == "" {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	old, known := j.open[name]
	if j.frozen || tabs == nil && !known || known && old.Other == other && strings.Join(old.Tabs, "\n") == strings.Join(tabs, "\n") {
		return
	}
	next := maps.Clone(j.open)
	if tabs == nil {
		delete(next, name)
	} else {
		next[name] = lostSession{Tabs: tabs, Other: other}
	}
	j.open = next
	if err := j.write(); err != nil {
		j.log.Warn("journal not written", "path", j.path, "err", err)
	}
}

// freeze keeps the file as it is: what is closed from now on is lost to its users.
func (j *journal) freeze() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.frozen = true
}

// write replaces the file. It holds addresses of pages, which are the user's own.
func (j *journal) write() error {
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
