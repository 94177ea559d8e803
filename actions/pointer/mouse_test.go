package pointer_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestMouse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		run  [][]string
		js   string
		want any
	}{
		{"a move", [][]string{{"mouse", "move", "50", "60"}}, "log.at(-1)", "mousemove 50,60 button=0 buttons=0"},
		{
			"a move in steps",
			[][]string{
				{"mouse", "move", "100", "100"},
				{"eval", "log = []; 0"},
				{"mouse", "move", "200", "100", "--steps", "5"},
			},
			"log.map((l) => l.split(' ')[1]).join(' ')", "120,100 140,100 160,100 180,100 200,100",
		},
		{
			"a click by hand",
			[][]string{{"mouse", "move", "20", "300"}, {"mouse", "down"}, {"mouse", "up"}},
			"log.filter((l) => !l.startsWith('mousemove')).join()",
			"mousedown 20,300 button=0 buttons=1,mouseup 20,300 button=0 buttons=0,click 20,300 button=0 buttons=0",
		},
		{
			"the right button",
			[][]string{{"mouse", "move", "20", "300"}, {"mouse", "down", "right"}, {"mouse", "up", "right"}},
			"log.filter((l) => !l.startsWith('mousemove')).map((l) => l.split(' ')[0] + l.split(' ')[2]).join()",
			"mousedownbutton=2,contextmenubutton=2,mouseupbutton=2,auxclickbutton=2",
		},
		{
			"the middle button",
			[][]string{{"mouse", "move", "20", "300"}, {"mouse", "down", "middle"}, {"mouse", "up", "middle"}},
			"log.filter((l) => l.startsWith('mousedown')).join()", "mousedown 20,300 button=1 buttons=4",
		},
		{
			"a held button",
			[][]string{
				{"mouse", "move", "20", "300"},
				{"mouse", "down"},
				{"mouse", "move", "60", "310"},
				{"mouse", "up"},
				{"mouse", "move", "70", "310"},
			},
			"log.filter((l) => l.startsWith('mousemove')).map((l) => l.split('buttons=')[1]).join()", "0,1,0",
		},
		{
			"two held buttons",
			[][]string{
				{"mouse", "move", "20", "300"},
				{"mouse", "down"},
				{"mouse", "down", "right"},
				{"mouse", "move", "60", "310"},
				{"mouse", "up", "right"},
				{"mouse", "up"},
			},
			"log.filter((l) => /^mouse(move|up)/.test(l)).map((l) => l.split('buttons=')[1]).join()", "0,3,1,0",
		},
		{
			"a drawing",
			[][]string{
				{"mouse", "move", "50", "300"},
				{"mouse", "down"},
				{"mouse", "move", "150", "350", "--steps", "4"},
				{"mouse", "up"},
				{"mouse", "move", "10", "10"},
			},
			"[strokes.length, strokes[0].length, strokes[0].at(-1).x - strokes[0][0].x].join()", "1,5,100",
		},
		{
			"a map that is dragged",
			[][]string{
				{"mouse", "move", "100", "100"},
				{"mouse", "down"},
				{"mouse", "move", "180", "130", "--duration", "100"},
				{"mouse", "up"},
			},
			"[pan.x, pan.y].join()", "80,30",
		},
		{
			"a map that is zoomed",
			[][]string{{"mouse", "move", "100", "100"}, {"mouse", "wheel", "-120"}, {"mouse", "wheel", "-120"}},
			"[zoom.textContent, scrollY].join()", "12,0",
		},
		{
			"a wheel on a list",
			[][]string{{"mouse", "move", "100", "520"}, {"mouse", "wheel", "90"}},
			"[list.scrollTop, scrollY].join()", "90,0",
		},
		{"a wheel on the page", [][]string{{"mouse", "move", "600", "520"}, {"mouse", "wheel", "240"}}, "scrollY", 240.0},
		{
			"with a held key",
			[][]string{
				{"keydown", "Shift"},
				{"mouse", "move", "20", "300"},
				{"mouse", "down"},
				{"mouse", "up"},
				{"keyup", "Shift"},
				{"mouse", "move", "30", "300"},
			},
			"log.map((l) => l.split(' ')[0] + (l.includes('shift') ? '+' : '')).join()",
			"mousemove+,mousedown+,mouseup+,click+,mousemove",
		},
		{"a wheel after a click", [][]string{{"click", "#list"}, {"mouse", "wheel", "70"}}, "list.scrollTop", 70.0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-move-canvas.html")
			for _, words := range tt.run {
				c.Do(words...)
			}
			require.Equal(t, tt.want, c.Page(tt.js), c.Log())
		})
	}
}

