package pointer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/lazyregexp"
)

var skipButton = lazyregexp.New(`"Skip tour" (@e\d+)`)

// When a dialog that appeared after the last reply covers the target of a click, the error shows the dialog and its
// buttons. The next command can press one of them.
func TestClickBelowLateDialog(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"welcome", "modal", "trap", "shut"} {
		t.Run(open, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-late-dialog.html")
			c.Page(open + "()")
			said := c.Fails(fault.TargetCovered, "click", "#publish").Error()
			require.Contains(t, said, `dialog "Welcome"`)
			require.Contains(t, said, "\n- text: A short tour of the editor.")
			skip := skipButton.FindStringSubmatch(said)
			require.NotNil(t, skip, said)
			require.Empty(t, c.Log(), "nothing was clicked")
			c.Do("click", skip[1])
			require.Equal(t, "click skip", c.Log())
		})
	}
}

// However much is in it, a refusal shows about ten lines of it, and those with refs first.
func TestClickBelowLongDialog(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-late-dialog.html")
	c.Page("long()")
	c.Page("document.getElementById('publish').style.cssText = 'position:fixed;top:50%;left:50%;z-index:-1'")
	said := c.Fails(fault.TargetCovered, "click", "#publish").Error()
	require.LessOrEqual(t, strings.Count(said, "\n"), 10, said)
	require.Contains(t, said, "Field 0", said)
}

// What covers the page for a while is told by its text. It has nothing to act on.
func TestClickBelowText(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-late-dialog.html")
	c.Page(`add('<div class="shade">Saving changes</div>')`)
	said := c.Fails(fault.TargetCovered, "click", "#publish").Error()
	require.Contains(t, said, "\n- text: Saving changes")
	c.Page(`document.querySelector('.shade').textContent = ''`)
	require.NotContains(t, c.Fails(fault.TargetCovered, "click", "#publish").Error(), "\n", "there is nothing to show")
}

// A refusal is not a snapshot of the page: what came since the last one is still new to the next delta.
func TestClickBelowLateDialogLeavesDeltas(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-late-dialog.html")
	c.Do("snapshot", "-i")
	c.Page("welcome()")
	c.Fails(fault.TargetCovered, "click", "#publish")
	require.Contains(t, c.Do("snapshot", "--delta").Result.Text, `Skip tour`)
}
