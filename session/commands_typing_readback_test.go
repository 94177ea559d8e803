package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// What is typed is read back: it is kept, shown otherwise, or lost, and the reply says which.
func TestTypeReadBack(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, page, selector, text string
		read                       string // expression for what the page holds
		want                       string
		says                       string // in the notes
	}{
		{"boxes that go on by themselves", "otp", "#d1", "123456", "log.join()", "code 123456", "the text went into 6 fields"},
		{"fewer boxes than characters", "otp", "#d1", "1234567", "log.join()", "code 123456", `the keys were delivered, and the field shows "123456"`},
		{"a box that takes no letter", "otp", "#d1", "12x456", "d3.value", "4", `the keys were delivered, and the field shows "12456"`},
		{"a card number", "otp", "#card", "4111111111111111", "card.value", "4111 1111 1111 1111", `the field shows it as "4111 1111 1111 1111"`},
		{"a date with a mask", "otp", "#expires", "1229", "expires.value", "12/29", `the field shows it as "12/29"`},
		{"completed while typing", "otp", "#country", "Germ", "country.value", "Germany", `the field shows it as "Germany"`},
		{"characters that are filtered", "otp", "#letters", "abc123", "letters.value", "abc", `the keys were delivered, and the field shows "abc"`},
		{"longer than it may be", "otp", "#expires", "122999", "expires.value", "12/29", `the keys were delivered, and the field shows "12/29"`},
		{"a date in parts", "otp", "#born", "99", "born.value", "", "the keys were delivered, and the field does not show the text"},
		{"a chat", "chat", "#message", "hello\n", "messages.textContent", "hello", ""},
		{"two messages of a chat", "chat", "#message", "one\ntwo", "messages.textContent + message.value", "onetwo", ""},
		{"a chat with rich text", "chat", "#editable", "hello\n", "messages.textContent", "hello", ""},
		{"a field that is created again", "chat", "#fresh", "renewed", "fresh.value", "renewed", ""},
		{"tags", "chat", "#tags", "red", "tags.value", "red", ""},
		{"keys that the page keeps", "chat", "#swallows", "abc", "swallows.value", "", "the keys were delivered, and the field does not show the text"},
		{"shortened afterwards", "chat", "#late", "abcdef", "late.value", "abc", `the keys were delivered, and the field shows "abc"`},
		{"a closed shadow root", "chat", "#closed", "inside", "log.at(-1)", "closed inside", ""},
		{"shortcuts", "chat", "#board", "gi", "log.join()", "board g,board i", "takes no text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := opened(t, "/pages/acting-typing-"+tt.page+".html")
			said := notes(c.do("type", tt.selector, tt.text))
			require.Contains(t, said, tt.says)
			if tt.says == "" {
				require.Empty(t, said)
			}
			require.Equal(t, tt.want, c.page(tt.read))
		})
	}
}

// While a page replaces the field it has taken it out, and the browser says so in the midst of that: what is read then is neither the old field nor
// the new one.
func TestTypeIntoWhatIsReplacedAllTheTime(t *testing.T) {
	t.Parallel()
	c := opened(t, site.write(`<!doctype html><title>Form</title><input id=born type=date aria-label=Born>
<script>
let frames = 0;
function go() {
  if (++frames % 4 === 0) {
    const old = document.getElementById('born'), fresh = old.cloneNode(true), had = document.activeElement === old;
    fresh.value = old.value;
    old.replaceWith(fresh);
    if (had) fresh.focus();
  }
  requestAnimationFrame(go);
}
go();
</script>`))
	require.Contains(t, notes(c.do("type", "#born", "7")), "the keys were delivered, and the field does not show the text")
}

// A calendar that is open takes all keys, and the page gets none.
func TestTypeIntoADateWhosePickerIsOpen(t *testing.T) {
	t.Parallel()
	c := opened(t, site.write(`<!doctype html><title>Form</title><input id=born type=date value=2024-02-29 aria-label=Born>
<script>
const keys = [];
addEventListener('keydown', (event) => keys.push(event.key));
</script>`))
	c.do("focus", "#born")
	c.do("press", "Space")
	require.Equal(t, true, c.page("born.matches(':open')"))
	require.Contains(t, notes(c.do("type", "#born", "7")), "the browser's picker was open on #born")
	require.Equal(t, " ,7", c.page("keys.join()"))
	require.Equal(t, "2024-07-29", c.page("born.value"))
	require.Equal(t, false, c.page("born.matches(':open')"))
}

func TestTypeThatSubmitsWhenFull(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-typing-otp.html")
	c.do("type", "[name=a]", "123")
	require.Equal(t, "a=1&b=2&c=3", c.page("document.getElementById('query').textContent"))
}

func TestTypeWithPausesGoesOnThroughBoxes(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-typing-otp.html")
	c.do("type", "#d1", "654321", "--delay", "5")
	require.Equal(t, "code 654321", c.log())
}

// The field that Enter ends is gone when the text is read back.
func TestTypeIntoWhatEnterEnds(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-typing-chat.html")
	c.do("click", "#rename")
	c.do("keyboard", "type", "New\n")
	require.Equal(t, "renamed New", c.log())
	require.Equal(t, "New", c.page("place.textContent"))
}

