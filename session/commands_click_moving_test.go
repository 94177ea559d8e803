package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const movesForEver = "/pages/acting-click-moving.html"

// What keeps moving is followed, and gets its clicks where it is.
func TestClickFollows(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"field", "quick", "ticker", "slide1", "tile", "far"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			c := opened(t, movesForEver)
			for range 3 {
				c.page("log = []")
				c.do("click", "#"+id, "--timeout", "20000")
				require.Equal(t, id, c.log())
			}
			c.page("scrollTo(0, document.getElementById('" + id + "').getBoundingClientRect().y < 1500 ? 1500 : 0)")
			c.page("log = []")
			c.do("dblclick", "#"+id, "--timeout", "20000")
			require.Equal(t, id+"\n"+id, c.log())
			c.do("hover", "#far", "--timeout", "20000")
			c.page("overs = []")
			c.do("hover", "#"+id, "--timeout", "20000")
			if id != "far" {
				require.Contains(t, c.page("overs"), id) // it may have moved on since
			}
		})
	}
	c := opened(t, movesForEver)
	c.do("check", "#box", "--timeout", "20000")
	require.Equal(t, true, c.page("box.checked"))
}
