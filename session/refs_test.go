package session_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Refs after the page renders again: the same number and element, another element that certainly is its replacement
// (healed), or an error. Each test reads in the page what was clicked.

// rerender is what happens to a page between a snapshot and a click on a ref of it.
type rerender struct {
	name   string
	change string
	click  string // the element, as the snapshot shows it; of equal ones the first
	log    string // what the page noted; empty: the command failed with ref-stale
	says   string // part of its notes or of its error
}

func testRerenders(t *testing.T, page string, tests []rerender) {
	t.Helper()
	t.Parallel()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, page)
			ref := c.Ref(tt.click)
			c.Page(tt.change + "; 0")
			if tt.log == "" {
				err := c.Fails(fault.RefStale, "click", ref)
				require.Contains(t, err.Error(), tt.says)
				require.Empty(t, c.Log(), "nothing is clicked")
				return
			}
			reply := c.Do("click", ref)
			require.Equal(t, tt.log, c.Log())
			if tt.says == "" {
				require.Empty(t, reply.Result.Notes)
				return
			}
			require.Contains(t, sessiontest.Notes(reply), tt.says)
			c.Refs()
			require.Regexp(t, ref+`\b`, c.Seen, "the next snapshot gives the element the same number")
			require.Empty(t, c.Do("click", ref).Result.Notes, "it is said once")
			require.Equal(t, tt.log+"\n"+tt.log, c.Log())
		})
	}
}

func TestRefsOfRenderedList(t *testing.T) {
	const healed, gone = "healed", `(button "Delete" in "Alice, person") is no longer on the page`
	testRerenders(t, "/pages/rerender-list.html", []rerender{
		{name: "keyed, reordered", change: `people.reverse(); render()`, click: `button "Delete"`, log: "delete Alice"},
		{
			name: "keyed, added before", change: `people.unshift('Zoe'); render()`, click: `button "Delete"`,
			log: "delete Alice",
		},
		{
			name: "keyed, another removed", change: `people = ['Alice', 'Carol']; render()`, click: `button "Delete"`,
			log: "delete Alice",
		},
		{name: "keyed, removed", change: `people = ['Bob', 'Carol']; render()`, click: `button "Delete"`, says: gone},
		{
			name: "keyed, all but another removed", change: `people = ['Carol']; render()`, click: `button "Delete"`,
			says: `button "Delete" in "Carol, person" (@e`,
		},
		{
			name: "keyed, removed and back", change: `people = ['Bob']; render(); people = ['Bob', 'Alice']; render()`,
			click: `button "Delete"`, log: "delete Alice", says: healed,
		},
		{
			name: "keyed, its label toggled", change: `liked.add('Alice'); render()`, click: `button "Like"`, log: "like Alice",
			says: `changed: was button "Like", is button "Unlike"`,
		},
		{
			name: "keyed, the label beside it toggled", change: `liked.add('Alice'); render()`, click: `button "Delete"`,
			log: "delete Alice",
		},
		{
			name: "by index, reordered", change: `by = 'index'; people.reverse(); render()`, click: `button "Delete"`,
			says: `it has become button "Delete" in "Carol, person"`,
		},
		{
			name: "by index, filtered", change: `by = 'index'; people = ['Bob']; render()`, click: `button "Delete"`,
			says: `has become button "Delete" in "Bob, person" (@e`,
		},
		{
			name:   "by index, removed and back",
			change: `by = 'index'; people.shift(); render(); people.unshift('Alice'); render()`, click: `button "Delete"`,
			log: "delete Alice",
		},
		{
			name: "by index, its item changed", change: `by = 'index'; liked.add('Alice'); render()`, click: `button "Delete"`,
			log: "delete Alice",
		},
		{name: "remounted", change: `by = 'remount'; render()`, click: `button "Delete"`, log: "delete Alice", says: healed},
		{
			name: "remounted in another order", change: `by = 'remount'; people.reverse(); render()`, click: `button "Delete"`,
			log: "delete Alice", says: healed,
		},
		{
			name: "remounted without it", change: `by = 'remount'; people.shift(); render()`, click: `button "Delete"`,
			says: gone,
		},
		{
			name: "remounted with a namesake", change: `by = 'remount'; people.push('Alice'); render()`,
			click: `button "Delete"`, says: "several elements now match",
		},
		{
			name: "remounted, its item changed", change: `by = 'remount'; liked.add('Alice'); render()`,
			click: `button "Delete"`, says: gone,
		},
		{
			name: "remounted, unique", change: `by = 'remount'; people.pop(); render()`, click: `button "Add"`, log: "add",
			says: healed,
		},
		{
			name: "new from a string", change: `by = 'html'; render()`, click: `button "Delete"`, log: "delete Alice",
			says: healed,
		},
		{
			name: "new from a string, in another order", change: `by = 'html'; people.reverse(); render()`,
			click: `button "Delete"`, log: "delete Alice", says: healed,
		},
		{name: "new from a string, unique", change: `by = 'html'; render()`, click: `button "Add"`, log: "add", says: healed},
		{
			name:   "new from a string, with another name",
			change: `by = 'html'; render(); document.querySelector('#add').textContent = 'New'`, click: `button "Add"`,
			says: `(button "Add") is no longer on the page; now there: button "New"`,
		},
		{
			name:   "rendered again and again",
			change: `for (by of ['remount', 'html', 'keyed', 'html']) { people.reverse(); render() }`, click: `button "Delete"`,
			log: "delete Alice", says: healed,
		},
	})
}

