package session_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// Refs of a page that was loaded again: its equal element in the new document, or an error. The page is made of what a
// session storage says, which outlives the document, so that the new one may differ from the old one.

// loading is a page of the parts that the storage has under its keys, or those of the arguments.
func loading(title, body string) string {
	return `<title>` + title + `</title><body><script>
const kept = key => location.pathname + key
const keep = (key, html) => sessionStorage.setItem(kept(key), html)
const part = (key, first) => document.write(sessionStorage.getItem(kept(key)) ?? first)
const row = (name, more = '') => '<tr><td>' + name + '</td><td>' + more + '<button onclick="log.push(\'delete ' + name + '\')">Delete</button></td></tr>'
const card = name => '<div class=card><b>' + name + '</b><div><button onclick="log.push(\'delete ' + name + '\')">Delete</button></div></div>'
const rows = names => '<table>' + names.map(name => row(name)).join('') + '</table>'
const cards = names => names.map(card).join('')
const says = text => '<button type=button onclick="log.push(\'' + text + '\')">' + text + '</button>'
</script>` + body
}

// reload is what differs in a page that is loaded again, and what a ref of the one before does.
type reload struct {
	name  string
	html  string
	click string // the element, as the snapshot shows it, or as the part of its row
	keep  string // put in the storage before the page is loaded again: a script
	log   string // what the new page noted; empty: the command failed with ref-stale
	says  string
}

const (
	tableOf = `<h1>People</h1><script>part('list', rows(['Ann', 'Bob', 'Carl']))</script>`
	cardsOf = `<h1>People</h1><script>part('list', cards(['Ann', 'Bob', 'Carl']))</script>`
	queue   = `<h1>Review</h1><script>part('item', '<p>Invoice <b>17</b></p>')</script><div><div><div><div><button onclick="log.push('approve')">Approve</button></div></div></div></div>`
	saveOf  = `<h1>Settings</h1><form><label>Name <input name=name></label><script>part('save', says('Save'))</script></form>`
)

func TestRefsAfterReload(t *testing.T) {
	t.Parallel()
	tests := []reload{
		{
			name: "a row of an equal page", html: tableOf, click: "Bob", log: "delete Bob",
			says: `the same button "Delete" in "Bob" was used`,
		},
		{
			name: "rows in another order", html: tableOf, click: "Ann", keep: `keep('list', rows(['Carl', 'Bob', 'Ann']))`,
			log: "delete Ann", says: "before it was loaded again",
		},
		{
			name: "another row was added", html: tableOf, click: "Bob",
			keep: `keep('list', rows(['Zoe', 'Ann', 'Bob', 'Carl']))`, log: "delete Bob", says: "before it was loaded again",
		},
		{
			name: "another row was removed", html: tableOf, click: "Bob", keep: `keep('list', rows(['Bob', 'Carl']))`,
			log: "delete Bob", says: "before it was loaded again",
		},
		{name: "a card of an equal page", html: cardsOf, click: "Bob", log: "delete Bob", says: "before it was loaded again"},
		{name: "a button", html: saveOf, click: `button "Save"`, log: "Save", says: `the same button "Save" was used`},
		{
			name: "with a message", html: saveOf + `<script>part('error', '')</script>`, click: `button "Save"`,
			keep: `keep('error', '<p>The name is missing.</p>')`, log: "Save", says: "before it was loaded again",
		},

		{
			name: "the row was removed", html: tableOf, click: "Ann", keep: `keep('list', rows(['Bob', 'Carl']))`,
			says: `button "Delete" in "Bob"`,
		},
		{
			name: "the last row was removed", html: tableOf, click: "Carl", keep: `keep('list', rows(['Ann', 'Bob']))`,
			says: "an equal element is in another place",
		},
		{
			name: "the only row is another one", html: `<script>part('list', rows(['Ann']))</script>`, click: "Ann",
			keep: `keep('list', rows(['Bob']))`, says: "an equal element is in another place",
		},
		{
			name: "the only row has another number", html: `<script>part('list', rows(['Order</td><td>7']))</script>`,
			click: "Order", keep: `keep('list', rows(['Order</td><td>8']))`, says: "an equal element is in another place",
		},
		{
			name:  "the only row is of another address",
			html:  `<script>part('list', '<table>' + row('Draft', '<a href="/pages/7">open</a>') + '</table>')</script>`,
			click: `button "Delete"`,
			keep:  `keep('list', '<table>' + row('Draft', '<a href="/pages/8">open</a>') + '</table>')`,
			says:  "an equal element is in another place",
		},
		{
			name: "two equal rows", html: `<script>part('list', rows(['Ann', 'Ann']))</script>`, click: "Ann",
			says: "equal elements",
		},
		{
			name: "of two equal rows one is left", html: `<script>part('list', rows(['Ann', 'Ann']))</script>`, click: "Ann",
			keep: `keep('list', rows(['Ann']))`, says: "equal elements",
		},
		{
			name: "an equal row was added", html: tableOf, click: "Ann",
			keep: `keep('list', rows(['Ann', 'Ann', 'Bob', 'Carl']))`, says: "several",
		},
		{
			name: "the card was removed", html: cardsOf, click: "Ann", keep: `keep('list', cards(['Bob', 'Carl']))`,
			says: "now there",
		},
		{
			name: "the only card is another one", html: `<script>part('list', cards(['Ann']))</script>`,
			click: `button "Delete"`, keep: `keep('list', cards(['Bob']))`, says: "now there",
		},
		{
			name: "the next item of a queue", html: queue, click: `button "Approve"`,
			keep: `keep('item', '<p>Invoice <b>18</b></p>')`, says: `now there: button "Approve"`,
		},
		{
			name: "the next item in a table", html: queue, click: `button "Approve"`,
			keep: `keep('item', '<table><tr><th>Invoice</th><td>18</td></tr></table>')`, says: "now there",
		},
		{
			name:  "the next item by its picture",
			html:  `<script>part('item', '<img alt="" src="data:image/svg+xml,<svg/>?1">')</script>` + saveOf,
			click: `button "Save"`,
			keep:  `keep('item', '<img alt="" src="data:image/svg+xml,<svg/>?2">')`, says: "now there",
		},
		{
			name:  "the next item by a hidden field",
			html:  `<form><script>part('id', '<input type=hidden name=id value=7>')</script><button>Approve</button></form>`,
			click: `button "Approve"`,
			keep:  `keep('id', '<input type=hidden name=id value=8>')`, says: "now there",
		},
		{
			name: "two equal buttons", html: `<script>part('save', says('Save') + says('Save'))</script>`,
			click: `button "Save"`, says: "equal elements",
		},
		{
			name: "of two equal buttons one is left", html: `<script>part('save', says('Save') + says('Save'))</script>`,
			click: `button "Save"`, keep: `keep('save', says('Save'))`, says: "equal elements",
		},
		{
			name: "another role", html: saveOf, click: `button "Save"`, keep: `keep('save', '<a href="#saved">Save</a>')`,
			says: `link "Save"`,
		},
		{
			name: "another name", html: saveOf, click: `button "Save"`, keep: `keep('save', says('Saved'))`,
			says: `button "Saved"`,
		},
		{
			name: "in another part", html: saveOf + `<div id=more><script>part('more', '')</script></div>`,
			click: `button "Save"`, keep: `keep('save', ''); keep('more', says('Save'))`, says: "in another place",
		},
		{name: "gone", html: saveOf, click: `button "Save"`, keep: `keep('save', '')`, says: "no longer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, loading("Page", tt.html))
			ref := refOf(c, tt.click)
			if tt.keep != "" {
				c.Page(tt.keep + "; 0")
			}
			c.Do("reload")
			if tt.log == "" {
				err := c.Fails(fault.RefStale, "click", ref)
				require.Contains(t, err.Error(), tt.says)
				require.Empty(t, c.Log(), "nothing is clicked")
				for _, candidate := range sessiontest.Decode[[]map[string]any](t, err.Facts["candidates"]) {
					require.NotEmpty(t, candidate["ref"])
				}
				return
			}
			reply := c.Do("click", ref)
			require.Equal(t, tt.log, c.Log())
			require.Contains(t, sessiontest.Notes(reply), tt.says)
		})
	}
}

