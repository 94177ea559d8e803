package capture_test

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestScreenshotOfAPart(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, picturePage)
	c.Page("scrollTo(0, 100)")
	c.Do("screenshot", "part.png", "--clip", "50,20,40,60")
	img, _ := c.Picture("part.png")
	require.Equal(t, [2]int{40, 60}, sessiontest.SizeOf(img))
	require.Equal(t, []color.RGBA{sessiontest.Red, sessiontest.White},
		[]color.RGBA{sessiontest.ColorAt(img, 1, 28), sessiontest.ColorAt(img, 1, 32)}, "measured from the top of the page")
	c.Do("screenshot", "low.png", "--clip", "300,1500,2000,2000")
	img, _ = c.Picture("low.png")
	require.Equal(t, [2]int{980, 500}, sessiontest.SizeOf(img), "what lies outside of the page is left out")
	require.Equal(t, sessiontest.Blue, sessiontest.ColorAt(img, 1, 1))
	require.InDelta(t, 100, c.Page("scrollY"), 0)
}

func TestScreenshotScale(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, picturePage)
	tests := []struct {
		args []string
		size [2]int
		red  [2]int // within the red square
	}{
		{[]string{"--scale", "2"}, [2]int{2560, 1440}, [2]int{198, 98}},
		{[]string{"--scale", "0.5"}, [2]int{640, 360}, [2]int{48, 23}},
		{[]string{"--scale", "css"}, [2]int{1280, 720}, [2]int{98, 48}},
		{[]string{"--scale", "device"}, [2]int{1280, 720}, [2]int{98, 48}},
		{[]string{"--scale", "3", "--full"}, [2]int{3840, 6000}, [2]int{298, 148}},
		{[]string{"--scale", "2", "#red"}, [2]int{200, 100}, [2]int{198, 98}},
	}
	for _, tt := range tests {
		args := append([]string{"screenshot"}, tt.args...)
		if !strings.HasPrefix(tt.args[len(tt.args)-1], "#") {
			args = append(args, "scaled.png")
		}
		data := c.Data(args...)
		rel, err := filepath.Rel(c.Dir, data["path"].(string))
		require.NoError(t, err)
		img, _ := c.Picture(rel)
		require.Equal(t, tt.size, sessiontest.SizeOf(img), "%q", tt.args)
		require.Equal(t, sessiontest.Red, sessiontest.ColorAt(img, tt.red[0], tt.red[1]), "%q", tt.args)
		require.NotEqual(t, sessiontest.Red, sessiontest.ColorAt(img, tt.red[0]+6, tt.red[1]+6), "%q", tt.args)
	}
}

func TestScreenshotWithoutBackground(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<style>body { margin: 0 } div { width: 100px; height: 100px; background: red }</style><div></div>`)
	for _, name := range []string{"clear.png", "clear.webp"} {
		c.Do("screenshot", name, "--omit-background")
		img, _ := c.Picture(name)
		_, _, _, inside := img.At(50, 50).RGBA()
		_, _, _, outside := img.At(500, 500).RGBA()
		require.Equal(t, []uint32{0xffff, 0}, []uint32{inside, outside}, name)
	}
	c.Do("screenshot", "again.png")
	img, _ := c.Picture("again.png")
	require.Equal(t, sessiontest.White, sessiontest.ColorAt(img, 500, 500), "only that picture")
}

func TestScreenshotHides(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<style>body { margin: 0; background: white } div { position: absolute; width: 100px; height: 100px }
			.fading { transition: all 5s } .seen { visibility: visible !important } #c { background: blue; animation: show 1s infinite }
			@keyframes show { from { opacity: 1 } to { opacity: 0.9 } }</style>
		<div id=a class="fading" style="background: red; left: 0; visibility: visible"><div class="seen" style="top: 40px; height: 20px; background: green"></div></div>
		<div id=b class="fading" style="background: red; left: 200px"></div><div id=c style="left: 400px"></div>
		<div id=d style="left: 600px"></div>
		<iframe srcdoc="<body style='margin: 0; background: red'><div id=e style='width: 100px; height: 100px; background: blue'>"
			style="position: absolute; top: 200px; border: 0; width: 100px; height: 100px"></iframe>
		<script>
			d.attachShadow({ mode: 'open' }).innerHTML = '<p style="margin: 0; height: 100px; background: red"></p>';
			let fades = 0; addEventListener('transitionrun', () => fades++);
			const looks = () => [...document.querySelectorAll('div')].map(el => el.hasAttribute('style') + el.style.cssText).join('|')
				+ d.shadowRoot.firstChild.style.cssText;
			const first = looks();
		</script>`)
	seen := func(args ...string) []color.RGBA {
		t.Helper()
		c.Do(append([]string{"screenshot", "page.png"}, args...)...)
		img, _ := c.Picture("page.png")
		return []color.RGBA{
			sessiontest.ColorAt(img, 10, 10), sessiontest.ColorAt(img, 10, 50),
			sessiontest.ColorAt(img, 210, 10), sessiontest.ColorAt(img, 610, 50), sessiontest.ColorAt(img, 10, 250),
		}
	}
	all := []color.RGBA{sessiontest.Red, sessiontest.Green, sessiontest.Red, sessiontest.Red, sessiontest.Blue}
	require.Equal(t, all, seen())
	require.Equal(t,
		[]color.RGBA{sessiontest.White, sessiontest.White, sessiontest.White, sessiontest.Red, sessiontest.Blue},
		seen("--hide", ".fading"))
	require.Equal(t,
		[]color.RGBA{sessiontest.Red, sessiontest.Green, sessiontest.White, sessiontest.White, sessiontest.Blue},
		seen("--hide", "#b, #c", "--hide", "#d p"))
	require.Equal(t, true, c.Page("looks() === first"), "the page is as it was")
	require.Equal(t, all, seen())
	require.InDelta(t, 0, c.Page("fades"), 0, "and showed nothing of it")
	for _, hidden := range [][]string{
		{"#nosuch"},                // not on the page
		{"#a", "#nosuch"},          // one of several
		{"#nosuch", "#a"},          // which comes first
		{"#d #nosuch"},             // not in a shadow tree either
		{`role=button[name="No"]`}, // not by its role
	} {
		args := []string{"screenshot", "hidden.png"}
		for _, selector := range hidden {
			args = append(args, "--hide", selector)
		}
		require.Contains(t, c.Fails(fault.SelectorNotFound, args...).Error(),
			"so the picture would show what --hide is to hide")
	}
	require.NotContains(t, c.OnDisk(), "hidden.png")

	c.Fails(fault.SelectorInvalid, "screenshot", "page.png", "--hide", "#a", "--hide", "#[")
	c.Fails(fault.SelectorNotFound, "screenshot", "#nosuch", "page.png", "--hide", "#a")
	require.Equal(t, true, c.Page("looks() === first"), "also when there is no picture")
	require.Equal(t, all, seen())
}

