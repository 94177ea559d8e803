package input_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/internal/fault"
)

// keyPage notes every key event and every text that comes into its field: down:key/code/modifiers, up:…, in:text.
const keyPage = `<title>Keys</title><textarea autofocus></textarea><script>
	let seen = [];
	const mods = e => (e.ctrlKey ? "C" : "") + (e.shiftKey ? "S" : "") + (e.altKey ? "A" : "") + (e.metaKey ? "M" : "");
	for (const type of ["keydown", "keyup"])
		document.addEventListener(type, e => { seen.push([type.slice(3) + ":" + e.key, e.code, mods(e)].join("/")); if (e.ctrlKey || e.metaKey || e.altKey || /^F\d/.test(e.key)) e.preventDefault() });
	document.addEventListener("input", e => seen.push("in:" + (e.data ?? e.inputType)));
	const take = () => { const s = seen; seen = []; return s };
</script>`

// pressed sends strokes and returns what the page saw.
func pressed(t *testing.T, p *engine.Page, strokes ...input.Stroke) []string {
	t.Helper()
	require.NoError(t, input.PressKeys(timed(t, limit), p, strokes))
	var seen []string
	require.NoError(t, json.Unmarshal([]byte(eval(t, p, "take()")), &seen))
	return seen
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, keyPage)
	eval(t, p, `document.querySelector("textarea").focus()`)
	for _, tc := range []struct{ spec, want string }{
		{"a", "down:a/KeyA/ in:a up:a/KeyA/"},
		{"A", "down:A/KeyA/S in:A up:A/KeyA/S"},
		{"7", "down:7/Digit7/ in:7 up:7/Digit7/"},
		{"!", "down:!/Digit1/S in:! up:!/Digit1/S"},
		{"é", "down:é// in:é up:é//"},
		{"€", "down:€// in:€ up:€//"},
		{" ", "down: /Space/ in:  up: /Space/"},
		{"Space", "down: /Space/ in:  up: /Space/"},
		{"+", "down:+/Equal/S in:+ up:+/Equal/S"},
		{"plus", "down:+/Equal/S in:+ up:+/Equal/S"},
		{"Enter", "down:Enter/Enter/ in:insertLineBreak up:Enter/Enter/"},
		{"return", "down:Enter/Enter/ in:insertLineBreak up:Enter/Enter/"},
		{"ENTER", "down:Enter/Enter/ in:insertLineBreak up:Enter/Enter/"},
		{"Backspace", "down:Backspace/Backspace/ in:deleteContentBackward up:Backspace/Backspace/"},
		{"Escape", "down:Escape/Escape/ up:Escape/Escape/"},
		{"esc", "down:Escape/Escape/ up:Escape/Escape/"},
		{"ArrowLeft", "down:ArrowLeft/ArrowLeft/ up:ArrowLeft/ArrowLeft/"},
		{"left", "down:ArrowLeft/ArrowLeft/ up:ArrowLeft/ArrowLeft/"},
		{"del", "down:Delete/Delete/ in:deleteContentForward up:Delete/Delete/"},
		{"pgdn", "down:PageDown/PageDown/ up:PageDown/PageDown/"},
		{"Home", "down:Home/Home/ up:Home/Home/"},
		{"End", "down:End/End/ up:End/End/"},
		{"F5", "down:F5/F5/ up:F5/F5/"},
		{"F12", "down:F12/F12/ up:F12/F12/"},
		{"Shift", "down:Shift/ShiftLeft/S up:Shift/ShiftLeft/"},
		{"Control+a", "down:Control/ControlLeft/C down:a/KeyA/C up:a/KeyA/C up:Control/ControlLeft/"},
		{"ctrl+a", "down:Control/ControlLeft/C down:a/KeyA/C up:a/KeyA/C up:Control/ControlLeft/"},
		{"Cmd+k", "down:Meta/MetaLeft/M down:k/KeyK/M up:k/KeyK/M up:Meta/MetaLeft/"},
		{"Option+x", "down:Alt/AltLeft/A down:x/KeyX/A up:x/KeyX/A up:Alt/AltLeft/"},
		{"Shift+a", "down:Shift/ShiftLeft/S down:A/KeyA/S in:A up:A/KeyA/S up:Shift/ShiftLeft/"},
		{"Shift+A", "down:Shift/ShiftLeft/S down:A/KeyA/S in:A up:A/KeyA/S up:Shift/ShiftLeft/"},
		{"Shift+1", "down:Shift/ShiftLeft/S down:!/Digit1/S in:! up:!/Digit1/S up:Shift/ShiftLeft/"},
		{"Shift+Enter", "down:Shift/ShiftLeft/S down:Enter/Enter/S in:insertLineBreak up:Enter/Enter/S up:Shift/ShiftLeft/"},
		{
			"Shift+ArrowRight",
			"down:Shift/ShiftLeft/S down:ArrowRight/ArrowRight/S up:ArrowRight/ArrowRight/S up:Shift/ShiftLeft/",
		},
		{
			"Control+Shift+K",
			"down:Control/ControlLeft/C down:Shift/ShiftLeft/CS down:K/KeyK/CS up:K/KeyK/CS up:Shift/ShiftLeft/C " +
				"up:Control/ControlLeft/",
		},
		{
			"Shift+Control+k",
			"down:Control/ControlLeft/C down:Shift/ShiftLeft/CS down:K/KeyK/CS up:K/KeyK/CS up:Shift/ShiftLeft/C " +
				"up:Control/ControlLeft/",
		},
		{
			"Control++",
			"down:Control/ControlLeft/C down:Shift/ShiftLeft/CS down:+/Equal/CS up:+/Equal/CS up:Shift/ShiftLeft/C " +
				"up:Control/ControlLeft/",
		},
		{
			"Alt+Meta+F4",
			"down:Alt/AltLeft/A down:Meta/MetaLeft/AM down:F4/F4/AM up:F4/F4/AM up:Meta/MetaLeft/A up:Alt/AltLeft/",
		},
	} {
		t.Run(tc.spec, func(t *testing.T) {
			stroke, err := input.ParseKey(tc.spec)
			require.NoError(t, err)
			require.Equal(t, tc.want, strings.Join(pressed(t, p, stroke), " "))
		})
	}
}

