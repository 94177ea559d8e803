package pointer_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A control that comes only after some frames is waited for, and nothing that is there before gets the input.
func TestLateControls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line []string
		done string // an expression that is true when it has happened
	}{
		{[]string{"check", "#aria"}, "aria.ariaChecked === 'true'"},
		{[]string{"check", "#node"}, "node.ariaChecked === 'true'"},
		{[]string{"check", "#native"}, "native.checked"},
		{[]string{"click", "#node"}, "node.ariaChecked === 'true'"},
		{[]string{"type", "#text", "hey"}, "text.value === 'hey'"},
		{[]string{"type", "#rich", "hey"}, "rich.innerText === 'hey'"},
		{[]string{"focus", "#text"}, "document.activeElement === text"},
		{[]string{"focus", "#rich"}, "document.activeElement === rich"},
		{[]string{"fill", "#text", "hey"}, "text.value === 'hey'"},
		{[]string{"focus", "#area"}, "document.activeElement === area"},
		{[]string{"type", "#area", "hey"}, "area.value === 'hey'"},
		{[]string{"fill", "#area", "hey"}, "area.value === 'hey'"},
	} {
		for _, way := range []string{"hidden", "covered", "absent"} {
			t.Run(tt.line[0]+" "+tt.line[1]+" "+way, func(t *testing.T) {
				t.Parallel()
				c := host.Opened(t, "/pages/acting-late-controls.html")
				c.Page("start('" + tt.line[1][1:] + "', '" + way + "') ?? 0")
				c.Do(tt.line...)
				require.Equal(t, true, c.Page(tt.done))
				require.Empty(t, c.Log())
			})
		}
	}
}
