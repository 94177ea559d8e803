package forms_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestType(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		command []string
		want    string // what the field holds
	}{
		{"into an empty field", []string{"type", "#empty", "Hi there"}, "Hi there"},
		{"behind what is there", []string{"type", "#filled", "cd"}, "abcd"},
		{"after clearing", []string{"type", "#filled", "cd", "--clear"}, "cd"},
		{"only clearing", []string{"type", "#filled", "--clear"}, ""},
		{"with pauses", []string{"type", "#empty", "abc", "--delay", "5"}, "abc"},
		{"textarea", []string{"type", "#area", "\ncd"}, "ab\ncd"},
		{"several lines", []string{"type", "#area", "\r\nc\nd"}, "ab\nc\nd"},
		{"editable content", []string{"type", "#editable", "cd"}, "abcd"},
		{"password", []string{"type", "#password", "secret"}, "secret"},
		{"number", []string{"type", "#number", "12.5"}, "12.5"},
		{"capitals and signs", []string{"type", "#empty", `Aa!@#$%^&*()_+{}|:"<>?~`}, `Aa!@#$%^&*()_+{}|:"<>?~`},
		{"no key has it", []string{"type", "#empty", "é世👩‍👧"}, "é世👩‍👧"},
		{"several words", []string{"type", "#empty", "a", "b"}, "a b"},
		{"long", []string{"type", "#empty", strings.Repeat("0123456789", 30)}, strings.Repeat("0123456789", 30)},
	}
	page := host.Opened(t, "/pages/acting-keys.html")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Page(
				`document.activeElement.blur(); for (const el of document.querySelectorAll('input, textarea')) el.value = el.defaultValue; editable.textContent = 'ab'; log = []; 0`)
			c.Do(tt.command...)
			require.Equal(t, tt.want, c.Page(content(tt.command[1])))
			require.Equal(t, tt.command[1], c.Page("'#' + document.activeElement.id"))
		})
	}
}

// The page sees what it sees of a keyboard.
func TestTypeEvents(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-keys.html")
	c.Do("type", "#filled", "x Y")
	require.Equal(t, strings.Join([]string{
		"keydown x/KeyX", "keypress x/KeyX", "input insertText x", "keyup x/KeyX",
		"keydown  /Space", "keypress  /Space", "input insertText  ", "keyup  /Space",
		"keydown shift+Y/KeyY", "keypress shift+Y/KeyY", "input insertText Y", "keyup shift+Y/KeyY",
	}, "\n"), c.Log())
}

func TestTypeRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		selector string
		code     fault.Code
		says     string
	}{
		{"#disabled", fault.TargetDisabled, "is disabled"},
		{"#span", fault.TargetUnsuitable, "did not take the focus"},
		{"#nosuch", fault.SelectorNotFound, "Element not found"},
	}
	for _, tt := range tests {
		t.Run(tt.selector, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-keys.html")
			c.Do("focus", "#empty")
			err := c.Fails(tt.code, "type", tt.selector, "text")
			require.Contains(t, err.Error(), tt.says)
			require.Empty(t, c.Page(content("#empty")), "the text did not go to the focused field")
			require.Empty(t, c.Log())
		})
	}
}

// Keys go to what has the focus, also where no text comes of them; that is said.
func TestTypeWhereNothingIsEdited(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-keys.html")
	reply := c.Do("type", "#box", "j")
	require.Equal(t, "keydown j/KeyJ\nkeypress j/KeyJ\nkeyup j/KeyJ", c.Log())
	require.Contains(t, sessiontest.Notes(reply), "takes no text")
	reply = c.Do("type", "#readonly", "j")
	require.Equal(t, "fixed", c.Page(content("#readonly")))
	require.Contains(t, sessiontest.Notes(reply), "takes no text")
}