func TestParseKeyFails(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ spec, unknown string }{
		{"", ""},
		{"Nonsense", "Nonsense"},
		{"Control+Nonsense", "Nonsense"},
		{"Hyper+a", "Hyper"},
		{"ab", "ab"},
		{"Control+ab", "ab"},
		{"a+b", "a"},
		{"Control+", "Control+"},
		{"F99", "F99"},
	} {
		_, err := input.ParseKey(tc.spec)
		require.Equal(t, fault.Usage, fault.CodeOf(err), tc.spec)
		require.ErrorContains(t, err, `Unknown key "`+tc.unknown+`" in "`+tc.spec+`".`)
		require.ErrorContains(t, err, "such as Enter")
	}
}

// A key may be held while others are pressed.
func TestHalfStrokes(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, keyPage)
	eval(t, p, `document.querySelector("textarea").focus()`)
	key := func(spec string) input.Stroke {
		s, err := input.ParseKey(spec)
		require.NoError(t, err)
		return s
	}
	require.Equal(t, []string{"down:x/KeyX/", "in:x"}, pressed(t, p, key("x").Half("down")))
	require.Equal(t, []string{"up:x/KeyX/"}, pressed(t, p, key("x").Half("up")))
}

// Characters are typed by the keys of the US layout where it has them, and come in order however many they are.
func TestCharStroke(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, keyPage)
	eval(t, p, `document.querySelector("textarea").focus()`)
	text := strings.Repeat("Hello, World! äöü 日本 🙂\n\t~|\\\"'", 20)
	text = strings.ReplaceAll(text, "\t", "") // it would leave the field
	var strokes []input.Stroke
	for _, r := range text {
		strokes = append(strokes, input.CharStroke(r))
	}
	require.NoError(t, input.PressKeys(timed(t, limit), p, strokes))
	var value string
	require.NoError(t, json.Unmarshal([]byte(eval(t, p, `document.querySelector("textarea").value`)), &value))
	require.Equal(t, text, value)
	eval(t, p, "take()")

	eval(t, p, `document.querySelector("textarea").select()`)
	require.Equal(t, []string{"down:Delete/Delete/", "in:deleteContentForward", "up:Delete/Delete/"},
		pressed(t, p, input.DeleteStroke()))
	require.NoError(t, input.InsertText(timed(t, limit), p, text))
	require.NoError(t, json.Unmarshal([]byte(eval(t, p, `document.querySelector("textarea").value`)), &value))
	require.Equal(t, text, value)
}

func TestClick(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t,
		`<title>Clicks</title><style>body { margin: 0 }</style><div style="width: 100px; height: 100px"></div><script>
		let seen = [];
		for (const type of ["mousemove", "mousedown", "mouseup", "click", "dblclick", "contextmenu", "auxclick"])
			document.addEventListener(type, e => { seen.push([type, e.clientX, e.clientY, e.button, e.detail, e.isTrusted, e.altKey].join()); e.preventDefault() });
		const take = () => { const s = seen.join(" "); seen = []; return s };
	</script>`)
	for _, tc := range []struct {
		name string
		o    input.ClickOptions
		want string
	}{
		{
			"click",
			input.ClickOptions{},
			"mousedown,10,20,0,1,true,false mouseup,10,20,0,1,true,false click,10,20,0,1,true,false",
		},
		{
			"double",
			input.ClickOptions{Count: 2},
			"mousedown,10,20,0,1,true,false mouseup,10,20,0,1,true,false click,10,20,0,1,true,false " +
				"mousedown,10,20,0,2,true,false mouseup,10,20,0,2,true,false click,10,20,0,2,true,false " +
				"dblclick,10,20,0,2,true,false",
		},
		{
			"right",
			input.ClickOptions{Button: "right"},
			"mousedown,10,20,2,1,true,false contextmenu,10,20,2,0,true,false mouseup,10,20,2,1,true,false " +
				"auxclick,10,20,2,1,true,false",
		},
		{
			"middle",
			input.ClickOptions{Button: "middle"},
			"mousedown,10,20,1,1,true,false mouseup,10,20,1,1,true,false auxclick,10,20,1,1,true,false",
		},
		{
			"with Alt",
			input.ClickOptions{Modifiers: input.Alt},
			"mousedown,10,20,0,1,true,true mouseup,10,20,0,1,true,true click,10,20,0,1,true,true",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			// elsewhere, so that two clicks do not become a double click
			require.NoError(t, input.Hover(timed(t, limit), p, engine.Point{X: 1, Y: 1}))
			eval(t, p, "take()")
			require.NoError(t, input.Click(timed(t, limit), p, engine.Point{X: 10, Y: 20}, tc.o))
			var seen string
			require.NoError(t, json.Unmarshal([]byte(eval(t, p, "take()")), &seen))
			moved, rest, _ := strings.Cut(seen, " ")
			require.Contains(t, moved, "mousemove,10,20,0,0,true")
			require.Equal(t, tc.want, rest)
		})
	}
}
