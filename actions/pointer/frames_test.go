package pointer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

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
			c, depth := host.Framed(t, tt.frames, tt.more...)
			refs := c.Refs()
			ref := func(format string) string {
				name := fmt.Sprintf(format, depth)
				require.Contains(t, refs, name, "in\n%s", c.Seen)
				return refs[name]
			}
			c.Do("click", ref(`button "Button %d"`))
			c.Heard(depth, "click")
			c.Do("dblclick", ref(`button "Button %d"`))
			c.Heard(depth, "dblclick")
			c.Do("hover", ref(`textbox "Field %d"`))
			c.Do("hover", ref(`button "Button %d"`))
			c.Heard(depth, "hover")
			c.Do("fill", ref(`textbox "Field %d"`), "words")
			c.Heard(depth, "input words")
			c.Do("type", ref(`textbox "Field %d"`), "x")
			c.Heard(depth, "input wordsx")
			c.Do("press", "y")
			c.Heard(depth, "input wordsxy")
			c.Do("check", ref(`checkbox "Box %d"`))
			c.Heard(depth, "checked true")
			c.Do("uncheck", ref(`checkbox "Box %d"`))
			c.Heard(depth, "checked false")
			c.Do("select", ref(`combobox "Select %d"`), "two")
			c.Heard(depth, "select two")
			c.Do("focus", ref(`textbox "Field %d"`))
			c.Heard(depth, "focus")
			require.Equal(t, "wordsxy", c.Do("get", "value", ref(`textbox "Field %d"`)).Result.Text)
			require.Equal(t, "false", c.Do("is", "checked", ref(`checkbox "Box %d"`)).Result.Text)
			require.Equal(t, "true", c.Do("is", "visible", ref(`button "Button %d"`)).Result.Text)
			require.Equal(t, "/echo?followed", c.Do("get", "attr", ref(`link "Link %d"`), "href").Result.Text)
			c.Do("scrollintoview", ref(`link "Link %d"`))
			c.Do("wait", ref(`link "Link %d"`))
		})
	}
}

func TestFramesSnapshot(t *testing.T) {
	t.Parallel()
	c, _ := host.Framed(t, "there,here,there")
	text := c.Do("snapshot").Result.Text
	before := -1
	for depth := range 4 {
		at := strings.Index(text, fmt.Sprintf("button \"Button %d\"", depth))
		require.Greater(t, at, before, "depth %d in\n%s", depth, text)
		line := text[strings.LastIndex(text[:at], "\n")+1 : at]
		require.GreaterOrEqual(t, strings.Count(line, "  "), depth, "it is below its frame")
		before = at
	}
	first := c.Refs()
	require.Equal(t, first, c.Refs(), "refs keep their numbers in frames, too")
}

// A link in a frame leads the frame, or the whole page, elsewhere.
func TestFramesNavigate(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there", "there,here"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, depth := host.Framed(t, frames)
			refs := c.Refs()
			button := refs[fmt.Sprintf(`button "Button %d"`, depth)]
			c.Do("click", refs[fmt.Sprintf(`link "Link %d"`, depth)])
			c.Do("wait", "--text", "followed")
			require.Equal(t, "Depth 0", c.Page("document.title"), "the page stayed")
			err := c.Fails(fault.RefStale, "click", button)
			require.Contains(t, err.Error(), "acting-frames.html?")
			require.Contains(t, err.Error(), "/echo?followed")
			c.Do("click", c.Ref(`button "Button 0"`))
			c.Heard(0, "click")

			c.Do("reload")
			c.Do("wait", "--text", fmt.Sprintf("Text %d", depth))
			reply := c.Do("click", c.Ref(fmt.Sprintf(`link "Top %d"`, depth)))
			require.Contains(t, sessiontest.Told(reply), "/echo?top")
			require.Equal(t, "Echo", c.Page("document.title"))
		})
	}
}

func TestFramesThatGo(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there", "there,here"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, depth := host.Framed(t, frames)
			ref := c.Ref(fmt.Sprintf(`button "Button %d"`, depth))
			c.Page("document.querySelector('iframe').remove()")
			err := c.Fails(fault.RefStale, "click", ref)
			require.Contains(t, err.Error(),
				fmt.Sprintf("/pages/acting-frames.html?nest=&depth=%d, which tab t1 no longer shows", depth))
			require.Equal(t, "0", c.Do("get", "count", ref).Result.Text)
			require.NotContains(t, c.Do("snapshot").Result.Text, fmt.Sprintf("Button %d", depth))
			require.Empty(t, c.Log())
		})
	}
}

// What lies over a frame is named, in whichever document it is.
func TestFramesCovered(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there", "there,here"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, depth := host.Framed(t, frames)
			ref := c.Ref(fmt.Sprintf(`button "Button %d"`, depth))
			c.Page(
				`document.body.insertAdjacentHTML('beforeend', '<div id=cover style="position: fixed; inset: 0; background: #fff8">Cover</div>')`)
			err := c.Fails(fault.TargetCovered, "click", ref)
			require.Contains(t, err.Error(), "div#cover")
			require.Empty(t, c.Log())
			c.Page("cover.remove()")
			c.Do("click", ref)
			c.Heard(depth, "click")
		})
	}
}

func TestFramesDialogs(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, depth := host.Framed(t, frames)
			reply := c.Do("click", c.Ref(`button "Ask 1"`))
			require.Contains(t, sessiontest.Notes(reply), `A JavaScript confirm dialog is blocking the page: "Depth 1?"`)
			c.Fails(fault.DialogOpen, "snapshot")
			c.Do("dialog", "accept")
			c.Heard(depth, "confirm true")
		})
	}
}

func TestFramesScreenshot(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, _ := host.Framed(t, frames)
			button := c.Ref(`button "Button 1"`)
			box := c.Data("get", "box", button)
			c.Do("screenshot", button, "button.png")
			img, _ := c.Picture("button.png")
			require.InDelta(t, box["width"], img.Bounds().Dx(), 1)
			require.InDelta(t, box["height"], img.Bounds().Dy(), 1)
		})
	}
}

// A frame that takes long to load does not hold up what is done elsewhere in the page.
func TestFramesThatHang(t *testing.T) {
	t.Parallel()
	silent := site.Gate(t, "")
	c := host.NewClient(t)
	c.Do("open", "--wait-until", "domcontentloaded", site.URL(site.Write(`<button onclick="log.push('clicked')">Go</button>
		<iframe src="`+site.Elsewhere(silent.Path)+`"></iframe><iframe src="`+silent.Path+`"></iframe>`)))
	silent.WaitAsked(t)
	c.Do("click", c.Ref(`button "Go"`))
	require.Equal(t, "clicked", c.Log())
	require.Equal(t, "Go", c.Do("find", "text", "Go", "text").Result.Text)
}
