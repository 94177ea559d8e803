package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Fields and images may be named like any property of their form and of the document. Commands go on as if they were
// not.
func TestCommandsOnAPageThatShadowsProperties(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<!doctype html><title>Page</title><p>Words</p><form id=f onsubmit="event.preventDefault()" style="height:200px;overflow:auto">
		<label>Name <input id=n></label><label><input type=checkbox id=c>Agree</label><select id=s aria-label=Color><option>red<option>blue</select>
		<div role=combobox id=m aria-label=Size tabindex=0 aria-expanded=false aria-controls=l onclick="l.hidden = false">none</div>
		<div role=listbox id=l hidden><div role=option onclick="m.textContent = 'large'; l.hidden = true">large</div></div>
		<svg width=20 height=20 role=img><a href="/there"><text y=15>x</text></a></svg>
		<button id=b onclick="this.textContent = 'Sent'">Send</button><p style="height:900px">Long</p></form>
		<div><template shadowrootmode=open><button>Inner</button></template></div><button class=last>Last</button>`+
			shadowing(true)+shadowing(false))
	for _, line := range [][]string{
		{"snapshot"},
		{"snapshot", "-i"},
		{"fill", "#n", "Ada"},
		{"check", "#c"},
		{"select", "#s", "blue"},
		{"select", "#m", "large"},
		{"click", "#b"},
		{"wait", "#b"},
		{"wait", "--load", "networkidle"},
		{"wait", "--stable"},
		{"get", "count", "button"},
		{"scroll", "down", "100", "-s", "#f"},
		{"scrollintoview", "#f"},
		{"hover", "#f"},
		{"get", "box", "#f"},
		{"get", "styles", "#f"},
		{"is", "visible", "#f"},
		{"highlight", "#f"},
		{"screenshot", "--annotate"},
		{"capabilities"},
		{"find", "text", "Inner", "click"},
	} {
		reply := c.Try(line...)
		if reply.Err != nil {
			t.Errorf("%q: %v", line, reply.Err)
		}
	}
	require.Equal(t, []any{"Ada", true, "blue", "large", "Sent"},
		c.Page(`[n.value, c.checked, s.value, m.textContent, b.textContent]`))
	require.Contains(t, c.Do("snapshot", "-u").Result.Text, "/there")
}
