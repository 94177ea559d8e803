package sessiontest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Nested is the address of acting-frames.html with frames: "here" is the page's own origin, "there" another site, in
// another process.
func (s *Site) Nested(frames string, more ...string) string {
	query := url.Values{}
	hosts := strings.NewReplacer("here", "127.0.0.1:"+s.Port(), "there", s.Localhost()).Replace(frames)
	query.Set("nest", hosts)
	for _, m := range more {
		name, value, _ := strings.Cut(m, "=")
		query.Set(name, value)
	}
	return "/pages/acting-frames.html?" + query.Encode()
}

// Framed opens a page with frames and waits until the innermost one is loaded.
func (h *Host) Framed(t testing.TB, frames string, more ...string) (c *Client, depth int) {
	t.Helper()
	c = h.Opened(t, h.Site.Nested(frames, more...))
	depth = strings.Count(frames, ",") + 1
	c.Do("wait", "--text", fmt.Sprintf("Text %d", depth))
	return c, depth
}

// Heard waits until the top document has heard of an event, which comes to it by a message.
func (c *Client) Heard(depth int, event string) {
	c.T.Helper()
	line := fmt.Sprintf("%d %s", depth, event)
	reply := c.Try("wait", "--timeout", "5000", "--fn", fmt.Sprintf("log.includes(%q)", line))
	require.NoError(c.T, reply.Err, "the page has heard %q", c.Log())
}
