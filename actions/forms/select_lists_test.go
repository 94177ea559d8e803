package forms_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Lists of options that pages build themselves.
func TestSelectCustom(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, page, target string
		values             []string
		js                 string
		want               any
	}{
		{"React", "react", "#country-input", []string{"Chile"}, "chosen('country')", "ch"},
		{"React, far down", "react", "#country-input", []string{"Peru"}, "chosen('country')", "pe"},
		{"React, several", "react", "#tags-input", []string{"Heavy", "Cold"}, "chosen('tags')", "Heavy,Cold"},
		// besides those before
		{"React, by a label", "react", "label[for=tags-input]", []string{"Express"}, "chosen('tags')", "Heavy,Cold,Express"},
		{"React, options on typing", "react", "#city-input", []string{"Limassol"}, "chosen('city')", "Limassol"},
		{"React, slow to load", "react", "#slow-input", []string{"Japan"}, "chosen('slow')", "ja"},
		{"MUI", "mui", "#age-select", []string{"Twenty"}, "document.getElementById('age').value()", "20"},
		{"MUI, by value", "mui", "#age-select", []string{"30"}, "document.getElementById('age').value()", "30"},
		{
			"MUI, several", "mui", "#names-select",
			[]string{"Van", "Omar"},
			"document.getElementById('names').value()",
			"Van,Omar",
		},
		{"MUI, autocomplete", "mui", "#role", []string{"Editor"}, "role.value + role.dataset.value", "EditorEditor"},
		{
			"Radix", "radix", "#fruit",
			[]string{"Cherry"},
			"fruit + document.getElementById('fruit-native').value",
			"cherrycherry",
		},
		{"Radix, menu of radio items", "radix", "#panel", []string{"Right"}, "panel", "right"},
		{"Headless UI", "radix", "#plan", []string{"Enterprise"}, "plan", "Enterprise"},
		{"Ant", "ant", "#person", []string{"Person 3"}, "chosen('person')", "Person 3"},
		{"Ant, far down a virtual list", "ant", "#person", []string{"Person 287"}, "chosen('person')", "Person 287"},
		{"Ant, with search", "ant", "#team", []string{"Team 150"}, "chosen('team')", "Team 150"},
		{"listbox", "aria", "#one", []string{"Neon"}, "chosen('one')", "Neon"},
		{"listbox of several", "aria", "#several", []string{"Ham", "Onion"}, "chosen('several')", "Ham,Onion"},
		{
			"listbox of several, one stays", "aria", "#several",
			[]string{"Cheese", "Onion"},
			"chosen('several')",
			"Cheese,Onion",
		},
		{
			"listbox of several, with Control", "aria", "#exclusive",
			[]string{"b.txt", "d.txt"},
			"chosen('exclusive')",
			"b.txt,d.txt",
		},
		{"radio group", "aria", "#size", []string{"Large"}, "chosen('size')", "Large"},
		{"group of native radios", "aria", "#pay", []string{"Cash"}, "document.querySelector('#pay :checked').value", "cash"},
		{
			"combobox that lists when typed in", "aria", "#state",
			[]string{"Arizona"},
			"document.getElementById('state').value",
			"Arizona",
		},
		{
			"combobox that opens by a key", "aria", "#key",
			[]string{"Second"},
			"document.getElementById('key').textContent",
			"Second",
		},
		{"datalist", "aria", "#browser", []string{"Chromium"}, "document.getElementById('browser').value", "Chromium"},
		{"datalist, by label", "aria", "#browser", []string{"Netscape"}, "document.getElementById('browser').value", "ns4"},
		{"case does not matter", "aria", "#one", []string{"neon"}, "chosen('one')", "Neon"},
		{"by index", "aria", "#one", []string{"--index", "2"}, "chosen('one')", "Lithium"},
		{"index as a value", "aria", "#one", []string{"index=1"}, "chosen('one')", "Helium"},
	}
	for _, page := range []string{"react", "mui", "radix", "ant", "aria"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			shown := host.Opened(t, "/pages/acting-choose-"+page+".html")
			for _, tt := range tests {
				if tt.page != page {
					continue
				}
				t.Run(tt.name, func(t *testing.T) {
					c := shown.In(t)
					reply := c.Do(append([]string{"select", tt.target}, tt.values...)...)
					require.Equal(t, tt.want, c.Page(tt.js))
					require.Len(t, sessiontest.Decode[struct {
						Selected []string
					}](t, reply.Result.Data).Selected, map[bool]int{true: 1, false: len(tt.values)}[tt.values[0] == "--index"])
					require.NotEqual(t, true,
						c.Page("!!document.querySelector('.menu, .popover, .popper, .content, .dropdown, .options')"),
						"the list is closed")
				})
			}
		})
	}
}

func TestSelectCustomRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, page, target string
		values             []string
		code               fault.Code
		says               string
		js                 string
		want               any
	}{
		{
			"React, no such option", "react", "#country-input",
			[]string{"Atlantis"},
			fault.OptionNotFound,
			`matched ["Atlantis"]. Available options: Austria`,
			"chosen('country') + document.getElementById('country-input').value", "",
		},
		{
			"React, disabled option", "react", "#country-input",
			[]string{"Ghana"},
			fault.OptionNotFound,
			`Ghana ("Ghana") disabled`, "chosen('country')", "",
		},
		{
			"React, the page does not keep it", "react", "#stubborn-input",
			[]string{"Peru"},
			fault.ValueNotKept, "",
			"chosen('stubborn')", "",
		},
		{
			"MUI, disabled option", "mui", "#age-select",
			[]string{"Forty"},
			fault.OptionNotFound, "disabled",
			"document.getElementById('age').value()", "",
		},
		{"Radix, disabled option", "radix", "#fruit", []string{"Durian"}, fault.OptionNotFound, "disabled", "fruit", ""},
		{
			"a menu of actions without that one", "radix", "#actions",
			[]string{"Burn"},
			fault.OptionNotFound,
			"Available options: ", "log.join()", "",
		},
		{
			"Ant, no such option", "ant", "#person",
			[]string{"Person 301"},
			fault.OptionNotFound, "Person 1 (",
			"String(chosen('person'))", "null",
		},
		{
			"listbox without such an option", "aria", "#one",
			[]string{"Kryptonite"},
			fault.OptionNotFound, "Hydrogen",
			"chosen('one')", "",
		},
		{"listbox that does nothing", "aria", "#dead", []string{"Beta"}, fault.ValueNotKept, "", "chosen('dead')", ""},
		{"listbox that is off", "aria", "#off", []string{"Beta"}, fault.TargetDisabled, "", "chosen('off')", ""},
		{
			"two where one is allowed", "aria", "#one",
			[]string{"Neon", "Boron"},
			fault.TargetUnsuitable,
			"takes exactly one value", "chosen('one')", "",
		},
		{
			"what opens nothing", "aria", "#empty",
			[]string{"x"},
			fault.TargetUnsuitable, "no list of options came",
			"chosen('one')", "",
		},
		{
			"a plain button", "aria", "#plain",
			[]string{"x"},
			fault.TargetUnsuitable, "no list of options came",
			"chosen('one')", "",
		},
		{
			"several lists", "aria", "body",
			[]string{"x"},
			fault.TargetUnsuitable, "opens no list of options", "chosen('one')",
			"",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-choose-"+tt.page+".html")
			err := c.Fails(tt.code, append([]string{"select", tt.target}, tt.values...)...)
			require.Contains(t, err.Error(), tt.says)
			require.Equal(t, tt.want, c.Page(tt.js))
			if tt.code == fault.OptionNotFound {
				require.NotEqual(t, true,
					c.Page("!!document.querySelector('.menu, .popover, .popper, .content, .dropdown, .options')"),
					"the list is as closed as it was")
			}
		})
	}
}

// What is chosen already is not touched.
func TestSelectCustomChosenAlready(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-choose-radix.html")
	c.Do("select", "#plan", "Business")
	c.Do("select", "#fruit", "Plum")
	require.Equal(t, "plan=Business\nfruit=plum", c.Log())
	c.Do("select", "#plan", "Business")
	c.Do("select", "#fruit", "Plum")
	require.Equal(t, "plan=Business\nfruit=plum", c.Log())
	c.Do("select", c.Ref(`combobox "Fruit"`), "Apple")
	require.Equal(t, "apple", c.Page("fruit"))
}

func TestSelectNative(t *testing.T) {
	t.Parallel()
	value := func(id string) string { return "document.getElementById('" + id + "').value" }
	for _, tt := range []struct {
		name, target string
		args         []string
		js           string
		want         any
	}{
		{"in a group", "#size", []string{"Forty four"}, value("size"), "44"},
		{"by index", "#size", []string{"--index", "1"}, value("size"), "38"},
		{"index as a value", "#size", []string{"index=2"}, value("size"), "44"},
		{"label as a value", "#size", []string{"label=Three"}, value("size"), "3"},
		{"a value that looks like an index", "#numbers", []string{"index=0"}, value("numbers"), "index=0"},
		{"value before label", "#numbers", []string{"2"}, value("numbers"), "2"},
		{"only labels", "#numbers", []string{"--label", "2"}, value("numbers"), "1"},
		{"through its label", "#size-label", []string{"38"}, value("size"), "38"},
		{"options that come on focus", "#focus", []string{"Loaded"}, value("focus"), "loaded"},
		{"options that come on mousedown", "#down", []string{"Loaded"}, value("down"), "loaded"},
		{"options that are rendered again", "#again", []string{"Option z"}, value("again"), "z"},
		{"a field that is rendered again", "#key", []string{"b"}, value("key"), "b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-choose-native.html")
			c.Do(append([]string{"select", tt.target}, tt.args...)...)
			require.Equal(t, tt.want, c.Page(tt.js))
		})
	}
	c := host.Opened(t, "/pages/acting-choose-native.html")
	require.Contains(t, c.Fails(fault.TargetUnsuitable, "select", "#row", "blue").Error(), "It contains <select#inrow>",
		"what contains it is another thing")
	require.NotEqual(t, "blue", c.Page(value("inrow")))
	require.Contains(t, c.Fails(fault.ValueNotKept, "select", "#controlled", "two").Error(), `it now has ["one"]`)
	require.Contains(t, c.Fails(fault.ValueNotKept, "select", "#key", "c").Error(), `it now has ["a"]`)
	c.Fails(fault.OptionNotFound, "select", "#size", "--index", "9")
	c.Fails(fault.Usage, "select", "#size", "36", "--index", "0")
	c.Fails(fault.Usage, "select", "#size", "--index", "one")
	c.Fails(fault.Usage, "select", "#size")
	c.Do("batch", "select #size 44", "select #depends wide")
	require.Equal(t, "wide", c.Page(value("depends")))
}