// Equal elements of which one is gone are never told apart.
func TestRefsOfTwins(t *testing.T) {
	page := site.Write(
		`<div id=all><p><button onclick="log.push('first')">Go</button></p><p><button onclick="log.push('second')">Go</button></p></div>`)
	testRerenders(t, page, []rerender{
		{
			name: "replaced by equal ones", change: `all.innerHTML = all.innerHTML`, click: `button "Go"`,
			says: "there were equal elements",
		},
		{name: "the other one goes", change: `all.lastChild.remove()`, click: `button "Go"`, log: "first"},
		{name: "it goes", change: `all.firstChild.remove()`, click: `button "Go"`, says: "there were equal elements"},
		{name: "swapped", change: `all.append(all.firstChild)`, click: `button "Go"`, log: "first"},
		{
			name: "one is left, new", change: `all.innerHTML = all.lastChild.outerHTML`, click: `button "Go"`,
			says: "there were equal elements",
		},
	})
}

// The title of the page is not a text beside an element of it.
func TestRefsBesideTheTitle(t *testing.T) {
	page := site.Write(`<title>One</title><button onclick="log.push('go')">Go</button>`)
	testRerenders(t, page,
		[]rerender{{name: "it changes", change: `document.title = 'Two'`, click: `button "Go"`, log: "go"}})
}

// What is gone from a page at rest is told at once; while the page waits for its server, it may come back.
func TestRefsOfPageAtRest(t *testing.T) {
	t.Parallel()
	const page = `<main><button onclick="log.push('A')">A</button></main>`
	t.Run("at rest", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t, page)
		ref := c.Ref(`button "A"`)
		c.Page(`document.querySelector('main').textContent = ''`)
		c.Fails(fault.RefStale, "--timeout", "600000", "click", ref)
	})
	t.Run("asking its server", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t, page)
		gate := site.Gate(t, "")
		ref := c.Ref(`button "A"`)
		c.Page(`{ const main = document.querySelector('main'), was = main.innerHTML; main.textContent = '';
			fetch('` + gate.Path + `').then(() => { main.innerHTML = was }); 0 }`)
		gate.WaitAsked(t)
		reply := c.Start("--timeout", "20000", "click", ref)
		c.Do("tab", "list")
		require.Empty(t, reply)
		gate.Open()
		c.Await(reply)
		require.Equal(t, "A", c.Log())
	})
	t.Run("answered meanwhile", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t, page)
		gate := site.Gate(t, "")
		ref := c.Ref(`button "A"`)
		c.Page(`document.querySelector('main').textContent = ''; fetch('` + gate.Path + `'); 0`)
		gate.WaitAsked(t)
		reply := c.Start("--timeout", "600000", "click", ref)
		c.Do("tab", "list")
		require.Empty(t, reply)
		gate.Open()
		require.True(t, fault.Is((<-reply).Err, fault.RefStale))
	})
}

