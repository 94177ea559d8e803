package pointer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What appears while the page loads something is not the effect: the reply says how its end is waited for.
func TestAppearedWhileLoading(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script, wait string }{
		{
			"a part with an ellipsis", "document.body.insertAdjacentHTML('beforeend', '<div id=l>Loading…</div>')",
			`wait --text "Loading…" --state hidden`,
		},
		{
			"three dots", "document.body.insertAdjacentHTML('beforeend', '<p id=l>Lade Daten...</p>')",
			`wait --text "Lade Daten..." --state hidden`,
		},
		{
			"a status", "document.body.insertAdjacentHTML('beforeend', '<div id=l role=status>Saving</div>')",
			`wait --text "Saving" --state hidden`,
		},
		{
			"a dialog",
			"document.body.insertAdjacentHTML('beforeend', '<div id=l role=dialog aria-label=\"Please wait\">Please " +
				"wait</div>')", `wait --text "Please wait" --state hidden`,
		},
		{"a button of a menu", "document.body.insertAdjacentHTML('beforeend', '<button id=l>Save as…</button>')", ""},
		{
			"a dialog with a name",
			"document.body.insertAdjacentHTML('beforeend', '<div id=l role=dialog aria-label=\"Save as…\">x</div>')", "",
		},
		{
			"a sentence", "document.body.insertAdjacentHTML('beforeend', '<p id=l>Loading docks are behind the building</p>')",
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, `<button id=b>Go</button><script>b.onclick = () => { `+tt.script+` }</script>`)
			line := strings.Join(c.Do("click", "#b").Result.Effect, "; ")
			if tt.wait == "" {
				require.NotContains(t, line, "--state hidden")
				return
			}
			require.Contains(t, line, "until that is over: `"+tt.wait+"`")
		})
	}
}

// --observe waits for that end, and shows what came.
func TestObserveAwaitsLoading(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t,
		`<button id=b>Go</button><script>b.onclick = () => { document.body.insertAdjacentHTML('beforeend', '<div id=l>Loading…</div>');
		setTimeout(() => { l.remove(); document.body.insertAdjacentHTML('beforeend', '<a href=/order>Order 7</a>') }, 700) }</script>`)
	c.Do("snapshot", "-i")
	reply := c.Do("click", "#b", "--observe").Result
	text := strings.Join(reply.Effect, "; ") + reply.Text
	require.Contains(t, text, `"Loading…" is gone again`)
	require.Contains(t, text, "Order 7")
}
