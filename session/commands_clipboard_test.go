package session_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// clipboardUse: the browser has one clipboard, which the tests of this file take in turn.
var clipboardUse sync.Mutex

func withClipboard(t *testing.T) *client {
	t.Helper()
	c := opened(t, "/pages/acting-typing-clipboard.html")
	clipboardUse.Lock()
	t.Cleanup(clipboardUse.Unlock)
	return c
}

func TestClipboardWriteAndRead(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	for _, text := range []string{"plain", "two\nlines", "世界 👩‍👩‍👧 é مرحبا", `quotes "' \`} {
		require.Equal(t, true, c.data("clipboard", "write", text)["written"])
		reply := c.do("clipboard", "read")
		require.Equal(t, text, reply.Result.Text)
		require.Equal(t, object{"text": text}, decode[object](t, reply.Result.Data))
		require.Equal(t, text, c.do("clipboard").Result.Text)
	}
	require.Empty(t, c.log(), "the page has not noticed")
	require.Equal(t, "body", c.page("document.activeElement.localName"))
	require.NotContains(t, printedReply(c.try("--json", "clipboard", "write", "s3cret")).Out, "s3cret")
}

// An insecure page has no navigator.clipboard.
func TestClipboardOnAnInsecurePage(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	c.do("open", "data:text/html,<title>Insecure</title><input id=f>")
	require.Equal(t, false, c.page("isSecureContext"))
	c.do("clipboard", "write", "somewhere")
	require.Equal(t, "somewhere", c.do("clipboard", "read").Result.Text)
	c.do("focus", "#f")
	c.do("clipboard", "paste")
	require.Equal(t, "somewhere", c.page("f.value"))
}

func TestClipboardCopy(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script, want, events string }{
		{"selected text", `getSelection().selectAllChildren(link)`, "https://example.test/invite/4711", "copy "},
		{"changed by the page", `getSelection().selectAllChildren(signed)`, "Signed text (from this page)", "copy "},
		{"in a field", `message.value = "one two"; message.focus(); message.setSelectionRange(4, 7)`, "two", "copy "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := withClipboard(t)
			c.page(tt.script)
			require.Equal(t, true, c.data("clipboard", "copy")["copied"])
			require.Equal(t, "keydown ctrl+Control\nkeydown ctrl+c\n"+tt.events, c.log(), "as a person does it")
			require.Equal(t, tt.want, c.do("clipboard", "read").Result.Text)
		})
	}
}

func TestClipboardCopyOfNothing(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	c.do("clipboard", "write", "kept")
	err := c.fails(fault.TargetUnsuitable, "clipboard", "copy")
	require.Contains(t, err.Error(), "Nothing is selected in the page")
	c.do("focus", "#message")
	require.Contains(t, c.fails(fault.TargetUnsuitable, "clipboard", "copy").Error(), `Nothing is selected in textbox "Message"`)
	require.Equal(t, "kept", c.do("clipboard", "read").Result.Text)
}

// What the buttons of a page copy.
func TestClipboardThatThePageFills(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	c.do("click", "#modern")
	c.do("wait", "--fn", "said.value !== ''")
	require.Equal(t, "copied", c.page("said.value"))
	require.Equal(t, "https://example.test/invite/4711", c.do("clipboard", "read").Result.Text)
	c.do("click", "#old")
	require.Equal(t, "true", c.page("said.value"))
	require.Equal(t, "copied the old way", c.do("clipboard", "read").Result.Text)
}

func TestClipboardPaste(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	c.do("clipboard", "write", "one\ntwo")
	c.do("focus", "#notes")
	data := c.data("clipboard", "paste")
	require.Equal(t, true, data["pasted"])
	require.Equal(t, object{"role": "textbox", "name": "Notes"}, data["to"])
	require.Equal(t, "one\ntwo", c.page("notes.value"))
	require.Equal(t, "keydown ctrl+Control\nkeydown ctrl+v\npaste one\ntwo", c.log())
	c.do("focus", "#rich")
	c.do("press", "Control+a")
	c.do("clipboard", "paste")
	require.Equal(t, "one two", c.page(`rich.innerText.trim().replace(/\s+/g, " ")`))
	c.do("focus", "#chip")
	c.do("clipboard", "write", "a@b.c, d@e.f")
	c.do("clipboard", "paste")
	require.Equal(t, "a@b.c d@e.f", c.page("chips.textContent.trim()"), "the page took it")
}

// Pastes that do not end up where they were meant to.
func TestClipboardPasteRefused(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	c.do("clipboard", "write", "abc")
	err := c.fails(fault.TargetUnsuitable, "clipboard", "paste")
	require.Contains(t, err.Error(), "No editable element has the focus")
	c.do("focus", "#modern")
	require.Contains(t, c.fails(fault.TargetUnsuitable, "clipboard", "paste").Error(), `but button "Copy link"`)
	c.do("focus", "#nopaste")
	c.fails(fault.ValueNotKept, "clipboard", "paste")
	require.Empty(t, c.page("nopaste.value"))
	c.do("focus", "#digits")
	c.fails(fault.ValueNotKept, "clipboard", "paste")
	require.Empty(t, c.page("digits.value"))
}

func TestClipboardInAFrame(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	inner := site.elsewhere(site.write(`<input id=f aria-label=Inner><script>f.oninput = () => top.postMessage(f.value, "*")</script>`))
	c.do("open", site.url(site.write(`<script>log = []; onmessage = (e) => log.push(e.data)</script><iframe src="`+inner+`"></iframe>`)))
	c.do("click", c.ref(`textbox "Inner"`))
	c.do("clipboard", "write", "across")
	require.Equal(t, object{"role": "textbox", "name": "Inner"}, c.data("clipboard", "paste")["to"])
	c.do("wait", "--fn", "log.length > 0")
	require.Equal(t, "across", c.log())
}
