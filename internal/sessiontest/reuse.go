package sessiontest

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
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

// idleSessions are the sessions of tests that are over. More than can be used at once would be pages for nothing.
type idleSessions struct {
	mu    sync.Mutex
	names []string
}

const maxIdle = 4

// take returns one of them, if there is one.
func (i *idleSessions) take() (name string, ok bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := len(i.names)
	if n == 0 {
		return "", false
	}
	name = i.names[n-1]
	i.names = i.names[:n-1]
	return name, true
}

// add takes a session back and reports whether there was room for it.
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
	name, ok := h.idle.take()
	if !ok {
		name = h.newSession()
	}
	c := h.newClient(t, name)
	t.Cleanup(c.leave)
	c.Do("open", h.Site.URL(path))
	return c
}

// Showing makes a caller that has opened a page with this content.
func (h *Host) Showing(t testing.TB, html string) *Client {
	t.Helper()
	return h.Opened(t, h.Site.Write(html))
}

// leave gives the session back if it is as good as a new one, and ends it otherwise.
func (c *Client) leave() {
	if c.T.Failed() || c.kept.Load() || len(c.Env) != 1 || !c.cleared() || !c.host.idle.add(c.Session) {
		c.closeSession()
	}
}

// cleared reports whether nothing is left on the page of the session's only tab.
func (c *Client) cleared() bool {
	if reply := c.Try("tab", "list"); reply.Err != nil || len(Decode[struct {
		Tabs []any
	}](c.T, reply.Result.Data).Tabs) != 1 {
		return false
	}
	// The next page would get the pointer where this test has left it.
	if c.has("mouse move") && c.Try("mouse", "move", "-9", "-9").Err != nil {
		return false
	}
	// What moves in the page would cost the other tests a processor.
	return c.Try("open", "about:blank").Err == nil && (!c.has("journal clear") || c.Try("journal", "clear").Err == nil)
}

// has reports whether the host has a command.
func (c *Client) has(name string) bool {
	_, ok := c.host.registry.Lookup(name)
	return ok
}
