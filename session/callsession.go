package session

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/snapshot"
)

// callSession is a session as one call sees it: with the call's launch options, and a record of what the call had to do.
type callSession struct {
	*Session
	launch    launch.Options
	getenv    func(string) string
	ask       func(ctx context.Context, prompt string, hidden bool) (string, error)
	agent     bool     // the call came through the agent_browser tool
	recovery  recovery // how the call recovers what a crash took
	started   bool     // the call started the browser
	keepsTurn bool     // the running command has the session for itself, and goes on behind a `close` among its rows
	lost      bool     // the started browser replaced one that had ended

	onTab func(took time.Duration) // called with how long the running command waited for a tab and, if needed, for a browser to start
}

var _ actions.Session = (*callSession)(nil)

// Name returns the session's name.
func (s *callSession) Name() string { return s.name }

// Refs returns the table of the session's refs.
func (s *callSession) Refs() *snapshot.Refs {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refs
}

// Tab returns the active tab. It starts a browser if there is none.
func (s *callSession) Tab(ctx context.Context) (*actions.Tab, error) {
	began := time.Now()
	tab, started, lost, err := s.tab(cdp.Untracked(ctx), s.launch, s.recovery)
	if s.onTab != nil {
		s.onTab(time.Since(began))
	}
	s.started = s.started || started
	s.lost = s.lost || lost
	return tab, err
}

// Tabs returns the open tabs and the active one.
func (s *callSession) Tabs() ([]*actions.Tab, *actions.Tab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reapTabsLocked()
	return append([]*actions.Tab(nil), s.tabs...), s.active
}

// Tasks returns the tasks that run in this host.
func (s *callSession) Tasks() *task.Registry { return &s.manager.tasks }

// States returns the values that packages keep with the session.
func (s *callSession) States() *actions.States { return &s.states }

// Running reports whether the session has a browser.
func (s *callSession) Running() bool { return s.running() }

var (
	tabID    = regexp.MustCompile(`^t[0-9]+$`)
	tabLabel = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	integer  = regexp.MustCompile(`^-?[0-9]+$`)
)

