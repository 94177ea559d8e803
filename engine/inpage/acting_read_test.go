package inpage_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/inpage"
)

func TestActingRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		html  string
		what  string
		attr  string
		value any
	}{
		{"text", `<p id=b>a <b>b</b><br>c <i hidden>d</i></p>`, "text", "", "a b\nc"},
		{"text of something hidden", `<p id=b hidden>a</p>`, "text", "", "a"},
		{"text of svg", `<svg><text id=b>a</text></svg>`, "text", "", "a"},
		{"html", `<p id=b>a <b>b</b></p>`, "html", "", "a <b>b</b>"},
		{"value of a field", `<input id=b value=v>`, "value", "", "v"},
		{"value of a text area", `<textarea id=b>v</textarea>`, "value", "", "v"},
		{"value of a select", `<select id=b><option value=v>Text</select>`, "value", "", "v"},
		{"value of an editor", `<div id=b contenteditable>v</div>`, "value", "", "v"},
		{"value through a label", `<label id=b>L<input value=v></label>`, "value", "", "v"},
		{"value of nothing", `<p id=b>x</p>`, "value", "", nil},
		{"box of what is not rendered", `<p id=b hidden>x</p>`, "box", "", nil},
		{"attribute", `<p id=b data-x=1>`, "attr", "data-x", "1"},
		{"absent attribute", `<p id=b>`, "attr", "data-x", nil},
		{"empty attribute", `<p id=b data-x>`, "attr", "data-x", ""},
		{
			"data attributes", `<p id=b title=t data-x data-user-id=7 data-a-1=n>`, "dataset", "",
			object{"x": "", "userId": "7", "a-1": "n"},
		},
		{"data attributes of svg", `<svg><text id=b data-x=1>a</text></svg>`, "dataset", "", object{"x": "1"}},
		{"data attribute __proto__", `<p id=b data-__proto__=1>`, "dataset", "", object{"__proto__": "1"}},
		{
			"data attributes of a form with a field of that name", `<form id=b data-x=1><input name=dataset></form>`, "dataset",
			"",
			object{"x": "1"},
		},
		{"no data attributes", `<p id=b title=t>`, "dataset", "", object{}},
		{
			"box", `<p id=b style="position:absolute;left:10px;top:20px;width:30px;height:40px;margin:0">`, "box", "",
			object{"x": 10.0, "y": 20.0, "width": 30.0, "height": 40.0},
		},
		{"visible", `<p id=b>x`, "visible", "", true},
		{"visible, out of view", `<p id=b style="position:absolute;top:-900px">x`, "visible", "", true},
		{"visible: display", `<p id=b style="display:none">x`, "visible", "", false},
		{"visible: visibility", `<p id=b style="visibility:hidden">x`, "visible", "", false},
		{"visible: opacity", `<p id=b style="opacity:0">x`, "visible", "", false},
		{"visible: empty", `<p id=b></p>`, "visible", "", false},
		{"visible: closed details", `<details><p id=b>x</p></details>`, "visible", "", false},
		{"enabled", `<input id=b>`, "enabled", "", true},
		{"enabled: disabled", `<input id=b disabled>`, "enabled", "", false},
		{"enabled: fieldset", `<fieldset disabled><input id=b></fieldset>`, "enabled", "", false},
		{"enabled: aria", `<button id=b aria-disabled=true>x</button>`, "enabled", "", true},
		{"checked", `<input id=b type=checkbox checked>`, "checked", "", true},
		{"checked: not", `<input id=b type=radio>`, "checked", "", false},
		{"checked: aria", `<div id=b role=checkbox aria-checked=true>x</div>`, "checked", "", true},
		{"checked: nothing to check", `<p id=b>x`, "checked", "", false},
		{"href", `<a id=b href="#x">x</a>`, "href", "", "about:blank#x"},
		{"href of a child", `<a href="#x"><i id=b>x</i></a>`, "href", "", "about:blank#x"},
		{"href of svg", `<svg><a href="#x"><text id=b>x</text></a></svg>`, "href", "", "about:blank#x"},
		{"href of nothing", `<p id=b>x`, "href", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			res := p.result(t, "read", object{"target": css("#b"), "what": tt.what, "name": tt.attr})
			require.Empty(t, cmp.Diff(tt.value, res["value"]))
			require.Equal(t, 1.0, res["count"])
		})
	}
	t.Run("styles", func(t *testing.T) {
		t.Parallel()
		p := newPage(t, `<p id=b style="color:red">`)
		styles := p.result(t, "read", object{"target": css("#b"), "what": "styles"})["value"].(object)
		require.Equal(t, "rgb(255, 0, 0)", styles["color"])
		require.Greater(t, len(styles), 300)
	})
	t.Run("waits for the element", func(t *testing.T) {
		t.Parallel()
		p := newPage(t, ``)
		result := p.start(t, "read", object{"target": css("#b"), "what": "text", "patience": 10000})
		p.js(t, `document.body.innerHTML = '<p id=b>late</p>'; 0`)
		require.Equal(t, "late", result()["value"])
	})
}