// refOf is the ref of an element, or that of the button behind a text.
func refOf(c *sessiontest.Client, click string) string {
	c.T.Helper()
	refs := c.Refs()
	if ref := refs[click]; ref != "" {
		return ref
	}
	found := regexp.MustCompile(regexp.QuoteMeta(click) + `[^@]*button "Delete" (@e\d+)`).FindStringSubmatch(c.Seen)
	require.NotNil(c.T, found, "in\n%s", c.Seen)
	return found[1]
}

// A form that comes back to the same page, with a message: its field and its button are used by the refs from before,
// as often as it comes.
func TestRefsAfterPost(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<title>Join</title><h1>Join</h1><script>
sessionStorage.times = Number(sessionStorage.times ?? 0) + 1
if (sessionStorage.times > 1) document.write('<p class=error>The name is taken.</p>')
</script><form method=post><label>Name <input name=name></label><button>Join</button></form>`)
	c.Page(`sessionStorage.times = 1; 0`)
	refs := c.Refs()
	field, join := refs[`textbox "Name"`], refs[`button "Join"`]
	for range 2 {
		c.Do("batch", "fill "+field+" Ann", "click "+join)
		c.Do("wait", "--text", "The name is taken.")
	}
	require.Contains(t, sessiontest.Notes(c.Do("get", "value", field)), `the same textbox "Name" was used`)
	c.Do("fill", field, "Bob")
	require.Equal(t, "Bob", c.Page(`document.forms[0].name.value`))
	c.Do("click", join)
	c.Do("wait", "--fn", `sessionStorage.times == 4`)
}

// An application that draws itself when its document is there already.
func TestRefsAfterReloadOfApplication(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<title>App</title><div id=app></div><script>
fetch('/pages/rerender-list.html').then(r => r.text()).then(() => requestAnimationFrame(() => {
	app.innerHTML = '<h1>People</h1><ul>' + ['Ann', 'Bob'].map(name => '<li>' + name + ' <button onclick="log.push(\'' + name + '\')">Delete</button></li>').join('') + '</ul>'
}))</script>`)
	c.Do("wait", "--text", "Bob")
	ref := refOf(c, `Bob`)
	c.Do("reload")
	require.Contains(t, sessiontest.Notes(c.Do("click", ref)), `the same button "Delete" in "Bob" was used`)
	require.Equal(t, "Bob", c.Log())
	c.Do("click", ref)
	require.Equal(t, "Bob\nBob", c.Log())
	require.Empty(t, c.Do("click", refOf(c, "Ann")).Result.Notes)
}

// A frame whose own document is loaded again.
func TestRefsAfterReloadOfFrame(t *testing.T) {
	t.Parallel()
	inner := site.Write(`<button onclick="parent.log.push('in frame')">Go</button>`)
	c := host.Showing(t, `<p>Outside</p><iframe name=inner src="`+inner+`"></iframe>`)
	ref := c.Ref(`button "Go"`)
	c.Page(
		`new Promise(done => { const frame = document.querySelector('iframe'); frame.onload = () => done(0); frame.contentWindow.location.reload() })`)
	require.Contains(t, sessiontest.Notes(c.Do("click", ref)), `before it was loaded again`)
	require.Equal(t, "in frame", c.Log())
}
