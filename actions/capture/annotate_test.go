package capture_test

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// annotated is the data of an annotated screenshot.
type annotated struct {
	Path        string
	Annotations []struct {
		Box    struct{ X, Y, Width, Height int }
		Number int
		Ref    string
		Role   string
		Name   string
	}
}

// annotate takes an annotated screenshot and returns its boxes by `role "name"`, its picture and its text.
func annotate(c *sessiontest.Client, args ...string) (boxes map[string]image.Rectangle, img image.Image, text string) {
	c.T.Helper()
	reply := c.Do(append([]string{"screenshot", "--annotate", "annotated.png"}, args...)...)
	for _, note := range reply.Result.Notes {
		require.Contains(c.T, note, "the picture does not have all of the page") // boxes of its own scroll in it
	}
	img, _ = c.Picture("annotated.png")
	boxes = map[string]image.Rectangle{}
	for _, a := range sessiontest.Decode[annotated](c.T, reply.Result.Data).Annotations {
		require.Equal(c.T, fmt.Sprintf("e%d", a.Number), a.Ref)
		boxes[fmt.Sprintf("%s %q", a.Role, a.Name)] = image.Rect(a.Box.X, a.Box.Y, a.Box.X+a.Box.Width, a.Box.Y+a.Box.Height)
	}
	return boxes, img, reply.Result.Text
}

