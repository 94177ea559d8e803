package look_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Controls of a drawing have no names of their own. The text in them or beside them, what developers call them, and
// where they are says what each is for.
func TestLookControlsOfDrawings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, svg string
		want      []string
	}{
		{
			"an editor of flows",
			`<g class="flow-link"><path class="flow-link-background flow-link-path" d="M 100 25 C 150 25 150 25 200 25"/></g>
			<g class="flow-node flow-node-group"><g class="flow-node-button"><rect class="flow-node-button-button" x="0" y="12" width="16" height="18"/></g>
				<rect class="flow-node" x="20" y="10" width="80" height="30"/>
				<g class="flow-node-label"><text x="40" y="30">Motion</text></g>
				<g class="flow-port-output"><rect class="flow-port" x="96" y="20" width="10" height="10"/></g></g>
			<g class="flow-node flow-node-group"><rect class="flow-node" x="200" y="10" width="80" height="30"/>
				<g class="flow-node-label"><text x="220" y="30">Is on</text></g>
				<g class="flow-port-input"><rect class="flow-port" x="195" y="20" width="10" height="10"/></g>
				<g class="flow-port-output"><rect class="flow-port" x="276" y="12" width="10" height="10"/></g>
				<g class="flow-port-output"><rect class="flow-port" x="276" y="28" width="10" height="10"/></g></g>`,
			[]string{
				"link from Motion to Is on", "button of Motion", "node Motion", "output port of Motion", "node Is on",
				"input port of Is on",
				"output port 1 of 2 of Is on", "output port 2 of 2 of Is on",
			},
		},
		{
			"a chart",
			`<g class="bars"><rect class="bar" x="0" y="50" width="20" height="50"/><rect class="bar" x="30" y="20" width="20" height="80"/></g>
			<g class="legend"><g class="legend-item"><circle cx="100" cy="20" r="8"/><text x="115" y="25">Lamps</text></g></g>`,
			[]string{"bar 1 of 2", "bar 2 of 2", "Lamps"},
		},
		{
			"shapes with ports by attribute",
			`<g class="cell element" data-type="standard.Rectangle"><rect class="body" width="80" height="40"/><text x="10" y="20">Filter</text>
				<g class="port"><circle class="port-body" cx="0" cy="20" r="6" port="in"/></g></g>`,
			[]string{"Filter", "port of Filter"},
		},
		{
			"a map",
			`<path id="region-north" d="M0 0h50v50h-50z"/><path id="region-south" d="M0 60h50v50h-50z"/><path id="x81723" d="M60 0h50v50h-50z"/>`,
			[]string{"region north", "region south", ""},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<svg width="400" height="200">`+tt.svg+`</svg><script>
				for (const el of document.querySelectorAll('rect, circle, path')) el.addEventListener('mousedown', () => {});</script>`)
			var inferred []string
			for _, m := range guessed.FindAllStringSubmatch(lookAt(c, "-i"), -1) {
				inferred = append(inferred, m[1])
			}
			require.Equal(t, tt.want, inferred)
		})
	}
}

// guessed matches a control of a drawing, with what it may be for.
var guessed = regexp.MustCompile(`graphics-symbol @e\d+(?: \[inferred="([^"]*)"\])?`)
