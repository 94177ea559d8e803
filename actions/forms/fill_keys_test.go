package forms_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// A form whose script looks at its fields when a key comes enables its button after fill, as after typing.
func TestFillWhereThePageListensToKeys(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"at the field": `<form><input id=f aria-label=Name><button id=go disabled>Go</button></form>
			<script>f.addEventListener('keyup', () => { go.disabled = f.value.length < 5; });</script>`,
		"above it": `<form><textarea id=f aria-label=Name></textarea><button id=go disabled>Go</button></form>
			<script>document.addEventListener('keyup', () => { go.disabled = f.value !== 'hello'; });</script>`,
		"without a form": `<div><p><input id=f aria-label=Name></p></div><p><button id=go disabled>Go</button></p>
			<script>f.addEventListener('keydown', () => setTimeout(() => { go.disabled = f.value.length < 5; }));</script>`,
		"ARIA": `<div><input id=f aria-label=Name><div id=go role=button tabindex=0 aria-disabled=true>Go</div></div>
			<script>f.addEventListener('keypress', () => setTimeout(() => go.setAttribute('aria-disabled', f.value.length < 5)));</script>`,
		"that filters a list": `<input id=f aria-label=Filter><ul><li><button id=go hidden>hello</button></ul>
			<script>f.addEventListener('keyup', () => { go.hidden = f.value !== go.textContent; });</script>`,
		"beside a button that is enabled": `<input id=f placeholder="Search notes"><button>Clear</button><ul><li><button id=go hidden>hello</button></ul>
			<script>document.addEventListener('keyup', () => { go.hidden = f.value !== go.textContent; });</script>`,
		"in the header of a column": `<table><tr><th>Name <input id=f aria-label=Name><button>Clear</button></table><button id=go hidden>hello</button>
			<script>f.addEventListener('keyup', () => { go.hidden = f.value !== go.textContent; });</script>`,
		"by an attribute": `<input id=f aria-label=Name onkeyup="log.push(this.value); go.hidden = this.value !== 'hello'"><button id=go hidden>Go</button>`,
		"editable content": `<div><div id=f role=textbox aria-label=Name contenteditable></div><button id=go disabled>Go</button></div>
			<script>f.addEventListener('keyup', () => { go.disabled = f.textContent !== 'hello'; });</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, page+`<script>go.onclick = (event) => { event.preventDefault(); log.push('went'); };</script>`)
			c.Page("f.value !== undefined ? f.value = 'old' : f.textContent = 'old'; 1")
			c.Do("fill", "#f", "hello")
			require.Equal(t, "hello", c.Page(content("#f")))
			c.Do("click", "#go")
			require.Equal(t, "went", c.Page("log.at(-1)"))
		})
	}
}

// Where the key does not do what it does elsewhere, the text is put in without it, and none goes to the page.
func TestFillWhereTheKeyIsNotTaken(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<form><input id=f aria-label=Name><input id=g aria-label=Other><button disabled>Go</button></form><script>
		f.onkeydown = (event) => event.preventDefault();
		g.oninput = () => { if (!window.once) { once = true; const fresh = g.cloneNode(); fresh.value = g.value; g.replaceWith(fresh); } };
		addEventListener('keydown', (event) => event.target === document.body && log.push(event.key));
	</script>`)
	c.Do("fill", "#f", "hello")
	require.Equal(t, "hello", c.Page("f.value"))
	c.Do("fill", "#g", "hello")
	require.Equal(t, "hello", c.Page("document.getElementById('g').value"))
	require.Empty(t, c.Log())
	// Without a disabled button or a key handler there is one edit, as pasting makes it; and a text that ends with Enter
	// sends nothing.
	c = host.Showing(t,
		`<form onsubmit="log.push('submit'); return false"><textarea id=f aria-label=Name></textarea><button disabled>Go</button></form>
		<input id=h aria-label=Plain><script>for (const el of [f, h]) for (const on of ['input', 'keydown']) el.addEventListener(on, () => log.push(on));</script>`)
	c.Do("fill", "#h", "hello")
	require.Equal(t, "input", c.Log())
	c.Page("log.length = 0")
	c.Do("fill", "#f", "hello\n")
	require.NotContains(t, c.Log(), "keydown")
	require.NotContains(t, c.Log(), "submit")
}

// A mask that takes keys alone, and a button that stays disabled, name what to use.
func TestFillNamesType(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<input id=mask aria-label=Mask><p><button id=go disabled>Go</button></p><script>
		text = '';
		mask.onkeydown = (event) => { event.preventDefault(); if (event.key === 'Delete' || event.key === 'Backspace') text = ''; else if (/^[0-9]$/.test(event.key)) text += event.key; mask.value = text; };
		mask.oninput = () => { mask.value = text; };
	</script>`)
	require.Contains(t, c.Fails(fault.ValueNotKept, "fill", "#mask", "1234").Hint, "`type`")
	require.Contains(t, c.Fails(fault.TargetDisabled, "click", "#go", "--timeout", "300").Hint, "`type`")
	c.Page("text = mask.value = ''")
	c.Do("type", "#mask", "1234")
	require.Equal(t, "1234", c.Page("mask.value"))
}
