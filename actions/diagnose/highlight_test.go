package diagnose_test

import (
	"image/color"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const highlightPage = `<style>body { margin: 0; background: white; height: 3000px } div, iframe { position: absolute; border: 0; background: rgb(200, 200, 200) }
	#box { left: 100px; top: 100px; width: 200px; height: 80px } #far { left: 100px; top: 2000px; width: 50px; height: 50px }
	iframe { left: 500px; top: 100px; width: 200px; height: 200px }</style><div id=box></div><div id=far></div>
	<p style="position: absolute; top: 600px"><template shadowrootmode=closed><h2>Shadow</h2></template></p>`

var grey = color.RGBA{200, 200, 200, 255}

// shot is the color of points of the viewport.
func shot(c *sessiontest.Client, points ...[2]int) []color.RGBA {
	c.T.Helper()
	c.Do("screenshot", "shot.png")
	img, _ := c.Picture("shot.png")
	var colors []color.RGBA
	for _, p := range points {
		colors = append(colors, sessiontest.ColorAt(img, p[0], p[1]))
	}
	return colors
}

func TestHighlight(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, highlightPage)
	before := c.Page("document.documentElement.outerHTML")
	c.Page(
		`new MutationObserver(() => log.push("changed")).observe(document, {subtree: true, childList: true, attributes: true}), 0`)
	require.Equal(t, []color.RGBA{grey, sessiontest.White}, shot(c, [2]int{200, 140}, [2]int{50, 50}))
	reply := c.Do("highlight", "#box")
	require.Equal(t, "✓ Done", reply.Result.Text)
	require.Equal(t, object{"highlighted": "#box"}, sessiontest.WithoutEffect(t, reply))
	// The outline is 3 pixels wide, at a distance of 2.
	around := [][2]int{{96, 140}, {200, 96}, {303, 140}, {200, 183}}
	require.Equal(t, []color.RGBA{sessiontest.Red, sessiontest.Red, sessiontest.Red, sessiontest.Red}, shot(c, around...))
	require.Equal(t, []color.RGBA{grey, sessiontest.White}, shot(c, [2]int{200, 140}, [2]int{50, 50}))
	require.Equal(t, before, c.Page("document.documentElement.outerHTML"), "the page is as it was")
	require.Empty(t, c.Log())
	require.Equal(t, "box", c.Page("document.elementFromPoint(200, 140).id"))

	c.Do("highlight", "#far")
	require.Greater(t, c.Page("scrollY"), 1000.0, "scrolled into view")
	box := c.Page(`(r => [r.x - 4, r.y + 5])(far.getBoundingClientRect())`).([]any)
	require.Equal(t, []color.RGBA{sessiontest.Red}, shot(c, [2]int{int(box[0].(float64)), int(box[1].(float64))}))
	c.Page("scrollTo(0, 0)")
	require.Equal(t, []color.RGBA{sessiontest.Red}, shot(c, around[0]), "several at once")
	require.Equal(t, object{"cleared": true}, c.Data("highlight", "--clear"))
	require.Equal(t, []color.RGBA{sessiontest.White, sessiontest.White, sessiontest.White, sessiontest.White},
		shot(c, around...))
	c.Do("highlight", "--clear")

	c.Do("highlight", "#box")
	c.Do("click", "#box") // what does not move is not waited for
	c.Do("reload")
	require.Equal(t, []color.RGBA{sessiontest.White}, shot(c, around[0]), "gone with the document")
	c.Do("highlight", c.Ref(`heading "Shadow"`))
	c.Do("highlight", "--clear")
	c.Do("highlight", "#box")
	require.Equal(t, []color.RGBA{sessiontest.Red}, shot(c, around[0]))
}

func TestHighlightInFrames(t *testing.T) {
	t.Parallel()
	frame := site.Write(
		`<body style="margin: 0; background: white"><div style="width: 100px; height: 100px; background: rgb(200, 200, 200)">`)
	for name, src := range map[string]string{"same process": site.URL(frame), "other process": site.Elsewhere(frame)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, highlightPage+`<iframe id=f src="`+src+`"></iframe>`)
			c.Do("frame", "#f")
			c.Do("highlight", "div")
			require.Equal(t, []color.RGBA{sessiontest.Red}, shot(c, [2]int{550, 203}))
			c.Do("highlight", "--clear")
			require.Equal(t, []color.RGBA{sessiontest.White}, shot(c, [2]int{550, 203}))
		})
	}
}

func TestHighlightMistakes(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, highlightPage)
	c.Fails(fault.SelectorNotFound, "highlight", "#nope")
	c.Fails(fault.SelectorInvalid, "highlight", "#[")
	c.Fails(fault.RefUnknown, "highlight", "@e999")
	require.Contains(t, c.Fails(fault.Usage, "highlight").Error(), "Missing arguments for: highlight")
	require.Contains(t, c.Fails(fault.Usage, "highlight", "#box", "--clear").Error(), "leave out the selector")
}
