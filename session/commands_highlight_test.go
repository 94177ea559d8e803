package session_test

import (
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const highlightPage = `<style>body { margin: 0; background: white; height: 3000px } div, iframe { position: absolute; border: 0; background: rgb(200, 200, 200) }
	#box { left: 100px; top: 100px; width: 200px; height: 80px } #far { left: 100px; top: 2000px; width: 50px; height: 50px }
	iframe { left: 500px; top: 100px; width: 200px; height: 200px }</style><div id=box></div><div id=far></div>
	<p style="position: absolute; top: 600px"><template shadowrootmode=closed><h2>Shadow</h2></template></p>`

var grey = color.RGBA{200, 200, 200, 255}

// shot is the color of points of the viewport.
func (c *client) shot(points ...[2]int) []color.RGBA {
	c.t.Helper()
	c.do("screenshot", "shot.png")
	img, _ := c.picture("shot.png")
	var colors []color.RGBA
	for _, p := range points {
		colors = append(colors, at(img, p[0], p[1]))
	}
	return colors
}

func TestHighlight(t *testing.T) {
	t.Parallel()
	c := showing(t, highlightPage)
	before := c.page("document.documentElement.outerHTML")
	c.page(`new MutationObserver(() => log.push("changed")).observe(document, {subtree: true, childList: true, attributes: true}), 0`)
	require.Equal(t, []color.RGBA{grey, white}, c.shot([2]int{200, 140}, [2]int{50, 50}))
	reply := c.do("highlight", "#box")
	require.Equal(t, "✓ Done", reply.Result.Text)
	require.Equal(t, object{"highlighted": "#box"}, withoutEffect(t, reply))
	// The outline is 3 pixels wide, at a distance of 2.
	around := [][2]int{{96, 140}, {200, 96}, {303, 140}, {200, 183}}
	require.Equal(t, []color.RGBA{red, red, red, red}, c.shot(around...))
	require.Equal(t, []color.RGBA{grey, white}, c.shot([2]int{200, 140}, [2]int{50, 50}))
	require.Equal(t, before, c.page("document.documentElement.outerHTML"), "the page is as it was")
	require.Empty(t, c.log())
	require.Equal(t, "box", c.page("document.elementFromPoint(200, 140).id"))

	c.do("highlight", "#far")
	require.Greater(t, c.page("scrollY"), 1000.0, "scrolled into view")
	box := c.page(`(r => [r.x - 4, r.y + 5])(far.getBoundingClientRect())`).([]any)
	require.Equal(t, []color.RGBA{red}, c.shot([2]int{int(box[0].(float64)), int(box[1].(float64))}))
	c.page("scrollTo(0, 0)")
	require.Equal(t, []color.RGBA{red}, c.shot(around[0]), "several at once")
	require.Equal(t, object{"cleared": true}, c.data("highlight", "--clear"))
	require.Equal(t, []color.RGBA{white, white, white, white}, c.shot(around...))
	c.do("highlight", "--clear")

	c.do("highlight", "#box")
	c.do("click", "#box") // what does not move is not waited for
	c.do("reload")
	require.Equal(t, []color.RGBA{white}, c.shot(around[0]), "gone with the document")
	c.do("highlight", c.ref(`heading "Shadow"`))
	c.do("highlight", "--clear")
	c.do("highlight", "#box")
	require.Equal(t, []color.RGBA{red}, c.shot(around[0]))
}

func TestHighlightInFrames(t *testing.T) {
	t.Parallel()
	frame := site.write(`<body style="margin: 0; background: white"><div style="width: 100px; height: 100px; background: rgb(200, 200, 200)">`)
	for name, src := range map[string]string{"same process": site.url(frame), "other process": site.elsewhere(frame)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, highlightPage+`<iframe id=f src="`+src+`"></iframe>`)
			c.do("frame", "#f")
			c.do("highlight", "div")
			require.Equal(t, []color.RGBA{red}, c.shot([2]int{550, 203}))
			c.do("highlight", "--clear")
			require.Equal(t, []color.RGBA{white}, c.shot([2]int{550, 203}))
		})
	}
}

func TestHighlightMistakes(t *testing.T) {
	t.Parallel()
	c := showingFresh(t, highlightPage)
	c.fails(fault.SelectorNotFound, "highlight", "#nope")
	c.fails(fault.SelectorInvalid, "highlight", "#[")
	c.fails(fault.RefUnknown, "highlight", "@e999")
	require.Contains(t, c.fails(fault.Usage, "highlight").Error(), "Missing arguments for: highlight")
	require.Contains(t, c.fails(fault.Usage, "highlight", "#box", "--clear").Error(), "leave out the selector")
}