// A widget that does not hear of a choice in the select below it shows another one, which is told.
func TestSelectUnderADeafWidget(t *testing.T) {
	t.Parallel()
	const html = `<!doctype html><select id=under style="opacity:0;position:absolute"><option>One</option><option>Two</option></select><div id=widget tabindex=0>One</div><script>%s</script>`
	for _, tt := range []struct{ name, script, note string }{
		{"hears nothing", ``, `still shows "One"`},
		{"draws at once", `under.onchange = () => { widget.textContent = under.value; }`, ""},
		{
			"draws later",
			`under.onchange = () => requestAnimationFrame(() => requestAnimationFrame(() => { widget.textContent = under.value; }))`, "",
		},
		{"draws something else", `widget.textContent = 'Choose'`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, strings.Replace(html, "%s", tt.script, 1))
			reply := c.Do("select", "#under", "Two")
			require.Equal(t, "Two", c.Page("under.value"))
			require.Contains(t, sessiontest.Notes(reply), tt.note)
			if tt.note == "" {
				require.NotContains(t, sessiontest.Notes(reply), "still shows")
			}
		})
	}
}

// A widget drawn over a select opens its list when it gets the focus; choosing in the select below leaves it closed.
func TestSelectUnderAWidget(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<style>#under { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }</style>
		<select id=under tabindex=-1><option>One</option><option>Two</option></select><div id=widget tabindex=0>One</div><ul id=list hidden><li>One</li><li>Two</li></ul><script>
		under.addEventListener('focus', () => widget.focus());
		widget.addEventListener('focus', () => { list.hidden = false; });
		widget.addEventListener('blur', () => { list.hidden = true; });
		under.addEventListener('change', () => { widget.textContent = under.value; });
		under.addEventListener('mousedown', () => { if (under.options.length === 2) setTimeout(() => under.append(new Option('Three')), 50); });
	</script>`)
	for _, option := range []string{"Two", "Three"} { // the third one comes when the list is opened
		c.Do("select", "#under", option)
		require.Equal(t, []any{option, option, true}, c.Page("[under.value, widget.textContent, list.hidden]"))
	}
	// Also one that was open before, by the focus or by a click, and where the option is chosen already.
	for _, option := range []string{"One", "One", "Two"} {
		for _, target := range []string{"#under", "#widget"} {
			c.Do("focus", target)
			require.Equal(t, false, c.Page("list.hidden"))
			c.Do("select", "#under", option)
			require.Equal(t, []any{option, option, true}, c.Page("[under.value, widget.textContent, list.hidden]"))
		}
	}
}

// A field may hold the list that it opens. What is in that list is not shown as chosen.
func TestSelectListInTheField(t *testing.T) {
	t.Parallel()
	for name, hides := range map[string]string{
		"not there": "display:none", "hidden": "visibility:hidden", "moved away": "position:absolute;left:-999px",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<div id=city role=combobox tabindex=0 aria-haspopup=listbox aria-expanded=false aria-controls=list aria-label=City>
				<span id=value>Choose</span><div id=list role=listbox style="`+hides+`"><div role=option>Rome</div><div role=option>Oslo</div></div></div>
				<script>
				city.onclick = (event) => {
					const isOpen = city.ariaExpanded === 'true'
					if (isOpen && event.target.role === 'option') value.textContent = event.target.textContent
					city.ariaExpanded = String(!isOpen)
					list.style = isOpen ? '`+hides+`' : ''
				}
				</script>`)
			c.Do("select", "#city", "Oslo")
			require.Equal(t, "Oslo", c.Page("value.textContent"))
			c.Do("select", "#city", "Rome")
			require.Equal(t, "Rome", c.Page("value.textContent"))
		})
	}
}
