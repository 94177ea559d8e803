package session_test

import (
	"strings"
	"testing"

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
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := opened(t, "/pages/acting-keys.html")
			c.do(tt.command...)
			require.Equal(t, tt.want, c.page(content(tt.command[1])))
			require.Equal(t, tt.command[1], c.page("'#' + document.activeElement.id"))
		})
	}
}

// The page sees what it sees of a keyboard.
func TestTypeEvents(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-keys.html")
	c.do("type", "#filled", "x Y")
	require.Equal(t, strings.Join([]string{
		"keydown x/KeyX", "keypress x/KeyX", "input insertText x", "keyup x/KeyX",
		"keydown  /Space", "keypress  /Space", "input insertText  ", "keyup  /Space",
		"keydown shift+Y/KeyY", "keypress shift+Y/KeyY", "input insertText Y", "keyup shift+Y/KeyY",
	}, "\n"), c.log())
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
			c := opened(t, "/pages/acting-keys.html")
			c.do("focus", "#empty")
			err := c.fails(tt.code, "type", tt.selector, "text")
			require.Contains(t, err.Error(), tt.says)
			require.Empty(t, c.page(content("#empty")), "the text did not go to the focused field")
			require.Empty(t, c.log())
		})
	}
}

// Keys go to what has the focus, also where no text comes of them; that is said.
func TestTypeWhereNothingIsEdited(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-keys.html")
	reply := c.do("type", "#box", "j")
	require.Equal(t, "keydown j/KeyJ\nkeypress j/KeyJ\nkeyup j/KeyJ", c.log())
	require.Contains(t, notes(reply), "takes no text")
	reply = c.do("type", "#readonly", "j")
	require.Equal(t, "fixed", c.page(content("#readonly")))
	require.Contains(t, notes(reply), "takes no text")
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
		{"enter submits", "#query", []string{"y", "Enter"}, "document.title + location.search", "Echo?q=y"},
		{"enter on a button", "#button", []string{"Enter"}, "log.includes('click button')", true},
		{"space on a button", "#button", []string{" "}, "log.includes('click button')", true},
		{"tab", "#filled", []string{"Tab"}, "document.activeElement.id", "area"},
		{"tab back", "#filled", []string{"Shift+Tab"}, "document.activeElement.id", "empty"},
		{"select all in capitals", "#filled", []string{"Control+A", "x"}, content("#filled"), "x"},
		{"undo", "#filled", []string{"x", "Control+z"}, content("#filled"), "ab"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := opened(t, "/pages/acting-keys.html")
			c.do("focus", tt.focus)
			c.page(`document.activeElement.value && document.activeElement.setSelectionRange(99, 99)`)
			for _, key := range tt.keys {
				reply := c.do("press", key)
				require.True(t, strings.HasPrefix(reply.Result.Text, "✓ Done"))
				require.Equal(t, object{"pressed": key}, withoutEffect(t, reply))
			}
			require.Equal(t, tt.want, c.page(tt.read))
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
		{"Control+Shift+k", "keydown ctrl+Control/ControlLeft\nkeydown ctrl+shift+Shift/ShiftLeft\nkeydown ctrl+shift+K/KeyK\n" +
			"keyup ctrl+shift+K/KeyK\nkeyup ctrl+Shift/ShiftLeft\nkeyup Control/ControlLeft"},
		{"Alt+x", "keydown alt+Alt/AltLeft\nkeydown alt+x/KeyX\nkeyup alt+x/KeyX\nkeyup Alt/AltLeft"},
		{"Meta+p", "keydown meta+Meta/MetaLeft\nkeydown meta+p/KeyP\nkeyup meta+p/KeyP\nkeyup Meta/MetaLeft"},
		{"Shift", "keydown shift+Shift/ShiftLeft\nkeyup Shift/ShiftLeft"},
	}
	for _, tt := range tests {
		t.Run(tt.key, func(t *testing.T) {
			t.Parallel()
			c := opened(t, "/pages/acting-keys.html")
			c.do("focus", "#box")
			c.do("key", tt.key)
			require.Equal(t, tt.want, c.log())
		})
	}
}

