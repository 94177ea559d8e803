package session_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// nested is the address of acting-frames.html with frames: "here" is the page's own origin, "there" another site, in another process.
func nested(frames string, more ...string) string {
	query := url.Values{}
	hosts := strings.NewReplacer("here", "127.0.0.1:"+site.port(), "there", site.localhost()).Replace(frames)
	query.Set("nest", hosts)
	for _, m := range more {
		name, value, _ := strings.Cut(m, "=")
		query.Set(name, value)
	}
	return "/pages/acting-frames.html?" + query.Encode()
}

// framed opens a page with frames and waits until the innermost one is loaded.
func framed(t *testing.T, frames string, more ...string) (c *client, depth int) {
	t.Helper()
	c = opened(t, nested(frames, more...))
	depth = strings.Count(frames, ",") + 1
	c.do("wait", "--text", fmt.Sprintf("Text %d", depth))
	return c, depth
}

// heard waits until the top document has heard of an event, which comes to it by a message.
func (c *client) heard(depth int, event string) {
	c.t.Helper()
	line := fmt.Sprintf("%d %s", depth, event)
	reply := c.try("wait", "--timeout", "5000", "--fn", fmt.Sprintf("log.includes(%q)", line))
	require.NoError(c.t, reply.Err, "the page has heard %q", c.log())
}

// Every action works in every frame, wherever that lies and whichever process has it.
func TestFramesActions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		frames string
		more   []string
	}{
		{"same site", "here", nil},
		{"other site", "there", nil},
		{"same site, depth 3", "here,here,here", nil},
		{"other sites, depth 3", "there,here,there", nil},
		{"other site behind the same, depth 3", "here,there,there", nil},
		{"shrunk", "here", []string{"style=transform: scale(.5)"}},
		{"shrunk, other site", "there", []string{"style=transform: scale(.5)"}},
		{"enlarged about a corner", "there", []string{"style=transform: scale(1.6); transform-origin: 0 0"}},
		{"zoomed", "here", []string{"style=zoom: 1.5"}},
		{"with border and padding", "there", []string{"style=border: 13px solid; padding: 7px 21px; margin: 30px"}},
		{"shrunk twice", "there,here", []string{"style=transform: scale(.7); border: 5px solid"}},
		{"far below", "here,here", []string{"far"}},
		{"far below, other site", "there,there", []string{"far"}},
		{"far below, other sites in turn, shrunk", "there,here", []string{"far", "style=transform: scale(.6)"}},
		{"in a narrow frame", "there", []string{"style=width: 120px; height: 60px"}},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && i%2 > 0 {
				t.Skip("deep tier: every second way for a frame to lie")
			}
			c, depth := framed(t, tt.frames, tt.more...)
			refs := c.refs()
			ref := func(format string) string {
				name := fmt.Sprintf(format, depth)
				require.Contains(t, refs, name, "in\n%s", c.seen)
				return refs[name]
			}
			c.do("click", ref(`button "Button %d"`))
			c.heard(depth, "click")
			c.do("dblclick", ref(`button "Button %d"`))
			c.heard(depth, "dblclick")
			c.do("hover", ref(`textbox "Field %d"`))
			c.do("hover", ref(`button "Button %d"`))
			c.heard(depth, "hover")
			c.do("fill", ref(`textbox "Field %d"`), "words")
			c.heard(depth, "input words")
			c.do("type", ref(`textbox "Field %d"`), "x")
			c.heard(depth, "input wordsx")
			c.do("press", "y")
			c.heard(depth, "input wordsxy")
			c.do("check", ref(`checkbox "Box %d"`))
			c.heard(depth, "checked true")
			c.do("uncheck", ref(`checkbox "Box %d"`))
			c.heard(depth, "checked false")
			c.do("select", ref(`combobox "Select %d"`), "two")
			c.heard(depth, "select two")
			c.do("focus", ref(`textbox "Field %d"`))
			c.heard(depth, "focus")
			require.Equal(t, "wordsxy", c.do("get", "value", ref(`textbox "Field %d"`)).Result.Text)
			require.Equal(t, "false", c.do("is", "checked", ref(`checkbox "Box %d"`)).Result.Text)
			require.Equal(t, "true", c.do("is", "visible", ref(`button "Button %d"`)).Result.Text)
			require.Equal(t, "/echo?followed", c.do("get", "attr", ref(`link "Link %d"`), "href").Result.Text)
			c.do("scrollintoview", ref(`link "Link %d"`))
			c.do("wait", ref(`link "Link %d"`))
		})
	}
}

