package inpage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestActingFocus(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		html   string
		want   object
		active string // expression for the element that has the focus afterwards
	}{
		{"field", `<input id=b>`, object{"focused": true, "editable": true}, `document.activeElement.id`},
		{"button", `<button id=b>x</button>`, object{"focused": true, "editable": false}, `document.activeElement.id`},
		{
			"tabindex", `<div id=b tabindex=-1>x</div>`,
			object{"focused": true, "editable": false},
			`document.activeElement.id`,
		},
		{
			"editor", `<div id=b contenteditable>x</div>`,
			object{"focused": true, "editable": true},
			`document.activeElement.id`,
		},
		{
			"through its label", `<label id=b for=i>x</label><input id=i>`,
			object{"focused": true, "editable": true},
			`document.activeElement.id === 'i' && 'b'`,
		},
		{
			"in a shadow tree", `<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<input id=b>'</script>`,
			object{"focused": true, "editable": true},
			`host.shadowRoot.activeElement.id`,
		},
		{
			"a host that delegates it",
			`<x-field id=b></x-field><script>b.attachShadow({mode:'open',delegatesFocus:true}).innerHTML='<input>'</script>`,
			object{"focused": true, "editable": true},
			`document.activeElement.id`,
		},
		{
			"svg", `<svg id=b tabindex=0 width=9 height=9></svg>`,
			object{"focused": true, "editable": false},
			`document.activeElement.id`,
		},
		{
			"not focusable", `<div id=b>x</div>`,
			object{"focused": false, "editable": false},
			`document.activeElement === document.body && 'b'`,
		},
		{
			"gives it away", `<input id=b onfocus="i.focus()"><input id=i>`,
			object{"focused": true, "editable": true}, // passed says to what
			`document.activeElement.id === 'i' && 'b'`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			res := p.result(t, "focus", object{"target": css("#b"), "patience": 0})
			require.Empty(t, cmp.Diff(tt.want, pick(res, "focused", "editable", "on")))
			require.Equal(t, "b", p.js(t, tt.active))
		})
	}
	for _, tt := range []struct{ name, html, code string }{
		{"hidden", `<input id=b hidden>`, "target-hidden"},
		{"disabled", `<input id=b disabled>`, "target-disabled"},
		{"missing", ``, "selector-not-found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, _ := newPage(t, tt.html).failure(t, "focus", object{"target": css("#b"), "patience": 0})
			require.Equal(t, tt.code, code)
		})
	}
}

func TestActingActive(t *testing.T) {
	t.Parallel()
	nothing := object{"tag": "", "role": "", "name": "", "editable": false, "token": 0.0}
	tests := []struct {
		name string
		html string
		want object
	}{
		{"nothing", `<input>`, nothing},
		{
			"field", `<input autofocus id=b aria-label=Name>`,
			object{"tag": "input", "role": "textbox", "name": "Name", "editable": true},
		},
		{"readonly field", `<input id=b readonly>`, object{"tag": "input", "role": "textbox", "name": "", "editable": false}},
		{"button", `<button id=b>Go</button>`, object{"tag": "button", "role": "button", "name": "Go", "editable": false}},
		{"date", `<button id=b>Go</button>`, object{"tag": "button", "role": "button", "name": "Go", "editable": false}},
		{
			"in a shadow tree",
			`<div id=b></div><script>b.attachShadow({mode:'open'}).innerHTML='<input aria-label=In>'; b.focus = () => b.shadowRoot.firstChild.focus()</script>`,
			object{"tag": "input", "role": "textbox", "name": "In", "editable": true},
		},
		{"editable body", `<body contenteditable id=b>x`, object{"tag": "body", "editable": true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			p.js(t, "globalThis.b?.focus(); 0")
			got := p.result(t, "active", object{})
			keys := make([]string, 0, len(tt.want))
			for k := range tt.want {
				keys = append(keys, k)
			}
			require.Empty(t, cmp.Diff(tt.want, pick(got, keys...)))
		})
	}
}
