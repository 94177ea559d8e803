package forms_test

import (
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// clipboardUse: the browser has one clipboard, which the tests of this file take in turn.
var clipboardUse sync.Mutex

func withClipboard(t *testing.T) *sessiontest.Client {
	t.Helper()
	c := host.Opened(t, "/pages/acting-typing-clipboard.html")
	clipboardUse.Lock()
	t.Cleanup(clipboardUse.Unlock)
	return c
}

func TestClipboardWriteAndRead(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	for _, text := range []string{"plain", "two\nlines", "世界 👩‍👩‍👧 é مرحبا", `quotes "' \`} {
		require.Equal(t, true, c.Data("clipboard", "write", text)["written"])
		reply := c.Do("clipboard", "read")
		require.Equal(t, text, reply.Result.Text)
		require.Equal(t, object{"text": text}, sessiontest.Decode[object](t, reply.Result.Data))
		require.Equal(t, text, c.Do("clipboard").Result.Text)
	}
	require.Empty(t, c.Log(), "the page has not noticed")
	require.Equal(t, "body", c.Page("document.activeElement.localName"))
	require.NotContains(t, sessiontest.PrintedReply(c.Try("--json", "clipboard", "write", "s3cret")).Out, "s3cret")
}

// An insecure page has no navigator.clipboard.
func TestClipboardOnAnInsecurePage(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	c.Do("open", "data:text/html,<title>Insecure</title><input id=f>")
	require.Equal(t, false, c.Page("isSecureContext"))
	c.Do("clipboard", "write", "somewhere")
	require.Equal(t, "somewhere", c.Do("clipboard", "read").Result.Text)
	c.Do("focus", "#f")
	c.Do("clipboard", "paste")
	require.Equal(t, "somewhere", c.Page("f.value"))
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
			c.Page(tt.script)
			require.Equal(t, true, c.Data("clipboard", "copy")["copied"])
			require.Equal(t, "keydown ctrl+Control\nkeydown ctrl+c\n"+tt.events, c.Log(), "as a person does it")
			require.Equal(t, tt.want, c.Do("clipboard", "read").Result.Text)
		})
	}
}

func TestClipboardCopyOfNothing(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	c.Do("clipboard", "write", "kept")
	err := c.Fails(fault.TargetUnsuitable, "clipboard", "copy")
	require.Contains(t, err.Error(), "Nothing is selected in the page")
	c.Do("focus", "#message")
	require.Contains(t, c.Fails(fault.TargetUnsuitable, "clipboard", "copy").Error(),
		`Nothing is selected in textbox "Message"`)
	require.Equal(t, "kept", c.Do("clipboard", "read").Result.Text)
}

// What the buttons of a page copy.
func TestClipboardThatThePageFills(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	c.Do("click", "#modern")
	c.Do("wait", "--fn", "said.value !== ''")
	require.Equal(t, "copied", c.Page("said.value"))
	require.Equal(t, "https://example.test/invite/4711", c.Do("clipboard", "read").Result.Text)
	c.Do("click", "#old")
	require.Equal(t, "true", c.Page("said.value"))
	require.Equal(t, "copied the old way", c.Do("clipboard", "read").Result.Text)
}

func TestClipboardPaste(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	c.Do("clipboard", "write", "one\ntwo")
	c.Do("focus", "#notes")
	data := c.Data("clipboard", "paste")
	require.Equal(t, true, data["pasted"])
	require.Equal(t, object{"role": "textbox", "name": "Notes"}, data["to"])
	require.Equal(t, "one\ntwo", c.Page("notes.value"))
	require.Equal(t, "keydown ctrl+Control\nkeydown ctrl+v\npaste one\ntwo", c.Log())
	c.Do("focus", "#rich")
	c.Do("press", "Control+a")
	c.Do("clipboard", "paste")
	require.Equal(t, "one two", c.Page(`rich.innerText.trim().replace(/\s+/g, " ")`))
	c.Do("focus", "#chip")
	c.Do("clipboard", "write", "a@b.c, d@e.f")
	c.Do("clipboard", "paste")
	require.Equal(t, "a@b.c d@e.f", c.Page("chips.textContent.trim()"), "the page took it")
}

// Pastes that do not end up where they were meant to.
func TestClipboardPasteRefused(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	c.Do("clipboard", "write", "abc")
	err := c.Fails(fault.TargetUnsuitable, "clipboard", "paste")
	require.Contains(t, err.Error(), "No editable element has the focus")
	c.Do("focus", "#modern")
	require.Contains(t, c.Fails(fault.TargetUnsuitable, "clipboard", "paste").Error(), `but button "Copy link"`)
	c.Do("focus", "#nopaste")
	c.Fails(fault.ValueNotKept, "clipboard", "paste")
	require.Empty(t, c.Page("nopaste.value"))
	c.Do("focus", "#digits")
	c.Fails(fault.ValueNotKept, "clipboard", "paste")
	require.Empty(t, c.Page("digits.value"))
}

func TestClipboardInAFrame(t *testing.T) {
	t.Parallel()
	c := withClipboard(t)
	inner := site.Elsewhere(
		site.Write(`<input id=f aria-label=Inner><script>f.oninput = () => top.postMessage(f.value, "*")</script>`))
	c.Do("open",
		site.URL(site.Write(`<script>log = []; onmessage = (e) => log.push(e.data)</script><iframe src="`+inner+
			`"></iframe>`)))
	c.Do("click", c.Ref(`textbox "Inner"`))
	c.Do("clipboard", "write", "across")
	require.Equal(t, object{"role": "textbox", "name": "Inner"}, c.Data("clipboard", "paste")["to"])
	c.Do("wait", "--fn", "log.length > 0")
	require.Equal(t, "across", c.Log())
}
