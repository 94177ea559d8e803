package look_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sessiontest"
	"github.com/skua-browser/skua/session"
)

// replyData is the data of what a command prints with --json.
func replyData(t *testing.T, reply session.Reply) (data object) {
	t.Helper()
	var printed struct{ Data object }
	require.NoError(t, json.Unmarshal([]byte(sessiontest.PrintedReply(reply).Out), &printed))
	return printed.Data
}

// In JSON a snapshot has its printed form and the states of what refs stand for; with --short not the longer form, and
// nothing of a browser that was there.
func TestSnapshotShort(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, `<title>Shop</title><h1>Tea</h1><input aria-label=Name value=Ada required>
		<button aria-pressed=false onclick="this.ariaPressed = true; note.hidden = false">Like</button>
		<p id=note hidden>Thanks`)
	printed := c.Do("snapshot", "-i").Result.Text
	long := replyData(t, c.Do("--json", "snapshot", "-i", "--boxes"))
	require.Contains(t, long, "snapshot")
	require.Contains(t, long, "lifecycle")
	short := replyData(t, c.Do("--json", "--short", "snapshot", "-i"))
	require.Equal(t, printed, short["text"])
	require.NotContains(t, short, "snapshot")
	require.NotContains(t, short, "lifecycle")
	refs, _ := short["refs"].(object)
	require.Equal(t, object{
		"e1": object{"role": "heading", "name": "Tea", "level": 1.0},
		"e2": object{"role": "textbox", "name": "Name", "value": "Ada", "required": true},
		"e3": object{"role": "button", "name": "Like", "pressed": "false"},
	}, refs)
	boxed, _ := long["refs"].(object)
	require.Contains(t, boxed["e3"], "box")

	clicked := c.Do("--json", "--short", "click", "@e3", "--observe")
	data := replyData(t, clicked)
	require.Equal(t, clicked.Result.Text, data["text"])
	require.Contains(t, data["text"], "Thanks")
	observed, _ := data["observed"].(object)
	require.Contains(t, observed["text"], "pressed=true")
	require.Equal(t, object{"kind": "delta", "baseRevision": 3.0, "revision": 4.0}, observed["snapshot"])

	noted := replyData(t, c.Do("--json", "--short", "get", "attr", "h1", "nothing"))
	require.Equal(t, []any{`h1 has no attribute "nothing"`}, noted["notices"])
	require.NotContains(t, noted, "text")
}

// --max-chars is the limit of --max-tokens in characters.
func TestSnapshotMaxChars(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<script>for (let i = 0; i < 300; i++) document.write("<button>Button " + i + "</button>")</script>`)
	whole := c.Do("snapshot", "-i", "--max-chars", "0").Result.Text
	require.Less(t, len(c.Do("snapshot", "-i", "--max-chars", "1000").Result.Text), len(whole)/2)
	c.Failed(c.Try("snapshot", "--max-chars", "1", "--max-tokens", "1"), fault.Usage)
	c.Failed(c.Try("snapshot", "--max-chars", "-1"), fault.Usage)
}

// With --call the script is a function, which gets the values as they are.
func TestEvalCall(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "")
	require.Equal(t, "3", c.Do("eval", "(a, {b}) => a + b; ", "--call", `[1, {"b": 2}]`).Result.Text)
	require.Equal(t, `"__proto__"`, c.Do("eval", "o => Object.keys(o).join()", "--call", `[{"__proto__": 1}]`).Result.Text)
	require.Equal(t, "4", c.Do("eval", "async function () { return 4 } // the end", "--call", `[]`).Result.Text)
	c.Failed(c.Try("eval", "a => a", "--call", "1"), fault.Usage)
	c.Failed(c.Try("eval", "1 + 1", "--call", "[]"), fault.EvalFailed)
}
