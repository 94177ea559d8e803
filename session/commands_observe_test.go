package session_test

import (
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
	data := decode[struct {
		Clicked  string
		Observed struct{ Snapshot string }
	}](t, reply.Result.Data)
	require.Equal(t, button, data.Clicked)
	require.Contains(t, data.Observed.Snapshot, `button "Undo"`)
	require.Equal(t, "Undo", c.page(`document.querySelector('button:last-child').textContent`))
}
