package look_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A dialog that does not say that it is one is shown as the others are: first, with what is behind it as one line.
func TestLookDialogWithoutRole(t *testing.T) {
	t.Parallel()
	const page = `<style>body { margin: 0 } .over { position: fixed; inset: 0; z-index: 9 } .box { background: white; width: 300px; margin: 60px auto }</style>
		<nav><a href="#1">Folders</a> <a href="#2">Devices</a></nav><p><button>Rescan</button> <button>Pause</button><p><input aria-label=Search>`
	const box = `<h4>Restart</h4><label>Why <input></label> <button>Yes</button> <button>No</button>`
	for name, html := range map[string]string{
		"around a box": page + `<div class=over tabindex=-1><div class=box>` + box + `</div></div>`,
		"a backdrop before it": page + `<div class=over style="z-index: 8; background: #0008"></div>
			<div class=over tabindex=-1 style="overflow: auto"><div class=box>` + box + `</div></div>`,
		"a backdrop beside it": page + `<div class=over style="background: #0008"></div>
			<div class=box style="position: fixed; z-index: 10; left: 50%; top: 50%; transform: translate(-50%, -50%); margin: 0">` + box + `</div>`,
		"before the page": `<div class=over><div class=box>` + box + `</div></div>` + page,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, html)
			require.Equal(t, `- dialog "Restart" @eN [inferred]
  - h4 "Restart" @eN
  - textbox "Why" @eN
  - buttons: "Yes" @eN, "No" @eN
(5 controls behind the modal dialog: covered until it closes)`, withoutRefs(lookAt(c, "-i")))
		})
	}
}

// What fills the screen is not a dialog where nothing else could be used without it, nor is what lies over a part of
// the page.
func TestLookLayersThatAreNoDialogs(t *testing.T) {
	t.Parallel()
	for name, html := range map[string]string{
		"the page in a layer": `<a href="#main" style="position: absolute; left: 0; top: 0; clip: rect(0 0 0 0); width: 1px; height: 1px; overflow: hidden">Skip</a>
			<div style="position: fixed; inset: 0; background: white"><button>One</button> <button>Two</button></div>`,
		"a panel": `<style>body { margin: 0 }</style><button>One</button> <button>Two</button>
			<div style="position: fixed; inset: 100px 0 0 0; background: white"><button>Three</button></div>`,
		"a layer that lets the pointer through": `<button>One</button> <button>Two</button>
			<div style="position: fixed; inset: 0; pointer-events: none"><button style="pointer-events: auto; margin: 200px">Three</button></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			look := lookAt(host.Showing(t, html), "-i")
			require.NotContains(t, look, "dialog")
			require.Contains(t, look, `"One"`)
		})
	}
}

// What is going away with an animation covers nothing that a reader could act on, since it is gone by then; nor is what
// slides in from below another part covered.
func TestLookBelowWhatGoes(t *testing.T) {
	t.Parallel()
	const cover = `<div id=cover style="position: fixed; inset: 0; background: #0008; opacity: 1; transition: all 0.4s linear"></div>`
	for name, tt := range map[string]struct{ html, goes string }{
		"a fade": {cover, `cover.style.opacity = 0`},
		"a closed box": {
			`<div style="position: fixed; inset: 0" id=around><p style="position: absolute; inset: 0; background: #fff">Closing</p></div>`,
			`around.animate([{opacity: 1}, {opacity: 0}], {duration: 400})`,
		},
		"a slide": {cover, `cover.animate([{transform: 'none'}, {transform: 'translateY(-100%)'}], {duration: 400})`},
		"a size":  {cover, `cover.animate([{transform: 'scale(1)'}, {transform: 'scale(0)'}], {duration: 400})`},
		"what comes in": {
			`<header style="position: fixed; inset: 0 0 auto 0; height: 200px; background: #eee"></header>`,
			`save.animate([{transform: 'none'}, {transform: 'translateY(300px)'}], {duration: 400})`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<button id=save>Save</button>`+tt.html)
			require.Contains(t, lookAt(c, "-i"), "covered")
			// The page is looked at while it is under way: at its start, where it is held.
			c.Page(tt.goes + `; for (const one of document.getAnimations()) one.updatePlaybackRate(0.001); 0`)
			require.NotContains(t, lookAt(c, "-i"), "covered")
		})
	}
}
