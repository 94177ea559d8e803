package element_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// pointPage has buttons at known places that say in window.hits which of them was clicked: one in view, one far below,
// one in a frame, a drawing, and one that is below a panel. The box at the right scrolls by itself.
const pointPage = `<style>body { margin: 0; height: 3000px } button, canvas, iframe, #panel, #box { position: absolute; border: 0; margin: 0 }
	#save { left: 100px; top: 50px; width: 80px; height: 30px } #far { left: 100px; top: 2200px; width: 80px; height: 30px }
	iframe { left: 500px; top: 100px; width: 200px; height: 200px } #plot { left: 100px; top: 150px; width: 200px; height: 100px }
	#under { left: 100px; top: 300px; width: 80px; height: 30px } #panel { left: 50px; top: 280px; width: 300px; height: 100px; background: #eee }
	#box { left: 800px; top: 100px; width: 200px; height: 100px; overflow: auto } #box button { position: static; display: block; height: 50px; width: 180px }
	#bar { position: fixed; left: 0; bottom: 0; width: 100%; height: 40px; background: #ccf }</style>
	<button id=save><span>Save</span></button><button id=far>Far</button><canvas id=plot aria-label="Sales by month"></canvas>
	<button id=under>Under</button><div id=panel>Panel</div>
	<div id=box><button>One</button><button>Two</button><button>Three</button><button>Four</button></div>
	<div id=bar><button id=barred style="left: 600px; top: 5px; height: 30px; width: 80px">Barred</button></div>
	<iframe srcdoc="<body style='margin: 0'><button style='position: absolute; left: 20px; top: 30px; width: 50px; height: 40px; border: 0'
		onclick='parent.hits.push(&quot;framed&quot;)'>In</button>"></iframe>
	<script>window.hits = []; addEventListener('click', (e) => hits.push((e.target.closest('button') || e.target).id || e.target.textContent.trim() || e.target.localName));
		plot.addEventListener('click', (e) => { window.at = [e.offsetX, e.offsetY]; })</script>`

// shotID takes a screenshot and returns its id.
func shotID(c *sessiontest.Client, args ...string) string {
	c.T.Helper()
	return c.Data(append([]string{"screenshot"}, args...)...)["shot"].(string)
}

func TestScreenshotSaysWhatItShows(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, pointPage) // ids are those of the session
	c.Page("scrollTo(0, 20)")
	area := func(x, y, w, h float64) object { return object{"x": x, "y": y, "width": w, "height": h} }
	for i, tt := range []struct {
		args          []string
		shows         string
		width, height float64
		scale         float64
		area          object
		text          string
	}{
		{nil, "viewport", 1280, 720, 1, area(0, 20, 1280, 720), "the viewport, 1280x720 pixels, scale 1"},
		{[]string{"--full"}, "page", 1280, 3000, 1, area(0, 0, 1280, 3000), "the page, 1280x3000 pixels, scale 1"},
		{[]string{"#save"}, "element", 80, 30, 1, area(100, 50, 80, 30), "#save, 80x30 pixels, scale 1"},
		{
			[]string{"--clip", "10,20,300,100"},
			"clip", 300, 100, 1, area(10, 20, 300, 100),
			"10,20,300,100 of the page, 300x100 pixels, scale 1",
		},
		{
			[]string{"--scale", "2"},
			"viewport", 2560, 1440, 2, area(0, 20, 1280, 720),
			"the viewport, 2560x1440 pixels, scale 2",
		},
		{[]string{"--annotate"}, "viewport", 1280, 720, 1, area(0, 20, 1280, 720), "the viewport, 1280x720 pixels, scale 1"},
	} {
		reply := c.Do(slices.Concat([]string{"screenshot"}, tt.args, []string{"a.png"})...)
		data := sessiontest.Decode[object](t, reply.Result.Data)
		id := fmt.Sprintf("s%d", i+1)
		says := object{
			"shot": id, "shows": tt.shows, "width": tt.width, "height": tt.height, "scale": tt.scale,
			"area": tt.area,
		}
		for key, want := range says {
			require.Equal(t, want, data[key], "%v: %s", tt.args, key)
		}
		require.Contains(t, reply.Result.Text, "✓ Screenshot saved to a.png\n  shot "+id+": "+tt.text)
	}
}

