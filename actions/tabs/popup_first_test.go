package tabs_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// What is set for a session holds for pages that its pages open from their first request on, and in those that know
// their opener from their first script on. One that has nothing to do with its opener gets a process of its own, which
// the browser does not keep waiting.
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
				folder := site.Answering(func(w http.ResponseWriter, r *http.Request) {
					select {
					case asked <- r.Header:
					default:
					}
					sessiontest.WritePage(w,
						`<!doctype html><title>Popup</title><script>var first = [matchMedia('(prefers-color-scheme: dark)').matches, Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.userAgent].join()</script>`)
				})
				c := host.ShowingFresh(t, `<!doctype html><title>Opener</title><body>`)
				c.Do("set", "headers", `{"X-First":"yes"}`)
				c.Do("set", "media", "dark")
				c.Do("set", "timezone", "Asia/Tokyo")
				c.Do("set", "user-agent", "Probe/9")
				address := site.URL(folder)
				if elsewhere {
					address = site.Elsewhere(folder)
				}
				c.Page(fmt.Sprintf(open, address))
				header := <-asked
				require.Equal(t, "yes", header.Get("X-First"), "elsewhere %v", elsewhere)
				require.Equal(t, "Probe/9", header.Get("User-Agent"))
				c.Until("the popup is a tab", func() bool { return len(c.Tabs()) == 2 }) // its server may know of it first
				c.Do("tab", "t2")
				c.Do("wait", "--fn", "window.first !== undefined")
				if c.Page("opener !== null") == true {
					require.Equal(t, "true,Asia/Tokyo,Probe/9", c.Page("first"))
				}
				require.Equal(t, "true,Probe/9",
					c.Page("[matchMedia('(prefers-color-scheme: dark)').matches, navigator.userAgent].join()"))
			}
		})
	}
}
