package session_test

import (
	"testing"
)

// What holds new frames until they are as the session wants them holds workers, too: none of it may keep one from
// starting.
func TestWorkersStart(t *testing.T) {
	t.Parallel()
	for name, line := range map[string][]string{
		"after a snapshot":      {"snapshot", "-i"},
		"with a color scheme":   {"set", "media", "dark"},
		"with a user agent":     {"set", "user-agent", "Probe/1.0"},
		"with a log of network": {"network", "requests"},
		"with the console":      {"console"},
		"with a route":          {"network", "route", "/never/", "--abort"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<title>Workers</title>`)
			c.Do(line...)
			for range 2 { // in the page that is open, and in the next one
				c.Page(
					`started = [], new Worker(URL.createObjectURL(new Blob(["new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))).onmessage = () => postMessage(2)"])))
					.onmessage = (e) => started.push(e.data), 0`)
				c.Do("wait", "--fn", "started.length > 0")
				c.Do("reload")
			}
		})
	}
}