func TestClickAPointOfAPicture(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		shot []string
		at   string
		hit  string
		was  string // a script that runs between the picture and the click, unless its name says before
		text string
	}{
		{"of the viewport", nil, "140,65", "save", "", `✓ Done: clicked button "Save" (@e`},
		{"with more pixels", []string{"--scale", "2"}, "280,130", "save", "", `button "Save"`},
		{"with fewer pixels", []string{"--scale", "0.5"}, "70,32", "save", "", `button "Save"`},
		{"of the page, out of view", []string{"--full"}, "140,2215", "far", "", `button "Far"`},
		{"of the page, which has scrolled", []string{"--full"}, "140,65", "save", "scrollTo(0, 1500)", `button "Save"`},
		{"of the page, on what is fixed", []string{"--full"}, "640,695", "barred", "scrollTo(0, 1500)", `button "Barred"`},
		{"of an element", []string{"#far"}, "10,10", "far", "scrollTo(0, 0)", `button "Far"`},
		{"of a part", []string{"--clip", "90,40,200,100"}, "20,20", "save", "", `button "Save"`},
		{"in a frame", nil, "545,150", "framed", "", `button "In"`},
		{"in a frame, of the page", []string{"--full"}, "545,150", "framed", "scrollTo(0, 1500)", `button "In"`},
		{"on a drawing", nil, "130,160", "plot", "", `Canvas "Sales by month"`},
		{"in a box that scrolls", nil, "850,125", "One", "", `button "One"`},
		{
			"on nothing: before", nil, "1200,600", "HTML",
			"document.documentElement.id = 'HTML'; document.body.style.height = '10px'", "<html>",
		},
		{
			"on an equal element in its place", nil, "140,65", "save", "save.replaceWith(save.cloneNode(true))",
			`button "Save"`,
		},
		{"while something else moves", nil, "140,65", "save", "panel.style.left = '60px'", `button "Save"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, pointPage)
			if strings.HasSuffix(tt.name, "before") {
				c.Page(tt.was)
				tt.was = ""
			}
			id := shotID(c, append(tt.shot, "a.png")...)
			if tt.was != "" {
				c.Page(tt.was)
			}
			reply := c.Do("click", "--at", tt.at, "--shot", id)
			require.Equal(t, []any{tt.hit}, c.Page("hits"))
			require.Contains(t, reply.Result.Text, tt.text)
			data := sessiontest.Decode[object](t, reply.Result.Data)
			require.Equal(t, tt.at+" of "+id, data["clicked"])
			require.Regexp(t, "^@e[0-9]+$", data["element"].(object)["ref"])
			if tt.hit == "plot" {
				require.Equal(t, []any{30.0, 10.0}, c.Page("at"))
			}
		})
	}
}

func TestClickRefusesWhatIsNotAsPictured(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		at   string
		was  string
		want string
	}{
		{"scrolled", "140,65", "scrollTo(0, 120)", "the page has scrolled by 120 pixels down since that screenshot"},
		{"moved", "140,65", "save.style.top = '70px'", `<button> (button "Save", @e`},
		{"moved away", "140,65", "save.style.left = '400px'", "has moved by 300 pixels right"},
		{
			"covered", "140,65",
			"document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-label=Sure style=\"position: fixed; inset: " +
				"0\">Sure?</div>')", "has come to the point",
		},
		{"uncovered", "140,315", "panel.remove()", "Panel"},
		{"hidden", "140,315", "panel.style.visibility = 'hidden'", "Panel"},
		{"raised", "140,315", "under.style.zIndex = 1", `button "Under"`},
		{"reordered", "140,315", "document.body.append(under)", `button "Under"`},
		{
			"another one in its place", "140,65",
			"save.outerHTML = '<button id=pay style=\"left:100px;top:50px;width:80px;height:30px\">Pay</button>'",
			`button "Pay"`,
		},
		{"inner box scrolled", "850,125", "box.scrollTop = 50", `button "Two"`},
		{
			"frame scrolled", "545,150",
			"document.querySelector('iframe').contentDocument.querySelector('button').style.top = '35px'",
			"has moved by 5 pixels down",
		},
		{"frame moved", "545,150", "document.querySelector('iframe').style.top = '110px'", "has moved by 10 pixels down"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, pointPage)
			id := shotID(c, "a.png")
			c.Page(tt.was)
			err := c.Fails(fault.ShotStale, "click", "--at", tt.at, "--shot", id)
			require.Contains(t, err.Error(), tt.want)
			require.Contains(t, err.Error(), "Take a new screenshot")
			require.Empty(t, c.Page("hits"))
			c.Do("click", "--at", tt.at, "--shot", shotID(c, "a.png"))
			require.Len(t, c.Page("hits"), 1, "of a new picture it is clicked")
		})
	}
	t.Run("another size", func(t *testing.T) {
		t.Parallel()
		c := host.ShowingFresh(t, pointPage)
		id := shotID(c, "a.png")
		c.Do("set", "viewport", "1000", "720")
		require.Contains(t, c.Fails(fault.ShotStale, "click", "--at", "140,65", "--shot", id).Error(),
			"the viewport has changed from 1280x720 to 1000x720 since that screenshot")
	})
	t.Run("another document", func(t *testing.T) {
		t.Parallel()
		c := host.ShowingFresh(t, pointPage)
		id := shotID(c, "a.png")
		c.Do("reload")
		require.Contains(t, c.Fails(fault.ShotStale, "click", "--at", "140,65", "--shot", id).Error(),
			"the page was loaded again since that screenshot")
	})
	t.Run("another tab", func(t *testing.T) {
		t.Parallel()
		c := host.ShowingFresh(t, pointPage)
		id := shotID(c, "a.png")
		c.Do("tab", "new")
		require.Contains(t, c.Fails(fault.ShotStale, "click", "--at", "140,65", "--shot", id).Error(),
			id+" shows tab t1, and t2 is the active one")
		require.Equal(t, "s2", shotID(c, "b.png"), "ids are those of the session")
	})
	t.Run("bounded", func(t *testing.T) {
		t.Parallel()
		c := host.ShowingFresh(t, pointPage)
		first := shotID(c, "a.png")
		for range 10 {
			shotID(c, "a.png")
		}
		require.Contains(t, c.Fails(fault.ShotStale, "click", "--at", "140,65", "--shot", first).Error(),
			"no screenshot with this id is kept; only the last 10 of each tab are")
	})
}

func TestClickAPointOfTheViewport(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, pointPage)
	c.Page("scrollTo(0, 2000)")
	reply := c.Do("click", "--at", "140,215")
	require.Contains(t, reply.Result.Text, `✓ Done: clicked button "Far" (@e`)
	c.Do("dblclick", "--at", "140,215")
	require.Contains(t, c.Do("hover", "--at", "140,215").Result.Text, `the pointer is on button "Far" (@e`)
	require.Equal(t, []any{"far", "far", "far"}, c.Page("hits"))
	require.Equal(t, "far", c.Page("document.querySelector('button:hover').id"))

	for _, tt := range []struct {
		code fault.Code
		args []string
		want string
	}{
		{
			fault.TargetOutside,
			[]string{"--at", "140,2215"},
			"140,2215 is outside of the viewport, which is 1280 x 720 pixels in size",
		},
		{fault.Usage, []string{"--at", "here"}, "--at takes two numbers such as 640,300, got 'here'"},
		{fault.Usage, []string{"--at", "1,2", "#far"}, "--at replaces <selector>: give one of them"},
		{
			fault.Usage,
			[]string{"--shot", "s1", "#far"},
			"--shot says which screenshot --at is a point of; give --at x,y, too",
		},
		{fault.Usage, []string{"--shot", "s1"}, "Missing arguments for: click"},
		{
			fault.Usage,
			[]string{"--at", "1,2", "--position", "1,1"},
			"--position is a point of an element, and --at one of the page",
		},
		{fault.ShotStale, []string{"--at", "1,2", "--shot", "s99"}, "s99: no screenshot with this id is kept"},
	} {
		require.Contains(t, c.Fails(tt.code, append([]string{"click"}, tt.args...)...).Error(), tt.want)
	}
	require.Contains(t, c.Fails(fault.Usage, "click", "--at", "1300,2", "--shot", shotID(c, "a.png")).Error(),
		"--at 1300,2 is outside of s1, which is 1280x720 pixels in size")
}