func TestActingState(t *testing.T) {
	t.Parallel()
	plain := object{
		"connected": true, "checked": nil, "value": "", "selected": []any{}, "expanded": nil, "focused": false,
		"disabled": false,
	}
	tests := []struct {
		name   string
		html   string
		change string
		differ object // from plain
	}{
		{"plain", `<button id=b>x</button>`, ``, nil},
		{"removed", `<button id=b>x</button>`, `b.remove()`, object{"connected": false}},
		{"checked", `<input id=b type=checkbox>`, `b.checked = true`, object{"checked": "true"}},
		{"mixed", `<input id=b type=checkbox>`, `b.indeterminate = true`, object{"checked": "mixed"}},
		{"value", `<input id=b>`, `b.value = 'v'`, object{"value": "v"}},
		{"secret value stays in the page", `<input id=b type=password>`, `b.value = 'v'`, object{}},
		{
			"selected", `<select id=b multiple><option>1<option>2</select>`, `b.options[1].selected = true`,
			object{"value": "2", "selected": []any{"2"}},
		},
		{"expanded", `<button id=b>x</button>`, `b.ariaExpanded = 'true'`, object{"expanded": "true"}},
		{"details", `<details open><summary id=b>x</summary></details>`, ``, object{"expanded": "true"}},
		{"focused", `<input id=b>`, `b.focus()`, object{"focused": true}},
		{"disabled", `<input id=b>`, `b.disabled = true`, object{"disabled": true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			token := refTo(t, p, "#b")["ref"].(object)["token"]
			p.js(t, tt.change+"; 0")
			want := object{}
			maps.Copy(want, plain)
			maps.Copy(want, tt.differ)
			got := p.result(t, "state", object{"token": token})
			if tt.name == "checked" || tt.name == "mixed" {
				want["value"] = got["value"] // "on" where no value attribute is
			}
			require.Empty(t, cmp.Diff(want, got))
		})
	}
	t.Run("unknown token", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, false, newPage(t, ``).result(t, "state", object{"token": 99})["connected"])
	})
}

func TestActingInfo(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<title> Some title </title>`)
	got := p.result(t, "info", object{})
	require.Empty(t, cmp.Diff(object{
		"url": "about:blank", "title": "Some title", "readyState": "complete", "doc": "doc-" + p.frame, "status": 0.0,
		"scrollX": 0.0, "scrollY": 0.0,
		"screen": object{"x": 0.0, "y": 0.0}, "width": 1280.0, "height": 720.0, "ratio": 1.0,
	}, got))
	// Installing again keeps the document's first id.
	var doc string
	p.evaluate(t, p.world, inpage.Bring(), nil)
	p.evaluate(t, p.world, inpage.Install("another"), &doc)
	require.Equal(t, got["doc"], doc)
}

// Names of form fields and images shadow the properties of forms and of the document, in the isolated world too.
func TestActingOnClobberedProperties(t *testing.T) {
	t.Parallel()
	p := pageFile(t, "acting-clobbered.html")
	arg := func(selector string, more object) object {
		a := object{"target": css(selector), "patience": 0}
		maps.Copy(a, more)
		return a
	}
	res := p.result(t, "aim", arg("#form", object{"checks": "pointer"}))
	require.Equal(t, "form", res["tag"])
	require.Equal(t, "form", p.result(t, "read", arg("#form", object{"what": "attr", "name": "id"}))["value"])
	require.Equal(t, true, p.result(t, "read", arg("#form", object{"what": "visible"}))["value"])
	require.Contains(t, p.result(t, "read", arg("#form", object{"what": "text"}))["value"], "words of the form")
	require.Contains(t, p.result(t, "read", arg("#form", object{"what": "html"}))["value"], "<label")
	require.Equal(t, 1.0, p.result(t, "count", find("text", "words of the form"))["count"])
	require.Equal(t, true, p.result(t, "wait", object{"text": "words of the form"})["met"])
	require.Equal(t, false, p.result(t, "focus", arg("#form", nil))["focused"])
	require.Equal(t, "text", p.result(t, "fill", arg("[name=tagName]", object{"value": "x"}))["kind"])
	require.Equal(t, true, p.result(t, "scroll", object{"dy": 100})["moved"])
	require.Equal(t, true, p.result(t, "scroll", arg("#form", object{"dy": 100}))["moved"])
	require.Contains(t, p.result(t, "scrollIntoView", arg("#form", nil)), "moved")
	require.Equal(t, "Clobbered", p.result(t, "info", object{})["title"])
	code, _ := p.failure(t, "wait", object{"text": "not there", "patience": 30})
	require.Equal(t, "timeout", code)
}
