package inpage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// recorder makes the page note the named events of #b, read with log().
const recorder = `<script>{
  const seen = [];
  window.log = () => seen.splice(0).join(' ');
  window.follow = (el, ...names) => { for (const n of names) el.addEventListener(n, () => seen.push(n)); };
}</script>`

// Text is selected by the op and typed by the browser; the value is read back from the page.
func TestActingFillTyped(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		html  string
		text  string
		kind  string
		read  string // expression for what the page holds; default: b.value
		wants string // default: text
	}{
		{name: "text", html: `<input id=b value=old>`, text: "new words", kind: "text"},
		{name: "empty", html: `<input id=b value=old>`, text: "", kind: "text"},
		{name: "email", html: `<input id=b type=email value=old@x>`, text: "a@b.c", kind: "text"},
		{name: "number", html: `<input id=b type=number value=7>`, text: "42", kind: "text"},
		{name: "password", html: `<input id=b type=password value=old>`, text: "s3cret", kind: "text"},
		{name: "unknown type", html: `<input id=b type=fancy value=old>`, text: "x", kind: "text"},
		{name: "search", html: `<input id=b type=search value=old>`, text: "x", kind: "text"},
		{name: "textarea", html: `<textarea id=b>old
lines</textarea>`, text: "one\ntwo", kind: "text"},
		{
			name: "contenteditable", html: `<div id=b contenteditable><p>old <b>bold</b></p><p>more</p></div>`, text: "new",
			kind: "contenteditable",
			read: `b.textContent`,
		},
		{
			name: "contenteditable, empty", html: `<div id=b contenteditable>old</div>`, text: "", kind: "contenteditable",
			read: `b.textContent`,
		},
		{
			name: "plaintext-only", html: `<div id=b contenteditable=plaintext-only>old</div>`, text: "new",
			kind: "contenteditable", read: `b.textContent`,
		},
		{
			name: "a paragraph of an editor", html: `<div id=host contenteditable><p id=a>keep</p><p id=b>old</p></div>`,
			text: "new",
			kind: "contenteditable", read: `host.innerText.replace(/\s+/g, ' ')`, wants: "keep new",
		},
		{
			name: "in a shadow tree",
			html: `<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<input id=b value=old>'</script>`,
			text: "new", kind: "text", read: `host.shadowRoot.querySelector('#b').value`,
		},
		{
			name: "contenteditable in a shadow tree",
			html: `<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<div id=b contenteditable>old</div>'</script>`,
			text: "new", kind: "contenteditable", read: `host.shadowRoot.querySelector('#b').textContent`,
		},
		{
			name: "a custom element with one field",
			html: `<x-field id=b></x-field><script>b.attachShadow({mode:'open'}).innerHTML='<input value=old>'</script>`,
			text: "new", kind: "text", read: `b.shadowRoot.querySelector('input').value`,
		},
		{
			name: "a label", html: `<label id=b>Name <input id=i value=old></label>`, text: "new", kind: "text",
			read: `i.value`,
		},
		{
			name: "a textbox around a field", html: `<div id=b role=textbox><input id=i value=old></div>`, text: "new",
			kind: "text", read: `i.value`,
		},
		{name: "below the fold", html: `<div style="height:3000px"></div><input id=b value=old>`, text: "new", kind: "text"},
		{
			name: "a field that selects nothing by itself", html: `<input id=b value=old onfocus="setSelectionRange(3,3)">`,
			text: "new", kind: "text",
		},
		{
			name: "a datalist field", html: `<input id=b list=l value=old><datalist id=l><option>x</datalist>`, text: "new",
			kind: "text",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			res := p.result(t, "fill", object{"target": css("#b"), "value": tt.text, "patience": 5000})
			require.Empty(t, cmp.Diff(object{"done": false, "kind": tt.kind}, pick(res, "done", "kind")))
			p.insert(t, tt.text)
			read, wants := tt.read, tt.wants
			if read == "" {
				read = "b.value"
			}
			if wants == "" {
				wants = tt.text
			}
			require.Equal(t, wants, p.js(t, read))
			got := p.result(t, "value", object{"token": res["token"], "expect": tt.text, "wait": 5000})
			require.Equal(t, true, got["kept"], "%v", got)
		})
	}
}

