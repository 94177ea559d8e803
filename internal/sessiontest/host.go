package sessiontest

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/session"
)

// CommandLimit bounds each command of a test, so that a hang names its command.
const CommandLimit = 3 * time.Minute

// AnswerPatience is how long pages may take, on a machine that runs many tests, to say what a command saw that ran out
// of time.
const AnswerPatience = 2 * time.Second

// A page test waits for about half of its time: for the browser, or for the patience of a command. More than this makes
// tests late.
const testsAtOnce = "4"

// Host is the host of all tests of a package, whose sessions share one browser. The first test that asks for it starts
// it, so that the others of the package need no browser.
type Host struct {
	Site *Site

	registry *actions.Registry
	manager  func() *session.Manager
	began    atomic.Bool
	last     atomic.Int64 // number of the newest session
	idle     idleSessions
}

// NewHost returns a host with the commands of these families. Those that the harness runs itself must be among them:
// open, close, eval, snapshot and tab list.
func NewHost(families ...func() []actions.Command) *Host {
	var all []actions.Command
	for _, family := range families {
		commands := family()
		if !slices.ContainsFunc(commands, runsOthers) {
			commands = actions.WithShared(commands)
		}
		all = append(all, commands...)
	}
	registry, err := actions.NewRegistry(all)
	if err != nil {
		panic(err)
	}
	return NewHostOf(registry)
}

// runsOthers reports whether a command runs other commands, whose flags it leaves to them.
func runsOthers(c actions.Command) bool {
	return c.Rows && c.Stdin != nil && !c.Effect.Has(actions.Control)
}

// NewHostOf returns a host with the commands of a registry.
func NewHostOf(registry *actions.Registry) *Host {
	h := &Host{registry: registry, Site: newSite()}
	h.manager = sync.OnceValue(h.start)
	return h
}

func (h *Host) start() *session.Manager {
	h.began.Store(true)
	m, err := session.New(session.Options{Registry: h.registry, Grace: AnswerPatience})
	if err != nil {
		panic(err)
	}
	// A browser ends with its last session; this one stays.
	ctx, cancel := context.WithTimeout(context.Background(), CommandLimit)
	defer cancel()
	if r := m.Do(ctx, session.Request{Args: []string{"--session", "keeper", "open"}}); r.Err != nil {
		panic(r.Err)
	}
	return m
}

// Run runs the tests of the package, and then ends the browser and the site. TestMain calls it.
func (h *Host) Run(tests interface{ Run() int }) (code int) {
	if err := flag.Set("test.parallel", testsAtOnce); err != nil {
		panic(err)
	}
	defer h.Site.close()
	defer func() {
		if h.began.Load() {
			h.manager().Close(context.Background())
		}
	}()
	return tests.Run()
}

// Manager returns the manager of the sessions, and starts it with its browser if it does not run yet.
func (h *Host) Manager() *session.Manager { return h.manager() }

// Registry returns the commands of the host.
func (h *Host) Registry() *actions.Registry { return h.registry }

// StartManager makes another manager with the commands of the host, which ends with the test. Its pages have
// AnswerPatience unless the options say otherwise.
func (h *Host) StartManager(t testing.TB, o session.Options) *session.Manager {
	t.Helper()
	o.Registry, o.Grace = h.registry, cmp.Or(o.Grace, AnswerPatience)
	m, err := session.New(o)
	require.NoError(t, err)
	t.Cleanup(func() { m.Close(context.Background()) })
	return m
}

// NewClient makes a caller whose session ends with the test.
func (h *Host) NewClient(t testing.TB) *Client {
	t.Helper()
	c := h.newClient(t, h.newSession())
	t.Cleanup(c.closeSession)
	return c
}

// NewIsolated makes a caller in a manager of its own, with a browser of its own: a dashboard, for instance, shows all
// sessions of its manager.
func (h *Host) NewIsolated(t testing.TB) *Client {
	t.Helper()
	c := &Client{
		T:       t,
		Manager: h.StartManager(t, session.Options{}),
		Session: "agent",
		Dir:     t.TempDir(),
		host:    h,
	}
	c.Env = map[string]string{"HOME": c.Dir}
	return c
}

// OpenedFresh makes a caller that has opened a page of the site in a session of its own.
func (h *Host) OpenedFresh(t testing.TB, path string) *Client {
	t.Helper()
	c := h.NewClient(t)
	c.Do("open", h.Site.URL(path))
	return c
}

// ShowingFresh makes a caller that has opened a page with this content in a session of its own.
func (h *Host) ShowingFresh(t testing.TB, html string) *Client {
	t.Helper()
	return h.OpenedFresh(t, h.Site.Write(html))
}

func (h *Host) newSession() string { return fmt.Sprintf("test-%d", h.last.Add(1)) }

func (h *Host) newClient(t testing.TB, name string) *Client {
	t.Helper()
	dir := t.TempDir()
	return &Client{
		T:       t,
		Manager: h.Manager(),
		Session: name,
		Dir:     dir,
		Env:     map[string]string{"HOME": dir},
		traces:  &traces{},
		host:    h,
	}
}
