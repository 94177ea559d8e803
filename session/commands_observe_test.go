package session_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// With --observe an action shows what it changed, as a snapshot would, in the same call.
func TestObserve(t *testing.T) {
	t.Parallel()
	c := showing(t, `<button onclick="document.body.insertAdjacentHTML('beforeend', '<button>Undo</button>')">Delete</button>`)
	button := c.ref(`button "Delete"`)
	reply := c.do("click", button, "--observe")
	require.Contains(t, reply.Result.Text, `+ button "Undo" [ref=`)
	require.Contains(t, encoded(t, decode[object](t, reply.Result.Data)["observed"]), `"name":"Undo"`)
	require.Equal(t, "Undo", c.page(`document.querySelector('button:last-child').textContent`))
}

// What an action led to is shown whole, without a word on that: the reply says that it is another page.
func TestObserveAnotherPage(t *testing.T) {
	t.Parallel()
	there := site.url(site.write(`<title>There</title><button>Go</button>`))
	c := showing(t, `<a href="`+there+`">Leave</a>`)
	link := c.ref(`link "Leave"`)
	for _, words := range [][]string{{"click", link}, {"back"}, {"open", there}} {
		text := c.do(append(words, "--observe")...).Result.Text
		require.Regexp(t, `\n- (button "Go"|link "Leave") \[.*ref=e\d+\]$`, text, words)
	}
}

func encoded(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}
