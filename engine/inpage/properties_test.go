package inpage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What Chrome's protocol does not tell, or tells otherwise, is tested here; all else by the comparison of the trees.
func TestWalkWritesProperties(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, html string
		want       map[string]string // of the first node with a role other than generic; without token and state keys
	}{
		{"the current page", `<a href=/x aria-current=page>x</a>`, map[string]string{"current": "page"}},
		{"another word for what is current", `<a href=/x aria-current=yes>x</a>`, map[string]string{"current": "true"}},
		{"what is not current", `<a href=/x aria-current=false>x</a>`, nil},
		{"nothing said of what is current", `<a href=/x aria-current>x</a>`, nil},
		{"case does not matter", `<a href=/x aria-current=STEP>x</a>`, map[string]string{"current": "step"}},
		{
			"a value in words",
			`<div role=slider tabindex=0 aria-label=s aria-valuenow=3 aria-valuetext="  three   stars "></div>`,
			map[string]string{"orientation": "horizontal", "valuemin": "0", "valuemax": "100", "valuetext": "three stars"},
		},
		{
			"words that say the number", `<input type=range value=3 aria-valuetext=3>`,
			map[string]string{"orientation": "horizontal", "valuemin": "0", "valuemax": "100"},
		},
		{"a number field without bounds", `<input type=number value=3>`, nil},
		{"a number field with one bound", `<input type=number min=0>`, map[string]string{"valuemin": "0"}},
		{"bounds that are not numbers", `<input type=number min=+1 max=1.>`, nil},
		{
			"words in a description are escaped", "<button aria-description='a\\b'>x</button>",
			map[string]string{"description": `a\\b`},
		},
		{"a line between parts cannot be moved", `<hr>`, map[string]string{"orientation": "horizontal"}},
		{"a menu that a button opens", `<button aria-haspopup=true>x</button>`, map[string]string{"haspopup": "menu"}},
		{"a dialog that a link opens", `<a href=/x aria-haspopup=dialog>x</a>`, map[string]string{"haspopup": "dialog"}},
		{"a list that is being filled", `<ul aria-busy=true><li>x</ul>`, map[string]string{"busy": "true"}},
		{
			"a list for several choices", `<select multiple size=2><option>x</select>`,
			map[string]string{"multiselectable": "true", "orientation": "vertical"},
		},
		{
			"a modal dialog", `<dialog id=d aria-label=d>x</dialog><script>d.showModal()</script>`,
			map[string]string{"modal": "true"},
		},
		{"a dialog that leaves the page usable", `<dialog open aria-label=d>x</dialog>`, nil},
	}
	states := []string{
		"level", "checked", "expanded", "selected", "disabled", "focused", "url", "value", "nth", "hints",
		"unseen",
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			for _, n := range p.walk(t, object{}) {
				if n.role == "generic" {
					continue
				}
				for _, key := range states {
					delete(n.keys, key)
				}
				if tt.want == nil {
					require.Empty(t, n.keys)
				} else {
					require.Equal(t, tt.want, n.keys)
				}
				return
			}
			require.Fail(t, "the walk has no node")
		})
	}
}

func TestWalkNamesTheActiveDescendant(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, html string
		said       bool   // whether there is one
		active     string // the name of its node
	}{
		{
			"of a field",
			`<input role=combobox aria-activedescendant=b><ul role=listbox><li role=option>A<li role=option id=b>B</ul>`, true,
			"B",
		},
		{
			"of a grid, in a cell without a token of its own",
			`<div role=grid tabindex=0 aria-activedescendant=c><div role=row><span role=gridcell id=c></span></div></div>`, true,
			"",
		},
		{
			"that is hidden", `<input role=combobox aria-activedescendant=b><ul role=listbox hidden><li role=option id=b>B</ul>`,
			false, "",
		},
		{"that is not there", `<input role=combobox aria-activedescendant=b>`, false, ""},
		{
			"set by script",
			`<input role=combobox id=i><ul role=listbox><li role=option id=b>B</ul><script>i.ariaActiveDescendantElement = b</script>`, true, "B",
		},
		{"of a list of the browser's own", `<select size=2><option>A<option selected>B</select>`, true, "B"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			nodes := newPage(t, tt.html).walk(t, object{})
			active, name := "", ""
			for _, n := range nodes {
				if n.keys["active"] != "" {
					active = n.keys["active"]
				}
			}
			for _, n := range nodes {
				if active != "" && n.token == active {
					name = n.name
				}
			}
			require.Equal(t, tt.said, active != "")
			require.Equal(t, tt.active, name)
		})
	}
}
