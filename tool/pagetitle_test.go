package tool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
)

// argsOf is the command line of a follow-up.
func argsOf(a contract.NextAction) []string {
	args := a.Params.Args
	return args
}

const retitled = `<!doctype html><title>Before</title>
<button onclick="document.title = 'After'">Rename</button>
<button onclick="history.pushState({}, '', '#pushed'); document.title = 'Pushed'">Push</button>
<input aria-label=Name oninput="document.title = 'Typed ' + this.value">
<select aria-label=Kind onchange="document.title = this.value"><option>One<option>Two</select>
<button onclick="setTimeout(() => { document.title = 'Late'; document.body.append('Here') }, 100)">Later</button>`

// The title of a reply is the one after the command, in each of its places.
func TestTitleAfterCommand(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		line  []string
		title string
	}{
		{"click", []string{"click", "text=Rename"}, "After"},
		{"click that pushes a state", []string{"click", "text=Push"}, "Pushed"},
		{"fill", []string{"fill", "input", "x"}, "Typed x"},
		{"type", []string{"type", "input", "yz"}, "Typed yz"},
		{"select", []string{"select", "select", "Two"}, "Two"},
		{"find and click", []string{"find", "text", "Rename", "click"}, "After"},
		{"eval", []string{"eval", "document.title = 'Set'; 1"}, "Set"},
		{"snapshot", []string{"snapshot", "-i"}, "Set"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, retitled)
			if tt.name == "snapshot" {
				c.do("mouse", "move", "1", "1")
				c.do("eval", "setTimeout(() => { document.title = 'Set' }); 1")
			}
			d := c.do(tt.line...).Details
			require.Equal(t, tt.title, d.SessionTabTarget.Title)
			if d.NavigationSummary != nil {
				require.Equal(t, tt.title, d.NavigationSummary.Title)
			}
			if d.PageChangeSummary != nil {
				require.Equal(t, tt.title, d.PageChangeSummary.Title)
			}
		})
	}
	t.Run("waiting for what a page does later", func(t *testing.T) {
		t.Parallel()
		c := showing(t, retitled)
		c.do("click", "text=Later")
		require.Equal(t, "Late", c.do("wait", "--text", "Here").Details.SessionTabTarget.Title)
	})
}

// A command in a tab that the session does not show tells of that tab; the session's page stays the one that it shows.
func TestPageOfNamedTab(t *testing.T) {
	t.Parallel()
	c := showing(t, retitled)
	first := c.do("tab", "list").Details.SessionTabTarget
	c.do("snapshot", "-i")
	shown := c.do("tab", "new", site.Show(`<title>Other</title>`)).Details.SessionTabTarget

	r := c.do("--tab", first.TabID, "click", "text=Rename")
	require.Contains(t, textOf(r), "Page: After — "+first.URL)
	require.Equal(t, "After", r.Details.NavigationSummary.Title)
	require.Equal(t, "After", r.Details.PageChangeSummary.Title)
	require.Equal(t, shown, r.Details.SessionTabTarget)
	require.Equal(t, []string{"--tab", first.TabID, "snapshot", "-i"}, argsOf(r.Details.NextActions[0]))

	refused := c.try("click", "@e1")
	require.Equal(t, "Other", refused.Details.SessionTabTarget.Title)
	follow := refused.Details.NextActions[0]
	require.Equal(t, []string{"--tab", first.TabID, "click", "@e1"}, argsOf(follow))
	c.do("--tab", first.TabID, "eval", "document.title = 'Again'; 1")
	require.Equal(t, "After", c.do(argsOf(follow)...).Details.PageChangeSummary.Title)
}
