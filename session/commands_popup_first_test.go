package session_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is set for a session holds for pages that its pages open from their first request on, and in those that know their opener from their
// first script on. One that has nothing to do with its opener gets a process of its own, which the browser does not keep waiting.
func TestPopupsAreToldBeforeTheyBegin(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]string{
		"window.open":     `void window.open("%s")`,
		"without opener":  `void window.open("%s", "", "noopener")`,
		"a window":        `void window.open("%s", "", "width=300,height=200")`,
		"a link":          `document.body.insertAdjacentHTML("beforeend", '<a id=l target=_blank href="%s">x</a>'); l.click()`,
		"written by hand": `{ const w = window.open(""); w.location = "%s" }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, elsewhere := range []bool{false, true} {
				asked := make(chan http.Header, 1)
				folder := site.answering(func(w http.ResponseWriter, r *http.Request) {
					select {
					case asked <- r.Header:
					default:
					}
					writePage(w, `<!doctype html><title>Popup</title><script>var first = [matchMedia('(prefers-color-scheme: dark)').matches, Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.userAgent].join()</script>`)
				})
				c := showingFresh(t, `<!doctype html><title>Opener</title><body>`)
				c.do("set", "headers", `{"X-First":"yes"}`)
				c.do("set", "media", "dark")
				c.do("set", "timezone", "Asia/Tokyo")
				c.do("set", "user-agent", "Probe/9")
				address := site.url(folder)
				if elsewhere {
					address = site.elsewhere(folder)
				}
				c.page(fmt.Sprintf(open, address))
				header := <-asked
				require.Equal(t, "yes", header.Get("X-First"), "elsewhere %v", elsewhere)
				require.Equal(t, "Probe/9", header.Get("User-Agent"))
				c.until("the popup is a tab", func() bool { return len(c.tabs()) == 2 }) // its server may know of it first
				c.do("tab", "t2")
				c.do("wait", "--fn", "window.first !== undefined")
				if c.page("opener !== null") == true {
					require.Equal(t, "true,Asia/Tokyo,Probe/9", c.page("first"))
				}
				require.Equal(t, "true,Probe/9", c.page("[matchMedia('(prefers-color-scheme: dark)').matches, navigator.userAgent].join()"))
			}
		})
	}
}