func TestScreenshotIfChanged(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, picturePage)
	type answer struct {
		changed  bool
		revision float64
		ratio    float64
	}
	take := func(args ...string) answer {
		t.Helper()
		_ = os.Remove(filepath.Join(c.Dir, "view.png"))
		data := c.Data(append([]string{"screenshot", "view.png"}, args...)...)
		changed := data["changed"].(bool)
		_, err := os.Stat(filepath.Join(c.Dir, "view.png"))
		require.Equal(t, changed, err == nil, "a file when it changed, and none when not")
		require.Equal(t, changed, data["path"] != nil)
		return answer{changed, data["revision"].(float64), data["pixelChangeRatio"].(float64)}
	}
	require.Equal(t, answer{true, 1, 1}, take("--if-changed"))
	require.Equal(t, answer{false, 2, 0}, take("--if-changed"))
	require.Equal(t, "✓ Screenshot unchanged (revision 3, 0.0000% pixels changed)",
		c.Do("screenshot", "--if-changed").Result.Text)
	require.Equal(t, answer{true, 1, 1}, take("--if-changed", "--full"), "another picture has revisions of its own")
	c.Page("red.style.height = '100px'")
	part := 100.0 * 50 / (1280 * 720)
	require.Equal(t, answer{false, 4, part}, take("--threshold", "0.1"))
	require.Equal(t, answer{false, 5, part}, take("--threshold", "0.1"), "small changes add up")
	require.Equal(t, answer{true, 6, part}, take("--if-changed"))
	require.Equal(t, answer{false, 7, 0}, take("--if-changed"))
	require.Equal(t, answer{true, 1, 1}, take("--if-changed", "--screenshot-format", "webp"))
	c.Page("red.style.height = '50px'")
	require.True(t, take("--if-changed", "--screenshot-format", "webp").changed)

	c.Env["SKUA_SCREENSHOT_BYTES"] = "10"
	require.True(t, take("--if-changed").changed)
	require.Equal(t, answer{true, 1, 1}, take("--if-changed"), "nothing was kept")
	require.InDelta(t, 1, c.Data("screenshot", "--if-changed")["dropped"], 0)
	c.Do("tab", "new", site.URL(site.Write(picturePage)))
	delete(c.Env, "SKUA_SCREENSHOT_BYTES")
	require.Equal(t, answer{true, 1, 1}, take("--if-changed"), "of this tab")
}

// tallPage has 200 stripes of 100 pixels, each with a color of its own, and bars that stick to the screen.
const tallPage = `<body style="margin: 0"><style>.bar { position: fixed; width: 50px; height: 30px; background: rgb(255, 0, 0) }</style>
	<div class=bar style="top: 0; left: 0"></div><div class=bar style="bottom: 0; left: 100px"></div>
	<button style="position: absolute; top: 15000px; left: 1000px; width: 100px; height: 60px; border: 0; background: white">Deep</button>
	<script>for (let i = 0; i < 200; i++) {
		const stripe = document.createElement('div');
		stripe.style = 'height: 100px; background: rgb(' + (i >> 4) + ',' + (i % 16) * 16 + ',100)';
		document.body.append(stripe);
	}</script>`