func TestRefsOfVirtualList(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/rerender-virtual.html")
	cancel, details := c.Ref(`button "Cancel"`), c.Ref(`link "Details"`)
	scroll := func(top string) {
		c.Page(`new Promise(done => { view.addEventListener('scroll', () => done(0), {once: true}); view.scrollTop = ` + top +
			` })`)
	}
	scroll("41") // the first row left, and its elements show the seventh one
	err := c.Fails(fault.RefStale, "click", cancel)
	require.Contains(t, err.Error(), `it was beside "Order 0", and is beside "Order 6"`)
	require.Equal(t, object{"role": "button", "name": "Cancel"}, sessiontest.Decode[object](t, err.Facts["was"]))
	c.Fails(fault.RefStale, "get", "text", details)
	scroll("0")
	c.Do("click", cancel)
	require.Equal(t, "Cancel 0", c.Log(), "it shows the first one again")
	scroll("8000")
	c.Fails(fault.RefStale, "click", cancel)
	c.Refs()
	c.Do("click", cancel)
	require.Equal(t, "Cancel 0\nCancel 204", c.Log(), "a snapshot shows the same number for what the element shows now")
}

func TestRefsOfRoutes(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/rerender-routes.html")
	refs := c.Refs()
	c.Page("draw()")
	require.Contains(t, sessiontest.Notes(c.Do("click", refs[`button "Delete"`])), "healed")
	c.Do("click", refs[`button "Bob"`])
	err := c.Fails(fault.RefStale, "click", refs[`button "Delete"`])
	require.Contains(t, err.Error(), "has navigated to another address")
	require.Equal(t, "delete 1", c.Log())
	c.Do("back")
	c.Do("wait", "--fn", "!location.search.includes('2')")
	require.Contains(t, sessiontest.Notes(c.Do("click", refs[`button "Delete"`])), "healed",
		"the first address again, with all elements new")
	require.Equal(t, "delete 1\ndelete 1", c.Log())
}

func TestRefsAcrossNavigation(t *testing.T) {
	t.Parallel()
	second := site.Write(`<button onclick="log.push('second')">Go</button>`)
	for name, stays := range map[string]bool{"kept": true, "no-store": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// A page that wants to know when it unloads is not kept by the browser.
			html := `<button onclick="log.push('first')">Go</button>`
			if !stays {
				html += `<script>addEventListener('unload', () => {})</script>`
			}
			c := host.Showing(t, html)
			first := c.Ref(`button "Go"`)
			c.Page("window.same = true")
			c.Do("open", site.URL(second))
			c.Fails(fault.RefStale, "click", first)
			other := c.Ref(`button "Go"`)
			require.NotEqual(t, first, other)
			require.Empty(t, c.Log())
			c.Do("back")
			if c.Page("window.same === true") == true {
				c.Do("click", first)
				require.Equal(t, "first", c.Log())
				require.Equal(t, first, c.Ref(`button "Go"`))
			} else {
				require.Contains(t, sessiontest.Notes(c.Do("click", first)), "before it was loaded again")
				require.Equal(t, "first", c.Log())
			}
			c.Fails(fault.RefStale, "click", other)
			c.Do("forward")
			c.Fails(fault.RefStale, "click", first)
			c.Do("reload")
			require.Contains(t, sessiontest.Notes(c.Do("click", other)), "before it was loaded again")
			require.Equal(t, "second", c.Log())
		})
	}
}

func TestRefsOfTabsWithOnePage(t *testing.T) {
	t.Parallel()
	page := site.Write(`<button onclick="log.push('clicked')">Go</button>`)
	c := host.Opened(t, page)
	first := c.Ref(`button "Go"`)
	c.Do("tab", "new", site.URL(page))
	second := c.Ref(`button "Go"`)
	require.NotEqual(t, first, second)
	c.Fails(fault.RefStale, "click", first)
	require.Empty(t, c.Log())
	c.Do("click", second)
	require.Equal(t, "clicked", c.Log())
	c.Do("tab", "t1")
	require.Empty(t, c.Log())
	c.Fails(fault.RefStale, "click", second)
	c.Do("click", first)
	require.Equal(t, "clicked", c.Log())
}

func TestRefsOfReplacedFrames(t *testing.T) {
	t.Parallel()
	inner := site.Write(`<button onclick="parent.postMessage('clicked', '*')">Go</button>`)
	for _, where := range []string{"here", "there"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			src := site.URL(inner)
			if where == "there" {
				src = site.Elsewhere(inner)
			}
			c := host.Showing(t,
				`<script>addEventListener('message', e => log.push(e.data))</script><div id=box><iframe src="`+src+
					`"></iframe></div>`)
			c.Do("wait", "--text", "Go")
			ref := c.Ref(`button "Go"`)
			c.Page("box.innerHTML = box.innerHTML; 0")
			c.Fails(fault.RefStale, "click", ref)
			c.Do("wait", "--text", "Go")
			c.Fails(fault.RefStale, "click", ref)
			c.Do("click", c.Ref(`button "Go"`))
			c.Do("wait", "--fn", "log.length === 1")
		})
	}
}

