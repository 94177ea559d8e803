package capture_test

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// rows is a script that fills #box with rows of colors that can be told apart.
func rows(count int) string {
	return fmt.Sprintf(`<script>for (let i = 0; i < %d; i++) {
		const row = document.createElement('div');
		row.style = 'height: 100px; background: rgb(' + (i >> 4) + ',' + (i %% 16) * 16 + ',100)';
		box.append(row);
	}</script>`, count)
}

const boxStyle = `<style>body { margin: 0; background: white } #box { width: 400px; height: 300px; overflow: auto; background: white }</style>`

// A picture of a box has all of its content, each part at its place, and the box is as it was.
func TestScreenshotOfTheContentOfABox(t *testing.T) {
	t.Parallel()
	header := `<div style="position: sticky; top: 0; height: 40px; background: rgb(255, 0, 0); margin-bottom: -40px">Head</div>`
	for _, tt := range []struct {
		name, html, selector string
		height               int
		first                int // a row of which nothing is covered
		width                int
	}{
		{name: "box", html: `<div id=box></div>`, height: 4600},
		{
			name: "box scrolled before", html: `<div id=box></div><script>onload = () => box.scrollTop = 1234</script>`,
			height: 4600,
		},
		{
			name:   "border and padding",
			html:   `<div style="height: 55px"></div><div id=box style="border: 7px solid green; padding: 0; margin: 13px"></div>`,
			height: 4600,
		},
		{name: "sticky header", html: `<div id=box>` + header + `</div>`, height: 4600, first: 1},
		{
			name: "scroll snap",
			html: `<style>#box { scroll-snap-type: y mandatory; scroll-behavior: smooth } #box div { scroll-snap-align: center }</style><div id=box></div>`, height: 4600,
		},
		{
			name: "application",
			html: `<style>html, body { height: 100%; overflow: hidden } #box { height: 100%; width: 100% }</style><div id=box></div>`, height: 4600, width: 1280,
		},
		{
			name: "in a scroller",
			html: `<div id=outer style="height: 200px; overflow: auto"><div style="height: 900px"></div><div id=box></div><div style="height: 900px"></div></div>`, height: 4600,
		},
		{
			name: "in a scroller that clips it",
			html: `<div style="height: 120px; width: 150px; overflow: hidden"><div style="height: 50px"></div><div id=box></div></div>`, height: 4600,
		},
		{
			name: "below the fold",
			html: `<div style="height: 3000px"></div><div id=box></div><div style="height: 3000px"></div>`, height: 4600,
		},
		{name: "higher than the screen", html: `<div id=box style="height: 2000px"></div>`, height: 4600},
		{
			name: "upwards",
			html: `<div id=box style="display: flex; flex-direction: column-reverse"><style>#box > div { flex: none }</style></div>`, height: 4600, first: -1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, boxStyle+tt.html+rows(46))
			const state = `JSON.stringify([[...document.querySelectorAll('*')].map((e) => [e.scrollLeft, e.scrollTop, e.getAttribute('style')]), scrollY])`
			before := c.Page(state)
			reply := c.Do("screenshot", "--full", "#box", "box.png", "--timeout", "60000")
			require.Contains(t, reply.Result.Text, "the whole content of #box")
			require.True(t, before == c.Page(state), "positions and styles are as before")
			img, _ := c.Picture("box.png")
			width := tt.width
			if width == 0 {
				width = 400
			}
			require.Equal(t, [2]int{width, tt.height}, sessiontest.SizeOf(img))
			for i := max(0, tt.first); i < 46; i++ {
				want := stripe(i)
				if tt.first < 0 {
					want = stripe(45 - i)
				}
				require.Equal(t, want, sessiontest.ColorAt(img, 300, i*100+3), "row %d", i)
				require.Equal(t, want, sessiontest.ColorAt(img, 300, i*100+96), "row %d", i)
			}
			if tt.first == 1 {
				require.Equal(t, sessiontest.Red, sessiontest.ColorAt(img, 300, 20), "the header, once")
			}
		})
	}
}

