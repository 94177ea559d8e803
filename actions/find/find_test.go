package find_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const locatorsPage = "/pages/acting-locators.html"

// The element that each locator finds is clicked.
func TestFindClicks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		command []string
		on      string // id of what is clicked
	}{
		{"role", []string{"role", "heading", "click"}, "heading"},
		{"role in any case", []string{"role", "HEADING"}, "heading"},
		{"role with name", []string{"role", "button", "click", "--name", "delete"}, "rolebutton"},
		{"flags first", []string{"role", "button", "--name", "Delete row"}, "rolebutton"},
		{"role with exact name", []string{"role", "button", "click", "--name", "Save", "--exact"}, "save"},
		{"role of a link", []string{"role", "link", "click", "--name", "Save"}, "link"},
		{"role in a shadow tree", []string{"role", "button", "click", "--name", "Deep"}, "deep"},
		{"text", []string{"text", "find me", "click"}, "found"},
		{"text, click when nothing else is said", []string{"text", "Section"}, "heading"},
		{"exact text", []string{"text", "Save", "click", "--exact"}, "save"},
		{"text in a shadow tree", []string{"text", "Deep inside", "click"}, "deep"},
		{"text that assistive technology does not get", []string{"text", "Only seen", "click"}, "ariahidden"},
		{"text with signs", []string{"text", `"hi" & go`, "click"}, "quotes"},
		{"label", []string{"label", "Email address", "click"}, "email"},
		{"label around", []string{"label", "phone", "click"}, "phone"},
		{"aria-label", []string{"label", "Nickname", "click"}, "labelled"},
		{"aria-labelledby", []string{"label", "City", "click"}, "city"},
		{"placeholder", []string{"placeholder", "you@", "click"}, "email"},
		{"exact placeholder", []string{"placeholder", "Number", "click", "--exact"}, "phone"},
		{"alternative text", []string{"alt", "Logo", "click"}, "logo"},
		{"title", []string{"title", "A tip", "click"}, "tip"},
		{"test id", []string{"testid", "submit-button", "click"}, "test"},
		{"test id in a shadow tree", []string{"testid", "deep", "click"}, "deep"},
		{"first", []string{"first", ".item", "click"}, "one"},
		{"last", []string{"last", ".item", "click"}, "three"},
		{"nth", []string{"nth", "1", ".item", "click"}, "two"},
		{"nth from the end", []string{"nth", "-2", ".item", "click"}, "two"},
	}
	page := host.Opened(t, locatorsPage)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Page("log = []; 0")
			reply := c.Do(append([]string{"find"}, tt.command...)...)
			require.Regexp(t, "^✓ Done", reply.Result.Text)
			require.Equal(t, "click "+tt.on, c.LastEvent("click"))
			require.NotEmpty(t, sessiontest.Decode[object](t, reply.Result.Data)["clicked"])
		})
	}
}

func TestFindActions(t *testing.T) {
	t.Parallel()
	const value = `(id => document.getElementById(id).value)`
	tests := []struct {
		name    string
		command []string
		read    string
		want    any
	}{
		{"fill", []string{"label", "Email address", "fill", "a@b.c"}, value + "('email')", "a@b.c"},
		{"fill with several words", []string{"placeholder", "Number", "fill", "1", "2"}, value + "('phone')", "1 2"},
		{
			"fill by role and name",
			[]string{"role", "textbox", "fill", "hello", "--name", "Nickname"},
			value + "('labelled')",
			"hello",
		},
		{"type", []string{"label", "City", "type", "Bern"}, value + "('city')", "Bern"},
		{"check", []string{"label", "I accept", "check"}, "terms.checked", true},
		{"double click", []string{"testid", "submit-button", "dblclick"}, "log.at(-1)", "dblclick test"},
		{"hover", []string{"title", "A tip", "hover"}, "document.getElementById('tip').matches(':hover')", true},
		{"focus", []string{"role", "checkbox", "focus"}, "document.activeElement.id", "terms"},
	}
	page := host.Opened(t, locatorsPage)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			require.Contains(t, c.Do(append([]string{"find"}, tt.command...)...).Result.Text, "✓ Done")
			require.Equal(t, tt.want, c.Page(tt.read))
		})
	}
}

func TestFindUnchecks(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, locatorsPage)
	c.Do("find", "label", "I accept", "check")
	c.Do("find", "label", "I accept", "uncheck")
	require.Equal(t, false, c.Page("terms.checked"))
}

func TestFindText(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, locatorsPage)
	for want, command := range map[string][]string{
		"Three":       {"last", ".item", "text"},
		"Section":     {"role", "heading", "text"},
		"Find me":     {"text", "Find me", "text"},
		"Save as…":    {"role", "button", "text", "--name", "save as"},
		"Send":        {"testid", "submit-button", "text"},
		"Deep inside": {"text", "deep INSIDE", "text"},
	} {
		reply := c.Do(append([]string{"find"}, command...)...)
		require.Equal(t, want, reply.Result.Text)
		require.Equal(t, object{"text": want}, sessiontest.Decode[object](t, reply.Result.Data))
	}
	require.Empty(t, c.Log(), "reading does nothing")
}

func TestFindNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		command []string
		says    string
	}{
		{"text of scripts, styles and templates only", []string{"text", "var text"}, "No element found by text 'var text'."},
		{"text of hidden elements only", []string{"text", "Not shown"}, "No element found by text 'Not shown'."},
		{"role", []string{"role", "slider"}, "No element found: getByRole('slider')."},
		{
			"name",
			[]string{"role", "button", "click", "--name", "Absent"},
			`role "button", but none match name "Absent". Names seen: "Save", `,
		},
		{"name in another case", []string{"role", "button", "click", "--name", "save", "--exact"}, `none match name "save"`},
		{
			"role of what assistive technology does not get",
			[]string{"role", "button", "click", "--name", "Only seen"},
			`none match name "Only seen"`,
		},
		{"label", []string{"label", "Absent"}, "No element found by label 'Absent'."},
		{"placeholder", []string{"placeholder", "Absent"}, "No element found by placeholder 'Absent'."},
		{"alternative text", []string{"alt", "logo"}, "No element found by alt 'logo'."},
		{"title", []string{"title", "Find me"}, "No element found by title 'Find me'."},
		{"test id", []string{"testid", "submit"}, "No element found by testid 'submit'."},
		{"nth", []string{"nth", "99", ".item"}, "No element at index 99 for selector '.item'."},
		{"first", []string{"first", ".nosuch"}, "No element at index 0 for selector '.nosuch'."},
		{"last", []string{"last", ".nosuch"}, "No element at index last for selector '.nosuch'."},
	}
	page := host.Opened(t, locatorsPage)
	page.Page(`document.body.insertAdjacentHTML('beforeend', '<p hidden>Not shown</p>')`)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			err := c.Fails(fault.SelectorNotFound, append([]string{"find"}, tt.command...)...)
			require.Contains(t, err.Error(), tt.says)
			require.Contains(t, err.Error(), "Verify the selector, role, or name is correct")
			require.Empty(t, c.Log())
		})
	}
}

func TestFindUsage(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, locatorsPage)
	tests := []struct {
		command []string
		says    string
	}{
		{[]string{"find", "label", "Phone", "fill"}, "Missing 'value' for fill subaction"},
		{[]string{"find", "label", "Phone", "type"}, "Missing 'value' for type subaction"},
		{[]string{"find", "text", "Save", "click", "now"}, "Unexpected argument: now"},
		{[]string{"find", "text", "Save", "poke"}, "poke"},
		{[]string{"find", "text"}, "Missing arguments for: find text"},
		{[]string{"find", "nth", "second", ".item"}, "second"},
		{[]string{"find", "smell", "Save"}, "Unknown subcommand: smell"},
		{[]string{"find"}, "Unknown subcommand: (none)"},
	}
	for _, tt := range tests {
		err := c.Fails(fault.Usage, tt.command...)
		require.Contains(t, err.Error(), tt.says)
	}
	c.Fails(fault.SelectorInvalid, "find", "first", "#[")
	require.Empty(t, c.Log())
}

// The element is not marked for it, and comes as late as it likes.
func TestFindWaitsAndLeavesNoTrace(t *testing.T) {
	t.Parallel()
	g := site.Gate(t, "")
	c := host.Showing(t, `<main></main><script>fetch('`+g.Path+`').then(() => {
		document.querySelector('main').innerHTML = '<button onclick="log.push(this.outerHTML)">Late</button>' })</script>`)
	reply := c.Start("find", "role", "button", "click", "--name", "Late", "--timeout", "20000")
	g.WaitAsked(t)
	c.Do("tab", "list")
	require.Empty(t, reply)
	g.Open()
	c.Await(reply)
	require.Equal(t, `<button onclick="log.push(this.outerHTML)">Late</button>`, c.Log())
}

// A text is that of the smallest element which shows it, and of what people see.
func TestFindTextTakesTheSmallestThatIsSeen(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<style>.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0); white-space: nowrap }</style>
		<div id=around>Add to cart: <button id=add>Add to cart</button></div>
		<ul id=split><li>Sign</li><li>in</li></ul><button id=sign>Sign in</button>
		<ul class=sr id=told><li id=told-two>Two of them</li></ul><ul><li id=two>Two of them</li></ul>
		<button id=named>Save<span class=sr> Save the document</span></button>
		<p id=only>Half <b>bold</b></p><script>
		addEventListener('click', (e) => log.push(e.target.id));
	</script>`)
	for _, tt := range []struct{ text, want string }{
		{"Add to cart", "add"}, {"Sign in", "sign"}, {"Two of them", "two"}, {"Save", "named"}, {"Half bold", "only"},
	} {
		c.Page("log = []")
		c.Do("find", "text", tt.text, "click")
		require.Equal(t, tt.want, c.Log(), tt.text)
	}
	c.Page("log = []")
	c.Do("find", "role", "listitem", "click")
	c.Do("click", "#told li, #two")
	require.NotContains(t, c.Log(), "told-two")
}

// What a snapshot shows of a name or a text finds it: the characters of icon fonts are in neither.
func TestNamesBesideIcons(t *testing.T) {
	t.Parallel()
	const icon, other = "\ue902", "\U000f0001"
	for _, command := range [][]string{
		{"find", "role", "button", "click", "--name", "Delete row", "--exact"},
		{"find", "role", "button", "click", "--name", "delete row"},
		{"find", "text", "Delete row", "click"},
		{"find", "text", "Delete row", "click", "--exact"},
		{"click", "Delete row"},
	} {
		c := host.Showing(t,
			`<button onclick="document.title = 'done'">`+icon+` Delete `+other+` row</button><button>`+icon+`</button>`)
		c.Do("snapshot", "-i")
		c.Do(command...)
		require.Equal(t, "done", c.Do("get", "title").Result.Text, "%v", command)
		c.Do("find", "text", "Delete row", "hover")
	}
}
