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

func encoded(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}
