package wait_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// What is asked while the page is on its way to another one is asked of that.
func TestReadingWaitsForThePageThatComes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args []string
		want string
	}{
		"get text":   {[]string{"get", "text", "h1"}, "There"},
		"get count":  {[]string{"get", "count", "li"}, "3"},
		"get title":  {[]string{"get", "title"}, "There"},
		"is visible": {[]string{"is", "visible", "#there"}, "true"},
		"find":       {[]string{"find", "role", "heading", "text"}, "There"},
		"find count": {[]string{"find", "first", "li", "count"}, "3"},
		"wait":       {[]string{"wait", "#there"}, "✓ Done"},
		"wait text":  {[]string{"wait", "--text", "There"}, "There"},
		"wait gone":  {[]string{"wait", "#here", "--state", "detached"}, "✓ Done"},
		"frame":      {[]string{"frame", "inner"}, "✓ Done"},
		"JSON":       {[]string{"get", "text", `{"role":"heading"}`}, "There"},
		"frame path": {[]string{"get", "text", `{"kind":"css","css":"p","framePath":["inner"]}`}, "Inside"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there := site.Gate(t,
				`<!doctype html><title>There</title><h1 id=there>There</h1><ul><li>1<li>2<li>3</ul><iframe name=inner srcdoc="<p>Inside</p>"></iframe>`)
			c := host.Showing(t, `<title>Here</title><h1 id=here>Here</h1><iframe name=inner srcdoc="<p>Old</p>"></iframe>`)
			c.Page(`void setTimeout(() => { location = "` + there.Path + `" }, 100)`)
			there.WaitAsked(t)
			reply := c.Start(tt.args...)
			c.Do("tab", "list")
			require.Empty(t, reply)
			there.Open()
			require.Equal(t, tt.want, saysOf(c, reply))
		})
	}
}

// A text that appears in any frame, also in one that comes while it is waited for, ends the wait; when a frame is
// chosen, only in that one.
func TestWaitForTextInFrames(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ choose, change string }{
		"another site": {
			"",
			`document.body.insertAdjacentHTML('beforeend', '<iframe src="` + site.Elsewhere("/echo?late") + `"></iframe>')`,
		},
		"a frame that comes": {
			"",
			`document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="<p>late</p>"></iframe>')`,
		},
		"a frame in a frame":  {"", `frames.inner.document.body.innerHTML = '<iframe srcdoc="<p>late</p>"></iframe>'`},
		"the chosen frame":    {"inner", `frames.inner.document.body.textContent = 'late'`},
		"in the chosen frame": {"inner", `frames.inner.document.body.innerHTML = '<iframe srcdoc="<p>late</p>"></iframe>'`},
		"chosen and replaced": {"inner", `frames.inner.location = '/echo?late'`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := site.Gate(t, "")
			c := host.Showing(t, `<iframe name=inner srcdoc="<p>Inside</p>"></iframe>`)
			c.Do("wait", "--text", "Inside")
			if tt.choose != "" {
				c.Do("frame", tt.choose)
				c.Page("document.body.append('late')")
			}
			reply := when(c, g, tt.change, "wait", "--text", "late")
			require.Equal(t, "late", saysOf(c, reply))
		})
	}
}

// Waits work where the page has redefined what they are made of.
func TestWaitOnAHostilePage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change string
		args   []string
	}{
		"text":     {"later('Saved')", []string{"--text", "Saved"}},
		"selector": {"later('x'); document.title = 'x'; save.hidden = true", []string{"#save", "--state", "hidden"}},
		"role":     {"go.setAttribute('aria-expanded', 'true')", []string{`role=button[expanded]`}},
		"address":  {"history.pushState(0, '', '?done')", []string{"--url", "?done"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-target-hostile.html")
			c.Await(when(c, site.Gate(t, ""), tt.change, append([]string{"wait"}, tt.args...)...))
		})
	}
	t.Run("stable", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, "/pages/acting-target-hostile.html")
		c.Do("wait", "--stable")
	})
}

// Removing a frame ends a wait in it at once: with success for --state hidden or detached, else with an error about the
// frame.
func TestWaitInAFrameThatGoes(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"visible", "hidden", "detached", "enabled"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-target-checkout.html?host="+site.Localhost())
			c.Do("wait", "--text", "Only in the payment")
			c.Do("frame", "payment")
			selector := "#card"
			if state == "visible" || state == "enabled" {
				selector = "#done"
			}
			reply := <-when(c, site.Gate(t, ""), "vanish()", "wait", selector, "--state", state, "--timeout", "60000")
			if selector == "#card" {
				require.NoError(t, reply.Err)
				return
			}
			require.True(t, fault.Is(reply.Err, fault.FrameGone), "%v", reply.Err)
			require.True(t, strings.Contains(reply.Err.Error(), "frame payment"), "%v", reply.Err)
		})
	}
}

// A wait in a frame that has gone already ends as one in a frame that goes: callers cannot know which of the two it
// will be.
func TestWaitInAFrameThatIsGone(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-target-checkout.html?host="+site.Localhost())
	c.Do("wait", "--text", "Only in the payment")
	c.Do("frame", "payment")
	c.Page("vanish()")
	for _, state := range []string{"hidden", "detached"} {
		require.Contains(t, strings.Join(c.Do("wait", "#card", "--state", state).Result.Notes, "\n"), "no longer on the page")
	}
	for _, state := range []string{"visible", "enabled"} {
		c.Fails(fault.FrameGone, "wait", "#card", "--state", state)
	}
}