// colored is the smallest rectangle around all pixels of a color.
func colored(img image.Image, want color.RGBA) (box image.Rectangle) {
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if sessiontest.ColorAt(img, x, y) == want {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

// requireNear fails when an edge of two boxes differs by more than a pixel, which is what rounding may do.
func requireNear(t testing.TB, want, got image.Rectangle, about string) {
	t.Helper()
	for _, pair := range [][2]int{
		{want.Min.X, got.Min.X},
		{want.Min.Y, got.Min.Y},
		{want.Max.X, got.Max.X},
		{want.Max.Y, got.Max.Y},
	} {
		require.InDelta(t, pair[0], pair[1], 1, "%s: %v, not %v", about, got, want)
	}
}

// requireOutlined fails unless there is a line of one color around the inside of a box that the page does not use
// itself.
func requireOutlined(t testing.TB, img image.Image, box image.Rectangle, about string) {
	t.Helper()
	x, y := (box.Min.X+box.Max.X)/2, (box.Min.Y+box.Max.Y)/2
	line := sessiontest.ColorAt(img, x, box.Max.Y-1)
	require.NotEqual(t, sessiontest.ColorAt(img, x, y), line, about)
	for _, p := range [][2]int{{x, box.Min.Y}, {x, box.Max.Y - 1}, {box.Min.X, y}, {box.Max.X - 1, y}} {
		require.Equal(t, line, sessiontest.ColorAt(img, p[0], p[1]), "%s at %v", about, p)
	}
	require.NotEqual(t, line, sessiontest.ColorAt(img, x, min(box.Max.Y, img.Bounds().Dy()-1)), about)
}

func rectIn(page any) image.Rectangle {
	side := page.([]any)
	of := func(i int) int { return int(side[i].(float64)) }
	return image.Rect(of(0), of(1), of(0)+of(2), of(1)+of(3))
}

// rectOf reads the box of an element in the page, in whole pixels.
func rectOf(c *sessiontest.Client, css string) image.Rectangle {
	c.T.Helper()
	return rectIn(c.Page(`(() => { const r = document.querySelector('` + css + `').getBoundingClientRect();
		return [r.x, r.y, r.width, r.height].map(Math.round) })()`))
}

const annotatedPage = `<style>body { margin: 0; height: 1600px; background: white } button, a, input { position: absolute; border: 0; background: #ddd }
	.reader { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }
	#scroller { position: absolute; left: 700px; top: 40px; width: 200px; height: 100px; overflow: auto }
	#cover { position: absolute; left: 700px; top: 300px; width: 300px; height: 200px; background: white }</style>
	<button style="left: 40px; top: 50px; width: 120px; height: 30px">One</button>
	<a href="#x" style="left: 40.4px; top: 120.7px; width: 100px; height: 40px">Two</a>
	<input aria-label="Three" style="left: 40px; top: 250px; width: 300px; height: 24px; padding: 0">
	<button style="left: -20px; top: 330px; width: 100px; height: 30px">Half</button>
	<button style="left: 40px; top: 900px">Below</button>
	<button style="left: -400px; top: 10px">Outside</button>
	<button style="left: 40px; top: 400px; width: 0; height: 0; padding: 0; overflow: hidden">Empty</button>
	<button style="left: 40px; top: 440px; visibility: hidden">Hidden</button>
	<a href="#main" class=reader>Skip</a>
	<div id=scroller><button style="left: 10px; top: 20px; width: 80px; height: 20px">Seen</button>
		<button style="left: 10px; top: 90px; width: 80px; height: 30px">Cut</button>
		<button style="left: 10px; top: 300px; width: 80px; height: 30px">Scrolled away</button></div>
	<button style="left: 750px; top: 350px; width: 80px; height: 30px">Covered</button><div id=cover></div>
	<button style="left: 1100px; top: 650px; width: 80px; height: 30px; position: fixed">Fixed</button>
	<script>for (const type of ['scroll', 'resize', 'mouseover', 'focus']) addEventListener(type, (e) => log.push(e.type), true);
		new MutationObserver(() => log.push('mutation')).observe(document, { subtree: true, childList: true, attributes: true })</script>`

func TestScreenshotAnnotated(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, annotatedPage)
	c.Do("snapshot", "-i")
	boxes, img, text := annotate(c)
	require.Equal(t, map[string]image.Rectangle{
		`button "One"`: image.Rect(40, 50, 160, 80), `link "Two"`: image.Rect(40, 121, 140, 161),
		`textbox "Three"`: image.Rect(40, 250, 340, 274),
		`button "Half"`:   image.Rect(0, 330, 80, 360), `button "Seen"`: image.Rect(710, 60, 790, 80),
		`button "Cut"`:   image.Rect(710, 130, 790, 140),
		`button "Fixed"`: image.Rect(1100, 650, 1180, 680),
	}, boxes)
	requireNear(t, rectOf(c, "a"), boxes[`link "Two"`], "Two")
	for name, box := range boxes {
		requireOutlined(t, img, box, name)
	}
	require.Empty(t, c.Log(), "the page notices nothing")

	refs := c.Refs()
	lines := strings.Split(text, "\n")
	require.Equal(t, []string{"✓ Screenshot saved to annotated.png", "  shot s1: the viewport, 1280x720 pixels, scale 1"},
		lines[:2])
	require.Len(t, lines, 2+len(boxes))
	for name, box := range boxes {
		place := fmt.Sprintf("%d,%d %dx%d", box.Min.X, box.Min.Y, box.Dx(), box.Dy())
		require.Contains(t, lines, fmt.Sprintf("   [%s] %s %s at %s", refs[name][2:], refs[name], name, place))
	}
	large := c.Do("screenshot", "--annotate", "--scale", "2", "large.png").Result.Text
	require.Contains(t, large, `button "One" at 80,100 240x60`, "in pixels of the picture")
	c.Do("click", refs[`button "One"`])
}

func TestScreenshotAnnotatedPage(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, annotatedPage)
	c.Page("scrollTo(0, 300), new Promise(requestAnimationFrame)")
	boxes, img, _ := annotate(c, "--full")
	require.Equal(t, [2]int{1280, 1600}, sessiontest.SizeOf(img))
	for name, want := range map[string]image.Rectangle{
		`button "One"`: image.Rect(40, 50, 160, 80), `button "Cut"`: image.Rect(710, 130, 790, 140),
		`button "Fixed"`: image.Rect(1100, 950, 1180, 980),
	} {
		require.Equal(t, want, boxes[name], name)
		requireOutlined(t, img, want, name)
	}
	require.Equal(t, rectOf(c, `[style*="900px"]`).Add(image.Pt(0, 300)), boxes[`button "Below"`])
	require.NotContains(t, boxes, `button "Outside"`)
	require.NotContains(t, boxes, `button "Scrolled away"`)
}