func TestRefsOfAdoptedElements(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<button id=b>Go</button><iframe srcdoc="<p>Frame</p>"></iframe>`)
	c.Do("wait", "--text", "Frame")
	ref := c.Ref(`button "Go"`)
	c.Page(`b.onclick = () => log.push('clicked'); frames[0].document.body.append(b); 0`)
	require.Contains(t, c.Fails(fault.RefStale, "click", ref).Error(), "moved into another document")
	require.Empty(t, c.Log())
	moved := c.Ref(`button "Go"`)
	require.NotEqual(t, ref, moved)
	c.Do("click", moved)
	require.Equal(t, "clicked", c.Log())
	c.Page(`document.body.append(frames[0].document.querySelector('button')); 0`)
	c.Fails(fault.RefStale, "click", moved)
	c.Do("click", ref)
	require.Equal(t, "clicked\nclicked", c.Log(), "it is back where it was named")
}

// Every command that takes a ref says that it healed, in its notes and in its data.
func TestHealingIsSaid(t *testing.T) {
	t.Parallel()
	const field = `<div id=app><label>Name <input id=f></label></div>`
	const box = `<div id=app><label><input type=checkbox> Name</label></div>`
	const list = `<div id=app><select aria-label=Name><option>One<option>Two</select></div>`
	const button = `<div id=app><button>Name</button></div>`
	tests := []struct {
		name string
		html string
		ref  string
		run  func(ref string) []string
	}{
		{"click", button, `button "Name"`, func(ref string) []string { return cmd("click", ref) }},
		{"dblclick", button, `button "Name"`, func(ref string) []string { return cmd("dblclick", ref) }},
		{"hover", button, `button "Name"`, func(ref string) []string { return cmd("hover", ref) }},
		{"focus", button, `button "Name"`, func(ref string) []string { return cmd("focus", ref) }},
		{"fill", field, `textbox "Name"`, func(ref string) []string { return cmd("fill", ref, "x") }},
		{"type", field, `textbox "Name"`, func(ref string) []string { return cmd("type", ref, "x") }},
		{"check", box, `checkbox "Name"`, func(ref string) []string { return cmd("check", ref) }},
		{"select", list, `combobox "Name"`, func(ref string) []string { return cmd("select", ref, "Two") }},
		{"get text", button, `button "Name"`, func(ref string) []string { return cmd("get", "text", ref) }},
		{"get count", button, `button "Name"`, func(ref string) []string { return cmd("get", "count", ref) }},
		{"get box", button, `button "Name"`, func(ref string) []string { return cmd("get", "box", ref) }},
		{"is visible", button, `button "Name"`, func(ref string) []string { return cmd("is", "visible", ref) }},
		{"scrollintoview", button, `button "Name"`, func(ref string) []string { return cmd("scrollintoview", ref) }},
		{"scroll", button, `button "Name"`, func(ref string) []string { return cmd("scroll", "down", "--selector", ref) }},
		{"wait", button, `button "Name"`, func(ref string) []string { return cmd("wait", ref) }},
		{"screenshot", button, `button "Name"`, func(ref string) []string { return cmd("screenshot", ref, "b.png") }},
		{"snapshot", button, `button "Name"`, func(ref string) []string { return cmd("snapshot", "--selector", ref) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, tt.html)
			ref := c.Ref(tt.ref)
			c.Page("app.innerHTML = app.innerHTML; 0")
			reply := c.Do(tt.run(ref)...)
			require.Contains(t, sessiontest.Notes(reply),
				ref+" was replaced by an equal element; the ref now names that one (healed)")
			if tt.name != "snapshot" {
				data := sessiontest.Decode[object](t, reply.Result.Data)
				require.Len(t, data["healed"], 1)
				require.Equal(t, ref, data["healed"].([]any)[0].(object)["ref"])
			}
			require.Equal(t, ref, c.Ref(tt.ref))
			require.NotContains(t, sessiontest.Notes(c.Do(tt.run(ref)...)), "healed")
		})
	}
}
