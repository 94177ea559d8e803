package session

import (
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/states"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/session/identity"
	"github.com/skua-browser/skua/session/ledger"
)

// resolveSession returns the name of the session that a call works in, and why. A call that names none works in the
// session of its worktree, if that applies, so that agents in two worktrees do not share a browser by accident.
func (m *Manager) resolveSession(in *actions.Input, req Request) (name string, owner actions.Owner) {
	if in.Has("session") {
		return in.String("session"), actions.Owner{From: in.Source("session")}
	}
	if req.ByFolder {
		if root, ok := m.finder.Worktree(req.Cwd); ok {
			return identity.Name(root), actions.Owner{From: actions.FromWorktree, Path: root}
		}
	}
	return identity.Default, actions.Owner{From: actions.FromDefault}
}

// acquireSession returns the session with a name. Its owner is the first caller.
//
// The session is not pruned until leave is called.
func (m *Manager) acquireSession(name string, owner actions.Owner) (_ *Session, leave func(), _ error) {
	s, err := m.session(name, owner.From)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owner.From == "" {
		s.owner = owner
	}
	return s, func() { m.leave(s) }, nil
}

// maxNamedSessions is how many other sessions a note names.
const maxNamedSessions = 3

// noteOtherSessions tells the user of an unnamed session once which session this is, if the pages of other sessions may
// have been meant. Outside git only sessions of worktrees count: being in the default session surprises only callers
// who work in such a worktree.
func (m *Manager) noteOtherSessions(s *Session, owner actions.Owner) {
	if owner.From != actions.FromWorktree && owner.From != actions.FromDefault {
		return
	}
	s.mu.Lock()
	known := s.othersNoted
	s.othersNoted = true
	s.mu.Unlock()
	if known {
		return
	}
	m.mu.Lock()
	others := slices.Sorted(maps.Keys(m.sessions))
	sessions := maps.Clone(m.sessions)
	m.mu.Unlock()
	others = slices.DeleteFunc(others, func(name string) bool {
		o := sessions[name]
		return o == s || !o.showsPages() || owner.From == actions.FromDefault && o.currentOwner().From != actions.FromWorktree
	})
	if len(others) == 0 {
		return
	}
	about := "outside of a git worktree"
	if owner.Path != "" {
		about = "of the worktree " + owner.Path
	}
	more := ""
	if len(others) > maxNamedSessions {
		others, more = others[:maxNamedSessions], " and others"
	}
	verb := " has"
	if len(others) > 1 || more != "" {
		verb = " have"
	}
	s.addNotice("this is session " + s.name + " (" + about + "); " + strings.Join(others, ", ") + more + verb +
		" open pages: --session " + others[0] +
		" works there")
}

// showsPages reports whether the session has a page other than an empty one.
func (s *Session) showsPages() bool {
	return slices.ContainsFunc(s.browser.URLs(), func(url string) bool { return url != "" && url != ledger.BlankPage })
}

func (s *Session) currentOwner() actions.Owner {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.owner
}

// Owner returns the session's owner.
func (s *callSession) Owner() actions.Owner { return s.currentOwner() }

// Sessions returns the host's sessions that have a browser, sorted by name.
func (s sessionHost) Sessions() []actions.SessionEntry {
	entries := []actions.SessionEntry{}
	for _, name := range s.manager.names() {
		other := s.manager.existing(name)
		if other == nil {
			continue // closed and forgotten meanwhile
		}
		if entry, ok := other.entry(); ok {
			entries = append(entries, entry)
		}
	}
	return entries
}

// entry describes a session that has a browser.
func (s *Session) entry() (actions.SessionEntry, bool) {
	open := s.browser.View()
	if open.Lease == nil {
		return actions.SessionEntry{}, false
	}
	s.mu.Lock()
	owner, used := s.owner, s.lastUsed
	s.mu.Unlock()
	entry := actions.SessionEntry{
		Name:       s.name,
		Identity:   owner,
		Created:    open.Created.UnixMilli(),
		LastUsed:   used.UnixMilli(),
		BrowserPID: open.Lease.Browser.PID(),
		Attached:   !open.Lease.Browser.Owned(),
		Pages:      []actions.PageEntry{},
		LockedBy:   s.lock.Holder(),
	}
	for _, t := range open.Tabs {
		entry.Pages = append(entry.Pages, actions.PageEntry{
			ID:     t.ID,
			URL:    t.Page.URL(),
			Title:  t.Page.Title(),
			Active: t == open.Active,
		})
	}
	return entry, true
}

// Info describes the session.
func (s *callSession) Info() actions.SessionInfo {
	m := s.manager
	info := actions.SessionInfo{
		Session:     s.name,
		SocketDir:   m.options.SocketDir,
		HostPID:     os.Getpid(),
		HostVersion: Version,
		Identity:    s.currentOwner(),
		Lock:        s.lock.Holder(),
	}
	if m.options.Namespace != "" {
		info.Namespace = &m.options.Namespace
	}
	if !s.Running() {
		return info
	}
	life, open := (&runner{manager: m, session: s}).lifecycle(), s.View()
	s.mu.Lock()
	used := s.lastUsed
	s.mu.Unlock()
	info.Active, info.PID, info.Version = true, new(info.HostPID), new(Version)
	info.Runtime = &actions.SessionRuntime{
		BackgroundPID:       info.HostPID,
		BrowserLaunched:     life.EffectiveLaunch.BrowserLaunched,
		CompatibilityStatus: "current",
		EffectiveLaunch:     life.EffectiveLaunch,
		Engine:              life.EffectiveLaunch.Engine,
		LaunchHash:          life.EffectiveLaunch.LaunchHash,
		Lifecycle:           life,
		Namespace:           info.Namespace,
		PageCount:           len(open.Tabs),
		RuntimeRestore: actions.RuntimeRestore{
			RestoreStatus: life.RestoreStatus,
		},
		SaveStatus: life.SaveStatus,
		Session:    s.name,
		SocketDir:  m.options.SocketDir,
		Created:    open.Created.UnixMilli(),
		LastUsed:   used.UnixMilli(),
	}
	states.SetRestore(info.Runtime, s.Restoring())
	if l := open.Lease; l != nil {
		info.Runtime.BrowserPID, info.Runtime.Browser, info.Runtime.Endpoint = l.Browser.PID(), l.Description(), s.Endpoint()
	}
	return info
}
