package forms_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// choosingScript makes lists of options work: a click on an option chooses it.
const choosingScript = `<script>
chosen = []
function works(opener, list, options) {
  opener.onclick = () => { list.hidden = !list.hidden; opener.setAttribute('aria-expanded', !list.hidden) }
  for (const o of options) o.onclick = () => { chosen.push(o.textContent); for (const p of options) p.setAttribute('aria-selected', p === o); opener.textContent = o.textContent; list.hidden = true }
}
</script>`

// A list that appears before the one that a combobox names has come is not taken for that one.
func TestSelectNamedList(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		choosingScript+
			`<div id=box role=combobox tabindex=0 aria-label=Color aria-expanded=false aria-controls=colors>none</div>
<div role=listbox id=colors hidden><div role=option aria-selected=false>red</div><div role=option aria-selected=false>green</div></div>
<div role=tree id=late aria-label=Fruit hidden><div role=treeitem aria-checked=false>green</div></div>
<script>works(box, colors, colors.querySelectorAll('[role=option]'))
open = box.onclick; frames = 0
later = () => { if (++frames === 6) open(); else requestAnimationFrame(later) }
box.onclick = () => { late.hidden = false; later() }
document.querySelector('[role=treeitem]').onclick = () => chosen.push('fruit')</script>`)
	c.Do("select", "#box", "green")
	require.Equal(t, "green", c.Page("chosen.join()"))
}

// A component shows the options that the page gives it in a list of its own.
func TestSelectSlottedOptions(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		choosingScript+
			`<x-select><x-option role=option aria-selected=false>red</x-option><x-option role=option aria-selected=false>green</x-option></x-select>
<script>
host = document.querySelector('x-select'); root = host.attachShadow({ mode: 'open' })
root.innerHTML = '<div id=box role=combobox tabindex=0 aria-label=Color aria-expanded=false aria-controls=list>none</div><div id=list role=listbox hidden><slot></slot></div>'
works(root.querySelector('#box'), root.querySelector('#list'), host.children)
</script>`)
	c.Do("select", c.Ref(`combobox "Color"`), "green")
	require.Equal(t, "green", c.Page("chosen.join()"))
}

// Each chosen value is in the field, beside the button that removes it.
func TestSelectSeveralWithMarks(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<div id=field><input id=box role=combobox aria-label=Tags aria-expanded=false aria-controls=list></div>
<div id=list role=listbox hidden><div role=option>news</div><div role=option>art</div></div>
<script>
chosen = []
box.onclick = () => { list.hidden = false; box.setAttribute('aria-expanded', true) }
for (const o of list.children) o.onclick = () => { chosen.push(o.textContent); box.insertAdjacentHTML('beforebegin', '<div>' + o.textContent + '<a href="#" title=Remove>×</a></div>'); o.remove() }
</script>`)
	c.Do("select", "#box", "news", "art")
	require.Equal(t, "news,art", c.Page("chosen.join()"))
}

// The smallest element that shows a slotted text is the parent of the slot: a slot has no box of its own.
func TestFindSlottedText(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<x-button>Save all</x-button><script>
host = document.querySelector('x-button'); host.attachShadow({ mode: 'open' }).innerHTML = '<button><slot></slot></button>'
host.shadowRoot.querySelector('button').onclick = () => log.push('saved')</script>`)
	c.Do("find", "text", "Save all", "click")
	require.Equal(t, "saved", c.Log())
}