// Boxes that scroll to the side, from right to left, in frames, and frames themselves.
func TestScreenshotOfWideContent(t *testing.T) {
	t.Parallel()
	wide := `<div id=box style="height: 90px"><div style="width: 3000px; height: 200px; background: linear-gradient(to right, rgb(255, 0, 0) 1000px, rgb(0, 128, 0) 1000px 2000px, rgb(0, 0, 255) 2000px)"></div></div>`
	frame := func(style, inner string) string {
		return `<iframe style="border: 5px solid; margin: 20px; width: 300px; height: 150px;` + style + `" srcdoc="` +
			strings.ReplaceAll(inner, `"`, `'`) + `"></iframe>`
	}
	for _, tt := range []struct{ name, html, selector string }{
		{"to the side", wide, "#box"},
		{"from right to left", `<div dir=rtl>` + wide + `</div>`, "#box"},
		{"in a frame", frame("", boxStyle+wide), "iframe >>> #box"},
		{
			"two scrollers around it",
			`<div style="width: 200px; height: 70px; overflow: auto"><div style="width: 500px; height: 300px; overflow: scroll"><p>Text</p>` + wide + `</div></div>`, "#box",
		},
		{
			"a frame",
			frame("", `<body style="margin: 0">`+wide[strings.Index(wide, "<div style"):strings.LastIndex(wide, "</div>")]),
			"iframe",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, boxStyle+tt.html)
			selector := tt.selector
			if strings.Contains(selector, ">>>") {
				c.Do("frame", "iframe")
				selector = "#box"
			}
			c.Do("screenshot", "--full", selector, "box.png", "--timeout", "60000")
			img, _ := c.Picture("box.png")
			require.Equal(t, [2]int{3000, 200}, sessiontest.SizeOf(img))
			for x, want := range map[int]color.RGBA{
				5: sessiontest.Red, 990: sessiontest.Red, 1010: sessiontest.Green,
				1990: sessiontest.Green, 2010: sessiontest.Blue, 2990: sessiontest.Blue,
			} {
				for _, y := range []int{3, 100, 196} {
					require.Equal(t, want, sessiontest.ColorAt(img, x, y), "%d,%d", x, y)
				}
			}
		})
	}
}

// A list that has only the rows in view, and one that grows: the picture has what was there when its part was taken,
// and the reply says so.
func TestScreenshotOfContentThatChanges(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t,
		boxStyle+`<div id=box><div id=inner style="position: relative; height: 10000px"></div></div><script>
		const show = () => { inner.replaceChildren(); const from = Math.floor(box.scrollTop / 100);
			for (let i = from; i < Math.min(100, from + 5); i++) { const row = document.createElement('p');
				row.style = 'position: absolute; margin: 0; left: 0; right: 0; height: 100px; top: ' + i * 100 + 'px; background: rgb(' + (i >> 4) + ',' + (i % 16) * 16 + ',100)';
				inner.append(row) } };
		box.onscroll = () => requestAnimationFrame(show); show()</script>`)
	reply := c.Do("screenshot", "--full", "#box", "box.png", "--timeout", "60000")
	require.Contains(t, strings.Join(reply.Result.Notes, "\n"),
		"the page changed the content of #box while it was scrolled")
	img, _ := c.Picture("box.png")
	require.Equal(t, [2]int{400, 10000}, sessiontest.SizeOf(img))
	for i := range 100 {
		require.Equal(t, stripe(i), sessiontest.ColorAt(img, 200, i*100+50), "row %d", i)
	}
	require.Equal(t, 0.0, c.Page("box.scrollTop"))
	require.Equal(t, "rgb(0, 0, 100)", c.Page("getComputedStyle(inner.firstChild).backgroundColor"))

	c = host.ShowingFresh(t,
		boxStyle+`<div id=box></div>`+rows(10)+
			`<script>box.onscroll = () => { if (box.childElementCount < 40 && box.scrollTop > 300)
		for (let i = 0; i < 10; i++) box.append(box.firstChild.cloneNode()) }</script>`)
	reply = c.Do("screenshot", "--full", "#box", "box.png")
	require.Contains(t, strings.Join(reply.Result.Notes, "\n"),
		"#box had 400x1000 pixels of content when the screenshot began, and 400x")
	img, _ = c.Picture("box.png")
	require.Equal(t, [2]int{400, 1000}, sessiontest.SizeOf(img))
	require.Equal(t, stripe(9), sessiontest.ColorAt(img, 200, 950))
}

