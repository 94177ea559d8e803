package forms_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Keys that are held go with all that follows: keys, clicks, until they are released.
func TestKeyDown(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-shortcuts.html")
	c.Do("focus", "#game")
	require.Equal(t, "Shift", c.Data("keydown", "Shift")["keydown"])
	c.Do("press", "x")
	require.Equal(t, "Shift", c.Data("keyup", "Shift")["keyup"])
	c.Do("press", "x")
	require.Equal(t, "keydown shift+Shift/ShiftLeft\nkeydown shift+X/KeyX\nkeyup shift+X/KeyX\nkeyup Shift/ShiftLeft\n"+
		"keydown x/KeyX\nkeyup x/KeyX", c.Log())
}

func TestKeyDownThatRepeats(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-shortcuts.html")
	c.Do("focus", "#game")
	for range 3 {
		c.Do("keydown", "ArrowRight")
	}
	c.Do("keyup", "ArrowRight")
	c.Do("keydown", "ArrowRight")
	require.Equal(t,
		"keydown ArrowRight/ArrowRight\nkeydown ArrowRight/ArrowRight repeat\nkeydown ArrowRight/ArrowRight repeat\n"+
			"keyup ArrowRight/ArrowRight\nkeydown ArrowRight/ArrowRight", c.Log())
	require.Equal(t, "4", c.Page("document.getElementById('position').value"))
}

func TestKeyDownThatTypes(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-shortcuts.html")
	c.Do("focus", "#name")
	c.Do("press", "End")
	c.Do("keydown", "c")
	c.Do("keydown", "c")
	c.Do("keyup", "c")
	require.Equal(t, "abcc", c.Page(content("#name")))
	c.Do("keydown", "Shift")
	c.Do("keyboard", "type", "d1")
	c.Do("keyup", "Shift")
	require.Equal(t, "abccD!", c.Page(content("#name")), "as on a keyboard")
	c.Do("keydown", "Control")
	c.Do("press", "a")
	c.Do("keyup", "Control")
	c.Do("press", "x")
	require.Equal(t, "x", c.Page(content("#name")))
}

func TestKeyDownGoesWithClicks(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-shortcuts.html")
	selected := func() any {
		return c.Page(`[...document.querySelectorAll('[aria-selected="true"]')].map((el) => el.id).join("")`)
	}
	c.Do("click", "#a")
	c.Do("keydown", "Control")
	c.Do("click", "#c")
	require.Equal(t, "ac", selected())
	c.Do("keyup", "Control")
	c.Do("click", "#b")
	require.Equal(t, "b", selected())
	c.Do("keydown", "Shift")
	c.Do("click", "#d")
	c.Do("keyup", "Shift")
	require.Equal(t, "bcd", selected())
}

func TestKeyDownOfAChord(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-shortcuts.html")
	c.Do("focus", "#game")
	c.Do("keydown", "Control+Shift+k")
	c.Do("keyup", "Control+Shift+k")
	c.Do("press", "x")
	require.Equal(t, "keydown ctrl+Control/ControlLeft\nkeydown ctrl+shift+Shift/ShiftLeft\nkeydown ctrl+shift+K/KeyK\n"+
		"keyup ctrl+shift+K/KeyK\nkeyup ctrl+Shift/ShiftLeft\nkeyup Control/ControlLeft\nkeydown x/KeyX\nkeyup x/KeyX",
		c.Log())
}

func TestKeyUpOfWhatIsNotHeld(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-shortcuts.html")
	c.Do("focus", "#game")
	require.Contains(t, sessiontest.Notes(c.Do("keyup", "Shift")), "Shift was not held down")
	c.Do("keydown", "a")
	require.Empty(t, sessiontest.Notes(c.Do("keyup", "a")))
	require.Contains(t, sessiontest.Notes(c.Do("keyup", "a")), "a was not held down")
	c.Fails(fault.Usage, "keydown", "Nonsense")
	c.Fails(fault.Usage, "keyup", "Nonsense")
}

// A tab has its own keyboard: what is held in one is not held in another.
func TestKeyDownStaysInItsTab(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-shortcuts.html")
	c.Do("keydown", "Control")
	c.Do("tab", "new", site.URL("/pages/acting-typing-shortcuts.html"))
	c.Do("focus", "#name")
	c.Do("press", "End")
	c.Do("press", "x")
	require.Equal(t, "abx", c.Page(content("#name")))
}
