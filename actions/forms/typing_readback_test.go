package forms_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

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
		{
			"boxes that go on by themselves", "otp", "#d1", "123456", "log.join()", "code 123456",
			"the text went into 6 fields",
		},
		{
			"fewer boxes than characters", "otp", "#d1", "1234567", "log.join()", "code 123456",
			`the keys were delivered, and the field shows "123456"`,
		},
		{
			"a box that takes no letter", "otp", "#d1", "12x456", "d3.value", "4",
			`the keys were delivered, and the field shows "12456"`,
		},
		{
			"a card number", "otp", "#card", "4111111111111111", "card.value", "4111 1111 1111 1111",
			`the field shows it as "4111 1111 1111 1111"`,
		},
		{"a date with a mask", "otp", "#expires", "1229", "expires.value", "12/29", `the field shows it as "12/29"`},
		{"completed while typing", "otp", "#country", "Germ", "country.value", "Germany", `the field shows it as "Germany"`},
		{
			"characters that are filtered", "otp", "#letters", "abc123", "letters.value", "abc",
			`the keys were delivered, and the field shows "abc"`,
		},
		{
			"longer than it may be", "otp", "#expires", "122999", "expires.value", "12/29",
			`the keys were delivered, and the field shows "12/29"`,
		},
		{
			"a date in parts", "otp", "#born", "99", "born.value", "",
			"the keys were delivered, and the field does not show the text",
		},
		{"a chat", "chat", "#message", "hello\n", "messages.textContent", "hello", ""},
		{"two messages of a chat", "chat", "#message", "one\ntwo", "messages.textContent + message.value", "onetwo", ""},
		{"a chat with rich text", "chat", "#editable", "hello\n", "messages.textContent", "hello", ""},
		{"a field that is created again", "chat", "#fresh", "renewed", "fresh.value", "renewed", ""},
		{"tags", "chat", "#tags", "red", "tags.value", "red", ""},
		{
			"keys that the page keeps", "chat", "#swallows", "abc", "swallows.value", "",
			"the keys were delivered, and the field does not show the text",
		},
		{
			"shortened afterwards", "chat", "#late", "abcdef", "late.value", "abc",
			`the keys were delivered, and the field shows "abc"`,
		},
		{"a closed shadow root", "chat", "#closed", "inside", "log.at(-1)", "closed inside", ""},
		{"shortcuts", "chat", "#board", "gi", "log.join()", "board g,board i", "takes no text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-typing-"+tt.page+".html")
			said := sessiontest.Notes(c.Do("type", tt.selector, tt.text))
			require.Contains(t, said, tt.says)
			if tt.says == "" {
				require.Empty(t, said)
			}
			require.Equal(t, tt.want, c.Page(tt.read))
		})
	}
}

// While a page replaces the field it has taken it out, and the browser says so in the midst of that: what is read then
// is neither the old field nor the new one.
func TestTypeIntoWhatIsReplacedAllTheTime(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, site.Write(`<!doctype html><title>Form</title><input id=born type=date aria-label=Born>
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
	require.Contains(t, sessiontest.Notes(c.Do("type", "#born", "7")),
		"the keys were delivered, and the field does not show the text")
}

// A calendar that is open takes all keys, and the page gets none.
func TestTypeIntoADateWhosePickerIsOpen(t *testing.T) {
	t.Parallel()
	c := host.Opened(t,
		site.Write(`<!doctype html><title>Form</title><input id=born type=date value=2024-02-29 aria-label=Born>
<script>
const keys = [];
addEventListener('keydown', (event) => keys.push(event.key));
</script>`))
	c.Do("focus", "#born")
	c.Do("press", "Space")
	require.Equal(t, true, c.Page("born.matches(':open')"))
	require.Contains(t, sessiontest.Notes(c.Do("type", "#born", "7")), "the browser's picker was open on #born")
	require.Equal(t, " ,7", c.Page("keys.join()"))
	require.Equal(t, "2024-07-29", c.Page("born.value"))
	require.Equal(t, false, c.Page("born.matches(':open')"))
}

func TestTypeThatSubmitsWhenFull(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-otp.html")
	c.Do("type", "[name=a]", "123")
	require.Equal(t, "a=1&b=2&c=3", c.Page("document.getElementById('query').textContent"))
}

func TestTypeWithPausesGoesOnThroughBoxes(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-otp.html")
	c.Do("type", "#d1", "654321", "--delay", "5")
	require.Equal(t, "code 654321", c.Log())
}

// The field that Enter ends is gone when the text is read back.
func TestTypeIntoWhatEnterEnds(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-chat.html")
	c.Do("click", "#rename")
	c.Do("keyboard", "type", "New\n")
	require.Equal(t, "renamed New", c.Log())
	require.Equal(t, "New", c.Page("place.textContent"))
}

// Fields whose content is secret.
func TestTypedSecrets(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-otp.html")
	for _, args := range [][]string{
		{"type", "#password", "hunter2"},
		{"type", "#once", "4711"},
		{"fill", "#password", "hunter2"},
		{"keyboard", "type", "hunter2"},
		{"keyboard", "inserttext", "hunter2"},
	} {
		shown := sessiontest.PrintedReply(c.Try(append([]string{"--json"}, args...)...))
		require.Zero(t, shown.Code, shown.Out)
		require.NotContains(t, shown.Out+shown.Err, args[len(args)-1], "%q", args)
	}
	require.Equal(t, "hunter2hunter2hunter2", c.Page("password.value"))
	// The page shows it meanwhile; it stays a password for us.
	c.Do("snapshot")
	c.Do("click", "#show")
	require.NotContains(t, c.Do("snapshot").Result.Text, "hunter2")
	shown := sessiontest.PrintedReply(c.Try("--json", "type", "#password", "x"))
	require.NotContains(t, shown.Out, "hunter2")
	err := c.Fails(fault.ValueNotKept, "fill", "#once", "123456")
	require.Contains(t, err.Error(), "it holds 4 characters")
	require.NotContains(t, err.Error(), "1234")
}

// Into the frame that has the focus, in whichever process.
func TestKeyboardInAFrame(t *testing.T) {
	t.Parallel()
	for name, inner := range map[string]string{
		"same process":  site.URL("/pages/acting-typing-otp.html"),
		"other process": site.Elsewhere("/pages/acting-typing-otp.html"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<h1>Outer</h1><iframe src="`+inner+`" width=700 height=400></iframe>`)
			c.Do("focus", c.Ref(`textbox "Letters only"`))
			require.Equal(t, object{"role": "textbox", "name": "Letters only"}, c.Data("keyboard", "type", "abc")["to"])
			require.Equal(t, object{"role": "textbox", "name": "Letters only"}, c.Data("keyboard", "inserttext", "def")["to"])
			require.Contains(t, sessiontest.Notes(c.Do("keyboard", "type", "123")),
				`the keys were delivered, and the field shows "abcdef"`)
			require.Equal(t, "abcdef", c.Do("get", "value", c.Ref(`textbox "Letters only"`)).Result.Text)
		})
	}
}

