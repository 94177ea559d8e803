package tabs_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// A page that asks while it loads.
func TestDialogsWhileLoading(t *testing.T) {
	t.Parallel()
	page := site.URL("/pages/acting-dialog-loading.html")
	tests := []struct{ ask, dialog, want string }{
		{"confirm", "accept", "confirm true"},
		{"confirm", "dismiss", "confirm false"},
		{"prompt", "text=Ada", "prompt Ada"},
		{"alert", "dismiss", "alert"},
		{"load", "accept", "load true"},
	}
	for _, tt := range tests {
		t.Run(tt.ask+" "+tt.dialog, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Do("open", page+"?ask="+tt.ask, "--dialog", tt.dialog)
			require.Equal(t, tt.want, c.Log())
			require.Equal(t, "The end of the page", c.Do("get", "text", "#end").Result.Text)
			c.Do("reload", "--dialog", tt.dialog)
			require.Equal(t, tt.want, c.Log())
			c.Do("tab", "new", page+"?ask="+tt.ask, "--dialog", tt.dialog)
			require.Equal(t, tt.want, c.Log())
		})
	}
}

// A timer asks between two commands: the next one says so, and does not hang.
func TestDialogsOfTimers(t *testing.T) {
	t.Parallel()
	page := site.URL("/pages/acting-dialog-loading.html")

	c := host.NewClient(t)
	c.Do("open", page+"?ask=alerts")
	c.Do("wait", "--fn", "log.includes('alerted')")
	said := sessiontest.Notes(c.Do("get", "title")) + sessiontest.Notes(c.Do("get", "url"))
	require.NotContains(t, said, "ends soon", "the wait has said it")

	c.Do("open", page+"?ask=timer")
	c.Fails(fault.DialogOpen, "wait", "#never")
	require.Contains(t, c.Fails(fault.DialogOpen, "get", "title").Error(), "Still there?")
	require.Contains(t, sessiontest.Notes(c.Do("dialog", "dismiss")), "")
	require.Equal(t, "timer false", c.Log())
}

func TestDialogsOfTimersInOtherTabs(t *testing.T) {
	t.Parallel()
	g := site.Gate(t, "")
	c := host.ShowingFresh(t,
		`<title>One</title><script>fetch('`+g.Path+
			`').then(() => { alert('From afar'); log.push(confirm('And now?')) })</script>`)
	c.Do("tab", "new", site.URL(site.Titled("Two")))
	g.Open()
	for c.Data("dialog", "status")["otherTabs"] == nil {
		c.Do("get", "title")
	}
	require.Equal(t, "Two", c.Page("document.title"), "the dialog of one tab does not stop the other")
	require.Equal(t, []any{object{"tabId": "t1", "type": "confirm", "message": "And now?"}},
		c.Data("dialog", "status")["otherTabs"])
	require.Contains(t, c.Do("tab", "list").Result.Text, `(a confirm dialog is open: "And now?")`)
	err := c.Fails(fault.NoDialog, "dialog", "accept")
	require.Contains(t, err.Error(), "No dialog is showing in tab t2; one is open in t1. Use `--tab t1` to answer it.")
	c.Do("--tab", "t1", "dialog", "accept")
	c.Do("tab", "t1")
	require.Equal(t, "true", c.Log())
}

// Frames ask in the name of the page, in whichever process they live.
func TestDialogsOfFrames(t *testing.T) {
	t.Parallel()
	pay := site.Write(`<button onclick="parent.postMessage('paid ' + confirm('Pay now?'), '*')">Pay</button>`)
	for name, src := range map[string]string{
		"same document's": "", "same site's": site.URL(pay),
		"another site's": site.Elsewhere(pay),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-dialog-frames.html?src="+url.QueryEscape(src))
			ref := c.Ref(`button "Pay"`)
			require.Contains(t, sessiontest.Notes(c.Do("click", ref)), `"Pay now?"`)
			sessiontest.Promptly(t, func() {
				c.Fails(fault.DialogOpen, "snapshot")
				c.Fails(fault.DialogOpen, "click", "#top")
			})
			c.Do("dialog", "dismiss")
			c.Do("wait", "--fn", "log.length == 1")
			c.Do("click", ref, "--dialog", "accept")
			c.Do("wait", "--fn", "log.length == 2")
			require.Equal(t, "paid false\npaid true", c.Log())
		})
	}
}

