package session_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/session"
)

// A session of its own costs the browser more than most tests do in it: a context, a process and a document for which nothing is at hand. So a
// session whose test has left only a page serves another one.

// leavesOnlyAPage matches the commands whose traces go with the page, except for what a page stores and the numbers of refs.
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
	return !leavesOnlyAPage.MatchString(strings.Join(args, " ")) || len(data.Effect.Tabs)+len(data.Effect.Answered)+len(data.Effect.Downloads) > 0
}

// idle are the sessions of tests that are over. More than can be used at once would be pages for nothing.
var idle struct {
	sync.Mutex
	sessions []string
}

const maxIdle = 4

// opened makes a caller that has opened a page of the site. Its session may have served another test, which has left refs, cookies and
// what pages store; where that matters, see [openedFresh].
func opened(t testing.TB, path string) *client {
	t.Helper()
	c := makeClient(t, takeIdle())
	t.Cleanup(c.leave)
	c.do("open", site.url(path))
	return c
}

// showing makes a caller that has opened a page with this content.
func showing(t testing.TB, html string) *client {
	t.Helper()
	return opened(t, site.write(html))
}

// takeIdle returns a session of a test that is over, or a new one.
func takeIdle() string {
	idle.Lock()
	defer idle.Unlock()
	n := len(idle.sessions)
	if n == 0 {
		return newSession()
	}
	name := idle.sessions[n-1]
	idle.sessions = idle.sessions[:n-1]
	return name
}

// leave gives the session back if it is as good as a new one, and ends it otherwise.
func (c *client) leave() {
	if c.t.Failed() || c.kept.Load() || len(c.env) != 1 || !c.cleared() {
		c.closeSession()
		return
	}
	idle.Lock()
	full := len(idle.sessions) == maxIdle
	if !full {
		idle.sessions = append(idle.sessions, c.session)
	}
	idle.Unlock()
	if full {
		c.closeSession()
	}
}

// cleared reports whether nothing is left on the page of the session's only tab.
func (c *client) cleared() bool {
	if reply := c.try("tab", "list"); reply.Err != nil || len(decode[struct{ Tabs []any }](c.t, reply.Result.Data).Tabs) != 1 {
		return false
	}
	// The next page would get the pointer where this test has left it.
	if reply := c.try("mouse", "move", "-9", "-9"); reply.Err != nil {
		return false
	}
	// What moves in the page would cost the other tests a processor.
	return c.try("open", "about:blank").Err == nil && c.try("journal", "clear").Err == nil
}
