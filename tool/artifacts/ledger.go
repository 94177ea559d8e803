package artifacts

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/tool/contract"
)

// Ledger is what a tool remembers of files: the recordings that are under way, whose destinations no other command may
// write, and the list of what was made. Its methods may be called from several goroutines.
type Ledger struct {
	most int // entries

	mu         sync.Mutex
	recordings map[Holder]*Recording
	entries    []contract.ManifestEntry
	revision   int64
}

// Holder is a session.
type Holder struct{ Namespace, Session string }

// Recording is one that is under way.
type Recording struct {
	Requested string // as the caller gave the path
	Path      string // absolute
	Others    []string
}

// NewLedger returns a ledger of so many entries.
func NewLedger(most int) *Ledger { return &Ledger{most: most, recordings: map[Holder]*Recording{}} }

// Recording is what is under way in a session, or nil.
func (l *Ledger) Recording(h Holder) *Recording {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.recordings[h]
}

// Begin reserves what a recording will write, until End.
func (l *Ledger) Begin(h Holder, r Recording) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recordings[h] = &r
}

// End gives free what the recordings of a session hold, and returns the one that was under way, or nil.
func (l *Ledger) End(h Holder) *Recording {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.recordings[h]
	delete(l.recordings, h)
	return r
}

// Holders are the sessions of a namespace in which a recording is under way.
func (l *Ledger) Holders(namespace string) []Holder {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []Holder
	for h := range l.recordings {
		if h.Namespace == namespace {
			list = append(list, h)
		}
	}
	return list
}

// Reserved reports whether an active recording of any session will write this file.
func (l *Ledger) Reserved(p Place) bool {
	l.mu.Lock()
	var paths []string
	for _, r := range l.recordings {
		paths = append(append(paths, r.Path), r.Others...)
	}
	l.mu.Unlock()
	return slices.ContainsFunc(paths, func(path string) bool { return PlaceOf(path).Same(p) })
}

// Add puts files into the list; one that is there already is replaced. The oldest ones go when there are too many.
func (l *Ledger) Add(entries ...contract.ManifestEntry) {
	if len(entries) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range entries {
		l.entries = slices.DeleteFunc(l.entries, func(old contract.ManifestEntry) bool { return key(&old) == key(&e) })
		l.entries = append(l.entries, e)
	}
	if over := len(l.entries) - l.most; over > 0 {
		l.entries = slices.Delete(l.entries, 0, over)
	}
	l.revision++
}

// key is what makes two entries one.
func key(e *contract.ManifestEntry) string {
	path := e.AbsolutePath
	if path == "" {
		path = e.Path
	}
	return e.StorageScope + "\x00" + path
}

// Manifest is a copy of the list; nil when it is empty.
func (l *Ledger) Manifest() *contract.ArtifactManifest {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.entries) == 0 {
		return nil
	}
	return &contract.ArtifactManifest{
		Version:    1,
		Revision:   l.revision,
		MaxEntries: l.most,
		Entries:    slices.Clone(l.entries),
	}
}

// Restore takes the newest list of those that a conversation's earlier results hold.
func (l *Ledger) Restore(m *contract.ArtifactManifest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m == nil || m.Version != 1 || m.Revision <= l.revision {
		return
	}
	l.revision, l.entries = m.Revision, slices.Clone(m.Entries)
	if over := len(l.entries) - l.most; over > 0 {
		l.entries = slices.Delete(l.entries, 0, over)
	}
}

// EntryOf is the entry of a file that a command wrote. Recordings that are under way have none.
func EntryOf(a *contract.Artifact, command, subcommand string) (contract.ManifestEntry, bool) {
	e := contract.ManifestEntry{
		Path:           a.Path,
		AbsolutePath:   a.AbsolutePath,
		Namespace:      a.Namespace,
		Session:        a.Session,
		Kind:           a.Kind,
		Command:        command,
		Subcommand:     subcommand,
		StorageScope:   "explicit-path",
		RetentionState: "live",
	}
	if a.Exists == nil || !*a.Exists {
		e.RetentionState = Missing
	}
	return e, a.Status != Pending
}

// Summary counts the files of a list by their state.
func Summary(m *contract.ArtifactManifest) string {
	counts := map[string]int{}
	for _, e := range m.Entries {
		counts[e.RetentionState]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Session artifacts: %d live, %d evicted", counts["live"], counts["evicted"])
	for _, state := range []string{"ephemeral", Missing} {
		if counts[state] > 0 {
			fmt.Fprintf(&b, ", %d %s", counts[state], state)
		}
	}
	fmt.Fprintf(&b, " (%d/%d recent).", len(m.Entries), m.MaxEntries)
	return b.String()
}

// Cleanup says, when a session is closed, which files of it stay.
func Cleanup(m *contract.ArtifactManifest) *contract.ArtifactCleanup {
	const most = 10
	c := &contract.ArtifactCleanup{
		Owner:                 "host-file-tools",
		Summary:               Summary(m),
		ExplicitArtifactPaths: []string{},
		Note: "Closing a browser deletes no screenshots, downloads, PDFs, traces, HAR files or " +
			"recordings. Remove files that are not needed with the host's file tools.",
	}
	for _, e := range m.Entries {
		path := e.AbsolutePath
		if path == "" {
			path = e.Path
		}
		if e.StorageScope != "explicit-path" || slices.Contains(c.ExplicitArtifactPaths, path) ||
			len(c.ExplicitArtifactPaths) == most {
			continue
		}
		if _, err := os.Stat(path); err == nil {
			c.ExplicitArtifactPaths = append(c.ExplicitArtifactPaths, path)
		}
	}
	return c
}
