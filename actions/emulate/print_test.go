package emulate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A page that prints shows nothing of it in a headless browser: the reply to what made it print tells that.
func TestPrintIsTold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, html string
		command    []string
		told       bool
	}{
		{"click", `<button onclick="print()">Print</button>`, cmd("click", "button"), true},
		{"key", `<input onkeydown="window.print()">`, cmd("press", "a"), true},
		{
			"in a timer", `<button onclick="setTimeout(() => print(), 0)">Print</button>`, cmd("click", "button", "--observe"),
			true,
		},
		{"script", "", cmd("eval", "print(), 1"), true},
		{
			"script that clicks", `<button onclick="print()">Go</button>`,
			cmd("eval", "document.querySelector('button').click()"), true,
		},
		{"script that awaits", "", cmd("eval", "await new Promise(done => setTimeout(done, 10)); window.print()"), true},
		{"script without print", "", cmd("eval", "dispatchEvent(new Event('beforeprint')) && 'print'"), false},
		{
			"no print", `<button onclick="dispatchEvent(new Event('beforeprint'))">Print</button>`, cmd("click", "button"),
			false,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, test.html) // Chromium ignores further requests of a tab within two seconds
			c.Page("document.querySelector('input')?.focus()")
			res := c.Do(test.command...).Result
			text, notes := strings.Join(res.Effect, "\n"), strings.Join(res.Notes, "\n")
			const print = "a request to print, window.print()"
			if test.told {
				require.Contains(t, text, print)
				require.NotContains(t, text, "`", "effects name no commands")
				require.Contains(t, notes, "`pdf` saves the page")
			} else {
				require.NotContains(t, text, print)
				require.NotContains(t, notes, "`pdf`")
			}
		})
	}
}
