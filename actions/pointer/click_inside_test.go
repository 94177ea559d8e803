package pointer_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Input for a part of a control is input for the control, whichever of its parts lies on top.
func TestClickInsideOneControl(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-click-inside.html")
	for _, tt := range []struct{ selector, log, note string }{
		{"#overlaid-text", "overlaid", ""},
		{"#after-text", "after", ""},
		{
			"#parts-text", "parts",
			`the click went to link "Text lets through and this part does not", which #parts-text is a part of`,
		},
		{"#parts", "parts", ""},
		{"#layered-text", "layered", ""},
		{"#role-text", "role", ""},
		{"#both-text", "both\nboth-box", ""},
		{"#both", "both\nboth-box", ""},
		{"#apart-text", "apart-box", ""},
		{"#slotted-text", "slotted", ""},
		{"#closed-text", "closed", "the click went to <x-link>"},
		{"#in-shell", "in-shell\nshell", "the click went to"},
		{"#shell", "in-shell\nshell", ""},
		{"#drawn", "host acted\ndrawn", ""},
		{"#drawn button", "host acted\ndrawn", "the click went to <x-drawn>"},
		{"#formlabel", "formlabel\nformed", ""},
		{"#formed", "formed", ""},
		{"#covered", "cover\ncovered", ""},
	} {
		c := c.In(t)
		c.Page("log = []")
		reply := c.Do("click", tt.selector)
		require.Equal(t, tt.log, c.Log(), tt.selector)
		if tt.note == "" {
			require.NotContains(t, sessiontest.Notes(reply), "the click went to", tt.selector)
		}
		require.Contains(t, sessiontest.Notes(reply), tt.note, tt.selector)
	}
}

// What only looks like a part of the same control is not: it keeps its clicks, or nothing says that the two are one.
func TestClickInsideOtherControls(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-click-inside.html")
	for _, selector := range []string{"#remove", "#panel-text", "#card-text", "#two"} {
		c.In(t).Fails(fault.TargetCovered, "click", selector, "--timeout", "300")
	}
	require.Empty(t, c.Log())
}

// The field of a combobox lets the pointer pass to what is drawn around it, which is a combobox, too. What a link
// around a button would get is not what was meant.
func TestClickOnAFieldThatPassesThePointerOn(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<!doctype html><style>input, button { pointer-events: none }</style>
		<div role=combobox aria-expanded=false onmousedown="this.ariaExpanded = true"><div><input role=combobox aria-label=City readonly></div></div>
		<div role=link><div><button>Buy</button></div></div>`)
	c.Do("click", "label=City")
	require.Equal(t, "true", c.Page("document.querySelector('[aria-expanded]').ariaExpanded"))
	c.Fails(fault.TargetCovered, "click", "text=Buy")
}
