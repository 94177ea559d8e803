package tabs_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// bomb opens 300 dialogs of a kind, one after another.
func bomb(kind string) string {
	return `<p>Win</p><button onclick="for (let i = 0; i < 300; i++) ` + kind + `('You won!')">Go</button>`
}

// A page that asks again whenever it is answered has a way out, which the replies name as soon as that shows.
func TestDialogsWithoutEnd(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, kind, policy string
		answer             []string
	}{
		{"alerts", "alert", "keep", cmd("dialog", "accept")},
		{"confirms", "confirm", "default", cmd("dialog", "dismiss")},
		{"prompts", "prompt", "default", cmd("dialog", "accept", "me")},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, bomb(test.kind))
			c.Do("dialog", "policy", test.policy)
			require.NotContains(t, sessiontest.Notes(c.Do("click", "button")), "tab close", "the first one")
			said := ""
			for range 6 {
				said = sessiontest.Notes(c.Do(test.answer...))
			}
			require.Contains(t, said, "The page opens one dialog after another: `tab new` and then `tab close t1` end that.")
			require.Contains(t, c.Do("dialog", "status").Result.Text, "`tab close t1` end that")
			require.Contains(t, c.Fails(fault.DialogOpen, "get", "text", "p").Hint, "`tab close t1` end that")
			c.Do("tab", "new")
			require.Contains(t, c.Fails(fault.DialogOpen, "--tab", "t1", "get", "text", "p").Hint, "`tab close t1` ends that")
			c.Do("tab", "close", "t1")
			require.Equal(t, false, c.Data("dialog", "status")["hasDialog"])
			require.NotContains(t, c.Do("tab", "list").Result.Text, "t1")
		})
	}
}

// More alerts than are answered by themselves leave one open, whose note names the way out, which works in the same
// tab, too.
func TestDialogsWithoutEndAnsweredByThemselves(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, `<button onclick="for (;;) alert('You won!')">Go</button>`)
	require.Contains(t, sessiontest.Notes(c.Do("click", "button")), "`tab new` and then `tab close t1` end that")
	c.Do("tab", "new")
	c.Do("tab", "close", "t1")
	require.Equal(t, false, c.Data("dialog", "status")["hasDialog"])
}

// Dialogs that come of what is done to the page are not told as a row.
func TestDialogsOneForEachAction(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<button onclick="confirm('Sure?')">Go</button>`)
	for range 7 {
		require.NotContains(t, sessiontest.Notes(c.Do("click", "button")), "tab close")
		c.Do("dialog", "accept")
	}
}
