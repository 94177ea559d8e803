package pointer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// What shows only while the pointer is over something is clicked as a person does it: by moving there first.
func TestClickShownByHover(t *testing.T) {
	t.Parallel()
	for name, css := range map[string]string{
		"display":            `button { display: none } .row:hover button { display: inline }`,
		"visibility":         `button { visibility: hidden } .row:hover button { visibility: visible }`,
		"a transform":        `.row { overflow: hidden; position: relative } button { position: absolute; transform: translateX(-3000px) } .row:hover > .in button { transform: none }`,
		"a place":            `button { position: absolute; left: -9999px } .row:hover button { left: 200px }`,
		"pointer events":     `button { opacity: 0; pointer-events: none } .row:hover button { opacity: 1; pointer-events: auto }`,
		"not being hovered":  `.row:not(:hover) button { display: none }`,
		"in a media query":   `@media all { button { display: none } .row:hover .in { & button { display: inline } } }`,
		"a selector in is()": `button { display: none } .in button:is(:where(.row):hover *) { display: inline }`,
		"a sibling":          `.in { display: none } b:hover + .in, .in:hover { display: inline }`,
		"several selectors":  `.in { display: none } .row:focus-within .in, .list .row:hover .in { display: inline }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t,
				`<style>.row { height: 30px; padding: 4px }`+css+
					`</style><div class=list><div class=row id=first><b>One</b><span class=in>
				<button id=b onclick="document.title = 'removed'">Remove</button></span></div></div><p>Below`)
			reply := c.Do("click", "#b")
			require.Equal(t, "removed", c.Page("document.title"))
			require.Contains(t, strings.Join(reply.Result.Notes, "\n"), "first, which shows #b")
		})
	}
	t.Run("a handler", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t,
			`<ul><li onmouseenter="b.hidden = false" onmouseleave="b.hidden = true">One <button id=b hidden onclick="document.title = 'removed'">Remove</button></ul>`)
		c.Do("click", "#b")
		require.Equal(t, "removed", c.Page("document.title"))
	})
	t.Run("a listener", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t,
			`<ul><li id=row>One <button id=b hidden>Remove</button></ul><script>row.addEventListener('mouseenter', () => { b.hidden = false })</script>`)
		err := c.Fails(fault.TargetHidden, "click", "#b", "--timeout", "500")
		require.Contains(t, err.Hint, "`hover` that first: <li#row> (@e")
		c.Do("hover", "#row")
		c.Do("click", "#b")
	})
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t,
			`<style>.row:hover button { color: red }</style><div class=row>One <button id=b hidden>Remove</button></div>`)
		reply := c.Try("click", "#b", "--timeout", "500")
		require.NotContains(t, strings.Join(reply.Result.Notes, "\n"), "first, which shows", "color brings nothing out")
	})
}
