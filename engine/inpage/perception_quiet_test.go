package inpage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// A page watches all that it can: changes of the tree, its own prototypes, its globals. A walk shows up in none of
// them.
func TestWalkIsNotSeenByThePage(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<style>.x::before{content:"*"}.y{cursor:pointer;text-transform:uppercase}</style>
<form id=f><label>Name <input name=tagName value=v></label><select><option>o</select><div class="x y" tabindex=0>Click</div></form>
<table><tr><td>a<td>b</table><dialog id=d><button>In a dialog</button></dialog><div contenteditable>edit</div>
<script>
window.seen = [];
new MutationObserver((records) => seen.push('mutation ' + records.length)).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
for (const [proto, names] of [
  [Element.prototype, ['getAttribute', 'matches', 'checkVisibility', 'getBoundingClientRect', 'querySelectorAll', 'closest', 'getAttributeNames']],
  [Document.prototype, ['querySelectorAll', 'getElementById', 'elementFromPoint']],
  [Node.prototype, ['getRootNode']],
  [EventTarget.prototype, ['addEventListener', 'dispatchEvent']],
]) for (const name of names) { const own = proto[name]; proto[name] = function (...args) { seen.push(name); return own.apply(this, args) } }
for (const name of ['getComputedStyle', 'requestAnimationFrame', 'setTimeout', 'Map', 'WeakRef']) { const own = window[name]; window[name] = function (...args) { seen.push(name); return new.target ? new own(...args) : own.apply(this, args) } }
for (const name of ['focusin', 'focusout', 'input', 'change', 'scroll', 'selectionchange', 'toggle']) document.addEventListener(name, () => seen.push(name), true);
</script>`)
	look := `[document.documentElement.outerHTML, Object.getOwnPropertyNames(window).join()].join()`
	before := p.js(t, look)
	p.js(t, `seen.length = 0`)
	for _, interactive := range []bool{true, false} {
		require.NotEmpty(t, p.walk(t, object{"interactive": interactive}))
	}
	// Events that the page could observe come in tasks after the walk.
	require.Equal(t, []any{},
		p.js(t, `new Promise((resolve) => setTimeout(() => resolve(seen.filter((s) => s !== 'setTimeout')), 0))`))
	require.Equal(t, before, p.js(t, look))
}

// Tokens identify elements: constant for the life of an element, even while it is detached and unreferenced, and never
// reused.
func TestTokensStayWithTheirElements(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<div id=list><button>A</button><button>B</button><button>C</button></div>`)
	tokens := func() map[string]string {
		found := map[string]string{}
		for _, n := range p.walk(t, object{}) {
			if n.token != "" {
				found[n.name] = n.token
			}
		}
		return found
	}
	first := tokens()
	require.Len(t, first, 3)

	call(t, p.sess, "HeapProfiler.collectGarbage", object{}, nil)
	require.Empty(t, cmp.Diff(first, tokens()), "after a garbage collection")

	p.js(t, `list.append(list.firstElementChild); list.firstElementChild.setAttribute('aria-label', 'B2')`)
	moved := tokens()
	require.Equal(t, first["A"], moved["A"], "moved")
	require.Equal(t, first["B"], moved["B2"], "renamed")

	p.js(t, `list.innerHTML = list.innerHTML`)
	call(t, p.sess, "HeapProfiler.collectGarbage", object{}, nil)
	for name, token := range tokens() {
		for old, before := range moved {
			require.NotEqual(t, before, token, "%s has the token that %s had", name, old)
		}
	}
}

func TestWalkFollowsChangesOfSheets(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<style id=s>.a{color:red}</style><div class=a>One</div><div class=b>Two</div><p class=c>three</p>`)
	require.Equal(t, "StaticText \"One\"\nStaticText \"Two\"\nparagraph\n  StaticText \"three\"\n",
		outline(p.walk(t, object{})))
	p.js(t,
		`s.sheet.insertRule('.a{cursor:pointer}'); s.sheet.insertRule('.b::after{content:"!"}', 1); s.sheet.insertRule('@media screen{.c{text-transform:uppercase}}', 1)`)
	require.Equal(t, "generic \"One\" T hints=cursor:pointer\nStaticText \"Two!\"\nparagraph\n  StaticText \"THREE\"\n",
		outline(p.walk(t, object{})))
	p.js(t,
		`document.adoptedStyleSheets = [Object.assign(new CSSStyleSheet(), {})]; document.adoptedStyleSheets[0].replaceSync('.b { &:is(div) { cursor: pointer } } .c { .x &, & { text-transform: lowercase } }')`)
	require.Equal(t,
		"generic \"One\" T hints=cursor:pointer\ngeneric \"Two!\" T hints=cursor:pointer\nparagraph\n  StaticText "+
			"\"three\"\n", outline(p.walk(t, object{})))
}