func TestKeyboardCompose(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<input id=f aria-label=Field value=ab><div id=e contenteditable role=textbox aria-label=Rich>ab</div><script>
		for (const type of ['compositionstart', 'compositionupdate', 'compositionend', 'keydown']) addEventListener(type, (e) => log.push(type + ' ' + (e.data ?? e.key + e.keyCode)), true);
	</script>`)
	for _, id := range []string{"f", "e"} {
		c.Page("log.length = 0")
		c.Do("focus", "#"+id)
		c.Do("press", "End")
		c.Page("log.length = 0")
		require.Equal(t, true, c.Data("keyboard", "compose", "世界")["composed"])
		require.Equal(t, "ab世界", c.Page(content("#"+id)))
		require.Equal(t,
			"keydown Process229\ncompositionstart \ncompositionupdate 世\nkeydown Process229\ncompositionupdate "+
				"世界\ncompositionupdate 世界\ncompositionend 世界", c.Log())
	}
	c.Do("press", "Escape")
	c.Page("document.activeElement.blur()")
	c.Fails(fault.TargetUnsuitable, "keyboard", "compose", "x")
}

// What got the focus and passed it on has had it; what has no size takes it, and keys with it.
func TestFocusPassedOn(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<div id=box tabindex=0>Box</div><input id=inner aria-label=Inner><div id=shy tabindex=0>Shy</div>
		<input id=sizeless aria-label=Sizeless style="width:0;height:0;padding:0;border:0"><div id=plain>Plain</div>
		<input id=gone style="display:none"><input id=unseen style="visibility:hidden"><script>
		box.onfocus = () => { log.push('box'); inner.focus(); };
		shy.onfocus = () => { log.push('shy'); shy.blur(); };
	</script>`)
	require.Contains(t, sessiontest.Notes(c.Do("focus", "#box")),
		`#box got the focus and passed it on at once to textbox "Inner"`)
	require.Equal(t, []any{"box", "inner"}, c.Page("[log.join(), document.activeElement.id]"))
	c.Page("document.activeElement.blur(), log = []")
	c.Do("type", "#box", "passed")
	require.Equal(t, "passed", c.Page("inner.value"))
	require.Contains(t, sessiontest.Notes(c.Do("focus", "#shy")),
		"#shy got the focus and lost it at once; no element has it")
	c.Do("focus", "#sizeless")
	require.Equal(t, "sizeless", c.Page("document.activeElement.id"))
	c.Do("type", "#sizeless", "keys")
	require.Equal(t, "keys", c.Page("sizeless.value"))
	for _, id := range []string{"#gone", "#unseen"} {
		c.Fails(fault.TargetHidden, "focus", id, "--timeout", "300")
	}
	c.Fails(fault.TargetUnsuitable, "focus", "#plain", "--timeout", "300")
}
