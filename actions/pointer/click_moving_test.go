package pointer_test

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
			c := host.Opened(t, movesForEver)
			for range 3 {
				c.Page("log = []")
				c.Do("click", "#"+id, "--timeout", "20000")
				require.Equal(t, id, c.Log())
			}
			c.Page("scrollTo(0, document.getElementById('" + id + "').getBoundingClientRect().y < 1500 ? 1500 : 0)")
			c.Page("log = []")
			c.Do("dblclick", "#"+id, "--timeout", "20000")
			require.Equal(t, id+"\n"+id, c.Log())
			c.Do("hover", "#far", "--timeout", "20000")
			c.Page("overs = []")
			c.Do("hover", "#"+id, "--timeout", "20000")
			if id != "far" {
				require.Contains(t, c.Page("overs"), id) // it may have moved on since
			}
		})
	}
	c := host.Opened(t, movesForEver)
	c.Do("check", "#box", "--timeout", "20000")
	require.Equal(t, true, c.Page("box.checked"))
}
