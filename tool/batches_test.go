package tool_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/input"
)

const signUp = `<!doctype html><title>Sign up</title><label>Name <input id=name></label><label>Mail <input id=mail></label>
<button onclick="document.title='Sent '+document.querySelector('#name').value;document.body.append('Thank you')">Send</button>
<button onclick="open('about:blank')">Other</button>`

// send runs a call that is written as JSON, as models send them.
func (c *caller) send(params string) *contract.Result {
	c.t.Helper()
	p, err := input.Decode(json.RawMessage(params))
	require.NoError(c.t, err)
	return c.call(p)
}

// Steps after one that failed count on it.
func TestBatchStopsAtAFailure(t *testing.T) {
	t.Parallel()
	t.Run("as a job does", func(t *testing.T) {
		t.Parallel()
		c := showing(t, signUp)
		r := c.try("batch", "fill #none Ann --timeout 100", "find role button click --name Send", "get title")
		require.True(t, r.IsError)
		require.Contains(t, textOf(r), "Batch failed: 0/3 succeeded")
		require.Contains(t, textOf(r), "(2 later steps did not run)")
		require.Equal(t, "Sign up", textOf(c.do("get", "title")))
	})
	t.Run("unless it is told to go on", func(t *testing.T) {
		t.Parallel()
		c := showing(t, signUp)
		r := c.try("batch", "--bail=false", "fill #none Ann --timeout 100", "find role button click --name Send")
		require.True(t, r.IsError)
		require.Equal(t, "Sent", textOf(c.do("get", "title")))
		r = c.send(
			`{"job":{"failFast":false,"steps":[{"action":"click","selector":"#none"},{"action":"fill","selector":"#name","text":"Ann"},{"action":"click","locator":"text","value":"Send"}]}}`)
		require.True(t, r.IsError)
		require.Equal(t, "Sent Ann", textOf(c.do("get", "title")))
	})
	t.Run("and runs nothing with a step that cannot be read", func(t *testing.T) {
		t.Parallel()
		c := showing(t, signUp)
		for name, step := range map[string]string{
			"unknown command": "press-button Send",
			"unknown flag":    "click #name --hard", "too few words": "fill",
		} {
			r := c.try("batch", "fill #name "+"Ann", "find role button click --name Send", step)
			require.True(t, r.IsError, name)
			require.Contains(t, textOf(r), "Command 3: ", name)
			require.Contains(t, textOf(r), "No command was run", name)
			require.Equal(t, contract.ValidationError, r.Details.FailureCategory, name)
		}
		require.Equal(t, "Sign up", textOf(c.do("get", "title")))
		require.Equal(t, "(empty value)", textOf(c.do("get", "value", "#name")))
	})
}

// Steps that are arrays need no quotes.
func TestBatchOfArrays(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"among the words":       `{"args":["batch",["fill","#name","Ann \"O'Neil\" \\ & Co"],["find","role","button","click","--name","Send"]]}`,
		"beside lines":          `{"args":["batch","--bail",["fill","#name","Ann \"O'Neil\" \\ & Co"],"find role button click --name Send"]}`,
		"on standard input":     `{"args":["batch"],"stdin":[["fill","#name","Ann \"O'Neil\" \\ & Co"],["find","role","button","click","--name","Send"]]}`,
		"as text, as ever":      `{"args":["batch"],"stdin":"[[\"fill\",\"#name\",\"Ann \\\"O'Neil\\\" \\\\ & Co\"],[\"find\",\"role\",\"button\",\"click\",\"--name\",\"Send\"]]"}`,
		"behind global options": `{"args":["--timeout","5000","batch",["fill","#name","Ann \"O'Neil\" \\ & Co"],["find","role","button","click","--name","Send"]]}`,
	}
	for name, params := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, signUp)
			r := c.send(params)
			require.False(t, r.IsError, textOf(r))
			require.Equal(t, `Sent Ann "O'Neil" \ & Co`, textOf(c.do("get", "title")))
		})
	}
	t.Run("only a batch has steps", func(t *testing.T) {
		t.Parallel()
		_, err := input.Decode(json.RawMessage(`{"args":["click",["@e1"]]}`))
		require.ErrorContains(t, err, "args must be an array of strings")
	})
}

// The observation of a batch is that of its last step.
func TestBatchObserved(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"of lines":                  `{"args":["batch","fill #name Ann","find role button click --name Send"],"observe":true}`,
		"of arrays":                 `{"args":["batch",["fill","#name","Ann"],["find","role","button","click","--name","Send"]],"observe":true}`,
		"on standard input":         `{"args":["batch"],"stdin":"[[\"fill\",\"#name\",\"Ann\"],[\"find\",\"role\",\"button\",\"click\",\"--name\",\"Send\"]]","observe":true}`,
		"of a job":                  `{"job":{"steps":[{"action":"fill","selector":"#name","text":"Ann"},{"action":"click","locator":"text","value":"Send"}]},"observe":true}`,
		"that reads after it acted": `{"args":["batch","fill #name Ann","find role button click --name Send","get title"],"observe":true}`,
	}
	for name, params := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, signUp)
			c.do("snapshot")
			r := c.send(params)
			require.False(t, r.IsError, textOf(r))
			require.Contains(t, textOf(r), `"Thank you"`)
			require.Equal(t, "Sent Ann", textOf(c.do("get", "title")))
		})
	}
}

// Each action of a job does on a page what its name says.
func TestJobActions(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><title>Order</title><h1>Order 7</h1><label><input type=checkbox id=gift> Gift</label><label><input type=checkbox id=news checked> News</label>
		<label>Name <input id=name onkeydown="event.key == 'Enter' && setTimeout(() => document.body.append('Saved '))"></label><input type=file id=file multiple aria-label=Papers>
		<button onmouseenter="document.body.append('Tip ')">Help</button><a href="/terms">Terms</a>`
	file := filepath.Join(t.TempDir(), "a b.txt")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	word, err := json.Marshal(file)
	require.NoError(t, err)
	c := showing(t, page)
	r := c.send(
		`{"job":{"steps":[{"action":"check","locator":"label","value":"Gift"},{"action":"uncheck","selector":"#news"},{"action":"hover","locator":"role","role":"button","name":"Help"},
		{"action":"upload","selector":"#file","path":` + string(word) +
			`},{"action":"press","key":"Enter","selector":"#name"},{"action":"waitForText","text":"Saved","milliseconds":5000},
		{"action":"get","selector":"h1"},{"action":"get","value":"attr","selector":"a","name":"href"},{"action":"get","value":"title"},{"action":"read"}]}}`)
	require.False(t, r.IsError, textOf(r))
	for _, want := range []string{"Order 7", "/terms", "# Order 7"} {
		require.Contains(t, textOf(r), want)
	}
	require.Equal(t, "true false a b.txt true true",
		textOf(c.do("eval",
			"`${gift.checked} ${news.checked} ${document.getElementById('file').files[0].name} "+
				"${document.body.textContent.includes('Saved')} ${document.body.textContent.includes('Tip')}`")))
}
