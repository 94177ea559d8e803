package pointer_test

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// zoomedPage is a page that is wider than the screen of a phone, with buttons and frames far from its corner. Log has
// what each button gets.
func zoomedPage(scale string) string {
	inner := site.Write(
		`<!doctype html><body style="margin:0"><button style="position:absolute;left:60px;top:40px;width:80px;height:30px">In</button>
<script>
document.querySelector('button').textContent = location.hostname;
for (const name of ['click', 'mousemove', 'touchstart'])
  document.querySelector('button').addEventListener(name, () => parent.postMessage(location.hostname + ' ' + name, '*'));
</script>`)
	frame := func(host string, top int) string {
		return fmt.Sprintf(
			`<iframe src="http://%s%s" style="position:absolute;left:800px;top:%dpx;width:200px;height:100px;border:0"></iframe>`, host, inner, top)
	}
	return site.Write(`<!doctype html><meta name=viewport content="width=device-width,initial-scale=` + scale +
		`"><title>Zoomed</title>
<body style="margin:0"><div style="position:relative;width:1300px;height:2000px;background:#fff">
<button id=near style="position:absolute;left:20px;top:20px;width:80px;height:30px">Near</button>
<button id=far style="position:absolute;left:900px;top:1200px;width:80px;height:30px;border:0;background:#0a0">Far</button>
<div id=drop style="position:absolute;left:1020px;top:1300px;width:80px;height:60px">Drop</div>
` + frame("127.0.0.1:"+site.Port(), 300) + frame(site.Localhost(), 500) + `</div>
<script>
const log = [];
for (const name of ['click', 'mousemove', 'touchstart', 'mouseup', 'mousedown'])
  addEventListener(name, (event) => { if (event.target.id) log.push(event.target.id + ' ' + name) });
addEventListener('message', (event) => log.push(event.data));
</script>`)
}

// Where two fingers zoomed in, and where a page is wider than the screen of a phone, the screen shows a part of the
// viewport. Input is for that part.
func TestPointerInZoomedPage(t *testing.T) {
	t.Parallel()
	for _, scale := range []string{"1", "2"} {
		t.Run("scale "+scale, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Do("set", "device", "iPhone 12")
			c.Do("open", site.URL(zoomedPage(scale)))
			got := func(want string, args ...string) {
				t.Helper()
				c.Page("log.length = 0")
				c.Do(args...)
				require.NoError(t, c.Try("wait", "--timeout", "5000", "--fn", fmt.Sprintf("log.includes(%q)", want)).Err, "%q: %s",
					args, c.Log())
			}
			for range 2 { // the second time, the screen shows another part from the beginning
				got("far click", "click", "#far")
				require.Greater(t, c.Page("visualViewport.offsetLeft"), 100.0)
				got("near click", "click", "#near")
				got("far mousemove", "hover", "#far")
				got("far touchstart", "tap", "#far")
				got("drop mouseup", "drag", "#far", "#drop")
				for _, host := range []string{"127.0.0.1", "localhost"} {
					button := c.Ref(fmt.Sprintf("button %q", host))
					got(host+" mousemove", "hover", button)
					got(host+" click", "click", button)
					got(host+" touchstart", "tap", button)
				}
			}
		})
	}
}

// What pictures and boxes say of places is where the mouse goes.
func TestPlacesInZoomedPage(t *testing.T) {
	t.Parallel()
	for _, scale := range []string{"1", "2"} {
		t.Run("scale "+scale, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Do("set", "device", "iPhone 12")
			c.Do("open", site.URL(zoomedPage(scale)))
			c.Do("scrollintoview", "#far")
			require.Greater(t, c.Page("visualViewport.offsetLeft"), 100.0)

			box := c.Data("get", "box", "#far")
			x, y := box["x"].(float64)+40, box["y"].(float64)+15
			c.Do("mouse", "move", fmt.Sprint(x), fmt.Sprint(y))
			c.Do("mouse", "down")
			c.Do("mouse", "up")
			require.Contains(t, c.Log(), "far click", "by its box")

			c.Page("log.length = 0")
			c.Do("click", "--at", fmt.Sprintf("%g,%g", x, y))
			require.Contains(t, c.Log(), "far click", "by its point")

			c.Page("log.length = 0")
			shot := c.Data("screenshot", "page.png")["shot"].(string)
			at := greenest(t, filepath.Join(c.Dir, "page.png"))
			c.Do("click", "--at", fmt.Sprintf("%d,%d", at.X, at.Y), "--shot", shot)
			require.Contains(t, c.Log(), "far click", "by its place in the picture")

			c.Do("screenshot", "#far", "far.png")
			picture := readPNG(t, filepath.Join(c.Dir, "far.png"))
			for _, p := range []image.Point{{2, 2}, picture.Bounds().Max.Sub(image.Pt(3, 3))} {
				r, g, b, _ := picture.At(p.X, p.Y).RGBA()
				require.Equal(t, []uint32{0, 0xaa, 0}, []uint32{r >> 8, g >> 8, b >> 8}, "the picture of the element, at %v", p)
			}

			c.Do("scrollintoview", "#near")
			err := c.Try("click", "--at", fmt.Sprintf("%d,%d", at.X, at.Y), "--shot", shot).Err
			require.ErrorContains(t, err, "scrolled", "the screen shows another part by now")
		})
	}
}

// What moves the part that the screen shows is told, and so is what does not.
func TestScrollInZoomedPage(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.Do("set", "device", "iPhone 12")
	c.Do("open", site.URL(zoomedPage("1")))
	require.Equal(t, "zoomed", c.Data("scroll", "down", "300")["reason"])
	require.Equal(t, "at-end", c.Data("scroll", "up", "300")["reason"])
	for _, args := range [][]string{{"swipe", "up", "300"}, {"mouse", "wheel", "300"}, {"swipe", "left", "200"}} {
		before := c.Page("visualViewport.pageTop + visualViewport.pageLeft")
		require.Equal(t, true, c.Data(args...)["scrolled"], "%q", args)
		require.Greater(t, c.Page("visualViewport.pageTop + visualViewport.pageLeft"), before)
	}
}

// greenest is a point in the green part of a picture.
func greenest(t *testing.T, path string) image.Point {
	t.Helper()
	picture := readPNG(t, path)
	var green image.Rectangle
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			if r, g, b, _ := picture.At(x, y).RGBA(); r>>8 == 0 && g>>8 == 0xaa && b>>8 == 0 {
				green = green.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	require.False(t, green.Empty(), "the picture shows the button")
	return green.Min.Add(green.Max).Div(2)
}

func readPNG(t *testing.T, path string) image.Image {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	picture, err := png.Decode(file)
	require.NoError(t, err)
	return picture
}
