package inpage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// refTo takes a ref of an element as a snapshot would.
func refTo(t *testing.T, p *testPage, selector string) object {
	t.Helper()
	p.op(t, "walk", object{}, nil)
	res := p.result(t, "read", object{"target": css(selector), "what": "text"})
	return object{"ref": object{"token": res["token"], "role": res["role"], "name": res["name"]}}
}

// refTest is the result for the ref to #a when the page changes.
type refTest struct {
	name   string
	html   string
	change string // done to the page after the snapshot
	id     string // of the element that the ref then stands for
	healed any
	was    any    // what it was called before
	beside any    // the texts beside it, when that is another one
	why    string // it fails, for this reason
	names  []any  // of the candidates, in which items they are
}

func testRefs(t *testing.T, tests []refTest) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			ref := refTo(t, p, "#a")
			p.js(t, tt.change+"; 0")
			arg := object{"target": ref, "what": "attr", "name": "id"}
			if tt.why == "" {
				res := p.result(t, "read", arg)
				require.Equal(t, tt.id, res["value"])
				require.Equal(t, tt.healed, res["healed"])
				require.Equal(t, tt.was, res["was"])
				require.Equal(t, tt.beside, res["beside"])
				return
			}
			code, facts := p.failure(t, "read", arg)
			require.Equal(t, "ref-stale", code)
			require.Equal(t, tt.why, facts["why"])
			names := []any{}
			for _, c := range facts["candidates"].([]any) {
				require.NotZero(t, c.(object)["token"])
				name := c.(object)["name"].(string)
				if item, ok := c.(object)["item"].(string); ok {
					name += " in " + item
				}
				names = append(names, name)
			}
			require.Empty(t, cmp.Diff(tt.names, names))
		})
	}
}

func TestActingRefs(t *testing.T) {
	t.Parallel()
	const html = `<button id=a>Save</button><button id=b>Other</button><div id=more></div>`
	button := func(name string) object { return object{"role": "button", "name": name} }
	testRefs(t, []refTest{
		{name: "alive", html: html, id: "a"},
		{name: "alive with another name", html: html, change: `a.textContent = 'Saved'`, id: "a", was: button("Save")},
		{
			name: "alive with another role", html: html, change: `a.setAttribute('role', 'switch')`, id: "a",
			was: button("Save"),
		},
		{name: "moved in the document", html: html, change: `more.append(a)`, id: "a"},
		{name: "taken out and put back", html: html, change: `{ const el = a; el.remove(); more.append(el) }`, id: "a"},
		{
			name: "wrapped", html: html,
			change: `{ const el = a, around = document.createElement('section'); el.replaceWith(around); around.append(el) }`,
			id:     "a",
		},
		{
			name: "replaced by an equal one", html: html, change: `a.outerHTML = '<button id=new>Save</button>'`, id: "new",
			healed: true,
		},
		{
			name: "replaced beside an equal one that is hidden", html: html,
			change: `a.outerHTML = '<button hidden>Save</button><button id=new>Save</button>'`, id: "new", healed: true,
		},
		{
			name:   "replaced in its shadow tree",
			html:   `<my-box><template shadowrootmode=open><p>Box</p><button id=a>Save</button></template></my-box>`,
			change: `{ const s = document.querySelector('my-box').shadowRoot; s.innerHTML = s.innerHTML.replace('id="a"', 'id=new') }`, id: "new", healed: true,
		},
		{
			name: "replaced twice", html: html,
			change: `a.outerHTML = '<button id=b>Save</button>'; document.querySelector('#b').outerHTML = '<button id=c>Save</button>'`,
			id:     "c", healed: true,
		},
		{name: "gone", html: html, change: `a.remove()`, why: "gone", names: []any{"Other"}},
		{
			name: "replaced by another role", html: html, change: `a.outerHTML = '<a href=#>Save</a>'`, why: "gone",
			names: []any{"Save", "Other"},
		},
		{
			name: "replaced by two", html: html, change: `a.outerHTML = '<button>Save</button><button>Save</button>'`,
			why: "several", names: []any{"Save", "Save"},
		},
		{
			name: "replaced elsewhere", html: html, change: `a.remove(); more.innerHTML = '<button>Save</button>'`,
			why: "elsewhere", names: []any{"Save"},
		},
		{
			name: "replaced in a shadow tree", html: html,
			change: `a.remove(); more.attachShadow({mode: 'open'}).innerHTML = '<button id=new>Save</button>'`, why: "elsewhere",
			names: []any{"Save"},
		},
		{
			name: "a hidden equal is shown in its place", html: html + `<button id=c hidden>Save</button>`,
			change: `a.remove(); c.hidden = false`,
			why:    "existed", names: []any{"Save"},
		},
		{
			name: "a hidden equal takes its place", html: html + `<p hidden><button id=c>Save</button></p>`,
			change: `a.replaceWith(c)`,
			why:    "existed", names: []any{"Save"},
		},
		{
			name: "what was called otherwise takes its name", html: html, change: `a.remove(); b.textContent = 'Save'`,
			why: "existed", names: []any{"Save"},
		},
		{
			name: "what was no button takes its name", html: html + `<button id=c role=note>x</button>`,
			change: `a.remove(); c.removeAttribute('role'); c.textContent = 'Save'`, why: "existed", names: []any{"Save"},
		},
		{
			name: "one of two equals goes", html: html + `<button>Save</button>`, change: `a.remove()`, why: "twins",
			names: []any{"Save"},
		},
		{
			name: "two equals are replaced by one", html: `<div id=all><button id=a>Save</button><button>Save</button></div>`,
			change: `all.innerHTML = '<button>Save</button>'`, why: "twins", names: []any{"Save"},
		},
		{
			name: "on another route", html: html,
			change: `history.replaceState(0, '', '#/next'); a.outerHTML = '<button>Save</button>'`, why: "route",
			names: []any{"Save"},
		},
		{
			name: "at another anchor", html: html,
			change: `history.replaceState(0, '', '#next'); a.outerHTML = '<button id=new>Save</button>'`, id: "new",
			healed: true,
		},
		{
			name: "in another panel", html: `<div id=one><button id=a>Save</button></div><div id=two></div>`,
			change: `one.innerHTML = ''; two.innerHTML = '<button>Save</button>'`, why: "elsewhere", names: []any{"Save"},
		},
		{
			name: "under a heading that counts", html: `<div id=all><h1>3 items</h1><button id=a>Add</button></div>`,
			change: `all.innerHTML = '<h1>4 items</h1><button id=new>Add</button>'`, id: "new", healed: true,
		},
		{
			name: "under another heading", html: `<div id=all><h1>Alice</h1><button id=a>Delete</button></div>`,
			change: `all.innerHTML = '<h1>Bob</h1><button>Delete</button>'`, why: "elsewhere", names: []any{"Delete"},
		},
		{
			name: "in a frame's document", html: html + `<iframe id=f></iframe>`, change: `f.contentDocument.body.append(a)`,
			why: "adopted", names: []any{"Other"},
		},
	})
}

