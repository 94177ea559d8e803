package conversation

import (
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/refguard"
)

// Key names a session.
type Key struct{ Namespace, Name string }

// KeyIn is the key of a session in a namespace; nil means the ordinary one.
func KeyIn(namespace *string, name string) Key {
	key := Key{Name: name}
	if namespace != nil {
		key.Namespace = *namespace
	}
	return key
}

// KeyOf is the key of a managed session.
func KeyOf(m Managed) Key { return KeyIn(m.Namespace, m.Name) }

// Line is a command line of the tool's own in the session, whose answer is data.
func (k Key) Line(args ...string) []string { return append([]string{"--json"}, k.In(args...)...) }

// In is a command line in the session.
func (k Key) In(args ...string) []string {
	var line []string
	if k.Namespace != "" {
		line = append(line, "--namespace", k.Namespace)
	}
	return append(append(line, "--session", k.Name), args...)
}

// State is what the tool knows of a session. The zero value is of one that nothing is known about, for a call that
// works in none.
type State struct {
	Turn Turn // who has it runs, and may read and write what follows

	Target   contract.PageTarget // the page that it shows, if answers have named one
	Refs     Refs
	Domains  string // of --allowed-domains
	Attached bool   // its browser is not one that was started for it
	Drifts   bool   // its active tab has been seen to be another one than what was opened
	Unseen   bool   // it shows a page that was not seen yet
	Routes   judging.Routes
	Tracing  judging.Tracing
}

// Refs are the known facts about a session's refs.
type Refs struct {
	refguard.State
	Foreign bool // they are from the record of an earlier run, whose engine has ended
}

// Known returns the refs of the newest snapshot by their ids.
func (r *Refs) Known() map[string]contract.Ref {
	if r.Snapshot == nil {
		return nil
	}
	return r.Snapshot.Refs
}

// Sees adds what is newly known of the session's page.
func (s *State) Sees(page contract.PageTarget, ok bool) {
	if ok {
		s.Target = Merge(s.Target, page)
	}
}

// Looked records a snapshot that the tool took for itself. It returns the snapshot's refs, or nil if it shows no page.
// If the backend renumbers its refs with each snapshot, a ref that the caller has seen may now mean another element, so
// that it is compared before it is used.
func (s *State) Looked(facts *fact.Facts, renumbers bool) *contract.RefSnapshot {
	snapshot := refguard.Snapshot(facts, s.Target)
	if snapshot == nil {
		return nil
	}
	shown := s.Refs.Shown
	if shown == nil {
		shown = s.Refs.Snapshot
	}
	s.Refs = Refs{State: refguard.State{Snapshot: snapshot}}
	if renumbers {
		s.Refs.Shown = shown
	}
	return snapshot
}
