package pointer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// chosen is a script that returns the values of the options that a list has chosen.
const chosen = `(id => [...document.getElementById(id).selectedOptions].map(o => o.value))`

// A click on an option of a select whose menu the browser draws itself chooses it, whether the menu is open or not.
func TestClickOption(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		before []string
		click  []string
		id     string
		want   []any
		log    string
		says   string
	}{
		{
			"closed menu", nil, cmd("click", "#color option[value=g]"), "color",
			[]any{"g"},
			"input color\nchange color",
			`chose "Green Dark" in combobox "Color"`,
		},
		{
			"open menu", cmd("click", "#color"), cmd("click", "#color option[value=g]"), "color",
			[]any{"g"},
			"click color\ninput color\nchange color", `chose "Green Dark" in combobox "Color"`,
		},
		{
			"by role", nil, cmd("click", "role=option[name=Two]"), "texts",
			[]any{"Two"},
			"input texts\nchange texts",
			`chose "Two" in combobox "Texts"`,
		},
		{
			"the empty value", nil, cmd("click", "#color option[value='']"), "color",
			[]any{""},
			"input color\nchange color",
			`chose "None" in combobox "Color"`,
		},
		{
			"what is chosen already", nil, cmd("click", "#color option[value=r]"), "color",
			[]any{"r"},
			"",
			`"Red" is chosen in combobox "Color" already`,
		},
		{
			"with force", nil, cmd("click", "#color option[value=g]", "--force"), "color",
			[]any{"g"},
			"input color\nchange color", `chose "Green Dark" in combobox "Color"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-choices.html")
			if tt.before != nil {
				c.Do(tt.before...)
			}
			reply := c.Do(tt.click...)
			require.Equal(t, tt.want, c.Page(chosen+"('"+tt.id+"')"))
			require.Equal(t, tt.log, c.Log())
			require.Contains(t, strings.Join(reply.Result.Notes, "\n"), tt.says)
			c.Do("click", "#button")
			require.Contains(t, c.Log(), "click button", "no menu is left open that takes the next click")
		})
	}
}

// The options of a list that the page shows get the click itself.
func TestClickOptionOfAListBox(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-choices.html")
	reply := c.Do("click", "#sizes option:nth-child(2)")
	require.Equal(t, []any{"M"}, c.Page(chosen+"('sizes')"))
	require.Contains(t, c.Log(), "click")
	require.NotContains(t, strings.Join(reply.Result.Notes, "\n"), "chose")
}

// What cannot be chosen is refused, and nothing changes.
func TestClickOptionRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, id string
		click    []string
		code     fault.Code
		says     string
		holds    []any
	}{
		{"disabled option", "color", cmd("click", "#color option[value=b]"), fault.TargetDisabled, "is disabled", []any{"r"}},
		{"disabled group", "color", cmd("click", "#color option[value=o]"), fault.TargetDisabled, "is disabled", []any{"r"}},
		{
			"disabled group, with force", "color", cmd("click", "#color option[value=o]", "--force"), fault.TargetDisabled,
			"is disabled",
			[]any{"r"},
		},
		{
			"disabled select", "disabled", cmd("click", "#disabled option:nth-child(2)"), fault.TargetDisabled, "is disabled",
			[]any{"a"},
		},
		{
			"hidden select", "hidden", cmd("click", "#hidden option:nth-child(2)"), fault.TargetHidden, "is not visible",
			[]any{"a"},
		},
		{
			"the page resists", "resists", cmd("click", "#resists option:nth-child(2)"), fault.ValueNotKept,
			"reverted the choice",
			[]any{"a"},
		},
		{
			"context menu", "color", cmd("click", "#color option[value=g]", "--button", "right"), fault.TargetHidden, "",
			[]any{"r"},
		},
		{"double click", "color", cmd("dblclick", "#color option[value=g]"), fault.TargetHidden, "", []any{"r"}},
	}
	page := host.Opened(t, "/pages/acting-choices.html")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			err := c.Fails(tt.code, tt.click...)
			require.Contains(t, err.Error(), tt.says)
			if tt.code == fault.TargetHidden && tt.says == "" {
				require.Contains(t, err.Hint, "`select ")
			}
			require.Equal(t, tt.holds, c.Page(chosen+"('"+tt.id+"')"))
		})
	}
}

// A choice that leads away is a choice.
func TestClickOptionThatLeavesThePage(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-choices.html")
	c.Do("click", "#goes option[value=away]")
	require.Equal(t, site.URL("/echo?away"), c.Page("location.href"))
}
