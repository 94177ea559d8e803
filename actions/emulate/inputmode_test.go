package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const watchedWay = `<!doctype html><body style="margin:0;height:700px"><button id=b style="position:absolute;left:500px;top:400px">Go</button>
<script>var way = [], clicks = 0; addEventListener('mousemove', (e) => way.push([e.clientX, e.clientY])); b.onclick = () => clicks++
// How far the way bends from the straight line between its ends.
const bend = () => { const [x, y] = way[0], [u, v] = way.at(-1), long = Math.hypot(u - x, v - y);
	return Math.max(...way.map(([p, q]) => Math.abs((u - x) * (y - q) - (x - p) * (v - y)) / long)) }</script>`

// A pointer that moves as a hand does goes through many points, in a curve, and clicks all the same.
func TestMannersOfThePointer(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args   []string
		points int  // at least
		curved bool // and not in a line
		clicks float64
	}{
		"click":              {[]string{"click", "#b"}, 1, false, 1},
		"click --human":      {[]string{"click", "#b", "--human"}, 4, true, 1},
		"dblclick --human":   {[]string{"dblclick", "#b", "--human"}, 4, true, 2},
		"smooth":             {[]string{"--input-mode", "smooth", "click", "#b"}, 4, false, 1},
		"human":              {[]string{"--input-mode", "human", "click", "#b"}, 4, true, 1},
		"mouse move --human": {[]string{"mouse", "move", "600", "300", "--human", "--seed", "3"}, 4, true, 0},
		"mouse move in steps": {
			[]string{"mouse", "move", "600", "300", "--human", "--steps", "9", "--seed", "3"},
			9, true,
			0,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, watchedWay)
			c.Do("mouse", "move", "10", "10")
			c.Page("way.length = 0")
			c.Do(tt.args...)
			require.GreaterOrEqual(t, c.Page("way.length"), float64(tt.points))
			require.Equal(t, tt.clicks, c.Page("clicks"))
			if tt.points > 1 {
				require.Equal(t, tt.curved, c.Page("bend() > 2"))
			}
		})
	}
	t.Run("drag --human", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t,
			`<!doctype html><div id=s style="width:40px;height:40px;background:red;touch-action:none"></div><div id=d style="margin:200px 0 0 300px;width:90px;height:90px;background:blue"></div>
			<script>var held = 0, moves = 0, up = ''; s.onpointerdown = () => held = 1; onpointermove = () => moves += held; onpointerup = (e) => { held = 0; up = e.target.id }</script>`)
		c.Do("drag", "#s", "#d", "--human")
		require.Equal(t, "d", c.Page("up"))
		require.Greater(t, c.Page("moves"), float64(4))
	})
}

// The color scheme that a browser is started with is what pages see from their first script on, and again when no other
// is set.
func TestColorSchemeFlag(t *testing.T) {
	t.Parallel()
	const dark = "matchMedia('(prefers-color-scheme: dark)').matches"
	c := host.NewClient(t)
	c.Do("--color-scheme", "dark", "open", site.URL(site.Write(emptyPage)))
	require.Equal(t, true, c.Page(dark))
	c.Do("set", "media", "light")
	require.Equal(t, false, c.Page(dark))
	c.Do("set", "media")
	require.Equal(t, true, c.Page(dark))
}