func (s *callSession) checkLabel(label string) error {
	fail := func(format string, args ...any) error { return fault.New(fault.Usage, format, args...).About(label) }
	switch {
	case label == "":
		return nil
	case tabID.MatchString(label):
		return fail("Tab label `%s` uses syntax reserved for tab IDs", label)
	case !tabLabel.MatchString(label):
		return fail("Invalid tab label `%s`; labels must start with a letter and contain only letters, digits, `-`, and `_`", label)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tabs {
		if t.Label == label {
			return fail("Label `%s` is already used by another tab; labels must be unique within a session", label)
		}
	}
	return nil
}

// Active returns the tab that commands go to, or nil.
func (s *callSession) Active() *actions.Tab {
	_, active := s.Tabs()
	return active
}

// NewTab opens a tab, in its own window if wanted, and activates it.
func (s *callSession) NewTab(ctx context.Context, label string, window bool) (*actions.Tab, error) {
	if err := s.checkLabel(label); err != nil {
		return nil, err
	}
	if !s.running() {
		tab, err := s.Tab(ctx) // a new browser comes with a new tab
		if err == nil {
			s.mu.Lock()
			tab.Label = label
			s.mu.Unlock()
		}
		return tab, err
	}
	var page *engine.Page
	err := s.withBrowserRetry(ctx, func() (err error) {
		s.mu.Lock()
		lease := s.lease
		s.mu.Unlock()
		if lease == nil {
			return sessionClosed()
		}
		open := lease.context.NewPage
		if window {
			open = lease.context.NewWindow
		}
		page, err = s.openPage(ctx, lease, open)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.addTab(page, label, true), nil
}

// AdoptTab turns a background page into a tab of the session, and activates it if wanted.
func (s *callSession) AdoptTab(page *engine.Page, activate bool) (*actions.Tab, error) {
	s.mu.Lock()
	lease := s.lease
	s.mu.Unlock()
	if lease == nil || lease.context != page.Context() {
		return nil, fault.New(fault.PageGone, "the session has another browser now").About(page.URL())
	}
	if err := page.Err(); err != nil {
		return nil, err
	}
	page.Adopt()
	return s.addTab(page, "", activate), nil
}

// FindTab returns the tab with an id, a label or a target id.
func (s *callSession) FindTab(name string) (*actions.Tab, error) {
	tabs, _ := s.Tabs()
	if t := tabNamed(tabs, name); t != nil {
		return t, nil
	}
	const list = "run `tab` to list open tabs"
	switch {
	case integer.MatchString(name):
		return nil, fault.New(fault.TabNotFound, "Expected a tab id like `t1` or a label; positional integers are not accepted (%s)", list).About(name)
	case tabID.MatchString(name):
		return nil, fault.New(fault.TabNotFound, "Tab %s not found; %s", name, list).About(name)
	}
	return nil, fault.New(fault.TabNotFound, "No tab with label `%s`; %s", name, list).About(name)
}

// tabNamed is the tab with an id, a label, or the id of a target; nil: there is none.
func tabNamed(tabs []*actions.Tab, name string) *actions.Tab {
	is := func(t *actions.Tab) bool { return t.ID == name || t.Label == name && name != "" || t.Page.ID() == name }
	if i := slices.IndexFunc(tabs, is); i >= 0 {
		return tabs[i]
	}
	return nil
}

// SwitchTab activates a tab.
func (s *callSession) SwitchTab(ctx context.Context, name string) (*actions.Tab, error) {
	var tab *actions.Tab
	err := s.withBrowserRetry(ctx, func() (err error) {
		if tab, err = s.FindTab(name); err == nil {
			tab, err = s.ensureUsable(ctx, tab, recovery{})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active, s.lostTabErr = tab, nil
	s.changed()
	return tab, nil
}

// CloseTab closes a tab and returns it with the tab that is active afterwards.
func (s *callSession) CloseTab(ctx context.Context, name string) (closed, active *actions.Tab, err error) {
	tabs, active := s.Tabs()
	tab := active
	if name != "" {
		if tab, err = s.FindTab(name); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case tab == nil:
		return nil, nil, fault.New(fault.TabNotFound, "No tab is open")
	case len(tabs) == 1:
		return nil, nil, fault.New(fault.TabNotFound, "Cannot close the last tab").WithHint("Use `close` to end the session.")
	}
	if !tab.Page.IsUnloaded() {
		if err := tab.Page.Close(ctx); err != nil {
			return nil, nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetLocked(tab)
	return tab, s.active, nil
}

// forgetLocked removes a closed tab from the list.
func (s *Session) forgetLocked(tab *actions.Tab) {
	s.refs.CloseTab(tab.ID)
	s.rememberGoneLocked(tab)
	for i, t := range s.tabs {
		if t == tab {
			s.tabs = append(s.tabs[:i:i], s.tabs[i+1:]...)
			break
		}
	}
	if s.active == tab {
		s.active = s.successorLocked(tab)
	}
	s.changed()
}

// Connect attaches to the browser at an address, in place of the session's current one.
func (s *callSession) Connect(ctx context.Context, address string, header http.Header) error {
	return s.connect(ctx, s.launch.ConnectTo(launch.At(address, header), "cdp", address))
}

// ConnectAny attaches to a running browser of this machine, in place of the session's current one.
func (s *callSession) ConnectAny(ctx context.Context) error {
	return s.connect(ctx, s.launch.ConnectTo(launch.AnyRunning(s.getenv), "auto-connect", "true"))
}

func (s *callSession) connect(ctx context.Context, l launch.Options) error {
	before, err := s.swap(ctx, l)
	if err != nil {
		return err
	}
	s.started = true
	s.recognizeApp()
	if len(before) > 0 {
		s.addNotice("left the session's previous browser; lost: " + strings.Join(before, ", "))
	}
	return nil
}

// Leaves reports whether the session's browser keeps running when the session closes.
func (s *callSession) Leaves() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lease != nil && s.lease.launch.Connect != nil && s.lease.at.Release == nil && s.lease.browser.Err() == nil
}

// Close ends the session.
func (s *callSession) Close(ctx context.Context) error {
	if !s.keepsTurn {
		defer s.queue.Abandon()
	}
	return s.close(ctx)
}

// All returns the names of the sessions that have a browser.
func (s *callSession) All() []string { return s.manager.names() }

// CloseAll closes all sessions of the host except those that are locked with another token.
func (s *callSession) CloseAll(ctx context.Context, token string) ([]string, map[string]error) {
	s.manager.forgetLost()
	return s.manager.closeAll(ctx, func(other *Session) bool {
		freed, _, _ := other.lock.BlockedBy(token)
		return freed != nil
	})
}

// replace starts a browser with other launch options for the session and reports what is lost.
func (s *callSession) replace(ctx context.Context, differ []string) error {
	s.mu.Lock()
	ours := s.lease != nil && s.lease.launch.Connect == nil
	s.mu.Unlock()
	before, err := s.swap(ctx, s.launch)
	if err != nil {
		return err
	}
	s.started, s.lost = true, true
	note := "the browser was restarted for " + strings.Join(differ, ", ")
	if s.launch.Connect != nil {
		note = "the session has another browser now, for " + strings.Join(differ, ", ")
	}
	switch {
	case len(before) == 0:
	case ours:
		note += "; closed: " + strings.Join(before, ", ")
	default:
		note += "; left: " + strings.Join(before, ", ")
	}
	s.addNotice(note)
	return nil
}
