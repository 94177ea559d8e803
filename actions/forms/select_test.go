package forms_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const chosen = `(id => [...document.getElementById(id).selectedOptions].map(o => o.value))`

func TestSelect(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		id     string
		values []string
		want   []any
		log    string
	}{
		{"by value", "color", []string{"g"}, []any{"g"}, "input color\nchange color"},
		{"by label", "color", []string{"Green Dark"}, []any{"g"}, "input color\nchange color"},
		{"empty value", "color", []string{""}, []any{""}, "input color\nchange color"},
		{"without a value of its own", "texts", []string{"Two"}, []any{"Two"}, "input texts\nchange texts"},
		{"what is chosen already", "color", []string{"r"}, []any{"r"}, ""},
		{"several", "sizes", []string{"M", "L"}, []any{"M", "L"}, "input sizes\nchange sizes"},
		{"one of several", "sizes", []string{"L"}, []any{"L"}, "input sizes\nchange sizes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-choices.html")
			data := c.Data(append([]string{"select", "#" + tt.id}, tt.values...)...)
			require.Equal(t, tt.want, c.Page(chosen+"('"+tt.id+"')"))
			require.Equal(t, tt.log, c.Log())
			require.Equal(t, object{"selected": tt.want}, data)
		})
	}
}

// Nothing is changed unless all of it can be.
func TestSelectRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		id     string
		values []string
		code   fault.Code
		says   string
		holds  []any
	}{
		{
			"no such option", "color",
			[]string{"x"},
			fault.OptionNotFound,
			`matched ["x"]. Available options: r ("Red"), g ("Green Dark"), b ("Blue") disabled`,
			[]any{"r"},
		},
		{"one of them missing", "sizes", []string{"M", "x"}, fault.OptionNotFound, `matched ["x"]`, []any{"S"}},
		{"disabled option", "color", []string{"b"}, fault.OptionNotFound, `b ("Blue") disabled`, []any{"r"}},
		{"disabled group", "color", []string{"Ochre"}, fault.OptionNotFound, `o ("Ochre") disabled`, []any{"r"}},
		{
			"two where one is allowed", "color",
			[]string{"r", "g"},
			fault.TargetUnsuitable, "takes exactly one value",
			[]any{"r"},
		},
		{"disabled", "disabled", []string{"b"}, fault.TargetDisabled, "is disabled", []any{"a"}},
		{"hidden", "hidden", []string{"b"}, fault.TargetHidden, "is not visible", []any{"a"}},
		{
			"the page resists", "resists",
			[]string{"b"},
			fault.ValueNotKept,
			`reverted the choice in '#resists': it now has ["a"]`,
			[]any{"a"},
		},
	}
	page := host.Opened(t, "/pages/acting-choices.html")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Page("log = []; 0")
			err := c.Fails(tt.code, append([]string{"select", "#" + tt.id}, tt.values...)...)
			require.Contains(t, err.Error(), tt.says)
			require.Equal(t, tt.holds, c.Page(chosen+"('"+tt.id+"')"))
			if tt.code != fault.ValueNotKept {
				require.Empty(t, c.Log())
			}
		})
	}
}

func TestSelectOnSomethingElse(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-choices.html")
	err := c.Fails(fault.TargetUnsuitable, "select", "#button", "x")
	require.Contains(t, err.Error(), "It was clicked, and no list of options came.")
	err = c.Fails(fault.Usage, "select", "#color")
	require.Contains(t, err.Error(), "Missing arguments for: select")
}

func TestSelectThatLeavesThePage(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-choices.html")
	reply := c.Do("select", "#goes", "away")
	require.Contains(t, sessiontest.Told(reply), "the page is now "+site.URL("/echo?away"))
	require.Equal(t, "away", c.Page("document.getElementById('query').textContent"))
}