// In the items of a list, a table or a row of cards, the item decides.
func TestActingRefsInItems(t *testing.T) {
	t.Parallel()
	table := func(rows string) string { return `<table><tbody id=all>` + rows + `</tbody></table>` }
	const alice, bob = `<tr><td>Alice<td>Admin<td><button id=a>Delete</button></tr>`,
		`<tr><td>Bob<td>Admin<td><button id=b>Delete</button></tr>`
	const cards = `<div id=all><div><h3>Alice</h3><button id=a>Delete</button></div><div><h3>Bob</h3><button id=b>Delete</button></div></div>`
	const counters = `<ul id=all><li>Adults: 2 <button id=a>More</button><li>Children: 0 <button id=b>More</button></ul>`
	text := func(nodes string) string { return `{ const [x, y] = document.querySelectorAll('` + nodes + `'); ` }
	button := func(name string) object { return object{"role": "button", "name": name} }
	testRefs(t, []refTest{
		{name: "rows are reordered", html: table(alice + bob), change: `all.append(all.rows[0])`, id: "a"},
		{
			name: "rows are replaced by equal ones", html: table(alice + bob), change: `all.innerHTML = all.innerHTML`, id: "a",
			healed: true,
		},
		{
			name: "rows are replaced in another order", html: table(alice + bob),
			change: `all.innerHTML = all.rows[1].outerHTML + all.rows[0].outerHTML`,
			id:     "a", healed: true,
		},
		{
			name: "its row goes", html: table(alice + bob), change: `all.rows[0].remove()`, why: "elsewhere",
			names: []any{"Delete in Bob, Admin"},
		},
		{
			name: "its row is not rendered again", html: table(alice + bob), change: `all.innerHTML = all.rows[1].outerHTML`,
			why: "elsewhere", names: []any{"Delete in Bob, Admin"},
		},
		{
			name: "its row, the only one, is replaced", html: table(alice), change: "all.innerHTML = `" + bob + "`",
			why: "elsewhere", names: []any{"Delete in Bob, Admin"},
		},
		{
			name: "rows are recycled", html: table(alice + bob),
			change: text("td:first-child") + `x.textContent = 'Bob'; y.textContent = 'Carol' }`,
			why:    "recycled", names: []any{"Delete in Bob, Admin", "Delete in Carol, Admin"},
		},
		{
			name: "rows are recycled the other way round", html: table(alice + bob),
			change: text("td:first-child") + `x.textContent = 'Bob'; y.textContent = 'Alice' }`,
			why:    "recycled", names: []any{"Delete in Alice, Admin", "Delete in Bob, Admin"},
		},
		{
			name: "its row gets another state", html: table(alice + bob),
			change: text("td:nth-child(2)") + `x.textContent = 'User' }`, id: "a",
		},
		{
			name:   "its row gets another state in front",
			html:   table(`<tr><td>New<td>Alice<td><button id=a>Delete</button><tr><td>New<td>Bob<td><button>Delete</button>`),
			change: text("td:first-child") + `x.textContent = 'Seen' }`, id: "a",
		},
		{
			name:   "only the number of its row changes",
			html:   table(`<tr><td>Order 1<td><button id=a>Delete</button><tr><td>Order 2<td><button>Delete</button>`),
			change: text("td:first-child") + `x.textContent = 'Order 2'; y.textContent = 'Order 3' }`, why: "recycled",
			names: []any{"Delete in Order 2", "Delete in Order 3"},
		},
		{name: "its row is counted", html: counters, change: `all.firstChild.firstChild.data = 'Adults: 3 '`, id: "a"},
		{
			name: "the only entry gets another state", html: `<ul><li><i id=s>open</i> Alice <button id=a>Delete</button></ul>`,
			change: `s.textContent = 'paid'`,
			why:    "recycled", names: []any{"Delete in paid, Alice"},
		},
		{
			name: "the only entry is recycled behind its state",
			html: `<ul><li>open <b id=s>Alice</b> <button id=a>Delete</button></ul>`, change: `s.textContent = 'Bob'`,
			why: "recycled", names: []any{"Delete in open, Bob"},
		},
		{
			name: "an article that is all of the page changes",
			html: `<article><p id=s>Ready</p><button id=a>Go</button></article>`, change: `s.textContent = 'Working'`,
			id: "a", beside: object{"was": "Ready", "is": "Working"},
		},
		{
			name: "its row tells the time",
			html: table(
				`<tr><td>Alice<td>5 min ago<td><button id=a>Delete</button><tr><td>Bob<td>7 min ago<td><button>Delete</button>`),
			change: text("td:nth-child(2)") + `x.textContent = '6 min ago'; y.textContent = '8 min ago' }`, id: "a",
		},
		{
			name:   "rows with ids are recycled",
			html:   `<ul><li id=x1><span>Alice</span> <button id=a>Delete</button><li id=me><span>Bob</span> <button>Delete</button></ul>`,
			change: text("span") + `x.textContent = 'Bob'; y.textContent = 'Carol' }`, why: "recycled",
			names: []any{"Delete in Bob", "Delete in Carol"},
		},
		{name: "its card goes", html: cards, change: `all.firstChild.remove()`, why: "elsewhere", names: []any{"Delete"}},
		{
			name: "cards are replaced by equal ones", html: cards, change: `all.innerHTML = all.innerHTML`, id: "a",
			healed: true,
		},
		{
			name: "cards are recycled", html: cards, change: text("h3") + `x.textContent = 'Bob'; y.textContent = 'Carol' }`,
			why: "recycled", names: []any{"Delete in Bob", "Delete in Carol"},
		},
		{
			name:   "a button of an item is toggled",
			html:   `<ul><li>Song A <button id=a>Play</button><li>Song B <button>Pause</button></ul>`,
			change: `a.textContent = 'Pause'`, id: "a", was: button("Play"),
		},
		{
			name:   "the button beside it is toggled",
			html:   `<ul><li><button id=b>Play</button> Song A <button id=a>Delete</button><li><button>Play</button> Song B <button>Delete</button></ul>`,
			change: `b.textContent = 'Pause'`, id: "a",
		},
		{
			name:   "a button of an item without text counts",
			html:   `<ul><li><button id=a>Like (3)</button><li><button>Share (1)</button></ul>`,
			change: `a.textContent = 'Like (4)'`, id: "a", was: button("Like (3)"),
		},
		{
			name:   "items without text are recycled",
			html:   `<ul><li><button id=a>Delete Alice</button><li><button id=b>Delete Bob</button></ul>`,
			change: `a.textContent = 'Delete Bob'; b.textContent = 'Delete Carol'`, why: "recycled",
			names: []any{"Delete Bob", "Delete Carol"},
		},
		{
			name:   "options are recycled",
			html:   `<div role=listbox><div role=option id=a>Alice</div><div role=option id=b>Bob</div></div>`,
			change: `a.textContent = 'Bob'; b.textContent = 'Carol'`, why: "recycled",
			names: []any{"Bob in Bob", "Carol in Carol"},
		},
		{
			name:   "links of items are recycled",
			html:   `<ul><li><a id=a href=1>Alice</a> admin<li><a href=2 id=b>Bob</a> user</ul>`,
			change: `a.textContent = 'Bob'; a.nextSibling.data = ' user '; b.textContent = 'Carol'`, why: "recycled",
			names: []any{"Bob in Bob, user", "Carol in Carol, user"},
		},
		{
			name: "the display of a calculator changes",
			html: `<div><span id=s>0</span><button id=a>1</button><button>2</button></div>`, change: `s.textContent = '12'`,
			id: "a",
		},
		{
			name:   "a status beside the buttons changes",
			html:   `<div><span id=s>Ready</span><button id=a>Go</button><button>Stop</button></div>`,
			change: `s.textContent = 'Working'`, id: "a", beside: object{"was": "Ready", "is": "Working"},
		},
		{
			name: "a lone card is recycled", html: `<div><h3 id=h>Alice</h3><button id=a>Delete</button></div>`,
			change: `h.textContent = 'Bob'`,
			id:     "a", beside: object{"was": "Alice", "is": "Bob"},
		},
		{
			name: "the heading of the page changes", html: `<h1 id=h>Welcome</h1><button id=a>Go</button>`,
			change: `h.textContent = 'Hello'`, id: "a",
		},
		{
			name:   "a node of a tree is closed",
			html:   `<div role=tree><div role=treeitem id=a aria-label=Fruit>Fruit<div role=group id=g><div role=treeitem>Apple</div><div role=treeitem>Fig</div></div></div></div>`,
			change: `g.remove()`, id: "a",
		},
		{
			name: "a field in the only entry shows another choice",
			html: `<ul><li><span id=s>Red</span> <input id=a aria-label=Color></ul>`, change: `s.textContent = 'Green'`,
			id: "a", beside: object{"was": "Red", "is": "Green"},
		},
		{
			name:   "a field that shows its choices loses one",
			html:   `<ul><li>Tags <span id=s>red</span> <span>green</span> <input id=a role=combobox aria-label=Tags></ul>`,
			change: `s.remove()`,
			id:     "a",
		},
		{
			name:   "a field is rendered again with its choice",
			html:   `<div id=all><span>Red</span> <input id=a role=combobox aria-label=Color></div>`,
			change: `all.innerHTML = '<span>Green</span> <input id=new role=combobox aria-label=Color>'`, id: "new",
			healed: true,
		},
		{
			name:   "one of two fields shows another item",
			html:   `<ul><li><b id=s>Alice</b> <input id=a aria-label=Name><li><b>Bob</b> <input aria-label=Name></ul>`,
			change: `s.textContent = 'Carol'`,
			why:    "recycled", names: []any{"Name in Carol", "Name in Bob"},
		},
		{
			name:   "a number in the only entry counts",
			html:   `<ul><li><button>Less</button> <span id=s>2</span> <button id=a>More</button></ul>`,
			change: `s.textContent = '3'`,
			id:     "a",
		},
		{
			name: "a calendar goes to the next month",
			html: `<table><thead><tr><th><button>Before</button><th id=s>March 2024<th><button id=a>Next</button></thead></table>`, change: `s.textContent = 'April 2024'`,
			id: "a", beside: object{"was": "March 2024", "is": "April 2024"},
		},
		{
			name: "it is moved to another item", html: table(alice + bob), change: `all.rows[1].cells[2].append(a)`,
			why:   "recycled",
			names: []any{"Delete in Bob, Admin", "Delete in Bob, Admin"},
		},
	})
}
