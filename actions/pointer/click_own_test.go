package pointer_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// An item that contains other things to click gets its click on a part of its own.
func TestClickOwnPart(t *testing.T) {
	t.Parallel()
	page := host.Opened(t, "/pages/acting-click-own.html")
	for _, tt := range []struct {
		name string
		line []string
		log  string // which element the page saw the click on
		note string // "" that nothing else got it
	}{
		{"a card with buttons", []string{"click", "#card"}, "card", ""},
		{"by its text", []string{"find", "text", "Papaya", "click"}, "card", ""},
		{"a tree node that is open", []string{"click", "#node"}, "node", ""},
		{"by the node's text", []string{"find", "text", "Mango", "click"}, "node", ""},
		{"a tree node whose text is a link", []string{"click", "#linked"}, "face", ""},
		{"a tree node that is longer than the screen", []string{"click", "#trunk"}, "trunk", ""},
		{"a card of buttons alone, with a margin", []string{"click", "#padded"}, "padded", ""},
		{"a tab whose text is a link", []string{"click", "#tab"}, "anchor", ""},
		{"a label with a link in it", []string{"click", "#label"}, "label", ""},
		{"not an item", []string{"click", "#plain"}, "inplain", ""},
		{"what comes over its middle with the pointer", []string{"click", "#hovered"}, "hovered", ""},
		{"a host whose tree has the control", []string{"click", "#host"}, "host", ""},
		{"all of it is covered by its parts", []string{"click", "#covered"}, "right", `the click went to button "Right"`},
		{"a double click", []string{"dblclick", "#card"}, "card\ncard", ""},
		{"an inner one", []string{"click", "#share"}, "share", ""},
		{"at a position", []string{"click", "#padded", "--position", "20,15"}, "first", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Page(`log = []; 0`)
			reply := c.Do(tt.line...)
			log := c.Log()
			if tt.name == "a label with a link in it" {
				log = log[:len("label")] // its check box gets one as well
			}
			require.Equal(t, tt.log, log)
			require.Contains(t, sessiontest.Notes(reply), tt.note)
			if tt.note == "" {
				require.NotContains(t, sessiontest.Notes(reply), "the click went to")
			}
		})
	}
}

// The same for the pointer alone, and in a frame.
func TestHoverOwnPart(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-click-own.html")
	c.Do("hover", "#card")
	require.Equal(t, "card", c.Page("[...document.querySelectorAll(':hover')].at(-1).id"))
	c.Page(
		`document.body.insertAdjacentHTML('beforeend', '<iframe id=f style="width:400px" srcdoc="<div id=in tabindex=0 onclick style=&quot;width:300px&quot;>Fig <button>Remove</button> <button>Share this with all</button></div>"></iframe>')`)
	c.Do("wait", "#f")
	c.Do("frame", "#f")
	c.Do("click", "#in")
	require.Equal(t, "in", c.Page("f.contentDocument.activeElement.id"))
}