// Fields of kinds that users do not type into are set, with the events of a choice.
func TestActingFillSet(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		input  string
		value  string
		want   object
		events string
	}{
		{"date", `type=date`, "2026-02-28", object{"value": "2026-02-28"}, "input change"},
		{"time", `type=time`, "23:59", object{"value": "23:59"}, "input change"},
		{"datetime-local", `type=datetime-local`, "2026-02-28T10:00", object{"value": "2026-02-28T10:00"}, "input change"},
		{"month", `type=month`, "2026-02", object{"value": "2026-02"}, "input change"},
		{"week", `type=week`, "2026-W07", object{"value": "2026-W07"}, "input change"},
		{"color", `type=color`, "#FF8000", object{"value": "#ff8000"}, "input change"},
		{"range", `type=range max=10`, "7", object{"value": "7"}, "input change"},
		{
			"range past its end", `type=range max=10 value=3`, "70",
			object{"value": "3", "refused": true, "format": "a number from 0 to 10"},
			"",
		},
		{"the same value", `type=date value=2026-02-28`, "2026-02-28", object{"value": "2026-02-28"}, ""},
		{"cleared", `type=date value=2026-02-28`, "", object{"value": ""}, "input change"},
		{
			"no date", `type=date value=2026-02-28`, "28.2.2026",
			object{"value": "2026-02-28", "refused": true, "format": "YYYY-MM-DD"},
			"",
		},
		{
			"no color", `type=color value="#112233"`, "red",
			object{"value": "#112233", "refused": true, "format": "#rrggbb"},
			"",
		},
		{"no number", `type=range value=30`, "much", object{"value": "30", "refused": true, "format": "a number"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, recorder+`<input id=b `+tt.input+`><script>follow(b, 'input', 'change')</script>`)
			res := p.result(t, "fill", object{"target": css("#b"), "value": tt.value, "patience": 5000})
			require.Equal(t, true, res["done"])
			require.Equal(t, "value", res["kind"])
			require.Empty(t, cmp.Diff(tt.want, pick(res, "value", "refused", "format")))
			require.Equal(t, tt.want["value"], p.js(t, "b.value"))
			require.Equal(t, tt.events, p.js(t, "log()"))
		})
	}
}

func TestActingFillFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		html  string
		code  string
		facts object
	}{
		{"missing", ``, "selector-not-found", nil},
		{"readonly", `<input id=b readonly value=keep>`, "target-readonly", nil},
		{"readonly textarea", `<textarea id=b readonly>keep</textarea>`, "target-readonly", nil},
		{"readonly date", `<input id=b type=date readonly>`, "target-readonly", nil},
		{"disabled", `<input id=b disabled value=keep>`, "target-disabled", nil},
		{"in a disabled fieldset", `<fieldset disabled><input id=b value=keep></fieldset>`, "target-disabled", nil},
		{"hidden", `<input id=b hidden value=keep>`, "target-hidden", object{"reason": "display:none"}},
		{
			"button", `<button id=b>keep</button>`, "target-unsuitable",
			object{"tag": "button", "role": "button", "reason": "It is not editable."},
		},
		{
			"checkbox", `<input id=b type=checkbox value=keep>`, "target-unsuitable",
			object{"tag": "input", "type": "checkbox"},
		},
		{"submit", `<input id=b type=submit value=keep>`, "target-unsuitable", object{"type": "submit"}},
		{"file", `<input id=b type=file>`, "target-unsuitable", object{"type": "file"}},
		{"hidden file", `<input id=b type=file style="display:none">`, "target-unsuitable", object{"type": "file"}},
		{"select", `<select id=b><option>keep</select>`, "target-unsuitable", object{"tag": "select"}},
		{"div", `<div id=b>keep</div>`, "target-unsuitable", object{"tag": "div"}},
		{
			"an island in an editor", `<div contenteditable><p id=b contenteditable=false>keep</p></div>`, "target-unsuitable",
			nil,
		},
		{
			"a form with two fields",
			`<x-form id=b></x-form><script>b.attachShadow({mode:'open'}).innerHTML='<input><input>'</script>`,
			"target-unsuitable",
			object{"tag": "x-form"},
		},
		{
			"gives the focus away", `<input id=b value=keep onfocus="other.focus()"><input id=other>`, "target-unsuitable",
			object{"reason": "It does not take the focus.", "focused": "input#other"},
		},
		{"invalid selector", ``, "selector-invalid", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			selector := "#b"
			if tt.code == "selector-invalid" {
				selector = "#["
			}
			code, facts := p.failure(t, "fill", object{"target": css(selector), "value": "new", "patience": 0})
			require.Equal(t, tt.code, code, "%v", facts)
			for k, want := range tt.facts {
				require.Empty(t, cmp.Diff(want, facts[k]), k)
			}
			// Nothing was touched.
			require.Contains(t, []any{"keep", "", nil}, p.js(t, "globalThis.b?.value ?? (globalThis.b?.textContent || null)"))
		})
	}
}

