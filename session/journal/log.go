package journal

import (
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/ring"
	"github.com/skua-browser/skua/internal/wording"
)

// Log is the journal of one session: its newest entries. It is safe for concurrent use. The zero value keeps nothing.
type Log struct {
	mu      sync.Mutex
	limits  ring.Limits
	entries *ring.Buffer[*Entry]
	last    int64
}

// Limit sets how many entries are kept. Call it before the first entry.
func (l *Log) Limit(limits ring.Limits) { l.limits = limits }

// maxError bounds the text of an error.
const maxError = 300

// Begin adds a starting command. The caller calls end with the outcome.
func (l *Log) Begin(e Entry) (end func(Outcome)) {
	e.Begun, e.State = time.Now(), Running
	words := e.Words
	e.hide() // until it is known whether typed text is secret
	kept := &e
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries == nil {
		l.entries = ring.New[*Entry](l.limits)
	}
	l.last++
	e.ID = l.last
	l.entries.Add(kept, e.size())
	return func(o Outcome) {
		l.mu.Lock()
		defer l.mu.Unlock()
		before := kept.size()
		kept.MS = float64(time.Since(kept.Begun).Microseconds()) / 1000
		kept.To, kept.Effect, kept.State, kept.Code = o.To, o.Effect, Done, o.Code
		if o.Code != "" {
			kept.State, kept.Error = Failed, wording.Clip(o.Error, maxError)
		}
		if !o.Secret && o.Code == "" {
			kept.Words = withTargets(words, o.Named)
		}
		l.entries.Grow(func(other *Entry) bool { return other == kept }, kept.size()-before)
	}
}

// Outcome is the result of a command.
type Outcome struct {
	// Named has the elements of words that are names instead of selectors, such as "Save", by the word.
	Named  map[string]*Target
	To     string // the URL of the page afterwards
	Effect []string
	Secret bool   // the text went into a field with hidden content
	Code   string // of a failure, after which it is unknown where the text went, or empty
	Error  string
}

// withTargets adds the elements that words turned out to name.
func withTargets(words []Word, named map[string]*Target) []Word {
	for i := range words {
		if w := &words[i]; w.Target == nil && len(w.Values) == 1 {
			w.Target = named[w.Values[0]]
		}
	}
	return words
}

// hide removes typed text.
func (e *Entry) hide() {
	words := make([]Word, len(e.Words))
	for i, w := range e.Words {
		if !w.Flag && w.Typed {
			w.Values, w.Hidden = nil, true
		}
		words[i] = w
	}
	e.Words = words
}

// size returns the approximate size of the entry in bytes.
func (e *Entry) size() int64 {
	n := 200 + len(e.Command) + len(e.From) + len(e.To) + len(e.Error) + len(e.Shown)
	for _, w := range e.Words {
		n += 40 + len(w.Name)
		for _, v := range w.Values {
			n += 16 + len(v)
		}
		if w.Target != nil {
			n += 80 + len(w.Target.Name)
		}
	}
	for _, line := range e.Effect {
		n += 16 + len(line)
	}
	return int64(n)
}

// Entries returns copies of the newest entries, oldest first, and how many older ones there were. most 0: all.
func (l *Log) Entries(most int) (list []Entry, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list = []Entry{}
	if l.entries == nil {
		return list, 0
	}
	all := l.entries.All()
	skip := 0
	if most > 0 {
		skip = max(0, len(all)-most)
	}
	for _, e := range all[skip:] {
		list = append(list, *e)
	}
	return list, l.entries.Dropped() + skip
}

// Clear removes the entries. Their numbers are not used again.
func (l *Log) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = nil
}
