package pointer_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestTouch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		run    []string
		js     string
		want   any
		before string
	}{
		{"a tap is a click", cmd("tap", "#pay"), "log.join()", "touchstart,touchend,mousedown,paid by touch,click", ""},
		{"a tap where only touch is listened to", cmd("tap", "#touchonly"), "said.textContent", "refreshed", ""},
		{"a tap that a script takes", cmd("tap", "#taken"), "log.join()", "drawn", ""},
		{"a long press", cmd("tap", "#hold", "--hold", "450"), "log.join()", "menu", ""},
		{"a short one", cmd("tap", "#hold"), "log.join()", "", "rest = 1e9"},
		{"a carousel", cmd("swipe", "left", "-s", "#carousel"), "page", 1.0, ""},
		{"a carousel, not far enough", cmd("swipe", "left", "100", "-s", "#carousel"), "page", 0.0, ""},
		{"a carousel at its beginning", cmd("swipe", "right", "-s", "#carousel"), "page", 0.0, ""},
		{"snapping", cmd("swipe", "left", "400", "--selector", "#snap"), "snap.scrollLeft", 600.0, ""},
		{"swipe to dismiss", cmd("swipe", "left", "-s", "#m2"), "[...mails.children].map((m) => m.id).join()", "m1,m3", ""},
		{
			"not far enough to dismiss", cmd("swipe", "left", "90", "-s", "#m2"),
			"[...mails.children].map((m) => m.id + m.style.transform).join()", "m1,m2,m3", "",
		},
		{"no touch is left", cmd("swipe", "up"), "ontouchstart in window ? 1 : navigator.maxTouchPoints", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-move-touch.html")
			c.Page(tt.before + ";0")
			c.Do(tt.run...)
			if tt.want == nil {
				require.Equal(t, 0.0, c.Page("navigator.maxTouchPoints"), "touch is not emulated, which the page would see")
				return
			}
			require.Equal(t, tt.want, c.Page(tt.js), c.Log())
		})
	}
}

// A finger scrolls the page by about what it moved, without going on by itself.
func TestSwipeScrolls(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-touch.html")
	data := c.Data("swipe", "up", "300")
	y := c.Page("scrollY").(float64)
	require.Greater(t, y, 100.0, "what the finger moves before it counts as scrolling is lost")
	require.Equal(t, []any{true, 300.0}, []any{data["scrolled"], data["distance"]})
	require.Equal(t, object{"x": 0.0, "y": y}, data["to"])
	require.Equal(t, y, c.Page("new Promise((done) => setTimeout(() => done(scrollY), 100))"), "at rest")
	c.Do("swipe", "down", "600")
	require.Equal(t, 0.0, c.Page("scrollY"))
	reply := c.Do("swipe", "down")
	require.Contains(t, reply.Result.Text, "Nothing moved")
	require.Equal(t, false, sessiontest.Decode[object](t, reply.Result.Data)["scrolled"])
	reply = c.Do("swipe", "up", "9000")
	require.Contains(t, sessiontest.Notes(reply), "no more room")
}

func TestTouchSays(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-touch.html")
	data := c.Data("tap", "#pay")
	require.Equal(t, []any{"#pay", "#pay"}, []any{data["tapped"], data["clicked"]})
	data = c.Data("tap", "#taken")
	require.Equal(t, []any{"#taken", nil}, []any{data["tapped"], data["clicked"]},
		"the page took the touch, so that it became no click")
	require.Equal(t, "left", c.Data("swipe", "left", "-s", "#carousel")["swiped"])
}

func TestTouchRefused(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-touch.html")
	c.Fails(fault.TargetCovered, "tap", "#under")
	c.Fails(fault.TargetDisabled, "tap", "#off")
	c.Fails(fault.SelectorNotFound, "tap", "#nosuch")
	c.Fails(fault.SelectorNotFound, "swipe", "left", "-s", "#nosuch")
	require.Contains(t, c.Fails(fault.Usage, "swipe", "sideways").Error(), "sideways")
	require.Contains(t, c.Fails(fault.Usage, "swipe", "left", "far").Error(), "far")
	require.Contains(t, c.Fails(fault.Usage, "swipe", "left", "0").Error(), "above 0")
	c.Fails(fault.Usage, "swipe", "left", "--steps", "0")
	require.Empty(t, c.Log())
}

// Fingers reach into frames of every process.
func TestTouchInFrames(t *testing.T) {
	t.Parallel()
	for _, where := range []func(string) string{site.URL, site.Elsewhere} {
		c := host.Showing(t,
			`<iframe src="`+where("/pages/acting-move-touch.html")+
				`" style="width: 700px; height: 600px; margin: 30px"></iframe>`)
		c.Do("wait", "--text", "Offer one")
		refs := c.Refs()
		c.Do("tap", refs[`button "Refresh"`])
		c.Do("wait", "--text", "refreshed")
		data := c.Data("swipe", "left", "400", "-s", refs[`region "Offers"`])
		require.Equal(t, object{"x": 600.0, "y": 0.0}, data["to"], "it snapped to the second")
		data = c.Data("swipe", "up", "200", "-s", refs[`button "Message"`])
		require.Equal(t, true, data["scrolled"], "%v", data)
	}
}