func TestMouseSays(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-canvas.html")
	data := c.Data("mouse", "move", "10.5", "20")
	require.Equal(t, []any{true, 10.5, 20.0}, []any{data["moved"], data["x"], data["y"]})
	data = c.Data("mouse", "down", "right")
	require.Equal(t, []any{true, []any{"right"}}, []any{data["pressed"], data["held"]})
	require.Equal(t, true, c.Data("mouse", "up", "right")["released"])
	require.Contains(t, sessiontest.Notes(c.Do("mouse", "up")), "was not held")

	data = c.Data("mouse", "wheel", "-120")
	require.Equal(t, []any{0.0, -120.0, false, "canvas#map"},
		[]any{data["deltaX"], data["deltaY"], data["scrolled"], data["taken"]})
	c.Do("mouse", "move", "100", "520")
	data = c.Data("mouse", "wheel", "100")
	require.Equal(t, true, data["scrolled"])
	require.Equal(t, object{"x": 0.0, "y": 100.0}, data["to"])
	require.Regexp(t, `^region "Layers" @e\d+$`, data["container"])
	c.Do("mouse", "move", "600", "30")
	reply := c.Do("mouse", "wheel", "-100")
	require.Contains(t, reply.Result.Text, "Nothing moved")
	require.Equal(t, false, sessiontest.Decode[object](t, reply.Result.Data)["scrolled"])
}

func TestMouseRefused(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-canvas.html")
	for _, tt := range []struct{ line, says string }{
		{"mouse move ten 10", "ten"},
		{"mouse move 10", "y"},
		{"mouse move 10 10 --steps 0", "1 to 240"},
		{"mouse move 10 10 --steps 241", "1 to 240"},
		{"mouse down primary", "primary"},
		{"mouse wheel much", "much"},
	} {
		require.Contains(t, c.Fails(fault.Usage, strings.Fields(tt.line)...).Error(), tt.says)
	}
	require.Empty(t, c.Log(), "nothing was sent")
}

// A drag by hand is one of data where the element says so: Chromium makes it of the mouse's events.
func TestMouseDragsData(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<style>div { width: 100px; height: 50px; margin: 10px }</style><div id=a draggable=true>A</div><div id=b>B</div>
		<script>a.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'hello'); b.ondragover = (e) => e.preventDefault();
		b.ondrop = (e) => { e.preventDefault(); log.push(e.dataTransfer.getData('text/plain')) }</script>`)
	c.Do("mouse", "move", "50", "30")
	c.Do("mouse", "down")
	c.Do("mouse", "move", "50", "100", "--steps", "5")
	c.Do("mouse", "up")
	require.Equal(t, "hello", c.Log())
}

// What does not scroll in a frame scrolls around it.
func TestWheelOverFrames(t *testing.T) {
	t.Parallel()
	for _, where := range []func(string) string{site.URL, site.Elsewhere} {
		inner := site.Write(`<button style="width:400px;height:300px">Ad</button>`)
		c := host.Showing(t,
			`<style>body { margin: 0; height: 3000px } iframe { width: 500px; height: 400px; border: 0 }</style><iframe src="`+
				where(inner)+`"></iframe>`)
		c.Do("wait", "--load", "load")
		c.Do("mouse", "move", "100", "100")
		data := c.Data("mouse", "wheel", "150")
		require.Equal(t, []any{true, object{"x": 0.0, "y": 150.0}}, []any{data["scrolled"], data["to"]})
		c.Do("mouse", "wheel", "-150")
		require.Equal(t, 0.0, c.Page("scrollY"))
		data = c.Data("swipe", "up", "200", "-s", c.Ref(`button "Ad"`))
		require.Equal(t, true, data["scrolled"])
		require.Greater(t, c.Page("scrollY"), 50.0)
	}
}

// What is under the pointer may be in a frame of another process.
func TestMouseInFrames(t *testing.T) {
	t.Parallel()
	for _, where := range []func(string) string{site.URL, site.Elsewhere} {
		c := host.Showing(t,
			`<style>body { margin: 0 } iframe { position: absolute; left: 50px; top: 40px; width: 600px; height: 400px; border: 0 }</style>
			<iframe src="`+where("/pages/acting-move-canvas.html")+`"></iframe>`)
		c.Do("wait", "--load", "load")
		c.Do("mouse", "move", "150", "140")
		data := c.Data("mouse", "wheel", "-100")
		require.Equal(t, "canvas#map", data["taken"])
		c.Do("mouse", "move", "600", "100")
		data = c.Data("mouse", "wheel", "130")
		require.Equal(t, object{"x": 0.0, "y": 130.0}, data["to"])
	}
}
