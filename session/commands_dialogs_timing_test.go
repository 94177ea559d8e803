package session_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// A page that asks while it loads.
func TestDialogsWhileLoading(t *testing.T) {
	t.Parallel()
	page := site.url("/pages/acting-dialog-loading.html")
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
			c := newClient(t)
			c.do("open", page+"?ask="+tt.ask, "--dialog", tt.dialog)
			require.Equal(t, tt.want, c.log())
			require.Equal(t, "The end of the page", c.do("get", "text", "#end").Result.Text)
			c.do("reload", "--dialog", tt.dialog)
			require.Equal(t, tt.want, c.log())
			c.do("tab", "new", page+"?ask="+tt.ask, "--dialog", tt.dialog)
			require.Equal(t, tt.want, c.log())
		})
	}
}

// A timer asks between two commands: the next one says so, and does not hang.
func TestDialogsOfTimers(t *testing.T) {
	t.Parallel()
	page := site.url("/pages/acting-dialog-loading.html")

	c := newClient(t)
	c.do("open", page+"?ask=alerts")
	c.do("wait", "--fn", "log.includes('alerted')")
	said := notes(c.do("get", "title")) + notes(c.do("get", "url"))
	require.NotContains(t, said, "ends soon", "the wait has said it")

	c.do("open", page+"?ask=timer")
	c.fails(fault.DialogOpen, "wait", "#never")
	require.Contains(t, c.fails(fault.DialogOpen, "get", "title").Error(), "Still there?")
	require.Contains(t, notes(c.do("dialog", "dismiss")), "")
	require.Equal(t, "timer false", c.log())
}

func TestDialogsOfTimersInOtherTabs(t *testing.T) {
	t.Parallel()
	g := site.gate(t, "")
	c := showingFresh(t, `<title>One</title><script>fetch('`+g.path+`').then(() => { alert('From afar'); log.push(confirm('And now?')) })</script>`)
	c.do("tab", "new", site.url(titled("Two")))
	g.open()
	for c.data("dialog", "status")["otherTabs"] == nil {
		c.do("get", "title")
	}
	require.Equal(t, "Two", c.page("document.title"), "the dialog of one tab does not stop the other")
	require.Equal(t, []any{object{"tabId": "t1", "type": "confirm", "message": "And now?"}}, c.data("dialog", "status")["otherTabs"])
	require.Contains(t, c.do("tab", "list").Result.Text, `(a confirm dialog is open: "And now?")`)
	err := c.fails(fault.NoDialog, "dialog", "accept")
	require.Contains(t, err.Error(), "No dialog is showing in tab t2; one is open in t1. Use `--tab t1` to answer it.")
	c.do("--tab", "t1", "dialog", "accept")
	c.do("tab", "t1")
	require.Equal(t, "true", c.log())
}

// Frames ask in the name of the page, in whichever process they live.
func TestDialogsOfFrames(t *testing.T) {
	t.Parallel()
	pay := site.write(`<button onclick="parent.postMessage('paid ' + confirm('Pay now?'), '*')">Pay</button>`)
	for name, src := range map[string]string{"same document's": "", "same site's": site.url(pay), "another site's": site.elsewhere(pay)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := opened(t, "/pages/acting-dialog-frames.html?src="+url.QueryEscape(src))
			ref := c.ref(`button "Pay"`)
			require.Contains(t, notes(c.do("click", ref)), `"Pay now?"`)
			promptly(t, func() {
				c.fails(fault.DialogOpen, "snapshot")
				c.fails(fault.DialogOpen, "click", "#top")
			})
			c.do("dialog", "dismiss")
			c.do("wait", "--fn", "log.length == 1")
			c.do("click", ref, "--dialog", "accept")
			c.do("wait", "--fn", "log.length == 2")
			require.Equal(t, "paid false\npaid true", c.log())
		})
	}
}