func TestPress(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		focus string
		keys  []string
		read  string
		want  any
	}{
		{"character", "#filled", []string{"c"}, content("#filled"), "abc"},
		{"capital", "#filled", []string{"C"}, content("#filled"), "abC"},
		{"shift and character", "#filled", []string{"Shift+a"}, content("#filled"), "abA"},
		{"shift and digit", "#filled", []string{"Shift+1"}, content("#filled"), "ab!"},
		{"plus", "#filled", []string{"+"}, content("#filled"), "ab+"},
		{"no key has it", "#filled", []string{"é"}, content("#filled"), "abé"},
		{"space", "#filled", []string{"Space"}, content("#filled"), "ab "},
		{"backspace", "#filled", []string{"Backspace"}, content("#filled"), "a"},
		{"delete", "#filled", []string{"Home", "Delete"}, content("#filled"), "b"},
		{"arrows", "#filled", []string{"ArrowLeft", "x"}, content("#filled"), "axb"},
		{"other names", "#filled", []string{"left", "del"}, content("#filled"), "a"},
		{"any case", "#filled", []string{"BACKSPACE"}, content("#filled"), "a"},
		{"select all", "#filled", []string{"Control+a", "x"}, content("#filled"), "x"},
		{"select all, other spelling", "#filled", []string{"ctrl+a", "x"}, content("#filled"), "x"},
		{"shift and arrow select", "#filled", []string{"Shift+ArrowLeft", "x"}, content("#filled"), "ax"},
		{"new line", "#area", []string{"Enter", "x"}, content("#area"), "ab\nx"},
		{"enter on a button", "#button", []string{"Enter"}, "log.includes('click button')", true},
		{"space on a button", "#button", []string{" "}, "log.includes('click button')", true},
		{"tab", "#filled", []string{"Tab"}, "document.activeElement.id", "area"},
		{"tab back", "#filled", []string{"Shift+Tab"}, "document.activeElement.id", "empty"},
		{"select all in capitals", "#filled", []string{"Control+A", "x"}, content("#filled"), "x"},
		{"undo", "#filled", []string{"x", "Control+z"}, content("#filled"), "ab"},
		// the last one, since it leaves the page
		{"enter submits", "#query", []string{"y", "Enter"}, "document.title + location.search", "Echo?q=y"},
	}
	page := host.Opened(t, "/pages/acting-keys.html")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Page(
				`document.activeElement.blur(); for (const el of document.querySelectorAll('input, textarea')) el.value = el.defaultValue; editable.textContent = 'ab'; log = []; 0`)
			c.Do("focus", tt.focus)
			c.Page(`document.activeElement.value && document.activeElement.setSelectionRange(99, 99)`)
			for _, key := range tt.keys {
				reply := c.Do("press", key)
				require.True(t, strings.HasPrefix(reply.Result.Text, "✓ Done"))
				require.Equal(t, object{"pressed": key}, sessiontest.WithoutEffect(t, reply))
			}
			require.Equal(t, tt.want, c.Page(tt.read))
		})
	}
}

func TestPressEvents(t *testing.T) {
	t.Parallel()
	tests := []struct{ key, want string }{
		{"Escape", "keydown Escape/Escape\nkeyup Escape/Escape"},
		{"Enter", "keydown Enter/Enter\nkeypress Enter/Enter\nkeyup Enter/Enter"},
		{"F5", "keydown F5/F5\nkeyup F5/F5"},
		{"PageDown", "keydown PageDown/PageDown\nkeyup PageDown/PageDown"},
		{
			"Control+Shift+k",
			"keydown ctrl+Control/ControlLeft\nkeydown ctrl+shift+Shift/ShiftLeft\nkeydown ctrl+shift+K/KeyK\n" +
				"keyup ctrl+shift+K/KeyK\nkeyup ctrl+Shift/ShiftLeft\nkeyup Control/ControlLeft",
		},
		{"Alt+x", "keydown alt+Alt/AltLeft\nkeydown alt+x/KeyX\nkeyup alt+x/KeyX\nkeyup Alt/AltLeft"},
		{"Meta+p", "keydown meta+Meta/MetaLeft\nkeydown meta+p/KeyP\nkeyup meta+p/KeyP\nkeyup Meta/MetaLeft"},
		{"Shift", "keydown shift+Shift/ShiftLeft\nkeyup Shift/ShiftLeft"},
	}
	page := host.Opened(t, "/pages/acting-keys.html")
	for _, tt := range tests {
		t.Run(tt.key, func(t *testing.T) {
			c := page.In(t)
			c.Page(`log = []; 0`)
			c.Do("focus", "#box")
			c.Do("key", tt.key)
			require.Equal(t, tt.want, c.Log())
		})
	}
}

