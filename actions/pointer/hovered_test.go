package pointer_test

import (
	"net/http"
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

// It is so in frames, also in those of other sites, and wherever the frame is in the page.
func TestClickShownByHoverInFrames(t *testing.T) {
	t.Parallel()
	page := site.Write(`<style>.row { height: 30px } .row button { opacity: 0; pointer-events: none }
		.row:hover button { opacity: 1; pointer-events: auto }</style><div style="height: 900px"></div>
		<div class=row>One <button id=b onclick="this.className = 'pressed'">Remove</button></div>`)
	for name, address := range map[string]string{"of the site": site.URL(page), "of another site": site.Elsewhere(page)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t,
				`<p style="margin-top: 1200px">Below<p><iframe src="`+address+`" width=300 height=100 style="margin-left: 90px"></iframe>`)
			c.Do("frame", "iframe")
			reply := c.Do("click", "#b")
			require.Contains(t, strings.Join(reply.Result.Notes, "\n"), "first, which shows #b")
			require.Equal(t, "pressed", c.Data("get", "attr", "#b", "class")["value"])
		})
	}
}

// The rules of a style sheet from another origin cannot be read. What the pointer may have to be over is tried.
func TestClickShownByRulesOfOthers(t *testing.T) {
	t.Parallel()
	css := site.Answering(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		_, _ = w.Write([]byte(`button { display: none } .row:hover button, li:hover .more button { display: inline }`))
	})
	for name, body := range map[string]string{
		"a row":        `<div class=row>One <button id=b onclick="document.title = 'removed'">Remove</button></div>`,
		"a list item":  `<ul><li>One <span class=more><button id=b onclick="document.title = 'removed'">Remove</button></span></ul>`,
		"nothing else": `<ul><li>One <button id=b onclick="document.title = 'removed'">Remove</button></ul>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<link rel=stylesheet href="`+site.Elsewhere(css+"x.css")+`">`+body)
			if name == "nothing else" {
				err := c.Fails(fault.TargetHidden, "click", "#b", "--timeout", "500")
				require.Contains(t, err.Error(), "#b")
				return
			}
			reply := c.Do("click", "#b")
			require.Equal(t, "removed", c.Page("document.title"))
			require.Contains(t, strings.Join(reply.Result.Notes, "\n"), "first, which may show #b")
		})
	}
}