// A popup lives in the process of its opener, whose answers its dialog keeps back: nothing may wait for them.
func TestDialogsOfPopups(t *testing.T) {
	t.Parallel()
	t.Run("window", func(t *testing.T) {
		t.Parallel()
		c := openedFresh(t, "/pages/acting-dialog-popups.html")
		c.do("click", "#popup")
		for c.data("dialog", "status")["otherTabs"] == nil { // it is still loading
			c.do("tab", "list")
		}
		promptly(t, func() {
			for _, command := range [][]string{cmd("get", "title"), cmd("snapshot"), cmd("eval", "1"), cmd("click", "#text"), cmd("wait", "--text", "Choose")} {
				err := c.fails(fault.DialogOpen, command...)
				require.Contains(t, err.Error(), "is open in tab t2")
				require.Contains(t, err.Error(), "--tab t2 dialog accept")
			}
			require.Contains(t, c.do("get", "url").Result.Text, "acting-dialog-popups.html")
			require.Contains(t, c.do("tab", "list").Result.Text, "[t2]")
		})
		c.do("--tab", "t2", "dialog", "accept")
		require.Equal(t, "Sign in", c.page("document.title"))
		c.do("tab", "t2")
		require.Equal(t, "confirm true", c.log())
	})
	t.Run("link", func(t *testing.T) {
		t.Parallel()
		c := openedFresh(t, "/pages/acting-dialog-popups.html")
		promptly(t, func() { c.do("click", "#link") })
		for c.data("dialog", "status")["otherTabs"] == nil {
			c.do("tab", "list")
		}
		require.Equal(t, "Sign in", c.page("document.title"))
		c.do("tab", "t2")
		c.do("dialog", "dismiss")
		require.Equal(t, "confirm false", c.log())
	})
	t.Run("alert", func(t *testing.T) {
		t.Parallel()
		c := openedFresh(t, "/pages/acting-dialog-popups.html")
		c.do("click", "#direct")
		require.Equal(t, "opened", c.log())
		c.do("--tab", "t2", "wait", "--fn", "log.includes('alert')")
	})
	t.Run("answered with the action", func(t *testing.T) {
		t.Parallel()
		c := openedFresh(t, "/pages/acting-dialog-popups.html")
		c.do("click", "#both", "--dialog", "accept")
		require.Equal(t, "here true", c.log())
	})
	t.Run("kept beside a popup that loads", func(t *testing.T) {
		t.Parallel()
		c := openedFresh(t, "/pages/acting-dialog-popups.html")
		promptly(t, func() { require.Contains(t, notes(c.do("click", "#both")), `"Wait for the window?"`) })
		c.do("dialog", "accept")
		require.Equal(t, "here true", c.log())
		c.do("--tab", "t2", "wait", "#end")
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
	draft := func(t *testing.T) *client {
		c := opened(t, "/echo?before")
		c.do("tab", "new", site.url("/echo?before"))
		c.do("open", site.url("/pages/acting-dialog-leaving.html"))
		c.do("type", "#text", "unsaved")
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
			promptly(t, func() {
				err := c.fails(fault.NavigationFailed, append(command, "--dialog", "dismiss")...)
				require.Contains(t, err.Error(), "the page asked whether it may be left")
			})
			require.Equal(t, "unsaved", c.page("document.getElementById('text').value"), "the page stayed")
			require.Equal(t, "asked", c.log())
			promptly(t, func() {
				err := c.fails(fault.DialogOpen, append(command, "--dialog", "keep")...)
				require.Contains(t, err.Error(), "beforeunload")
			})
			c.do("dialog", "dismiss")
			require.Equal(t, "unsaved", c.page("document.getElementById('text').value"))
			promptly(t, func() { c.do(command...) })
			require.NotEqual(t, "unsaved", c.page("document.getElementById('text')?.value"), "by itself the answer is to leave")
		})
	}
	t.Run("the answer lets it go on", func(t *testing.T) {
		t.Parallel()
		c := draft(t)
		c.fails(fault.DialogOpen, "open", site.url("/echo?there"), "--dialog", "keep")
		c.do("dialog", "accept")
		c.do("wait", "--url", "/echo?there")
		require.Equal(t, "there", c.page("document.getElementById('query').textContent"))
	})
	t.Run("link", func(t *testing.T) {
		t.Parallel()
		c := draft(t)
		c.do("click", "#next", "--dialog", "dismiss")
		require.Equal(t, "unsaved", c.page("document.getElementById('text').value"))
		c.do("click", "#next")
		c.do("wait", "--url", "/echo?next")
	})
	t.Run("close the session", func(t *testing.T) {
		t.Parallel()
		c := draft(t)
		c.do("dialog", "policy", "keep")
		promptly(t, func() { c.do("close") })
	})
}

// site0 stands for the site's address in tables that are made before it is known.
const site0 = "SITE"

func expand(word string) string {
	if rest, ok := strings.CutPrefix(word, site0); ok {
		return site.url(rest)
	}
	return word
}

// One caller is stopped by a dialog, another one looks at the tabs: it does not wait.
func TestDialogBesideAnotherCaller(t *testing.T) {
	t.Parallel()
	c := showingFresh(t, `<title>One</title><script>ask = () => new Promise((done) => setTimeout(() => done(confirm('Now?')), 50))</script>`)
	c.do("dialog", "policy", "keep")
	waiting := c.start("wait", "#never")
	c.do("tab", "list")
	c.do("--timeout", "10000", "tab", "new", site.url(titled("Two")))
	require.Empty(t, waiting)
	c.do("tab", "t1")
	promptly(t, func() {
		require.Equal(t, []string{"t1 One active", "t2 Two"}, c.tabs())
		require.Equal(t, false, c.data("dialog", "status")["hasDialog"])
	})
	c.do("tab", "close", "t1")
	require.Error(t, (<-waiting).Err)
}

// A page that goes with its dialog open takes nothing with it.
func TestDialogOfPageThatGoes(t *testing.T) {
	t.Parallel()
	c := openedFresh(t, titled("Other"))
	c.do("tab", "new", site.url("/pages/acting-dialog-forms.html"))
	c.do("click", "#remove")
	promptly(t, func() {
		c.do("tab", "close", "t2")
		require.Equal(t, "Other", c.page("document.title"))
		require.Equal(t, false, c.data("dialog", "status")["hasDialog"])
		c.do("tab", "new", site.url("/pages/acting-dialog-forms.html"))
		c.do("click", "#remove", "--dialog", "accept")
	})
	require.Equal(t, "removed", c.log())
}
