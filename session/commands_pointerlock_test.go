package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The headless shell tells a page that has locked the pointer of moves without an end, until neither of them has time for anything else.
func TestPointerLockIsGivenUp(t *testing.T) {
	t.Parallel()
	c := showing(t, `<button id=lock onclick="document.body.requestPointerLock().then(() => log.push('locked'))">Aim</button>
		<script>log = []; document.onpointerlockchange = () => { if (!document.pointerLockElement) log.push("free") }</script>`)
	var said string
	for _, line := range [][]string{
		{"click", "#lock"},
		{"wait", "--fn", `log.includes("locked") && log.includes("free")`},
		{"eval", `document.pointerLockElement === null || log.push("held")`},
		{"get", "title"},
	} {
		reply := c.do(line...)
		said += reply.Result.Text + notes(reply)
	}
	require.Contains(t, said, "pointer lock, given up at once")
	require.NotContains(t, c.log(), "held")
}
