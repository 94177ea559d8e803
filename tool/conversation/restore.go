package conversation

import (
	"context"
	"maps"
	"slices"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/refguard"
)

// restored is what the rows of a conversation say of its sessions.
type restored struct {
	names   *Names
	managed Managed
	ordinal int  // of the managed session's name
	closed  bool // the managed session was closed
	states  map[Key]*State
}

// Restore rebuilds the managed session, and of each session the page, the refs and whether its browser was started for
// it.
func (s *Sessions) Restore(ctx context.Context, rows []*contract.Details) {
	r := &restored{names: s.o.Names, managed: Managed{Name: s.o.Names.Base()}, states: map[Key]*State{}}
	for _, d := range rows {
		if d != nil && !d.Inspection && d.SessionName != "" {
			r.row(d)
		}
		if d != nil {
			r.cleaned(d)
		}
	}
	if r.closed {
		r.managed = Managed{Name: r.names.Fresh(), Namespace: r.managed.Namespace}
	}

	for key, state := range r.states {
		if !s.runs(ctx, key) {
			state.Refs.Foreign = state.Refs.Snapshot != nil
			if key == KeyOf(r.managed) {
				r.managed.Active = false
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.managed, s.known = r.managed, r.states
	if r.managed.Active {
		s.owned[KeyOf(r.managed)] = true
	}
}

// row reads the details of one result.
func (r *restored) row(d *contract.Details) {
	ordinal, ours := r.names.Ours(d.SessionName)
	if IsReserved(d.SessionName) && !ours {
		return // of another folder or conversation
	}
	r.names.Skip(ordinal)
	key := KeyIn(d.SessionNamespace, d.SessionName)
	w := argv.Read(d.Args)
	success := d.ResultCategory == contract.Success
	closes := w.EndsSession() && success
	if o := d.ManagedSessionOutcome; o != nil {
		closes = closes || o.Status == Closed
		r.outcome(o, ordinal)
	} else if ours && !closes && success && ordinal >= r.ordinal {
		r.managed, r.ordinal, r.closed = Managed{Name: key.Name, Namespace: d.SessionNamespace, Active: true}, ordinal, false
	}
	if d.CloseAllApplied {
		maps.DeleteFunc(r.states, func(k Key, _ *State) bool { return k.Namespace == key.Namespace })
	}
	if closes {
		delete(r.states, key)
		if key == KeyOf(r.managed) {
			r.managed.Active, r.closed = false, true
		}
		return
	}
	r.state(key, d, &w, success)
}

// cleaned takes the sessions away that a cleanup of desktop apps has closed.
func (r *restored) cleaned(d *contract.Details) {
	for _, name := range closedByCleanup(d) {
		maps.DeleteFunc(r.states, func(k Key, _ *State) bool { return k.Name == name })
		if name == r.managed.Name {
			r.managed.Active, r.closed = false, true
		}
	}
}

// outcome takes over what a call did to the managed session. A call that was overtaken by a newer fresh one says
// nothing any longer.
func (r *restored) outcome(o *contract.ManagedSessionOutcome, ordinal int) {
	switch {
	case ordinal < r.ordinal:
	case o.Status == Created, o.Status == Replaced, o.Status == Unchanged && o.ActiveAfter:
		r.managed = Managed{Name: o.CurrentSessionName, Namespace: o.CurrentSessionNamespace, Active: true}
		r.ordinal, r.closed = ordinal, false
	}
}

// state notes page and refs of a session.
func (r *restored) state(key Key, d *contract.Details, w *argv.Words, success bool) {
	state := r.states[key]
	if state == nil {
		state = &State{Turn: newTurn(), Drifts: true}
		r.states[key] = state
	}
	if d.SessionTabTarget != nil {
		state.Target = *d.SessionTabTarget
	}
	if d.RefSnapshot != nil {
		ids := slices.Sorted(slices.Values(d.RefSnapshot.RefIDs))
		snapshot := *d.RefSnapshot
		snapshot.RefIDs = ids
		state.Refs = Refs{State: refguard.State{Snapshot: &snapshot}}
	}
	if d.RefSnapshotInvalidation != nil {
		state.Refs.Invalidation = d.RefSnapshotInvalidation
	}
	if success && w.Has("allowed-domains") {
		state.Domains = w.Value("allowed-domains")
	}
	state.Attached = d.AttachedSession || state.Attached
}

// runs reports whether a session still has a browser. Of one that cannot be asked, it is taken to have one.
func (s *Sessions) runs(ctx context.Context, key Key) bool {
	line := []string{"--json", "session", "list"}
	if !s.o.Backend.Can().InProcess {
		line = key.Line("session", "info")
	}
	answer := s.o.Backend.Run(ctx, backend.Invocation{
		Args:      line,
		Cwd:       s.o.Cwd,
		Env:       s.o.Env,
		Timeout:   s.o.Limits.Close,
		Session:   key.Name,
		Namespace: key.Namespace,
		NoBrowser: true,
	})
	told := backend.Read[struct {
		Active   *bool
		Sessions []string
	}](&answer)
	if told.Active != nil {
		return *told.Active
	}
	return told.Sessions == nil || slices.Contains(told.Sessions, key.Name)
}

// closedByCleanup are the sessions that a cleanup has closed.
func closedByCleanup(d *contract.Details) (names []string) {
	if d.Electron == nil || d.Electron.Cleanup == nil {
		return nil
	}
	ids := d.Electron.IdentifierList
	if d.Electron.Identifiers != nil {
		ids = append(slices.Clone(ids), *d.Electron.Identifiers)
	}
	for _, result := range d.Electron.Cleanup.Results {
		if !slices.ContainsFunc(result.Steps, func(s electron.Step) bool {
			return s.Name == electron.SessionStep && s.Status == electron.StepDone
		}) {
			continue
		}
		for _, id := range ids {
			if id.LaunchID == result.LaunchID && id.SessionName != "" {
				names = append(names, id.SessionName)
			}
		}
	}
	return names
}
