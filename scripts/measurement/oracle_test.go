//go:build linux

package main

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOracle shows which controls and texts the oracle's script finds.
func TestOracle(t *testing.T) {
	t.Parallel()
	o, err := openOracle(t.Context(), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, o.close(t.Context())) })
	for _, tt := range []struct {
		name, body      string
		controls, texts []string // names and texts
	}{
		{"a button", `<button>Save</button>`, []string{"Save"}, []string{"Save"}},
		{"disabled", `<button disabled>Save</button>`, nil, []string{"Save"}},
		{"not displayed", `<button style="display:none">Save</button><p hidden>Text</p>`, nil, nil},
		{"transparent", `<button style="opacity:0">Save</button>`, nil, nil},
		{"covered", `<button>Save</button><div style="position:fixed;inset:0;background:white"></div>`, nil, nil},
		{
			"behind a modal dialog",
			`<button style="position:fixed;bottom:0">Save</button><dialog id=d><button>Close</button></dialog><script>d.showModal()</script>`,
			[]string{"Close"},
			[]string{"Close"},
		},
		{"far below", `<div style="height:3000px"></div><button>Save</button>`, []string{"Save"}, nil},
		{"left of the page", `<a href="#" style="position:absolute;left:-999px">Skip</a>`, nil, nil},
		{
			"cut off", `<div style="width:50px;height:20px;overflow:hidden"><button style="margin-top:40px">Save</button></div>`,
			nil, nil,
		},
		{
			"to be scrolled to",
			`<div style="width:90px;height:30px;overflow:auto"><div style="height:90px"></div><button>Save</button></div>`,
			[]string{"Save"},
			nil,
		},
		{
			"clipped for screen readers",
			`<span style="position:absolute;clip:rect(0,0,0,0);width:1px;height:1px;overflow:hidden">Hidden words</span>`, nil,
			nil,
		},
		{
			"what listens", `<div id=c style="width:90px">Card</div><script>c.addEventListener('click', () => 0)</script>`,
			[]string{"Card"},
			[]string{"Card"},
		},
		{
			"what listens for what is in it", `<div onclick="0"><button>Save</button></div>`,
			[]string{"Save"},
			[]string{"Save"},
		},
		{"in a control", `<button><span onclick="0">Save</span></button>`, []string{"Save"}, []string{"Save"}},
		{"an anchor without a target", `<a>Home</a>`, nil, []string{"Home"}},
		{
			"a box that is seen by its label", `<label><input type=checkbox style="position:absolute;opacity:0">Agree</label>`,
			[]string{"Agree"},
			[]string{"Agree"},
		},
		{
			"in a slot that is not shown",
			`<div id=h>Saved for later</div><script>h.attachShadow({mode:'open'}).innerHTML='<details><summary>More</summary><slot></slot></details>'</script>`,
			[]string{"More"},
			[]string{"More"},
		},
		{
			"in a slot that is shown",
			`<div id=h>Saved for later</div><script>h.attachShadow({mode:'open'}).innerHTML='<p><slot></slot></p>'</script>`,
			nil,
			[]string{"Saved for later"},
		},
		{
			"in a shadow root",
			`<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<button>Save</button>'</script>`,
			[]string{"Save"},
			[]string{"Save"},
		},
		{"in a frame", `<iframe srcdoc="<button>Save</button>"></iframe>`, []string{"Save"}, []string{"Save"}},
		{"small print", `<p style="font-size:12px">Terms</p><p style="font-size:13px">Prices</p>`, nil, []string{"Prices"}},
		{"the letter of an icon", "<button aria-label=Bell>\ue001</button>", []string{"Bell"}, nil},
		{
			"values",
			`<input value="Ada Lovelace" aria-label=Name><select aria-label=Size><option>Small<option selected>Large</select>`,
			[]string{"Name", "Size"},
			[]string{"Ada Lovelace", "Large"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) { // one after the other: they share the browser
			require.NoError(t,
				o.open(t.Context(), "data:text/html;charset=utf-8,"+url.PathEscape("<!doctype html><body>"+tt.body)))
			seen, err := o.look(t.Context())
			require.NoError(t, err)
			var controls, texts []string
			for _, c := range seen.Controls {
				controls = append(controls, c.Names[0])
			}
			for _, s := range seen.Texts {
				texts = append(texts, s.Text)
			}
			require.Equal(t, tt.controls, controls)
			require.Equal(t, tt.texts, texts)
		})
	}
}
