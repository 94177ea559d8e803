package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/sessiontest"
)

// A popup waits in a session of its own until it has what is set. Chromium undoes some of that when any session with a
// page ends.
func TestSetIsSeenInPopups(t *testing.T) {
	t.Parallel()
	const read = `[matchMedia('print').matches, matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('(forced-colors: active)').matches,
		innerWidth, navigator.maxTouchPoints > 0, new Date(0).getHours(), navigator.language, navigator.userAgent].join('|')`
	const want = "true|true|true|640|true|9|de-CH|Probe/1"
	page := site.Write(emptyPage)
	c := host.Opened(t, page)
	for _, set := range [][]string{
		{"media", "print", "dark", "forced-colors"},
		{"viewport", "640", "480", "--touch"},
		{"timezone", "Asia/Tokyo"},
		{"locale", "de-CH"},
		{"user-agent", "Probe/1"},
	} {
		c.Do(append([]string{"set"}, set...)...)
	}
	for _, tt := range []struct{ name, open string }{
		{"of the same site", `window.open('` + page + `')`},
		{"of another site", `window.open('` + site.Elsewhere(page) + `')`},
		{"without opener", `window.open('` + page + `', '', 'noopener')`},
		{"in a window", `window.open('` + page + `', '', 'width=300,height=200')`},
		{"empty", `window.open('')`},
	} {
		c.Do("eval", tt.open+", 0")
		c.Do("wait", "--load", "load")
		require.Equal(t, want, c.Page(read), tt.name)
		c.Do("tab", "close")
		require.Equal(t, want, c.Page(read), "in its opener")
	}
}

// Chromium keeps time zone and locale for a process: they end there with any page or frame that has set them, as each
// one is told to.
func TestSetOutlivesWhatSharesItsProcess(t *testing.T) {
	t.Parallel()
	const read = `[new Date(0).getHours(), Intl.DateTimeFormat().resolvedOptions().timeZone, (1234567.5).toLocaleString()].join('|')`
	const want = "9|Asia/Tokyo|1'234'567.5"
	far := site.Elsewhere(site.Write(`<!doctype html><script>onmessage = () => top.postMessage(` + read +
		`, '*')</script>`))
	page := site.Write(`<!doctype html><script>log = []; onmessage = (e) => log.push(e.data)</script><iframe src="` + far +
		`"></iframe><iframe src="` + far + `"></iframe>`)
	set := func(c *sessiontest.Client) {
		c.Do("set", "timezone", "Asia/Tokyo")
		c.Do("set", "locale", "de-CH")
		require.Equal(t, want, c.Page(read))
	}
	t.Run("a popup that is closed", func(t *testing.T) {
		t.Parallel()
		for _, address := range []string{page, "", site.Elsewhere(page)} {
			c := host.Opened(t, page)
			set(c)
			c.Do("eval", "w = window.open('"+address+"'), 0")
			c.Do("wait", "--load", "load")
			c.Do("tab", "close")
			require.Equal(t, want, c.Page(read), "%q", address)
		}
	})
	t.Run("a frame that is removed", func(t *testing.T) {
		t.Parallel()
		for _, frame := range []string{"0", "1"} {
			c := host.Opened(t, page)
			set(c)
			c.Do("wait", "--load", "networkidle")
			c.Page("document.querySelectorAll('iframe')[" + frame + "].remove()")
			c.Page("frames[0].postMessage('', '*')")
			c.Do("wait", "--fn", "log.length > 0")
			require.Equal(t, want, c.Page("log[0]"))
		}
	})
}
