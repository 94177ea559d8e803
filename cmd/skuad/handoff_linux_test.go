package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A handoff whose host is killed is over: its address answers no more, and who waits for the person learns that.
func TestHandoffOfAKilledHost(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.works(t, "open", "data:text/html,<title>Code</title><input>")
	none := u.call(t, "handoff", "wait")
	require.Equal(t, 1, none.Code, none)
	u.works(t, "handoff", "Enter the code", "--detach")
	u.killHost(t)
	for _, line := range [][]string{{"handoff", "status"}, {"handoff", "wait"}} {
		got := u.call(t, line...)
		require.Equal(t, 1, got.Code, got)
		require.Contains(t, got.Out,
			"The handoff was canceled: the host that showed the page has ended, and what the person did is not known")
	}
	require.Contains(t, u.call(t, "handoff", "Enter it again", "--detach").Out, "Waiting for a person: Enter it again")
	require.Contains(t, u.works(t, "handoff", "status"), "Enter it again")
}