// Fields whose content is secret.
func TestTypedSecrets(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-typing-otp.html")
	for _, args := range [][]string{
		{"type", "#password", "hunter2"},
		{"type", "#once", "4711"},
		{"fill", "#password", "hunter2"},
		{"keyboard", "type", "hunter2"},
		{"keyboard", "inserttext", "hunter2"},
	} {
		shown := printedReply(c.try(append([]string{"--json"}, args...)...))
		require.Zero(t, shown.Code, shown.Out)
		require.NotContains(t, shown.Out+shown.Err, args[len(args)-1], "%q", args)
	}
	require.Equal(t, "hunter2hunter2hunter2", c.page("password.value"))
	// The page shows it meanwhile; it stays a password for us.
	c.do("snapshot")
	c.do("click", "#show")
	require.NotContains(t, c.do("snapshot").Result.Text, "hunter2")
	shown := printedReply(c.try("--json", "type", "#password", "x"))
	require.NotContains(t, shown.Out, "hunter2")
	err := c.fails(fault.ValueNotKept, "fill", "#once", "123456")
	require.Contains(t, err.Error(), "it holds 4 characters")
	require.NotContains(t, err.Error(), "1234")
}

// Into the frame that has the focus, in whichever process.
func TestKeyboardInAFrame(t *testing.T) {
	t.Parallel()
	for name, inner := range map[string]string{"same process": site.url("/pages/acting-typing-otp.html"), "other process": site.elsewhere("/pages/acting-typing-otp.html")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, `<h1>Outer</h1><iframe src="`+inner+`" width=700 height=400></iframe>`)
			c.do("focus", c.ref(`textbox "Letters only"`))
			require.Equal(t, object{"role": "textbox", "name": "Letters only"}, c.data("keyboard", "type", "abc")["to"])
			require.Equal(t, object{"role": "textbox", "name": "Letters only"}, c.data("keyboard", "inserttext", "def")["to"])
			require.Contains(t, notes(c.do("keyboard", "type", "123")), `the keys were delivered, and the field shows "abcdef"`)
			require.Equal(t, "abcdef", c.do("get", "value", c.ref(`textbox "Letters only"`)).Result.Text)
		})
	}
}

func TestKeyboardCompose(t *testing.T) {
	t.Parallel()
	c := showing(t, `<input id=f aria-label=Field value=ab><div id=e contenteditable role=textbox aria-label=Rich>ab</div><script>
		for (const type of ['compositionstart', 'compositionupdate', 'compositionend', 'keydown']) addEventListener(type, (e) => log.push(type + ' ' + (e.data ?? e.key + e.keyCode)), true);
	</script>`)
	for _, id := range []string{"f", "e"} {
		c.page("log.length = 0")
		c.do("focus", "#"+id)
		c.do("press", "End")
		c.page("log.length = 0")
		require.Equal(t, true, c.data("keyboard", "compose", "世界")["composed"])
		require.Equal(t, "ab世界", c.page(content("#"+id)))
		require.Equal(t, "keydown Process229\ncompositionstart \ncompositionupdate 世\nkeydown Process229\ncompositionupdate 世界\ncompositionupdate 世界\ncompositionend 世界", c.log())
	}
	c.do("press", "Escape")
	c.page("document.activeElement.blur()")
	c.fails(fault.TargetUnsuitable, "keyboard", "compose", "x")
}

// What got the focus and passed it on has had it; what has no size takes it, and keys with it.
func TestFocusPassedOn(t *testing.T) {
	t.Parallel()
	c := showing(t, `<div id=box tabindex=0>Box</div><input id=inner aria-label=Inner><div id=shy tabindex=0>Shy</div>
		<input id=sizeless aria-label=Sizeless style="width:0;height:0;padding:0;border:0"><div id=plain>Plain</div>
		<input id=gone style="display:none"><input id=unseen style="visibility:hidden"><script>
		box.onfocus = () => { log.push('box'); inner.focus(); };
		shy.onfocus = () => { log.push('shy'); shy.blur(); };
	</script>`)
	require.Contains(t, notes(c.do("focus", "#box")), `#box got the focus and passed it on at once to textbox "Inner"`)
	require.Equal(t, []any{"box", "inner"}, c.page("[log.join(), document.activeElement.id]"))
	c.page("document.activeElement.blur(), log = []")
	c.do("type", "#box", "passed")
	require.Equal(t, "passed", c.page("inner.value"))
	require.Contains(t, notes(c.do("focus", "#shy")), "#shy got the focus and lost it at once; no element has it")
	c.do("focus", "#sizeless")
	require.Equal(t, "sizeless", c.page("document.activeElement.id"))
	c.do("type", "#sizeless", "keys")
	require.Equal(t, "keys", c.page("sizeless.value"))
	for _, id := range []string{"#gone", "#unseen"} {
		c.fails(fault.TargetHidden, "focus", id, "--timeout", "300")
	}
	c.fails(fault.TargetUnsuitable, "focus", "#plain", "--timeout", "300")
}
