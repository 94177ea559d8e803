package session_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const lanePage = `<title>one</title><p>one</p><button onclick="alert('from one'); window.open('about:blank')">press</button>
	<script>new BroadcastChannel('lanes').onmessage = e => document.querySelector('p').textContent = e.data</script>`

// twoTabs makes a caller with a page in t1, which is the active one, and another one in t2.
func twoTabs(t *testing.T) *sessiontest.Client {
	t.Helper()
	c := host.Showing(t, lanePage)
	c.Do("tab", "new", site.URL(site.Write(`<title>two</title><button onclick="document.title = 'pressed'">two</button>`)))
	c.Do("tab", "t1")
	return c
}

// waitsIn returns when a command of the session waits behind the wait that was started in a tab.
func waitsIn(c *sessiontest.Client, tab string) {
	c.T.Helper()
	for {
		reply := c.Try("--tab", tab, "get", "title", "--timeout", "50")
		if fault.Is(reply.Err, fault.Timeout) && strings.Contains(reply.Err.Error(), "behind `wait`") {
			return
		}
		require.NoError(c.T, reply.Err)
	}
}

// A wait in one tab keeps no command for another tab waiting, and none for the same tab overtakes it.
func TestCommandsOfTabsRunBesideEachOther(t *testing.T) {
	t.Parallel()
	c := twoTabs(t)
	waiting := c.Start("wait", "--text", "go on", "--timeout", "60000")
	waitsIn(c, "t1")
	same := c.Start("get", "text", "p", "--timeout", "60000")
	for _, args := range [][]string{
		{"get", "title"},
		{"click", "button"},
		{"snapshot", "-i"},
		{"press", "Tab"},
		{"hover", "button"},
		{"reload"},
	} {
		c.Do(append([]string{"--tab", "t2", "--timeout", "20000"}, args...)...) // which would end behind the wait
	}
	f := c.Fails(fault.Timeout, "cookies", "get", "--timeout", "100")
	require.Contains(t, f.Error(), "behind `wait`", "cookies are of all tabs")

	// The tab of a command is the one that was active when it was sent.
	c.Do("tab", "t2") // which does not wait
	require.Equal(t, "two", c.Do("get", "title").Result.Text)
	c.Do("eval", "new BroadcastChannel('lanes').postMessage('go on')")
	c.Await(waiting)
	require.Equal(t, "go on", c.Await(same).Result.Text)
	var tabs []string
	for _, e := range c.Journaled() {
		if e.Command == "wait" || e.Command == "press" {
			tabs = append(tabs, e.Command+" "+e.Tab)
		}
	}
	require.ElementsMatch(t, []string{"wait t1", "press t2"}, tabs)
}

// What happens in a tab while a command works there is told by that command, and by none that works beside it.
func TestEffectsBesideEachOther(t *testing.T) {
	t.Parallel()
	c := twoTabs(t)
	waiting := c.Start("--tab", "t2", "wait", "--text", "never", "--timeout", "3000")
	waitsIn(c, "t2")
	var all sync.WaitGroup
	all.Go(func() {
		for i := range 4 {
			mine := c.Do("click", "button")
			told := strings.Join(append(mine.Result.Effect, mine.Result.Notes...), "; ")
			if !strings.Contains(told, "from one") || !strings.Contains(told, "t"+string(rune('3'+i))) {
				t.Errorf("click %d in t1 tells %s", i, told)
			}
		}
	})
	all.Wait()
	reply := <-waiting
	require.Equal(t, fault.Timeout, fault.CodeOf(reply.Err))
	for _, note := range reply.Result.Notes {
		require.NotContains(t, note, "from one")
	}
}

// Both tabs work at once: each command finds its own page, whichever is asked first.
func TestTabsAtOnce(t *testing.T) {
	t.Parallel()
	c := twoTabs(t)
	var all sync.WaitGroup
	for _, tab := range []string{"t1", "t2"} {
		title := map[string]string{"t1": "one", "t2": "two"}[tab]
		for range 2 { // two callers for each
			all.Go(func() {
				for range 15 {
					if got := c.Do("--tab", tab, "get", "title").Result.Text; got != title {
						t.Errorf("%s has the title %q", tab, got)
					}
					snap := c.Do("--tab", tab, "snapshot", "-i").Result.Text
					if want := map[string]string{"t1": "press", "t2": "two"}[tab]; !strings.Contains(snap, want) {
						t.Errorf("%s shows %s", tab, snap)
					}
					c.Do("--tab", tab, "hover", "button")
				}
			})
		}
	}
	all.Wait()
}

// A session that closes ends the commands of all its tabs, and those that wait.
func TestCloseEndsTheCommandsOfAllTabs(t *testing.T) {
	t.Parallel()
	c := twoTabs(t)
	first, second := c.Start("--tab", "t1", "wait", "--text", "never", "--timeout", "60000"), c.Start("--tab", "t2",
		"wait", "--text", "never", "--timeout", "60000")
	waitsIn(c, "t1")
	waitsIn(c, "t2")
	behind := c.Start("--tab", "t1", "get", "title", "--timeout", "60000")
	c.Do("close")
	require.Equal(t, fault.PageGone, fault.CodeOf((<-first).Err))
	require.Equal(t, fault.PageGone, fault.CodeOf((<-second).Err))
	if err := (<-behind).Err; err != nil { // it may have come after the close
		require.Contains(t, []fault.Code{fault.PageGone, fault.TabNotFound, fault.TabGone}, fault.CodeOf(err))
	}
}
