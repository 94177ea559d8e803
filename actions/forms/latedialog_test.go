package forms_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// A field that a dialog keeps from the focus is not unsuitable: the dialog is what is told, with its buttons, and no
// key goes to it.
func TestTextBehindLateDialog(t *testing.T) {
	t.Parallel()
	commands := map[string][]string{
		"fill":    {"fill", "#title", "x"},
		"type":    {"type", "#title", "x"},
		"focus":   {"focus", "#title"},
		"press":   {"press", "Enter", "#title"},
		"editor":  {"fill", "#body", "x"},
		"typing":  {"type", "#body", "x"},
		"no wait": {"fill", "#title", "x", "--timeout", "100"},
	}
	for _, open := range []string{"modal", "trap", "shut"} {
		for name, command := range commands {
			t.Run(open+" "+name, func(t *testing.T) {
				t.Parallel()
				c := host.Opened(t, "/pages/acting-late-dialog.html")
				c.Page(open + "()")
				said := c.Fails(fault.TargetCovered, command...).Error()
				require.Contains(t, said, `dialog "Welcome"`)
				require.Contains(t, said, `"Skip tour" @e`)
				require.NotContains(t, said, "cannot work on")
				require.Empty(t, c.Log(), "no key went to the dialog")
				require.Equal(t, "/Text", c.Page("title.value + '/' + document.getElementById('body').textContent"))
			})
		}
	}
}

// A field may open a dialog when it gets the focus, and pass it on.
func TestFocusPassedToOwnDialog(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<input id=date onfocus="d.show(); d.querySelector('input').focus()"><dialog id=d aria-label=Calendar><input id=day></dialog>`)
	c.Do("type", "#date", "x")
	require.Equal(t, "x", c.Page("day.value"))
}
