package look_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// withoutRefs is a snapshot in which all refs are the same.
func withoutRefs(text string) string {
	return regexp.MustCompile(`@e\d+`).ReplaceAllString(text, "@eN")
}

// What a scroll, a press or a wait will show is content: it has a line that says what brings it in. What nothing brings
// in is unseen.
func TestLookComing(t *testing.T) {
	t.Parallel()
	const far = `<div style="height:3000px"></div>`
	for _, tt := range []struct{ name, style, html, mark string }{
		{
			"faded in by a transition when it is scrolled to", `.f{opacity:0;transition:opacity .4s}`,
			far + `<p class=f>Total $40</p><button class=f>Order</button>`, "appears on scroll",
		},
		{
			"faded in by a transition of all", `.f{opacity:0;transition:all 1s ease}`,
			far + `<div class=f><p>Total $40</p><button>Order</button></div>`, "appears on scroll",
		},
		{
			"moved in by a script", ``,
			far + `<p style="opacity:0;transform:translateY(40px)">Total $40</p><button style="opacity:0;will-change:opacity">Order</button>`, "appears on scroll",
		},
		{
			"by an animation that follows scrolling",
			`@keyframes in{from{opacity:0}to{opacity:1}}.v{animation:in linear both;animation-timeline:view()}`,
			far + `<p class=v>Total $40</p><button class=v>Order</button>`, "appears on scroll",
		},
		{
			"below in a part that scrolls", `main{height:300px;overflow:auto}.f{opacity:0;transition:opacity .4s}`,
			`<main>` + far + `<div class=f><p>Total $40</p><button>Order</button></div></main>`, "appears on scroll",
		},
		{"a page that waits for itself", `body{opacity:0}`, `<p>Total $40</p><button>Order</button>`, "appears later"},
		{
			"a document that waits for itself", `html{opacity:0;transition:opacity 1s}`,
			`<p>Total $40</p><button>Order</button>`, "appears later",
		},
		{
			"an application that waits for itself", `#app{opacity:0;transition:opacity 1s;min-height:100vh}`,
			`<div id=app><p>Total $40</p><button>Order</button></div>`, "appears later",
		},
		{
			"an animation that begins soon", `@keyframes in{from{opacity:0}to{opacity:1}}.v{animation:in 1s 50s both}`,
			`<p class=v>Total $40</p><button class=v>Order</button>`, "appears later",
		},
		{
			"a slide below another one",
			`section{position:relative;height:80px}.s{position:absolute;inset:0;opacity:0}.on{opacity:1}`,
			`<section><div class="s on">One</div><div class=s><p>Total $40</p><button>Order</button></div></section>`,
			"appears later",
		},
		{
			"a slide beside another one", `section{width:300px;overflow:hidden}.t{display:flex;width:900px}.s{width:300px}`,
			`<section><div class=t><div class=s>One</div><div class=s><p>Total $40</p><button>Order</button></div></div></section>`, "appears later",
		},
		{
			"an accordion of no height", `.a{max-height:0;overflow:hidden;transition:max-height .3s}`,
			`<button>More</button><div class=a><p>Total $40</p><button>Order</button></div>`, "appears on press",
		},
		{
			"an accordion that a control names", `.a{height:0;overflow:hidden}`,
			`<div class=a id=a><p>Total $40</p><button>Order</button></div><button aria-controls=a aria-expanded=false>More</button>`, "appears on press",
		},
		{
			"an accordion of a grid",
			`.g{display:grid;grid-template-rows:0fr;transition:grid-template-rows .3s}.a{overflow:hidden}`,
			`<div class=g><div class=a><p>Total $40</p><button>Order</button></div></div>`, "appears on press",
		},
		{
			"a drawer", `.d{position:fixed;inset:0 auto 0 0;width:200px;transform:translateX(-100%);transition:transform .3s}`,
			`<div class=d><p>Total $40</p><button>Order</button></div>`, "appears on press",
		},

		{"nothing brings it in", `.f{opacity:0}`, `<div class=f><p>Total $40</p><button>Order</button></div>`, "unseen"},
		{
			"nothing brings it in where one scrolls", `.f{opacity:0}`,
			far + `<div class=f><p>Total $40</p><button>Order</button></div>`, "unseen",
		},
		{
			"in one that nothing brings in", `.f{opacity:0}.g{opacity:0;transition:opacity 1s}`,
			far + `<div class=f><div class=g><p>Total $40</p><button>Order</button></div></div>`, "unseen",
		},
		{
			"an animation that shows nothing",
			`@keyframes in{from{opacity:0}to{opacity:.01}}.v{opacity:0;animation:in linear both;animation-timeline:view()}`,
			far + `<div class=v><p>Total $40</p><button>Order</button></div>`, "unseen",
		},
		{
			"an animation that never comes", `@keyframes in{from{opacity:0}to{opacity:1}}.v{animation:in 1s 9999s both}`,
			`<div class=v><p>Total $40</p><button>Order</button></div>`, "unseen",
		},
		{
			"a closed box that nothing opens", `.a{height:0;overflow:hidden}`,
			`<p>Before</p><div class=a><p>Total $40</p><button>Order</button></div>`, "unseen",
		},
		{
			"a label for screen readers behind a control", `.x{position:absolute;width:1px;height:1px;overflow:hidden}`,
			`<button>More</button><div class=x><p>Total $40</p><button>Order</button></div>`, "unseen",
		},
		{
			"beside the page, and not a drawer", `.d{position:absolute;left:-9999px}`,
			`<div class=d><p>Total $40</p><button>Order</button></div>`, "unseen",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<style>`+tt.style+`</style><h1>Shop</h1>`+tt.html)
			look := withoutRefs(lookAt(c, "-i"))
			require.Regexp(t, `button "Order" @eN \[`+tt.mark+`\]|buttons \[`+tt.mark+`\]: .*"Order" @eN`, look)
			require.Equal(t, tt.mark != "unseen", strings.Contains(look, "text ["+tt.mark+"]: Total $40"), look)
			require.Regexp(t, `StaticText "Total \$40" \[`+tt.mark+`\]`, lookAt(c))
			require.NotContains(t, lookAt(c, "-i", "--seen"), "Order", "it is not seen yet")
			require.Contains(t, c.Do("read").Result.Text, "Total $40 ["+tt.mark+"]")
		})
	}
}

// What announces its changes may hold slides: those that are not in turn have lines, too.
func TestLookComingAnnounced(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<style>.s{position:absolute;inset:0;opacity:0}.on{opacity:1}</style><h1>Shop</h1>
		<div aria-live=polite style="position:relative;height:80px"><div class="s on">Shoes</div><div class=s>Total $40</div></div>`)
	look := withoutRefs(lookAt(c, "-i"))
	require.Contains(t, look, "- live region: Shoes\n")
	require.Contains(t, look, "  - text [appears later]: Total $40")
}

// Cards that fade in have their lines, as those that are seen have.
func TestLookComingCards(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<style>.c{opacity:0;transition:opacity 1s}</style><h1>Shop</h1><div style="height:3000px"></div><div>`+
			strings.Repeat(`<div class=c><b>Shoes</b><p>$50</p><button>Add</button></div>`, 3)+`</div>`)
	require.Contains(t, withoutRefs(lookAt(c, "-i")),
		"- item [appears on scroll]: Shoes · $50\n  - button \"Add\" @eN [appears on scroll]\n")
}