func TestPressUnknownKeys(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-keys.html")
	c.Do("focus", "#filled")
	for _, key := range []string{"Nonsense", "Control+Nonsense", "Hyper+a", "ab", ""} {
		err := c.Fails(fault.Usage, "press", key)
		require.Contains(t, err.Error(), "Unknown key")
		require.Equal(t, key, err.Subject)
	}
	require.Empty(t, c.Log())
}

func TestPressInAFrame(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<iframe srcdoc="<input id=f value=a>"></iframe>`)
	c.Do("click", c.Ref("textbox"))
	c.Do("press", "End")
	c.Do("press", "b")
	require.Equal(t, "ab", c.Page("frames[0].document.getElementById('f').value"))
}

func TestKeyboardType(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-keys.html")
	c.Do("focus", "#filled")
	c.Do("press", "End")
	c.Page("log = []")
	reply := c.Do("keyboard", "type", "x 😀")
	require.Equal(t, "abx 😀", c.Page(content("#filled")))
	require.Equal(t, "keydown x/KeyX\nkeypress x/KeyX\ninput insertText x\nkeyup x/KeyX\n"+
		"keydown  /Space\nkeypress  /Space\ninput insertText  \nkeyup  /Space\n"+
		"keydown 😀/\nkeypress 😀/\ninput insertText 😀\nkeyup 😀/", c.Log())
	require.Equal(t, "x 😀", sessiontest.Decode[object](t, reply.Result.Data)["typed"])
	require.Equal(t, object{"role": "textbox", "name": "Filled"}, sessiontest.Decode[object](t, reply.Result.Data)["to"])
}

// Enter in a text is the key, so that it submits.
func TestKeyboardTypeSubmits(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-keys.html")
	c.Do("focus", "#query")
	reply := c.Do("keyboard", "type", "words\n")
	require.Equal(t, "q=words", c.Page("document.getElementById('query').textContent"))
	require.Contains(t, sessiontest.Told(reply), "the page is now "+site.URL("/echo?q=words"))
}

func TestKeyboardInsertText(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-keys.html")
	for _, id := range []string{"filled", "area", "editable"} {
		c.Do("focus", "#"+id)
		c.Do("press", "End")
		c.Page("log = []")
		reply := c.Do("keyboard", "inserttext", "世界 😀👩‍👧")
		require.Equal(t, "ab世界 😀👩‍👧", c.Page(content("#"+id)))
		require.Equal(t, "input insertText 世界 😀👩‍👧", c.Log(), "no key events")
		require.Equal(t, true, sessiontest.Decode[object](t, reply.Result.Data)["inserted"])
	}
}

func TestKeyboardInsertTextNeedsAField(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-keys.html")
	c.Fails(fault.TargetUnsuitable, "keyboard", "inserttext", "x")
	c.Do("focus", "#button")
	err := c.Fails(fault.TargetUnsuitable, "keyboard", "inserttext", "x")
	require.Contains(t, err.Error(), "No editable element has the focus")
	require.Empty(t, c.Log())
}

func TestFocus(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-places.html")
	for _, id := range []string{"plain", "far", "deep", "box", "wrapped"} {
		reply := c.Do("focus", "#"+id)
		require.Equal(t, id, c.Page("document.activeElement.id"))
		require.Equal(t, object{"focused": "#" + id}, sessiontest.WithoutEffect(t, reply))
		require.Equal(t, true,
			c.Page(`(b => b.top >= 0 && b.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())`),
			"%s is in view", id)
	}
	c.Do("focus", "#inshadow")
	require.Equal(t, "inshadow", c.Page("widget.shadowRoot.activeElement.id"))
	c.Do("focus", "#forlabel")
	require.Equal(t, "forbox", c.Page("document.activeElement.id"), "the control of a label")
}

func TestFocusRefused(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-refused.html")
	for selector, code := range map[string]fault.Code{
		"#none": fault.TargetHidden, "#disabled": fault.TargetDisabled, "#clip": fault.TargetUnsuitable,
		"#nosuch": fault.SelectorNotFound,
	} {
		err := c.Fails(code, "focus", selector)
		require.Contains(t, err.Error(), selector)
		require.Equal(t, "body", c.Page("document.activeElement.localName"))
	}
}