func stripe(i int) color.RGBA { return color.RGBA{uint8(i >> 4), uint8(i % 16 * 16), 100, 255} }

// What a graphics card paints at once ends at 16,384 pixels.
func TestTallScreenshot(t *testing.T) {
	t.Parallel()
	sessiontest.Heavy(t)
	c := host.Showing(t, tallPage)
	c.Page("scrollTo(0, 10000)")
	reply := c.Do("screenshot", "--full", "tall.png", "--annotate", "--timeout", "120000") // it has 100 MB of pixels
	require.Contains(t, reply.Result.Text, `button "Deep"`)
	img, format := c.Picture("tall.png")
	require.Equal(t, "png", format)
	require.Equal(t, [2]int{1280, 20000}, sessiontest.SizeOf(img))
	for i := range 200 {
		require.Equal(t, stripe(i), sessiontest.ColorAt(img, 700, i*100+2), "stripe %d", i)
		require.Equal(t, stripe(i), sessiontest.ColorAt(img, 700, i*100+97), "stripe %d", i)
	}
	bars := 0
	for y := range 20000 {
		if sessiontest.ColorAt(img, 120, y) == sessiontest.Red {
			bars++
		}
	}
	require.Equal(t, 30, bars, "what sticks to the screen is there once")
	require.Equal(t, sessiontest.White, sessiontest.ColorAt(img, 1090, 15052))
	require.NotContains(t, []color.RGBA{sessiontest.White, stripe(150)}, sessiontest.ColorAt(img, 1000, 15030),
		"the box around the button")
	require.InDelta(t, 10000, c.Page("scrollY"), 0)

	c.Do("screenshot", "--clip", "600,100,200,18000", "tall.jpg")
	img, format = c.Picture("tall.jpg")
	require.Equal(t, "jpeg", format)
	require.Equal(t, [2]int{200, 18000}, sessiontest.SizeOf(img))
	for _, i := range []int{0, 41, 100, 179} {
		got, want := sessiontest.ColorAt(img, 100, i*100+50), stripe(i+1)
		require.InDeltaSlice(t, []uint8{want.R, want.G, want.B}, []uint8{got.R, got.G, got.B}, 8, "stripe %d", i)
	}
	c.Do("screenshot", "--full", "--scale", "0.4", "small.webp", "--timeout", "120000")
	img, _ = c.Picture("small.webp")
	require.Equal(t, [2]int{512, 8000}, sessiontest.SizeOf(img))
}

func TestScreenshotOfATallPageRefused(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, strings.Replace(tallPage, "i < 200", "i < 800", 1))
	for args, says := range map[string]string{
		"--full x.webp":              "16383 pixels in each direction, and this screenshot has 1280x80000",
		"--full x.jpg":               "65535 pixels in each direction",
		"--full --if-changed x.png":  "up to 16384 pixels of height",
		"--full --scale 16 x.png":    "20480x1280000; a width of more than 16384 pixels",
		"--clip 0,0,100,70000 x.jpg": "this screenshot has 100x70000",
	} {
		err := c.Fails(fault.Usage, append([]string{"screenshot"}, strings.Fields(args)...)...)
		require.Contains(t, err.Error(), says)
		require.NoFileExists(t, filepath.Join(c.Dir, strings.Fields(args)[len(strings.Fields(args))-1]))
	}
}

// Elements larger than the viewport are whole in the picture; those in a frame as far as the frame shows them.
func TestScreenshotOfLargeElements(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		fmt.Sprintf(`<body style="margin: 0; background: white"><div id=large style="width: 2000px; height: 3000px;
			background: linear-gradient(rgb(255, 0, 0) 1500px, rgb(0, 0, 255) 1500px)"></div>
		<iframe style="position: absolute; left: 100px; top: 4000px; width: 300px; height: 200px; border: 10px solid green" srcdoc="%s"></iframe>`,
			`<body style='margin: 0'><section aria-label=Inner style='width: 1000px; height: 1000px; background: rgb(255, 0, 0)'>`))
	c.Do("screenshot", "#large", "large.png")
	img, _ := c.Picture("large.png")
	require.Equal(t, [2]int{2000, 3000}, sessiontest.SizeOf(img))
	require.Equal(t, []color.RGBA{sessiontest.Red, sessiontest.Blue, sessiontest.Blue},
		[]color.RGBA{
			sessiontest.ColorAt(img, 1, 1), sessiontest.ColorAt(img, 1990, 1510),
			sessiontest.ColorAt(img, 1990, 2990),
		})

	reply := c.Do("screenshot", c.Ref(`region "Inner"`), "inner.png")
	img, _ = c.Picture("inner.png")
	require.LessOrEqual(t, img.Bounds().Dx(), 300)
	require.LessOrEqual(t, img.Bounds().Dy(), 200)
	for _, corner := range [][2]int{{1, 1}, {img.Bounds().Dx() - 20, 1}, {1, img.Bounds().Dy() - 20}} {
		require.Equal(t, sessiontest.Red, sessiontest.ColorAt(img, corner[0], corner[1]))
	}
	require.Contains(t, sessiontest.Notes(reply), "larger than its frame")
}
