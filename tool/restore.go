package tool

import (
	"context"
	"maps"
	"slices"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/refguard"
)

// Restore takes up a conversation again, or another branch of it: it rebuilds what the tool knows from the details of the conversation's
// earlier results, oldest first. The tool has to have the session id and the folder of then. Sessions that the tool began since are
// still its own, and are closed with it. What each concern reads from the details is in a function of its own.
func (t *Tool) Restore(ctx context.Context, rows []*contract.Details) error {
	s := t.on(t.backend)
	leave, err := s.turn.take(ctx)
	if err != nil {
		return err
	}
	defer leave()
	for _, restore := range []func(context.Context, []*contract.Details){s.restore, t.restoreFiles, t.restoreApps} {
		restore(ctx, rows)
	}
	return ctx.Err()
}

// restoreFiles takes up the newest list of files that were made.
func (t *Tool) restoreFiles(_ context.Context, rows []*contract.Details) {
	for _, d := range rows {
		if d != nil {
			t.files.Restore(d.ArtifactManifest)
		}
	}
}

// restored is what the rows of a conversation say of its sessions.
type restored struct {
	names   *planning.Names
	managed planning.Managed
	ordinal int  // of the managed session's name
	closed  bool // the managed session was closed
	states  map[sessionKey]*sessionState
}

// restore rebuilds the managed session, and of each session the page, the refs and whether its browser was started for it.
func (s *sessions) restore(ctx context.Context, rows []*contract.Details) {
	s.tool.mu.Lock()
	r := &restored{names: s.tool.names, managed: planning.Managed{Name: s.tool.names.Base()}, states: map[sessionKey]*sessionState{}}
	for _, d := range rows {
		if d != nil && !d.Inspection && d.SessionName != "" {
			r.row(d)
		}
		if d != nil {
			r.cleaned(d)
		}
	}
	if r.closed {
		r.managed = planning.Managed{Name: r.names.Fresh(), Namespace: r.managed.Namespace}
	}
	s.tool.mu.Unlock()

	for key, state := range r.states {
		if !s.runs(ctx, key) {
			state.refs.foreign = state.refs.Snapshot != nil
			if key == keyOf(r.managed) {
				r.managed.Active = false
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.managed, s.known = r.managed, r.states
	if r.managed.Active {
		s.owned[keyOf(r.managed)] = true
	}
}

// row reads the details of one result.
func (r *restored) row(d *contract.Details) {
	ordinal, ours := r.names.Ours(d.SessionName)
	if planning.IsReserved(d.SessionName) && !ours {
		return // of another folder or conversation
	}
	r.names.Skip(ordinal)
	key := sessionKey{valueOf(d.SessionNamespace), d.SessionName}
	w := argv.Read(d.Args)
	success := d.ResultCategory == contract.Success
	closes := w.Does(trait.EndsSession) && success
	if o := d.ManagedSessionOutcome; o != nil {
		closes = closes || o.Status == planning.Closed
		r.outcome(o, ordinal)
	} else if ours && !closes && success && ordinal >= r.ordinal {
		r.managed, r.ordinal, r.closed = planning.Managed{Name: key.name, Namespace: d.SessionNamespace, Active: true}, ordinal, false
	}
	if d.CloseAllApplied {
		maps.DeleteFunc(r.states, func(k sessionKey, _ *sessionState) bool { return k.namespace == key.namespace })
	}
	if closes {
		delete(r.states, key)
		if key == keyOf(r.managed) {
			r.managed.Active, r.closed = false, true
		}
		return
	}
	r.state(key, d, &w, success)
}

// cleaned takes the sessions away that a cleanup of desktop apps has closed.
func (r *restored) cleaned(d *contract.Details) {
	for _, name := range closedByCleanup(d) {
		maps.DeleteFunc(r.states, func(k sessionKey, _ *sessionState) bool { return k.name == name })
		if name == r.managed.Name {
			r.managed.Active, r.closed = false, true
		}
	}
}

// outcome takes over what a call did to the managed session. A call that was overtaken by a newer fresh one says nothing any more.
func (r *restored) outcome(o *contract.ManagedSessionOutcome, ordinal int) {
	switch {
	case ordinal < r.ordinal:
	case o.Status == planning.Created, o.Status == planning.Replaced, o.Status == planning.Unchanged && o.ActiveAfter:
		r.managed = planning.Managed{Name: o.CurrentSessionName, Namespace: o.CurrentSessionNamespace, Active: true}
		r.ordinal, r.closed = ordinal, false
	}
}

// state notes page and refs of a session.
func (r *restored) state(key sessionKey, d *contract.Details, w *argv.Words, success bool) {
	state := r.states[key]
	if state == nil {
		state = &sessionState{turn: newTurn(), drifts: true}
		r.states[key] = state
	}
	if d.SessionTabTarget != nil {
		state.target = *d.SessionTabTarget
	}
	if d.RefSnapshot != nil {
		ids := slices.Sorted(slices.Values(d.RefSnapshot.RefIDs))
		snapshot := *d.RefSnapshot
		snapshot.RefIDs = ids
		state.refs = refState{State: refguard.State{Snapshot: &snapshot}}
	}
	if d.RefSnapshotInvalidation != nil {
		state.refs.Invalidation = d.RefSnapshotInvalidation
	}
	if success && w.Has("allowed-domains") {
		state.domains = w.Value("allowed-domains")
	}
	state.attached = d.AttachedSession || state.attached
}

// runs reports whether a session still has a browser. Of one that cannot be asked, it is taken to have one.
func (s *sessions) runs(ctx context.Context, key sessionKey) bool {
	line := []string{"--json", "session", "list"}
	if s.backend.Name() != backend.NameNative {
		line = lineIn(key, "session", "info")
	}
	answer := s.backend.Run(ctx, backend.Invocation{
		Args: line, Cwd: s.tool.options.Cwd, Env: s.env, Timeout: s.tool.limits.Close, Session: key.name, Namespace: key.namespace, NoBrowser: true,
	})
	data, ok := answer.Data.(map[string]any)
	if !answer.Success || !ok {
		return true
	}
	if active, ok := data["active"].(bool); ok {
		return active
	}
	names, ok := data["sessions"].([]any)
	return !ok || slices.Contains(names, any(key.name))
}
