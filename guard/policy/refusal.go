package policy

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/wording"
)

// Kind is the kind of a refusal.
type Kind string

// The kinds.
const (
	Action  Kind = "action"  // a command, by the action policy
	Domain  Kind = "domain"  // a host outside the allowed domains
	Address Kind = "address" // a private address, or a scheme
	File    Kind = "file"    // a file outside the roots
	Confirm Kind = "confirm" // a command that was denied, or not confirmed in time
	Login   Kind = "login"   // a credential for another site than its own
	Flow    Kind = "flow"    // a text of one site that would have gone to another
)

// Refusal is something that was refused, with its count.
type Refusal struct {
	Kind    Kind      `json:"kind"`
	Subject string    `json:"subject"`           // the action, host, address or file
	Rule    string    `json:"rule"`              // the rule that refused it
	Command string    `json:"command,omitempty"` // the refused command of the agent; empty means that a page asked
	Count   int       `json:"count"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
}

// RefusalFunc reports a refusal.
type RefusalFunc func(kind Kind, subject, rule, command string)

// Limits of a log. A page that requests ten thousand hosts displaces only entries of the same kind.
const (
	logEntries = 100 // of each kind
	logText    = 300 // bytes of a subject, a rule and a command
)

// Log are the recent refusals: one entry with a count per kind, subject, rule and command. The zero value is ready; its
// methods are safe for concurrent use.
type Log struct {
	mu      sync.Mutex
	entries map[refusalKey]*Refusal
	kinds   map[Kind]*kindLog
}

type refusalKey struct {
	kind                   Kind
	subject, rule, command string
}

type kindLog struct {
	keys    []refusalKey // the oldest first
	dropped int          // refusals whose entries were removed
}

// Add records a refusal.
func (l *Log) Add(kind Kind, subject, rule, command string) {
	key := refusalKey{kind, bounded(subject), bounded(rule), bounded(command)}
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[key]; e != nil {
		e.Count++
		e.Last = now
		return
	}
	if l.entries == nil {
		l.entries, l.kinds = map[refusalKey]*Refusal{}, map[Kind]*kindLog{}
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
	l.entries[key] = &Refusal{
		Kind:    kind,
		Subject: key.subject,
		Rule:    key.rule,
		Command: key.command,
		Count:   1,
		First:   now,
		Last:    now,
	}
}

// Entries returns copies of the entries, the latest last, and how many refusals of each kind are not included.
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

// Clear removes all entries.
func (l *Log) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries, l.kinds = nil, nil
}

// bounded shortens a text that a page may have chosen.
func bounded(s string) string {
	return strings.ToValidUTF8(wording.ClipBytes(s, logText), "\uFFFD")
}
