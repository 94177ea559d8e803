package inpage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestActingSelect(t *testing.T) {
	t.Parallel()
	const options = `<option value=r>Red<option value=g>Green
		&nbsp;Dark<option value=Red label="Named">x<optgroup label=G><option>Blue</optgroup>`
	tests := []struct {
		name     string
		html     string
		values   []string
		selected []any
		events   string
	}{
		{"by value", `<select id=b>` + options, []string{"g"}, []any{"g"}, "input change"},
		{"by text, whitespace collapsed", `<select id=b>` + options, []string{"Green Dark"}, []any{"g"}, "input change"},
		{"value before text", `<select id=b>` + options, []string{"Red"}, []any{"Red"}, "input change"},
		{"by label attribute", `<select id=b>` + options, []string{"Named"}, []any{"Red"}, "input change"},
		{"in a group", `<select id=b>` + options, []string{"Blue"}, []any{"Blue"}, "input change"},
		{"already chosen", `<select id=b>` + options, []string{"r"}, []any{"r"}, ""},
		{"several", `<select id=b multiple>` + options, []string{"r", "Blue"}, []any{"r", "Blue"}, "input change"},
		{
			"several, in any order, others dropped", `<select id=b multiple><option selected>1<option>2<option>3</select>`,
			[]string{"3", "2"},
			[]any{"2", "3"},
			"input change",
		},
		{
			"none of several", `<select id=b multiple><option selected>1<option>2</select>`,
			[]string{},
			[]any{},
			"input change",
		},
		{
			"the enabled one of two alike", `<select id=b><option>-<option disabled value=1>Same<option value=2>Same</select>`,
			[]string{"Same"},
			[]any{"2"},
			"input change",
		},
		{
			"through its label", `<label id=lab for=b>Color</label><select id=b>` + options,
			[]string{"g"},
			[]any{"g"},
			"input change",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, recorder+tt.html+`</select><script>follow(document.querySelector('#b'), 'input', 'change')</script>`)
			target := css("#b")
			if tt.name == "through its label" {
				target = css("#lab")
			}
			res := p.result(t, "select", object{"target": target, "values": tt.values, "patience": 5000})
			require.Empty(t, cmp.Diff(tt.selected, res["selected"]))
			require.Empty(t,
				cmp.Diff(any(tt.selected), p.js(t, "[...document.querySelector('#b').selectedOptions].map(o => o.value)")))
			require.Equal(t, tt.events, p.js(t, "log()"))
		})
	}
}

func TestActingSelectFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		html   string
		values []string
		code   string
		facts  object
	}{
		{
			"no such option", `<select id=b><option value=r>Red<option value=g>Green</select>`,
			[]string{"nope"},
			"option-not-found",
			object{
				"missing":   []any{"nope"},
				"available": []any{object{"value": "r", "label": "Red"}, object{"value": "g", "label": "Green"}}, "reason": nil,
			},
		},
		{
			"disabled option", `<select id=b><option value=r>Red<option value=g disabled>Green</select>`,
			[]string{"g"},
			"option-not-found",
			object{
				"missing": []any{"g"}, "reason": "disabled",
				"available": []any{object{"value": "r", "label": "Red"}, object{"value": "g", "label": "Green", "disabled": true}},
			},
		},
		{
			"option of a disabled group",
			`<select id=b><option>-<optgroup disabled label=G><option value=g>Green</optgroup></select>`,
			[]string{"g"},
			"option-not-found",
			object{"reason": "disabled"},
		},
		{
			"one of several is missing", `<select id=b multiple><option>1<option>2</select>`,
			[]string{"1", "3"},
			"option-not-found",
			object{"missing": []any{"3"}},
		},
		{
			"not a select", `<input id=b>`,
			[]string{"x"},
			"target-unsuitable",
			object{"tag": "input", "type": "text", "reason": "It is not a select, and opens no list of options."},
		},
		{
			"two values where one fits", `<select id=b><option>1<option>2</select>`,
			[]string{"1", "2"},
			"target-unsuitable",
			object{"multiple": false},
		},
		{
			"no value where one is needed", `<select id=b><option>1</select>`,
			[]string{},
			"target-unsuitable",
			object{"multiple": false},
		},
		{"disabled", `<select id=b disabled><option>1</select>`, []string{"1"}, "target-disabled", nil},
		{
			"hidden", `<select id=b hidden><option>1</select>`,
			[]string{"1"},
			"target-hidden",
			object{"reason": "display:none"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, recorder+tt.html+`<script>follow(b, 'input', 'change')</script>`)
			before := p.js(t, "[...b.selectedOptions ?? []].map(o => o.value)")
			code, facts := p.failure(t, "select", object{"target": css("#b"), "values": tt.values, "patience": 0})
			require.Equal(t, tt.code, code, "%v", facts)
			for k, want := range tt.facts {
				require.Empty(t, cmp.Diff(want, facts[k]), k)
			}
			require.Equal(t, before, p.js(t, "[...b.selectedOptions ?? []].map(o => o.value)"))
			require.Equal(t, "", p.js(t, "log()"))
		})
	}
}

func TestActingSelectWaitsForTheOption(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<select id=b><option>Loading</select>`)
	result := p.start(t, "select", object{"target": css("#b"), "values": []string{"Peru"}, "patience": 10000})
	p.js(t, `b.innerHTML = '<option>-<option>Peru'; 0`)
	require.Equal(t, []any{"Peru"}, result()["selected"])
}