// Options that come while the command waits.
func TestSelectWaitsForTheOption(t *testing.T) {
	t.Parallel()
	g := site.Gate(t, "")
	c := host.Showing(t,
		`<select id=s><option>a</select><script>fetch('`+g.Path+`').then(() => s.add(new Option('b')))</script>`)
	reply := c.Start("select", "#s", "b", "--timeout", "20000")
	g.WaitAsked(t)
	c.Do("tab", "list")
	require.Empty(t, reply)
	g.Open()
	c.Await(reply)
	require.Equal(t, "b", c.Page("s.value"))
}

// state is an expression for what a control is: true, false, or "mixed".
func state(id string) string {
	return `(el => el.localName === 'input' ? el.checked : ({true: true, false: false})[el.ariaChecked] ?? el.ariaChecked)(document.getElementById("` + id + `"))`
}

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		command string
		id      string
		want    bool
		clicked bool
	}{
		{"checkbox", "check", "check", true, true},
		{"checked already", "check", "checked", true, false},
		{"off", "uncheck", "checked", false, true},
		{"off already", "uncheck", "check", false, false},
		{"mixed", "check", "mixed", true, true},
		{"radio", "check", "green", true, true},
		{"radio that is on", "check", "red", true, false},
		{"ARIA", "check", "aria", true, true},
		{"ARIA mixed", "check", "ariamixed", true, true},
		{"switch", "check", "switch", true, true},
		{"hidden behind its label", "check", "behind", true, true},
		{"without a box", "check", "gone", true, true},
		{"disabled and checked", "check", "deadchecked", true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-choices.html")
			data := c.Data(tt.command, "#"+tt.id)
			require.Equal(t, tt.want, c.Page(state(tt.id)))
			require.Equal(t, tt.clicked, c.Log() != "", "events: %s", c.Log())
			require.NotContains(t, c.Log(), "click check made", "clicks are the pointer's")
			require.Equal(t, "#"+tt.id, data[tt.command+"ed"])
			require.Equal(t, !tt.clicked, data["already"] == true)
		})
	}
}

func TestCheckAndBack(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-choices.html")
	for _, id := range []string{"check", "aria", "switch", "behind"} {
		c.Do("check", "#"+id)
		require.Equal(t, true, c.Page(state(id)))
		require.Equal(t, "true", c.Do("is", "checked", "#"+id).Result.Text)
		c.Do("uncheck", "#"+id)
		require.Equal(t, false, c.Page(state(id)))
		require.Equal(t, "false", c.Do("is", "checked", "#"+id).Result.Text)
	}
	c.Do("check", "label:has(#check)")
	require.Equal(t, true, c.Page(state("check")), "a label stands for its control")
	require.Equal(t, "true", c.Do("is", "checked", "label:has(#check)").Result.Text)
	c.Do("check", c.Ref(`radio "Green"`))
	require.Equal(t, []any{false, true}, c.Page("["+state("red")+", "+state("green")+"]"))
}

func TestCheckRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		command string
		id      string
		code    fault.Code
		says    string
	}{
		{"disabled", "check", "dead", fault.TargetDisabled, "is disabled"},
		{"disabled and checked", "uncheck", "deadchecked", fault.TargetDisabled, "is disabled"},
		{"radio off", "uncheck", "red", fault.TargetUnsuitable, "Check another one of its group"},
		{"a button", "check", "button", fault.TargetUnsuitable, "cannot be checked"},
		{"a select", "uncheck", "color", fault.TargetUnsuitable, "cannot be unchecked"},
		{"nowhere to click", "check", "alone", fault.TargetHidden, "is not visible"},
		{"the page resists", "check", "stubborn", fault.ValueNotKept, "the page left it unchecked"},
		{"the page does nothing", "check", "ariastubborn", fault.ValueNotKept, "the page left it unchecked"},
		{"missing", "check", "nosuch", fault.SelectorNotFound, "Element not found"},
	}
	page := host.Opened(t, "/pages/acting-choices.html")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			before := c.Page("[...document.querySelectorAll('input')].map(i => i.checked)")
			err := c.Fails(tt.code, tt.command, "#"+tt.id)
			require.Contains(t, err.Error(), tt.says)
			require.Equal(t, before, c.Page("[...document.querySelectorAll('input')].map(i => i.checked)"))
		})
	}
}