func TestFramesSnapshot(t *testing.T) {
	t.Parallel()
	c, _ := framed(t, "there,here,there")
	text := c.do("snapshot").Result.Text
	before := -1
	for depth := range 4 {
		at := strings.Index(text, fmt.Sprintf("button \"Button %d\"", depth))
		require.Greater(t, at, before, "depth %d in\n%s", depth, text)
		line := text[strings.LastIndex(text[:at], "\n")+1 : at]
		require.GreaterOrEqual(t, strings.Count(line, "  "), depth, "it is below its frame")
		before = at
	}
	first := c.refs()
	require.Equal(t, first, c.refs(), "refs keep their numbers in frames, too")
}

// A link in a frame leads the frame, or the whole page, elsewhere.
func TestFramesNavigate(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there", "there,here"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, depth := framed(t, frames)
			refs := c.refs()
			button := refs[fmt.Sprintf(`button "Button %d"`, depth)]
			c.do("click", refs[fmt.Sprintf(`link "Link %d"`, depth)])
			c.do("wait", "--text", "followed")
			require.Equal(t, "Depth 0", c.page("document.title"), "the page stayed")
			err := c.fails(fault.RefStale, "click", button)
			require.Contains(t, err.Error(), "acting-frames.html?")
			require.Contains(t, err.Error(), "/echo?followed")
			c.do("click", c.ref(`button "Button 0"`))
			c.heard(0, "click")

			c.do("reload")
			c.do("wait", "--text", fmt.Sprintf("Text %d", depth))
			reply := c.do("click", c.ref(fmt.Sprintf(`link "Top %d"`, depth)))
			require.Contains(t, told(reply), "/echo?top")
			require.Equal(t, "Echo", c.page("document.title"))
		})
	}
}

func TestFramesThatGo(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there", "there,here"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, depth := framed(t, frames)
			ref := c.ref(fmt.Sprintf(`button "Button %d"`, depth))
			c.page("document.querySelector('iframe').remove()")
			err := c.fails(fault.RefStale, "click", ref)
			require.Contains(t, err.Error(), fmt.Sprintf("/pages/acting-frames.html?nest=&depth=%d, which tab t1 no longer shows", depth))
			require.Equal(t, "0", c.do("get", "count", ref).Result.Text)
			require.NotContains(t, c.do("snapshot").Result.Text, fmt.Sprintf("Button %d", depth))
			require.Empty(t, c.log())
		})
	}
}

// What lies over a frame is named, in whichever document it is.
func TestFramesCovered(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there", "there,here"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, depth := framed(t, frames)
			ref := c.ref(fmt.Sprintf(`button "Button %d"`, depth))
			c.page(`document.body.insertAdjacentHTML('beforeend', '<div id=cover style="position: fixed; inset: 0; background: #fff8">Cover</div>')`)
			err := c.fails(fault.TargetCovered, "click", ref)
			require.Contains(t, err.Error(), "div#cover")
			require.Empty(t, c.log())
			c.page("cover.remove()")
			c.do("click", ref)
			c.heard(depth, "click")
		})
	}
}

func TestFramesDialogs(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, depth := framed(t, frames)
			reply := c.do("click", c.ref(`button "Ask 1"`))
			require.Contains(t, notes(reply), `A JavaScript confirm dialog is blocking the page: "Depth 1?"`)
			c.fails(fault.DialogOpen, "snapshot")
			c.do("dialog", "accept")
			c.heard(depth, "confirm true")
		})
	}
}

func TestFramesScreenshot(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, _ := framed(t, frames)
			button := c.ref(`button "Button 1"`)
			box := c.data("get", "box", button)
			c.do("screenshot", button, "button.png")
			img, _ := c.picture("button.png")
			require.InDelta(t, box["width"], img.Bounds().Dx(), 1)
			require.InDelta(t, box["height"], img.Bounds().Dy(), 1)
		})
	}
}

// A frame that takes long to load does not hold up what is done elsewhere in the page.
func TestFramesThatHang(t *testing.T) {
	t.Parallel()
	silent := site.gate(t, "")
	c := newClient(t)
	c.do("open", "--wait-until", "domcontentloaded", site.url(site.write(`<button onclick="log.push('clicked')">Go</button>
		<iframe src="`+site.elsewhere(silent.path)+`"></iframe><iframe src="`+silent.path+`"></iframe>`)))
	silent.waitAsked(t)
	c.do("click", c.ref(`button "Go"`))
	require.Equal(t, "clicked", c.log())
	require.Equal(t, "Go", c.do("find", "text", "Go", "text").Result.Text)
}