func TestScreenshotAnnotatedElement(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, annotatedPage)
	boxes := func(args ...string) map[string]image.Rectangle {
		b := map[string]image.Rectangle{}
		for _, a := range sessiontest.Decode[annotated](t,
			c.Do(append([]string{"screenshot", "--annotate"}, args...)...).Result.Data).Annotations {
			b[a.Name] = image.Rect(a.Box.X, a.Box.Y, a.Box.X+a.Box.Width, a.Box.Y+a.Box.Height)
		}
		return b
	}
	require.Equal(t, map[string]image.Rectangle{"Seen": image.Rect(10, 20, 90, 40), "Cut": image.Rect(10, 90, 90, 100)},
		boxes("#scroller", "part.png"))
	img, _ := c.Picture("part.png")
	require.Equal(t, [2]int{200, 100}, sessiontest.SizeOf(img))
	requireOutlined(t, img, image.Rect(10, 20, 90, 40), "Seen")

	require.Len(t, boxes("view.jpg", "--screenshot-quality", "100"), 7)
	img, format := c.Picture("view.jpg")
	require.Equal(t, "jpeg", format)
	require.NotEqual(t, sessiontest.ColorAt(img, 100, 65), sessiontest.ColorAt(img, 100, 79))
	require.Greater(t, int(sessiontest.ColorAt(img, 100, 65).B), 0xc0)

	c.Fails(fault.SelectorNotFound, "screenshot", "--annotate", "#nosuch", "x.png")
}

func TestScreenshotAnnotatedSharp(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.Do("open", "--args", "--force-device-scale-factor=2", site.URL(site.Write(annotatedPage)))
	boxes, img, _ := annotate(c)
	require.Equal(t, 2*int(c.Page("innerWidth").(float64)), img.Bounds().Dx())
	require.Equal(t, image.Rect(40, 50, 160, 80), boxes[`button "One"`])
	requireOutlined(t, img, image.Rect(80, 100, 320, 160), "One")
	_, img, _ = annotate(c, "--full")
	requireOutlined(t, img, image.Rect(80, 100, 320, 160), "One")
}

// What is in frames is marked where it is in the picture, which is found by its color.
func TestScreenshotAnnotatedFrames(t *testing.T) {
	t.Parallel()
	paint := color.RGBA{R: 255, G: 200, A: 255}
	inner := site.Write(`<style>body { margin: 0; background: white; height: 3000px }</style><button aria-label=Deep
		style="position: absolute; left: 20px; top: 30px; width: 80px; height: 60px; border: 0; background: rgb(255, 200, 0)"></button>`)
	tests := []struct {
		name   string
		frames string // from the outermost in
		style  string
		more   []string
	}{
		{"same site", "here", "", nil},
		{"other site", "there", "", nil},
		{"nested", "there,here,there", "", nil},
		{"nested in the same site", "here,here,here", "", nil},
		{"shrunk", "here", "transform: scale(.5)", nil},
		{"shrunk twice", "there,here", "transform: scale(.8); border: 5px solid", nil},
		{"enlarged", "there", "transform: scale(1.6); transform-origin: 0 0", nil},
		{"zoomed", "here", "zoom: 1.5", nil},
		{"border and padding", "there", "border: 13px solid; padding: 7px 21px; margin: 30px", nil},
		{"cut off", "there", "width: 60px; height: 50px", nil},
		{"below the fold", "here,here", "margin-top: 700px", []string{"--full"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path, hosts := inner, strings.Split(tt.frames, ",")
			for i, host := range slices.Backward(hosts) {
				src := site.URL(path)
				if host == "there" {
					src = site.Elsewhere(path)
				}
				style := "width: 500px; height: 300px; " + tt.style
				if i > 0 {
					style = "width: 400px; height: 250px; " + strings.Replace(tt.style, "margin-top: 700px", "", 1)
				}
				path = site.Write(`<body style="background: white"><iframe src="` + src + `" style="` + style + `"></iframe>`)
			}
			c := host.Opened(t, path)
			c.Ref(`button "Deep"`)
			c.Do(append([]string{"screenshot", "plain.png"}, tt.more...)...)
			plain, _ := c.Picture("plain.png")
			want := colored(plain, paint)
			require.False(t, want.Empty())
			boxes, img, _ := annotate(c, tt.more...)
			requireNear(t, want, boxes[`button "Deep"`], "Deep")
			requireOutlined(t, img, boxes[`button "Deep"`], "Deep")
		})
	}
}

// A page that is never at rest is shown as it is, and that is said.
func TestScreenshotAnnotatedMoving(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<button id=b style="position: fixed; left: 0">Run</button>
		<script>let n = 0; (function step() { b.style.left = n++ % 500 + 'px'; requestAnimationFrame(step) })()</script>`)
	reply := c.Do("screenshot", "--annotate", "moving.png")
	require.Contains(t, sessiontest.Notes(reply), "the page moves while screenshots are taken")
	require.Len(t, sessiontest.Decode[annotated](t, reply.Result.Data).Annotations, 1)
}
