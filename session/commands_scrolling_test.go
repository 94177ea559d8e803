package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/fault"
)

const scrollPage = `<style>body { margin: 0; width: 3000px; height: 3000px } #box { width: 200px; height: 100px; overflow: auto }
	#room { width: 900px; height: 900px } #hidden { display: none } #far { position: absolute; top: 2000px; left: 2000px } html { scroll-behavior: smooth }</style>
	<div id=box><div id=room><p id=in style="margin-top: 700px">In the box</p></div></div><p id=hidden>Hidden</p><p id=still>Still</p><p id=far>Far</p>`

func TestScroll(t *testing.T) {
	t.Parallel()
	const page, box = "[scrollX, scrollY]", "[box.scrollLeft, box.scrollTop]"
	tests := []struct {
		name    string
		before  string
		command []string
		read    string
		want    []any
		moved   bool
	}{
		{"down", "", []string{"scroll"}, page, []any{0.0, 300.0}, true},
		{"how far", "", []string{"scroll", "down", "120"}, page, []any{0.0, 120.0}, true},
		{"up", "scrollTo({top: 500, behavior: 'instant'})", []string{"scroll", "up", "200"}, page, []any{0.0, 300.0}, true},
		{"right", "", []string{"scroll", "right", "50"}, page, []any{50.0, 0.0}, true},
		{"left", "scrollTo({left: 500, behavior: 'instant'})", []string{"scroll", "left", "100"}, page, []any{400.0, 0.0}, true},
		{"at the top", "", []string{"scroll", "up"}, page, []any{0.0, 0.0}, false},
		{"further than there is", "scrollTo({top: 100, behavior: 'instant'})", []string{"scroll", "up", "900"}, page, []any{0.0, 0.0}, true},
		{"a box", "", []string{"scroll", "down", "90", "-s", "#box"}, box, []any{0.0, 90.0}, true},
		{"a box to the right", "", []string{"scroll", "right", "90", "--selector", "#box"}, box, []any{90.0, 0.0}, true},
		{"what is in a box", "", []string{"scroll", "down", "90", "-s", "#in"}, box, []any{0.0, 90.0}, true},
		{"a box at its end", "box.scrollTop = 9999", []string{"scroll", "down", "90", "-s", "#box"}, page, []any{0.0, 0.0}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, scrollPage)
			c.page(tt.before + ";0")
			reply := c.do(tt.command...)
			require.Equal(t, tt.want, c.page(tt.read))
			require.Equal(t, object{"scrolled": tt.moved}, decode[object](t, reply.Result.Data))
			if tt.moved {
				require.Equal(t, "✓ Done", reply.Result.Text)
			} else {
				require.Contains(t, reply.Result.Text, "Nothing moved")
			}
		})
	}
}

// Where the document itself does not scroll, its largest scrolling part does.
func TestScrollAnAppLayout(t *testing.T) {
	t.Parallel()
	c := showing(t, `<style>html, body { margin: 0; height: 100%; overflow: hidden } #main { height: 100%; overflow-y: auto }</style>
		<div id=main><div style="height: 3000px">Content</div></div>`)
	c.do("scroll", "down", "400")
	require.Equal(t, 400.0, c.page("main.scrollTop"))
}

func TestScrollRefused(t *testing.T) {
	t.Parallel()
	c := showing(t, scrollPage)
	err := c.fails(fault.Usage, "scroll", "sideways")
	require.Contains(t, err.Error(), "sideways")
	err = c.fails(fault.Usage, "scroll", "down", "far")
	require.Contains(t, err.Error(), "far")
	c.fails(fault.SelectorNotFound, "scroll", "down", "-s", "#nosuch")
	c.fails(fault.SelectorInvalid, "scroll", "down", "-s", "#[")
	require.Equal(t, []any{0.0, 0.0}, c.page("[scrollX, scrollY]"))
}

func TestScrollIntoView(t *testing.T) {
	t.Parallel()
	const shown = `(b => b.top >= 0 && b.left >= 0 && b.bottom <= innerHeight + 1 && b.right <= innerWidth + 1)` // boxes end between pixels
	for _, command := range []string{"scrollintoview", "scrollinto"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			c := showing(t, scrollPage)
			reply := c.do(command, "#far")
			require.Equal(t, true, c.page(shown+"(far.getBoundingClientRect())"))
			require.Equal(t, object{"scrolled": "#far"}, decode[object](t, reply.Result.Data))
			c.do(command, "#in")
			require.Equal(t, true, c.page(shown+"(document.getElementById('in').getBoundingClientRect())"))
			require.Equal(t, true, c.page("box.scrollTop > 0"), "the box scrolled, too")
			c.page("scrollTo({left: 0, top: 40, behavior: 'instant'})")
			c.do(command, "#still")
			require.Equal(t, []any{0.0, 40.0}, c.page("[scrollX, scrollY]"), "what is in view stays where it is")
			c.fails(fault.TargetHidden, command, "#hidden")
			c.fails(fault.SelectorNotFound, command, "#nosuch")
		})
	}
}