// More than a graphics card paints at once.
func TestScreenshotOfTallContent(t *testing.T) {
	t.Parallel()
	sessiontest.Heavy(t)
	c := host.ShowingFresh(t, boxStyle+`<div id=box style="height: 700px"></div>`+rows(200))
	c.Do("screenshot", "--full", "#box", "box.png", "--timeout", "120000")
	img, _ := c.Picture("box.png")
	require.Equal(t, [2]int{400, 20000}, sessiontest.SizeOf(img))
	for i := range 200 {
		require.Equal(t, stripe(i), sessiontest.ColorAt(img, 300, i*100+3), "row %d", i)
		require.Equal(t, stripe(i), sessiontest.ColorAt(img, 300, i*100+96), "row %d", i)
	}
}

// What scrolls by itself is only in part in a picture of the whole page. The reply says what, how much, and how to get
// it.
func TestScreenshotOfThePageTellsInnerBoxes(t *testing.T) {
	t.Parallel()
	box := boxStyle + `<div id=box></div>` + rows(46)
	for _, tt := range []struct {
		name, html string
		command    []string
		want       string // "" for nothing
	}{
		{
			"box", box, cmd("screenshot", "--full", "x.png"),
			"the picture does not have all of the page: 4300 px of the height of @e",
		},
		{
			"application", `<style>html, body { height: 100%; overflow: hidden } #box { height: 100% !important }</style>` + box,
			cmd("screenshot", "--full", "x.png"), "px of the height of @e",
		},
		{
			"frame",
			`<iframe style="width: 300px; height: 150px" srcdoc="<body style='margin: 0'><p style='margin: 0; height: 950px'>"></iframe>`, cmd("screenshot", "--full", "x.png"), "800 px of the height of @e",
		},
		{
			"box in a box",
			`<div id=outer style="height: 500px; overflow: auto">` + box + `<div style="height: 500px"></div></div>`,
			cmd("screenshot", "--full", "#outer", "x.png"), "does not have all of #outer: 4300 px of the height of @e",
		},
		{
			"box in what does not scroll", `<main>` + box + `</main>`, cmd("screenshot", "--full", "main", "x.png"),
			"does not have all of main: 4300 px of the height of @e",
		},
		{
			"pdf", box, cmd("pdf", "x.pdf"),
			"does not have all of the page, unless its styles for print show it: 4300 px of the height of @e",
		},
		{"viewport", box, cmd("screenshot", "x.png"), ""},
		{"hidden box", `<div hidden>` + box + `</div>`, cmd("screenshot", "--full", "x.png"), ""},
		{"page that scrolls", `<div style="height: 5000px">`, cmd("screenshot", "--full", "x.png"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, tt.html)
			notes := strings.Join(c.Do(tt.command...).Result.Notes, "\n")
			if tt.want == "" {
				require.NotContains(t, notes, "does not have all")
				return
			}
			require.Contains(t, notes, tt.want)
			_, offer, ok := strings.Cut(notes, "`screenshot --full ")
			require.True(t, ok)
			offer, _, _ = strings.Cut(offer, "`")
			c.Do("screenshot", "--full", offer, "box.png", "--timeout", "60000")
			img, _ := c.Picture("box.png")
			require.Greater(t, img.Bounds().Dy(), 900, "what is offered works")
		})
	}
}

// A box whose picture fails is put back all the same.
func TestScreenshotOfContentPutsBackAfterAFailure(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, boxStyle+`<div id=box style="scroll-snap-type: y proximity"></div>`+rows(400))
	c.Page("box.scrollTop = 777, 0")
	const state = "JSON.stringify([box.scrollTop, box.getAttribute('style')])"
	before := c.Page(state)
	c.Fails(fault.Timeout, "screenshot", "--full", "#box", "x.png", "--timeout", "700")
	require.Equal(t, before, c.Page(state))
	c.Fails(fault.Usage, "screenshot", "--full", "#box", "x.webp")
	require.Equal(t, before, c.Page(state))
	c.Page("box.style.transform = 'scale(0.5)', 0")
	c.Fails(fault.TargetUnsuitable, "screenshot", "--full", "#box", "x.png")
}

// Pictures that are compared are whole as well, above what a graphics card paints at once.
func TestDiffScreenshotOfATallPage(t *testing.T) {
	t.Parallel()
	sessiontest.Heavy(t)
	c := host.ShowingFresh(t, tallPage)
	c.Do("screenshot", "--full", "before.png", "--timeout", "120000")
	reply := c.Do("diff", "screenshot", "--baseline", "before.png", "--full", "--timeout", "120000")
	require.Contains(t, reply.Result.Text, "Images match")
}
