package sessiontest

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/skua-browser/skua/session"
)

// A session of its own costs the browser more than most tests do in it: a context, a process and a document for which
// nothing is at hand. So a session whose test has left only a page serves another one.

// leavesOnlyAPage matches the commands whose traces go with the page, except for what a page stores and the numbers of
// refs.
var leavesOnlyAPage = regexp.MustCompile(`^(--timeout \d+ )?(` +
	`a11y|back|capabilities|check|click|dblclick|diff|drag|drop|eval|extract|fill|find|focus|forward|get|hover|insights|is|keyboard|mouse move|network requests|` +
	`open|press|pushstate|read|reload|screenshot|scroll|scrollintoview|select|snapshot|swipe|tab list|tap|type|uncheck|upload|vitals|wait)( |$)`)

// leavesMore reports whether a command may leave more than that. Tabs, for instance, are numbered on.
func leavesMore(args []string, reply session.Reply) bool {
	var data struct {
		Effect struct{ Tabs, Answered, Downloads []any }
	}
	if raw, err := json.Marshal(reply.Result.Data); err == nil {
		_ = json.Unmarshal(raw, &data) // other data have no effect
	}
	return !leavesOnlyAPage.MatchString(strings.Join(args, " ")) ||
		len(data.Effect.Tabs)+len(data.Effect.Answered)+len(data.Effect.Downloads) > 0
}

// pointsNowhere matches those of them that leave the pointer where it was.
var pointsNowhere = regexp.MustCompile(`^(--timeout \d+ )?(` +
	`a11y|back|capabilities|diff|eval|extract|forward|get|insights|is|keyboard|network requests|` +
	`open|press|pushstate|read|reload|screenshot|snapshot|tab list|vitals|wait)( |$)`)

// traces are what the commands of a test may have left in its session.
type traces struct {
	kept    atomic.Bool // more than a page
	pointed atomic.Bool // the pointer
}

// note looks at a command that has run.
func (t *traces) note(args []string, reply session.Reply) {
	if t == nil {
		return
	}
	if leavesMore(args, reply) {
		t.kept.Store(true)
	}
	if !pointsNowhere.MatchString(strings.Join(args, " ")) {
		t.pointed.Store(true)
	}
}

// idleSessions are the sessions of tests that are over. More than can be used at once would be pages for nothing.
type idleSessions struct {
	mu    sync.Mutex
	names []string
	shown string // one that still shows the page of its test: where tests follow each other, the only one
}

const maxIdle = 4

// take returns one of them, if there is one.
func (i *idleSessions) take() (name string, ok bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if name, i.shown = i.shown, ""; name != "" {
		return name, true
	}
	n := len(i.names)
	if n == 0 {
		return "", false
	}
	name = i.names[n-1]
	i.names = i.names[:n-1]
	return name, true
}

// keep takes a session back with the page that it shows, and reports whether there was room for it.
func (i *idleSessions) keep(name string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.shown != "" {
		return false
	}
	i.shown = name
	return true
}

// add takes a session back that shows nothing, and reports whether there was room for it.
func (i *idleSessions) add(name string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.names) == maxIdle {
		return false
	}
	i.names = append(i.names, name)
	return true
}

// Opened makes a caller that has opened a page of the site. Its session may have served another test, which has left
// refs, cookies and what pages store; where that matters, see [Host.OpenedFresh].
func (h *Host) Opened(t testing.TB, path string) *Client {
	t.Helper()
	c, ok := h.reused(t, path)
	if !ok {
		c = h.newClient(t, h.newSession())
		c.Do("open", h.Site.URL(path))
	}
	t.Cleanup(c.leave)
	return c
}

// reused opens a page in a session that another test has used. It closes the session if the page cannot be opened
// there, or if leaving the earlier page had an effect of its own, such as a dialog.
func (h *Host) reused(t testing.TB, path string) (c *Client, ok bool) {
	name, ok := h.idle.take()
	if !ok {
		return nil, false
	}
	c = h.newClient(t, name)
	// In the document that the other test has left, a fragment would only be another place.
	fragment := strings.Contains(path, "#")
	if fragment && c.Try("open", "about:blank").Err != nil ||
		c.Try("open", h.Site.URL(path)).Err != nil || c.traces.kept.Load() {
		c.closeSession()
		return nil, false
	}
	return c, true
}

// Showing makes a caller that has opened a page with this content.
func (h *Host) Showing(t testing.TB, html string) *Client {
	t.Helper()
	return h.Opened(t, h.Site.Write(html))
}

// leave gives the session back if it is as good as a new one, and ends it otherwise. The page goes with the next one
// that is opened, which costs half as much as showing nothing in between. Of pages that other tests would have to wait
// for, there is one at most, and none that moves.
func (c *Client) leave() {
	idle := &c.host.idle
	given := !c.T.Failed() && !c.traces.kept.Load() && len(c.Env) == 1 && c.cleared() &&
		(c.still() && idle.keep(c.Session) || c.Try("open", "about:blank").Err == nil && idle.add(c.Session))
	if !given {
		c.closeSession()
	}
}

// cleared reports whether nothing is left but a page in the session's only tab.
func (c *Client) cleared() bool {
	if reply := c.Try("tab", "list"); reply.Err != nil || len(Decode[struct {
		Tabs []any
	}](c.T, reply.Result.Data).Tabs) != 1 {
		return false
	}
	// The next page would get the pointer where this test has left it.
	if c.traces.pointed.Load() && c.has("mouse move") && c.Try("mouse", "move", "-9", "-9").Err != nil {
		return false
	}
	return !c.has("journal clear") || c.Try("journal", "clear").Err == nil
}

// still reports whether the page answers and shows nothing that moves.
func (c *Client) still() bool {
	reply := c.Try("eval",
		`document.getAnimations().length + document.querySelectorAll("audio,canvas,iframe,video").length`)
	return reply.Err == nil && Decode[struct{ Result any }](c.T, reply.Result.Data).Result == 0.0
}

// has reports whether the host has a command.
func (c *Client) has(name string) bool {
	_, ok := c.host.registry.Lookup(name)
	return ok
}