// A popup lives in the process of its opener, whose answers its dialog keeps back: nothing may wait for them.
func TestDialogsOfPopups(t *testing.T) {
	t.Parallel()
	t.Run("window", func(t *testing.T) {
		t.Parallel()
		c := host.OpenedFresh(t, "/pages/acting-dialog-popups.html")
		c.Do("click", "#popup")
		for c.Data("dialog", "status")["otherTabs"] == nil { // it is still loading
			c.Do("tab", "list")
		}
		sessiontest.Promptly(t, func() {
			for _, command := range [][]string{
				cmd("get", "title"), cmd("snapshot"), cmd("eval", "1"), cmd("click", "#text"),
				cmd("wait", "--text", "Choose"),
			} {
				err := c.Fails(fault.DialogOpen, command...)
				require.Contains(t, err.Error(), "is open in tab t2")
				require.Contains(t, err.Error(), "--tab t2 dialog accept")
			}
			require.Contains(t, c.Do("get", "url").Result.Text, "acting-dialog-popups.html")
			require.Contains(t, c.Do("tab", "list").Result.Text, "[t2]")
		})
		c.Do("--tab", "t2", "dialog", "accept")
		require.Equal(t, "Sign in", c.Page("document.title"))
		c.Do("tab", "t2")
		require.Equal(t, "confirm true", c.Log())
	})
	t.Run("link", func(t *testing.T) {
		t.Parallel()
		c := host.OpenedFresh(t, "/pages/acting-dialog-popups.html")
		sessiontest.Promptly(t, func() { c.Do("click", "#link") })
		for c.Data("dialog", "status")["otherTabs"] == nil {
			c.Do("tab", "list")
		}
		require.Equal(t, "Sign in", c.Page("document.title"))
		c.Do("tab", "t2")
		c.Do("dialog", "dismiss")
		require.Equal(t, "confirm false", c.Log())
	})
	t.Run("alert", func(t *testing.T) {
		t.Parallel()
		c := host.OpenedFresh(t, "/pages/acting-dialog-popups.html")
		c.Do("click", "#direct")
		require.Equal(t, "opened", c.Log())
		c.Do("--tab", "t2", "wait", "--fn", "log.includes('alert')")
	})
	t.Run("answered with the action", func(t *testing.T) {
		t.Parallel()
		c := host.OpenedFresh(t, "/pages/acting-dialog-popups.html")
		c.Do("click", "#both", "--dialog", "accept")
		require.Equal(t, "here true", c.Log())
	})
	t.Run("kept beside a popup that loads", func(t *testing.T) {
		t.Parallel()
		c := host.OpenedFresh(t, "/pages/acting-dialog-popups.html")
		sessiontest.Promptly(t, func() {
			require.Contains(t, sessiontest.Notes(c.Do("click", "#both")), `"Wait for the window?"`)
		})
		c.Do("dialog", "accept")
		require.Equal(t, "here true", c.Log())
		c.Do("--tab", "t2", "wait", "#end")
	})
}