// What cannot be cured by waiting fails at once, whatever the patience.
func TestActingFillDoesNotWaitInVain(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<button id=b>x</button>`)
	var sync bool
	p.evaluate(t, p.world,
		`!(globalThis.__skua.ops.fill({target: {css: '#b'}, value: 'x', patience: 60000}) instanceof Promise)`, &sync)
	require.True(t, sync)
}

func TestActingFillWaits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, html, change string }{
		{"to be enabled", `<input id=b disabled>`, `b.disabled = false`},
		{"to be writable", `<input id=b readonly>`, `b.readOnly = false`},
		{"to be shown", `<input id=b hidden>`, `b.hidden = false`},
		{"to exist", ``, `document.body.innerHTML = '<input id=b>'`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			result := p.start(t, "fill", object{"target": css("#b"), "value": "x", "patience": 10000})
			p.js(t, tt.change+"; 0")
			require.Equal(t, "text", result()["kind"])
			require.Equal(t, "b", p.js(t, "document.activeElement.id"))
		})
	}
}

// Editors with a selection of their own have taken the new one over before text can arrive.
func TestActingFillIsNoticedByEditors(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<div id=b contenteditable>all of it</div><script>document.addEventListener('selectionchange', () => {
		document.body.dataset.noted = String(getSelection()) })</script>`)
	var noted string
	p.evaluate(t, p.world, `(async () => {
		await globalThis.__skua.ops.fill({target: {css: '#b'}, value: 'x', patience: 5000});
		return document.body.dataset.noted;
	})()`, &noted)
	require.Equal(t, "all of it", noted)
	// Filling again changes no selection, and waits for nothing.
	require.Equal(t, "contenteditable", p.result(t, "fill", object{"target": css("#b"), "value": "x"})["kind"])
}

// Text that was announced and is not there yet is told from text that the field did not keep.
func TestActingValueOfTextThatIsLate(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<input id=b value=old>`)
	token := p.result(t, "fill", object{"target": css("#b"), "value": "new"})["token"]
	arg := object{"token": token, "expect": "new", "wait": 20, "inserted": true}
	require.Equal(t,
		object{"value": "old", "kept": false, "secret": false, "connected": true, "late": true, "missed": false},
		p.result(t, "value", arg))
	p.js(t, "document.execCommand('insertText', false, 'new'); 0")
	delete(arg, "inserted")
	require.Equal(t, object{"value": "new", "kept": true, "secret": false, "connected": true, "missed": false},
		p.result(t, "value", arg))
}

func TestActingValue(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		html   string
		expect string
		want   object
	}{
		{"kept", `<input id=b value="a b">`, "a b", object{"value": "a b", "kept": true, "secret": false}},
		{"not kept", `<input id=b value="A B">`, "a b", object{"value": "A B", "kept": false, "secret": false}},
		{"secret", `<input id=b type=password value=s>`, "s", object{"value": "s", "kept": true, "secret": true}},
		{
			"line breaks in one line", `<input id=b value="a b">`, "a\nb",
			object{"value": "a b", "kept": true, "secret": false},
		},
		{
			"spaces around an address", `<input id=b type=email value=" a@b.c ">`, " a@b.c ",
			object{"value": "a@b.c", "kept": true, "secret": false},
		},
		{
			"paragraphs", `<div id=b contenteditable><p>a</p><p>b&nbsp;c</p></div>`, "a\nb c",
			object{"value": "a\n\nb c", "kept": true, "secret": false},
		},
		{"select", `<select id=b><option value=v>Text</select>`, "v", object{"value": "v", "kept": true, "secret": false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			ref := refTo(t, p, "#b")["ref"].(object)
			got := p.result(t, "value", object{"token": ref["token"], "expect": tt.expect, "wait": 0})
			require.Empty(t, cmp.Diff(tt.want, pick(got, "value", "kept", "secret")))
		})
	}
	t.Run("waits for what a script sets as a property", func(t *testing.T) {
		t.Parallel()
		p := newPage(t, `<input id=b>`)
		ref := refTo(t, p, "#b")["ref"].(object)
		result := p.start(t, "value", object{"token": ref["token"], "expect": "late", "wait": 10000})
		p.js(t, `b.value = 'late'; 0`)
		require.Equal(t, true, result()["kept"])
	})
	t.Run("unknown token", func(t *testing.T) {
		t.Parallel()
		code, _ := newPage(t, ``).failure(t, "value", object{"token": 99})
		require.Equal(t, "ref-stale", code)
	})
}
