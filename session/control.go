package session

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/snapshot"
)

// inCall is a session as one call sees it: it knows how the call wants its browser, and remembers what it had to do.
type inCall struct {
	*Session
	launch  launch.Options
	getenv  func(string) string
	ask     func(ctx context.Context, prompt string, hidden bool) (string, error)
	agent   bool    // it came by way of the tool
	how     revival // how it gets back what a crash took from it
	started bool    // the call started the browser
	lost    bool    // in place of one that had ended

	hadTab func(took time.Duration) // is told how long the command that runs waited for a tab, and for a browser that had to start
}

var _ actions.Session = (*inCall)(nil)

// Name returns the session's name.
func (s *inCall) Name() string { return s.name }

// Refs returns the table of the session's refs.
func (s *inCall) Refs() *snapshot.Refs {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refs
}

// Tab returns the active tab, starting a browser when there is none.
func (s *inCall) Tab(ctx context.Context) (*actions.Tab, error) {
	began := time.Now()
	tab, started, lost, err := s.tab(ctx, s.launch, s.how)
	if s.hadTab != nil {
		s.hadTab(time.Since(began))
	}
	s.started = s.started || started
	s.lost = s.lost || lost
	return tab, err
}

// Tabs returns the open tabs and the active one.
func (s *inCall) Tabs() ([]*actions.Tab, *actions.Tab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reapTabsLocked()
	return append([]*actions.Tab(nil), s.tabs...), s.active
}

// Tasks returns the tasks that are worked on in this host.
func (s *inCall) Tasks() *task.Registry { return &s.manager.tasks }

// Film returns the place of the session's recording.
func (s *inCall) States() *actions.States { return &s.states }

// Running reports whether the session has a browser.
func (s *inCall) Running() bool { return s.running() }

var (
	tabID    = regexp.MustCompile(`^t[0-9]+$`)
	tabLabel = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	integer  = regexp.MustCompile(`^-?[0-9]+$`)
)

func (s *inCall) checkLabel(label string) error {
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
func (s *inCall) Active() *actions.Tab {
	_, active := s.Tabs()
	return active
}

// NewTab opens a tab, in a window of its own if wanted, and makes it the active one.
func (s *inCall) NewTab(ctx context.Context, label string, window bool) (*actions.Tab, error) {
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
	err := s.inSound(ctx, func() (err error) {
		s.mu.Lock()
		lease := s.holds
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

// AdoptTab makes a page that was opened aside a tab of the session, the active one if wanted.
func (s *inCall) AdoptTab(page *engine.Page, activate bool) (*actions.Tab, error) {
	s.mu.Lock()
	lease := s.holds
	s.mu.Unlock()
	if lease == nil || lease.context != page.Context() {
		return nil, fault.New(fault.PageGone, "the session has another browser by now").About(page.URL())
	}
	if err := page.Err(); err != nil {
		return nil, err
	}
	page.Adopt()
	return s.addTab(page, "", activate), nil
}

// FindTab returns the tab that an id, a label or a target id names.
func (s *inCall) FindTab(name string) (*actions.Tab, error) {
	tabs, _ := s.Tabs()
	for _, t := range tabs {
		if t.ID == name || t.Label == name && name != "" || t.Page.ID() == name {
			return t, nil
		}
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

// SwitchTab makes a tab the active one.
func (s *inCall) SwitchTab(ctx context.Context, name string) (*actions.Tab, error) {
	var tab *actions.Tab
	err := s.inSound(ctx, func() (err error) {
		if tab, err = s.FindTab(name); err == nil {
			tab, err = s.wake(ctx, tab, revival{})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active, s.lostTab = tab, nil
	s.changed()
	return tab, nil
}

// CloseTab closes a tab and returns it with the one that is active after that.
func (s *inCall) CloseTab(ctx context.Context, name string) (closed, active *actions.Tab, err error) {
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

// forgetLocked takes a closed tab out of the list.
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

// Connect attaches to the browser at an address, in place of the one that the session has.
func (s *inCall) Connect(ctx context.Context, address string, header http.Header) error {
	return s.connect(ctx, s.launch.AimedAt(launch.At(address, header), "cdp", address))
}

// ConnectAny attaches to whichever browser of this machine runs, in place of the one that the session has.
func (s *inCall) ConnectAny(ctx context.Context) error {
	return s.connect(ctx, s.launch.AimedAt(launch.AnyRunning(s.getenv), "auto-connect", "true"))
}

func (s *inCall) connect(ctx context.Context, l launch.Options) error {
	before, err := s.swap(ctx, l)
	if err != nil {
		return err
	}
	s.started = true
	s.recognizeApp()
	if len(before) > 0 {
		s.tell("the session's former browser was left; lost: " + strings.Join(before, ", "))
	}
	return nil
}

// Leaves reports whether the session's browser goes on running when the session is closed.
func (s *inCall) Leaves() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holds != nil && s.holds.launch.Connect != nil && s.holds.at.Release == nil && s.holds.browser.Err() == nil
}

// Close ends the session.
func (s *inCall) Close(ctx context.Context) error { return s.close(ctx) }

// All returns the names of the sessions that have a browser.
func (s *inCall) All() []string { return s.manager.names() }

// CloseAll ends all sessions of the host but those that others than the token's owner hold.
func (s *inCall) CloseAll(ctx context.Context, token string) ([]string, map[string]error) {
	s.manager.forgetLost()
	return s.manager.closeAll(ctx, func(other *Session) bool {
		freed, _, _ := other.lock.Against(token)
		return freed != nil
	})
}

// replace gives the session a browser with other launch options, and says what is lost.
func (s *inCall) replace(ctx context.Context, differ []string) error {
	s.mu.Lock()
	ours := s.holds != nil && s.holds.launch.Connect == nil
	s.mu.Unlock()
	before, err := s.swap(ctx, s.launch)
	if err != nil {
		return err
	}
	s.started, s.lost = true, true
	note := "the browser was started anew for " + strings.Join(differ, ", ")
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
	s.tell(note)
	return nil
}
