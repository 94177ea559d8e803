package pointer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A part that an action brought is told once, not again for each element around its text; parts with other texts are
// told, too.
func TestAppearedOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ came, want string }{
		"nested, all with one text": {`<li><div> <span>Roof</span></div></li>`, `appeared: listitem "Roof"`},
		"beside each other": {
			`<button><em>2 matches</em></button><p><small>2 matches</small></p>`,
			`appeared: button "2 matches"`,
		},
		"different texts": {
			`<p>First</p><p><b>Second</b></p><p>First</p>`,
			`appeared: paragraph "First", paragraph "Second"`,
		},
		"a text that differs in its spaces": {
			"<p>Two\n words</p><p>Two  words</p>", `appeared: paragraph "Two words"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<button id=b>Add</button><div id=list></div><template id=t>`+tt.came+`</template>
<script>
const build = (from, to) => { for (const one of from.childNodes) {
	const copy = one.cloneNode(false);
	to.append(copy); // element by element, as frameworks do
	build(one, copy);
} };
b.onclick = () => build(t.content, list);
</script>`)
			said := c.Do("click", "#b")
			require.Contains(t, said.Result.Text, tt.want)
			require.NotContains(t, said.Result.Text, tt.want+`, `)
		})
	}
}

// A text that an action wrote into what was there is reported, as that of a new element is. What was only drawn again
// is not.
func TestTextsWritten(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ html, script, want string }{
		"into an empty paragraph": {`<p id=o></p>`, `o.textContent = 'Added'`, `appeared: text "Added"`},
		"in place of another text": {
			`<p>Cart: <b id=o>1</b> items</p>`, `o.firstChild.data = '2'`, `appeared: text "Cart: 2 items"`,
		},
		"its own label": {``, `b.textContent = 'Following'`, `appeared: text "Following"`},
		"beside a new element": {
			`<p id=o></p><div id=list></div>`, `o.textContent = 'One note'; list.innerHTML = '<p>Milk</p>'`,
			`appeared: paragraph "Milk", text "One note"`,
		},
		"beside the button, which is drawn again": {
			`<p id=o></p>`, `b.outerHTML = b.outerHTML; o.textContent = 'Added'`, `appeared: text "Added"`,
		},
		"in many places": {
			`<table>` + strings.Repeat(`<tr><td class=o>1`, 20) + `</table>`,
			`for (const cell of document.querySelectorAll('.o')) cell.textContent = '2'`,
			`20 elements changed beside it`,
		},
		"of what goes": {
			`<ul><li id=o>Milk <button>x</button></li><li>Tea</li></ul>`, `o.remove()`, `gone: listitem "Milk x"`,
		},
		"of a group in a drawing": {
			`<svg width=90 height=40><g id=o><rect width=9 height=9 /><text y=20>small</text></g></svg>`, `o.remove()`,
			`gone: group "small"`,
		},
		"of what is drawn again": {
			`<ul id=o><li>Milk</li></ul>`, `o.innerHTML = o.innerHTML`, `appeared: listitem "Milk"`,
		},
		"of what was not seen": {
			`<p id=o hidden>Milk</p>`, `o.remove()`, `1 element removed beside it`,
		},
		"where it is not seen": {`<p id=o hidden></p>`, `o.textContent = 'Added'`, `1 element changed beside it`},
		"for screen readers, with words": {
			`<p id=o></p><p role=status id=s></p>`, `o.textContent = 'Two'; s.textContent = 'Two items'`,
			`appeared: status "Two items"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<button id=b>Add</button>`+tt.html+`<script>
const b = document.getElementById('b'), act = () => { `+tt.script+` };
document.addEventListener('click', act);
</script>`)
			require.Equal(t, "✓ Done · "+tt.want, c.Do("click", "#b").Result.Text)
		})
	}
}

// A field that an action changed without being its target is told with its value, unless that is a secret.
func TestFieldsChanged(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ html, script, want string }{
		"a date that a picker writes": {
			`<input id=o aria-label="Start date" value="20 Jan">`, `o.value = '24 Dec'`,
			`✓ Done · textbox "Start date": "20 Jan" → "24 Dec"`,
		},
		"a form that is emptied": {
			`<form id=o><input aria-label=Name><select aria-label=Size><option>S<option>L</select></form>`,
			`o.reset()`, `✓ Done · textbox "Name": "Ann" → ""; combobox "Size": "L" → "S"`,
		},
		"a password": {
			`<input type=password aria-label=Key id=o>`, `o.value = 'hunter2'`, `✓ Done · textbox "Key" changed`,
		},
		"a hidden one": {`<input id=o hidden>`, `o.value = 'x'`, `✓ Done · no effect seen yet`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<button id=b>Act</button>`+tt.html+`<script>
for (const field of document.forms[0] ?? []) field.value = field.localName === 'select' ? 'L' : 'Ann';
b.onclick = () => { `+tt.script+` };</script>`)
			require.Equal(t, tt.want, c.Do("click", "#b").Result.Text)
		})
	}
}
