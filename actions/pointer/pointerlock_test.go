package pointer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// The headless shell tells a page that has locked the pointer of moves without an end, until neither of them has time
// for anything else.
func TestPointerLockIsGivenUp(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<button id=lock onclick="document.body.requestPointerLock().then(() => log.push('locked'))">Aim</button>
		<script>log = []; document.onpointerlockchange = () => { if (!document.pointerLockElement) log.push("free") }</script>`)
	told := func(line ...string) bool {
		reply := c.Do(line...)
		return strings.Contains(reply.Result.Text+sessiontest.Notes(reply), "pointer lock, given up at once")
	}
	// The page says what it led to in a task of its own, so that any of the next replies may have it.
	isTold := false
	for _, line := range [][]string{
		{"click", "#lock"},
		{"wait", "--fn", `log.includes("locked") && log.includes("free")`},
		{"eval", `document.pointerLockElement === null || log.push("held")`},
	} {
		isTold = told(line...) || isTold
	}
	require.Eventually(t, func() bool {
		return isTold || told("eval", "1")
	}, sessiontest.CommandLimit, 10*time.Millisecond)
	require.NotContains(t, c.Log(), "held")
}
