package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Keys that are held go with all that follows: keys, clicks, until they are released.
func TestKeyDown(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-typing-shortcuts.html")
	c.do("focus", "#game")
	require.Equal(t, "Shift", c.data("keydown", "Shift")["keydown"])
	c.do("press", "x")
	require.Equal(t, "Shift", c.data("keyup", "Shift")["keyup"])
	c.do("press", "x")
	require.Equal(t, "keydown shift+Shift/ShiftLeft\nkeydown shift+X/KeyX\nkeyup shift+X/KeyX\nkeyup Shift/ShiftLeft\n"+
		"keydown x/KeyX\nkeyup x/KeyX", c.log())
}

func TestKeyDownThatRepeats(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-typing-shortcuts.html")
	c.do("focus", "#game")
	for range 3 {
		c.do("keydown", "ArrowRight")
	}
	c.do("keyup", "ArrowRight")
	c.do("keydown", "ArrowRight")
	require.Equal(t, "keydown ArrowRight/ArrowRight\nkeydown ArrowRight/ArrowRight repeat\nkeydown ArrowRight/ArrowRight repeat\n"+
		"keyup ArrowRight/ArrowRight\nkeydown ArrowRight/ArrowRight", c.log())
	require.Equal(t, "4", c.page("document.getElementById('position').value"))
}

func TestKeyDownThatTypes(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-typing-shortcuts.html")
	c.do("focus", "#name")
	c.do("press", "End")
	c.do("keydown", "c")
	c.do("keydown", "c")
	c.do("keyup", "c")
	require.Equal(t, "abcc", c.page(content("#name")))
	c.do("keydown", "Shift")
	c.do("keyboard", "type", "d1")
	c.do("keyup", "Shift")
	require.Equal(t, "abccD!", c.page(content("#name")), "as on a keyboard")
	c.do("keydown", "Control")
	c.do("press", "a")
	c.do("keyup", "Control")
	c.do("press", "x")
	require.Equal(t, "x", c.page(content("#name")))
}

func TestKeyDownGoesWithClicks(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-typing-shortcuts.html")
	selected := func() any {
		return c.page(`[...document.querySelectorAll('[aria-selected="true"]')].map((el) => el.id).join("")`)
	}
	c.do("click", "#a")
	c.do("keydown", "Control")
	c.do("click", "#c")
	require.Equal(t, "ac", selected())
	c.do("keyup", "Control")
	c.do("click", "#b")
	require.Equal(t, "b", selected())
	c.do("keydown", "Shift")
	c.do("click", "#d")
	c.do("keyup", "Shift")
	require.Equal(t, "bcd", selected())
}

func TestKeyDownOfAChord(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-typing-shortcuts.html")
	c.do("focus", "#game")
	c.do("keydown", "Control+Shift+k")
	c.do("keyup", "Control+Shift+k")
	c.do("press", "x")
	require.Equal(t, "keydown ctrl+Control/ControlLeft\nkeydown ctrl+shift+Shift/ShiftLeft\nkeydown ctrl+shift+K/KeyK\n"+
		"keyup ctrl+shift+K/KeyK\nkeyup ctrl+Shift/ShiftLeft\nkeyup Control/ControlLeft\nkeydown x/KeyX\nkeyup x/KeyX", c.log())
}

func TestKeyUpOfWhatIsNotHeld(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-typing-shortcuts.html")
	c.do("focus", "#game")
	require.Contains(t, notes(c.do("keyup", "Shift")), "Shift was not held down")
	c.do("keydown", "a")
	require.Empty(t, notes(c.do("keyup", "a")))
	require.Contains(t, notes(c.do("keyup", "a")), "a was not held down")
	c.fails(fault.Usage, "keydown", "Nonsense")
	c.fails(fault.Usage, "keyup", "Nonsense")
}

// A tab has its own keyboard: what is held in one is not held in another.
func TestKeyDownStaysInItsTab(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-typing-shortcuts.html")
	c.do("keydown", "Control")
	c.do("tab", "new", site.url("/pages/acting-typing-shortcuts.html"))
	c.do("focus", "#name")
	c.do("press", "End")
	c.do("press", "x")
	require.Equal(t, "abx", c.page(content("#name")))
}
