package policy

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/wording"
)

// Kind says what sort of thing was refused.
type Kind string

// The kinds.
const (
	Action  Kind = "action"  // a command, by the action policy
	Domain  Kind = "domain"  // a host that is not in the lists of domains
	Address Kind = "address" // an address of a private network, or a scheme
	File    Kind = "file"    // a file outside the roots
	Confirm Kind = "confirm" // a command that was denied when it was to be confirmed, or whose time was over
	Login   Kind = "login"   // a credential for a place that it is not for
)

// Refusal is something that was refused, as often as it was.
type Refusal struct {
	Kind    Kind      `json:"kind"`
	Subject string    `json:"subject"`           // the action, host, address or file
	Rule    string    `json:"rule"`              // what refused it
	Command string    `json:"command,omitempty"` // of the agent's, when one was refused; empty: a page asked
	Count   int       `json:"count"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
}

// Refuse tells of a refusal. The owners of rules are handed one.
type Refuse func(kind Kind, subject, rule, command string)

// Bounds of a log. A page that asks for ten thousand hosts drives out only others of its kind.
const (
	logEntries = 100 // of each kind
	logText    = 300 // bytes of a subject, a rule and a command
)

// Log is what was refused lately: an entry for each kind, subject, rule and command, which counts. The zero value is ready; its methods may be
// called from several goroutines.
type Log struct {
	mu      sync.Mutex
	entries map[refused]*Refusal
	kinds   map[Kind]*kindLog
}

type refused struct {
	kind                   Kind
	subject, rule, command string
}

type kindLog struct {
	keys    []refused // the oldest first
	dropped int       // refusals whose entries had to go
}

// Add notes a refusal.
func (l *Log) Add(kind Kind, subject, rule, command string) {
	key := refused{kind, bounded(subject), bounded(rule), bounded(command)}
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[key]; e != nil {
		e.Count++
		e.Last = now
		return
	}
	if l.entries == nil {
		l.entries, l.kinds = map[refused]*Refusal{}, map[Kind]*kindLog{}
	}
	k := l.kinds[kind]
	if k == nil {
		k = &kindLog{}
		l.kinds[kind] = k
	}
	if len(k.keys) == logEntries {
		k.dropped += l.entries[k.keys[0]].Count
		delete(l.entries, k.keys[0])
		k.keys = slices.Delete(k.keys, 0, 1)
	}
	k.keys = append(k.keys, key)
	l.entries[key] = &Refusal{Kind: kind, Subject: key.subject, Rule: key.rule, Command: key.command, Count: 1, First: now, Last: now}
}

// Entries returns copies of the entries, those that were refused last at the end, and how many refusals of each kind are not among them.
func (l *Log) Entries() (entries []Refusal, dropped map[Kind]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries, dropped = []Refusal{}, map[Kind]int{}
	for kind, k := range l.kinds {
		for _, key := range k.keys {
			entries = append(entries, *l.entries[key])
		}
		if k.dropped > 0 {
			dropped[kind] = k.dropped
		}
	}
	slices.SortFunc(entries, func(a, b Refusal) int {
		return cmp.Or(a.Last.Compare(b.Last), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject, b.Subject))
	})
	return entries, dropped
}

// Clear forgets all of it.
func (l *Log) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries, l.kinds = nil, nil
}

// bounded cuts a text that a page may have chosen.
func bounded(s string) string {
	return strings.ToValidUTF8(wording.ClipBytes(s, logText), "\uFFFD")
}
