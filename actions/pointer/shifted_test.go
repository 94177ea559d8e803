package pointer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What brings a target into view may scroll a box that hides what overflows, which no person can scroll back by hand:
// the reply tells that.
func TestShiftedBoxIsTold(t *testing.T) {
	t.Parallel()
	const slides = `<div style="display:flex;width:900px"><p style="width:300px">1</p><p style="width:300px">2</p><p style="width:300px"><button>Buy</button><input></p></div>`
	const down = `<p style="height:400px">1</p><button>Buy</button>`
	for _, test := range []struct {
		name, html string
		command    []string
		want       string // "" for not told
		at         string // what the page has then
	}{
		{
			"carousel", `<div id=box style="overflow:hidden;width:300px">` + slides + `</div>`, cmd("click", "button"),
			"div#box, which hides what overflows, was scrolled from 0,0 to ", "shifted",
		},
		{
			"field", `<div id=box style="overflow:hidden;width:300px">` + slides + `</div>`, cmd("fill", "input", "x"),
			"div#box, which hides what overflows, was scrolled from 0,0 to ", "shifted",
		},
		{
			"downwards", `<div id=box style="overflow-y:hidden;height:100px">` + down + `</div>`, cmd("click", "button"),
			"div#box, which hides what overflows, was scrolled from 0,0 to 0,", "shifted",
		},
		{
			"hover", `<div id=box style="overflow:hidden;width:300px">` + slides + `</div>`, cmd("hover", "button"),
			"div#box, which hides what overflows", "shifted",
		},
		{
			"scrolls", `<div id=box style="overflow:auto;width:300px">` + slides + `</div>`, cmd("click", "button"), "",
			"shifted",
		},
		{
			"in view", `<div id=box style="overflow:hidden;width:900px">` + slides + `</div>`, cmd("click", "button"), "",
			"still",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, test.html)
			reply := c.Try(test.command...)
			text := strings.Join(reply.Result.Effect, "\n")
			if test.want == "" {
				require.NotContains(t, text, "hides what overflows")
			} else {
				require.Contains(t, text, test.want)
			}
			if test.at != "" {
				require.Equal(t, test.at, c.Page("box.scrollLeft + box.scrollTop > 0 ? 'shifted' : 'still'"))
			}
		})
	}
}