// Every way to leave a page that asks whether it may be left.
func TestDialogsBeforeLeaving(t *testing.T) {
	t.Parallel()
	ways := []struct {
		name    string
		command []string
	}{
		{"open", cmd("open", site0+"/echo?there")},
		{"reload", cmd("reload")},
		{"back", cmd("back")},
		{"close the tab", cmd("tab", "close")},
	}
	draft := func(t *testing.T) *sessiontest.Client {
		c := host.Opened(t, "/echo?before")
		c.Do("tab", "new", site.URL("/echo?before"))
		c.Do("open", site.URL("/pages/acting-dialog-leaving.html"))
		c.Do("type", "#text", "unsaved")
		return c
	}
	for _, way := range ways {
		command := make([]string, len(way.command))
		for i, word := range way.command {
			command[i] = expand(word)
		}
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			c := draft(t)
			sessiontest.Promptly(t, func() {
				err := c.Fails(fault.NavigationFailed, append(command, "--dialog", "dismiss")...)
				require.Contains(t, err.Error(), "the page asked whether it may be left")
			})
			require.Equal(t, "unsaved", c.Page("document.getElementById('text').value"), "the page stayed")
			require.Equal(t, "asked", c.Log())
			sessiontest.Promptly(t, func() {
				err := c.Fails(fault.DialogOpen, append(command, "--dialog", "keep")...)
				require.Contains(t, err.Error(), "beforeunload")
			})
			c.Do("dialog", "dismiss")
			require.Equal(t, "unsaved", c.Page("document.getElementById('text').value"))
			sessiontest.Promptly(t, func() { c.Do(command...) })
			require.NotEqual(t, "unsaved", c.Page("document.getElementById('text')?.value"), "by itself the answer is to leave")
		})
	}
	t.Run("the answer lets it go on", func(t *testing.T) {
		t.Parallel()
		c := draft(t)
		c.Fails(fault.DialogOpen, "open", site.URL("/echo?there"), "--dialog", "keep")
		c.Do("dialog", "accept")
		c.Do("wait", "--url", "/echo?there")
		require.Equal(t, "there", c.Page("document.getElementById('query').textContent"))
	})
	t.Run("link", func(t *testing.T) {
		t.Parallel()
		c := draft(t)
		c.Do("click", "#next", "--dialog", "dismiss")
		require.Equal(t, "unsaved", c.Page("document.getElementById('text').value"))
		c.Do("click", "#next")
		c.Do("wait", "--url", "/echo?next")
	})
	t.Run("close the session", func(t *testing.T) {
		t.Parallel()
		c := draft(t)
		c.Do("dialog", "policy", "keep")
		sessiontest.Promptly(t, func() { c.Do("close") })
	})
}

// site0 stands for the site's address in tables that are made before it is known.
const site0 = "SITE"

func expand(word string) string {
	if rest, ok := strings.CutPrefix(word, site0); ok {
		return site.URL(rest)
	}
	return word
}

// One caller is stopped by a dialog, another one looks at the tabs: it does not wait.
func TestDialogBesideAnotherCaller(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t,
		`<title>One</title><script>ask = () => new Promise((done) => setTimeout(() => done(confirm('Now?')), 50))</script>`)
	c.Do("dialog", "policy", "keep")
	waiting := c.Start("wait", "#never")
	c.Do("tab", "list")
	c.Do("--timeout", "10000", "tab", "new", site.URL(site.Titled("Two")))
	require.Empty(t, waiting)
	c.Do("tab", "t1")
	sessiontest.Promptly(t, func() {
		require.Equal(t, []string{"t1 One active", "t2 Two"}, c.Tabs())
		require.Equal(t, false, c.Data("dialog", "status")["hasDialog"])
	})
	c.Do("tab", "close", "t1")
	require.Error(t, (<-waiting).Err)
}

// A page that goes with its dialog open takes nothing with it.
func TestDialogOfPageThatGoes(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, site.Titled("Other"))
	c.Do("tab", "new", site.URL("/pages/acting-dialog-forms.html"))
	c.Do("click", "#remove")
	sessiontest.Promptly(t, func() {
		c.Do("tab", "close", "t2")
		require.Equal(t, "Other", c.Page("document.title"))
		require.Equal(t, false, c.Data("dialog", "status")["hasDialog"])
		c.Do("tab", "new", site.URL("/pages/acting-dialog-forms.html"))
		c.Do("click", "#remove", "--dialog", "accept")
	})
	require.Equal(t, "removed", c.Log())
}