func TestPressUnknownKeys(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-keys.html")
	c.do("focus", "#filled")
	for _, key := range []string{"Nonsense", "Control+Nonsense", "Hyper+a", "ab", ""} {
		err := c.fails(fault.Usage, "press", key)
		require.Contains(t, err.Error(), "Unknown key")
		require.Equal(t, key, err.Subject)
	}
	require.Empty(t, c.log())
}

func TestPressInAFrame(t *testing.T) {
	t.Parallel()
	c := showing(t, `<iframe srcdoc="<input id=f value=a>"></iframe>`)
	c.do("click", c.ref("textbox"))
	c.do("press", "End")
	c.do("press", "b")
	require.Equal(t, "ab", c.page("frames[0].document.getElementById('f').value"))
}

func TestKeyboardType(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-keys.html")
	c.do("focus", "#filled")
	c.do("press", "End")
	c.page("log = []")
	reply := c.do("keyboard", "type", "x 😀")
	require.Equal(t, "abx 😀", c.page(content("#filled")))
	require.Equal(t, "keydown x/KeyX\nkeypress x/KeyX\ninput insertText x\nkeyup x/KeyX\n"+
		"keydown  /Space\nkeypress  /Space\ninput insertText  \nkeyup  /Space\n"+
		"keydown 😀/\nkeypress 😀/\ninput insertText 😀\nkeyup 😀/", c.log())
	require.Equal(t, "x 😀", decode[object](t, reply.Result.Data)["typed"])
	require.Equal(t, object{"role": "textbox", "name": "Filled"}, decode[object](t, reply.Result.Data)["to"])
}

// Enter in a text is the key, so that it submits.
func TestKeyboardTypeSubmits(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-keys.html")
	c.do("focus", "#query")
	reply := c.do("keyboard", "type", "words\n")
	require.Equal(t, "q=words", c.page("document.getElementById('query').textContent"))
	require.Contains(t, told(reply), "the page is now "+site.url("/echo?q=words"))
}

func TestKeyboardInsertText(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-keys.html")
	for _, id := range []string{"filled", "area", "editable"} {
		c.do("focus", "#"+id)
		c.do("press", "End")
		c.page("log = []")
		reply := c.do("keyboard", "inserttext", "世界 😀👩‍👧")
		require.Equal(t, "ab世界 😀👩‍👧", c.page(content("#"+id)))
		require.Equal(t, "input insertText 世界 😀👩‍👧", c.log(), "no key events")
		require.Equal(t, true, decode[object](t, reply.Result.Data)["inserted"])
	}
}

func TestKeyboardInsertTextNeedsAField(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-keys.html")
	c.fails(fault.TargetUnsuitable, "keyboard", "inserttext", "x")
	c.do("focus", "#button")
	err := c.fails(fault.TargetUnsuitable, "keyboard", "inserttext", "x")
	require.Contains(t, err.Error(), "No editable element has the focus")
	require.Empty(t, c.log())
}

func TestFocus(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-places.html")
	for _, id := range []string{"plain", "far", "deep", "box", "wrapped"} {
		reply := c.do("focus", "#"+id)
		require.Equal(t, id, c.page("document.activeElement.id"))
		require.Equal(t, object{"focused": "#" + id}, withoutEffect(t, reply))
		require.Equal(t, true, c.page(`(b => b.top >= 0 && b.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())`), "%s is in view", id)
	}
	c.do("focus", "#inshadow")
	require.Equal(t, "inshadow", c.page("widget.shadowRoot.activeElement.id"))
	c.do("focus", "#forlabel")
	require.Equal(t, "forbox", c.page("document.activeElement.id"), "the control of a label")
}

func TestFocusRefused(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-refused.html")
	for selector, code := range map[string]fault.Code{
		"#none": fault.TargetHidden, "#disabled": fault.TargetDisabled, "#clip": fault.TargetUnsuitable, "#nosuch": fault.SelectorNotFound,
	} {
		err := c.fails(code, "focus", selector)
		require.Contains(t, err.Error(), selector)
		require.Equal(t, "body", c.page("document.activeElement.localName"))
	}
}
