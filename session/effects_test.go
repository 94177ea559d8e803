package session_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/fault"
)

// effect is what a few commands must have done to a page.
type effect struct {
	name string
	html string
	run  [][]string // commands, of which only the last may fail
	fail fault.Code // what the last one fails with; empty: it succeeds
	say  string     // part of the last one's error or notes
	text string     // what the last one prints; SITE stands for the address of the test site
	js   string     // read in the page afterwards
	want any        // its value
}

func cmd(words ...string) []string { return words }

func testEffects(t *testing.T, effects []effect) {
	t.Parallel()
	for _, e := range effects {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, e.html)
			for _, words := range e.run[:len(e.run)-1] {
				c.do(words...)
			}
			last := e.run[len(e.run)-1]
			if e.fail != "" {
				require.Contains(t, c.fails(e.fail, last...).Error(), e.say)
			} else {
				reply := c.do(last...)
				require.Contains(t, notes(reply), e.say)
				if e.text != "" {
					require.Equal(t, strings.ReplaceAll(e.text, "SITE", site.server.URL), reply.Result.Text)
				}
			}
			if e.js != "" {
				require.Equal(t, e.want, c.page(e.js))
			}
		})
	}
}

const clicks = ` onclick="log.push(this.id)"`

func TestRead(t *testing.T) {
	testEffects(t, []effect{
		{name: "text", html: `<p id=a>one <b>two</b></p>`, run: [][]string{cmd("get", "text", "#a")}, text: "one two"},
		{name: "html", html: `<p id=a>one <b>two</b></p>`, run: [][]string{cmd("get", "html", "#a")}, text: "one <b>two</b>"},
		{name: "value", html: `<input id=a value=v>`, run: [][]string{cmd("get", "value", "#a")}, text: "v"},
		{name: "attribute", html: `<p id=a data-x=1>`, run: [][]string{cmd("get", "attr", "#a", "data-x")}, text: "1"},
		{name: "absent attribute", html: `<p id=a>`, run: [][]string{cmd("get", "attr", "#a", "data-x")}, say: "has no attribute"},
		{name: "title", html: ``, run: [][]string{cmd("eval", "document.title='new'"), cmd("get", "title")}, text: "new"},
		{name: "count", html: `<i></i><i></i>`, run: [][]string{cmd("get", "count", "i")}, text: "2"},
		{name: "count of nothing", html: ``, run: [][]string{cmd("get", "count", "i")}, text: "0"},
		{name: "count of a ref", html: `<button>A</button>`, run: [][]string{cmd("snapshot"), cmd("get", "count", "@e1")}, text: "1"},
		{name: "count of nonsense", html: ``, run: [][]string{cmd("get", "count", "#[")}, fail: fault.SelectorInvalid},
		{name: "box", html: `<div id=a style="position:absolute;left:10px;top:20px;width:30px;height:40px">`,
			run: [][]string{cmd("get", "box", "#a")}, text: "x:      10\ny:      20\nwidth:  30\nheight: 40"},
		{name: "visible", html: `<p id=a>A`, run: [][]string{cmd("is", "visible", "#a")}, text: "true"},
		{name: "not visible", html: `<p id=a hidden>A`, run: [][]string{cmd("is", "visible", "#a")}, text: "false"},
		{name: "visible of nothing", html: ``, run: [][]string{cmd("--timeout", "100", "is", "visible", "#a")}, fail: fault.SelectorNotFound},
		{name: "not enabled", html: `<fieldset disabled><input id=a>`, run: [][]string{cmd("is", "enabled", "#a")}, text: "false"},
		{name: "checked", html: `<input id=a type=checkbox checked>`, run: [][]string{cmd("is", "checked", "#a")}, text: "true"},
		{name: "in a shadow tree", html: `<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<p id=a>in</p>'</script>`,
			run: [][]string{cmd("get", "text", "#a")}, text: "in"},
		{name: "by XPath", html: `<p>one</p><p>two</p>`, run: [][]string{cmd("get", "text", "//p[2]")}, text: "two"},
		{name: "by text", html: `<p id=a>Some words</p>`, run: [][]string{cmd("get", "attr", "text=words", "id")}, text: "a"},
		{name: "by role", html: `<button id=a>Save</button>`, run: [][]string{cmd("get", "attr", `role=button[name="Save"]`, "id")}, text: "a"},
	})
}

func TestFind(t *testing.T) {
	testEffects(t, []effect{
		{name: "role with a name", html: `<button` + clicks + ` id=x>No</button><button` + clicks + ` id=y>Save it</button>`,
			run: [][]string{cmd("find", "role", "button", "click", "--name", "save")}, js: "log.join()", want: "y"},
		{name: "role clicks by default", html: `<button` + clicks + ` id=x>No</button>`, run: [][]string{cmd("find", "role", "button")}, js: "log.join()", want: "x"},
		{name: "role without such a name", html: `<button>One</button>`,
			run: [][]string{cmd("--timeout", "200", "find", "role", "button", "click", "--name", "Two")}, fail: fault.SelectorNotFound, say: `Names seen: "One"`},
		{name: "text in no script and nothing hidden", html: `<script>const zebra = 1</script><p hidden>zebra</p><p id=a` + clicks + `>A zebra</p>`,
			run: [][]string{cmd("find", "text", "zebra")}, js: "log.join()", want: "a"},
		{name: "label", html: `<label>Email <input id=a></label>`, run: [][]string{cmd("find", "label", "Email", "fill", "x@y")}, js: "a.value", want: "x@y"},
		{name: "placeholder", html: `<input id=a placeholder="Your name">`, run: [][]string{cmd("find", "placeholder", "Your name", "fill", "Ada")}, js: "a.value", want: "Ada"},
		{name: "alt", html: `<img alt=Logo src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=20 height=20 id=a` + clicks + `>`,
			run: [][]string{cmd("find", "alt", "Logo")}, js: "log.join()", want: "a"},
		{name: "title", html: `<button title=Close id=a` + clicks + `>x</button>`, run: [][]string{cmd("find", "title", "Close")}, js: "log.join()", want: "a"},
		{name: "test id", html: `<p data-testid=t>Text</p>`, run: [][]string{cmd("find", "testid", "t", "text")}, text: "Text"},
		{name: "first", html: `<i>0</i><i>1</i>`, run: [][]string{cmd("find", "first", "i", "text")}, text: "0"},
		{name: "last", html: `<i>0</i><i>1</i>`, run: [][]string{cmd("find", "last", "i", "text")}, text: "1"},
		{name: "nth from the end", html: `<i>0</i><i>1</i><i>2</i>`, run: [][]string{cmd("find", "nth", "-2", "i", "text")}, text: "1"},
		{name: "nth of too few", html: `<i>0</i>`, run: [][]string{cmd("--timeout", "100", "find", "nth", "5", "i", "text")}, fail: fault.SelectorNotFound, say: "No element at index 5"},
		{name: "check", html: `<label><input id=a type=checkbox>Yes</label>`, run: [][]string{cmd("find", "label", "Yes", "check")}, js: "a.checked", want: true},
		{name: "fill without a text", html: `<input>`, run: [][]string{cmd("find", "role", "textbox", "fill")}, fail: fault.Usage, say: "Missing 'value' for fill"},
	})
}

// The pages of these tests change by themselves, some time after they were opened.
func TestWait(t *testing.T) {
	later := func(script string) string {
		return `<p id=p></p><script>setTimeout(() => {` + script + `}, 100)</script>`
	}
	testEffects(t, []effect{
		{name: "for an element", html: later(`p.insertAdjacentHTML('afterend', '<b id=a>A</b>')`), run: [][]string{cmd("wait", "#a")}, js: "a.id", want: "a"},
		{name: "until hidden", html: `<p id=a>A</p>` + later(`a.hidden = true`), run: [][]string{cmd("wait", "#a", "--state", "hidden")}, js: "a.hidden", want: true},
		{name: "until detached", html: `<p id=a>A</p>` + later(`a.remove()`), run: [][]string{cmd("wait", "#a", "--state", "detached")}, js: "document.querySelectorAll('#a').length", want: 0.0},
		{name: "until enabled", html: `<input id=a disabled>` + later(`a.disabled = false`), run: [][]string{cmd("wait", "#a", "--state", "enabled")}, js: "a.disabled", want: false},
		{name: "for a ref", html: `<button id=a>A</button>`, js: "a.hidden", want: true,
			run: [][]string{cmd("snapshot"), cmd("eval", "setTimeout(() => a.hidden = true, 100); 0"), cmd("wait", "@e1", "--state", "hidden")}},
		{name: "for a text", html: later(`p.textContent = 'Ready now'`), run: [][]string{cmd("wait", "--text", "Ready")}, text: "Ready", js: "p.textContent", want: "Ready now"},
		{name: "for an address", html: later(`history.pushState(0, '', '/done')`), run: [][]string{cmd("wait", "--url", "*/done")}, text: "SITE/done"},
		{name: "for a load state", html: ``, run: [][]string{cmd("wait", "--load", "domcontentloaded")}, js: "document.readyState", want: "complete"},
		{name: "for a script", html: later(`window.ready = 7`), run: [][]string{cmd("wait", "--fn", "window.ready")}, text: "7"},
		{name: "for a time", html: ``, run: [][]string{cmd("wait", "50")}, text: "✓ Done"},
		{name: "too long", html: ``, run: [][]string{cmd("--timeout", "200", "wait", "#a")}, fail: fault.Timeout, say: "Wait timed out after 200ms"},
		{name: "for a script that throws", html: ``, run: [][]string{cmd("--timeout", "200", "wait", "--fn", "nope.x")}, fail: fault.Timeout, say: "nope is not defined"},
		{name: "for two things", html: ``, run: [][]string{cmd("wait", "#a", "--text", "x")}, fail: fault.Usage, say: "one thing"},
		{name: "for nothing", html: ``, run: [][]string{cmd("wait")}, fail: fault.Usage},
		{name: "with a state of nothing", html: ``, run: [][]string{cmd("wait", "--text", "x", "--state", "hidden")}, fail: fault.Usage},
	})
}

func TestEval(t *testing.T) {
	testEffects(t, []effect{
		{name: "object", html: ``, run: [][]string{cmd("eval", "({a: [1, 'é']})")}, text: "{\n  \"a\": [\n    1,\n    \"é\"\n  ]\n}"},
		{name: "promise", html: ``, run: [][]string{cmd("eval", "new Promise(r => setTimeout(() => r(5), 20))")}, text: "5"},
		{name: "await at the top", html: ``, run: [][]string{cmd("eval", "await Promise.resolve(6)")}, text: "6"},
		{name: "undefined", html: ``, run: [][]string{cmd("eval", "undefined")}, text: "undefined"},
		{name: "NaN", html: ``, run: [][]string{cmd("eval", "0/0")}, text: "NaN"},
		{name: "base64", html: ``, run: [][]string{cmd("eval", "-b", "MSsx")}, text: "2"},
		{name: "no base64", html: ``, run: [][]string{cmd("eval", "-b", "***")}, fail: fault.Usage, say: "Invalid base64"},
		{name: "throws", html: ``, run: [][]string{cmd("eval", "throw new Error('boom')")}, fail: fault.EvalFailed, say: "Error: boom"},
		{name: "nothing", html: ``, run: [][]string{cmd("eval")}, fail: fault.Usage, say: "Missing arguments for: eval"},
		{name: "changes the page", html: `<p id=a>A</p>`, run: [][]string{cmd("eval", "a.textContent = 'B'")}, js: "a.textContent", want: "B"},
	})
}

func TestRefs(t *testing.T) {
	testEffects(t, []effect{
		{name: "keep number and element", html: `<p>x</p><button id=a` + clicks + `>A</button>`,
			run: [][]string{cmd("snapshot", "-i"), cmd("eval", "document.body.prepend(document.createElement('button')); 0"), cmd("snapshot", "-i"), cmd("click", "@e1")},
			js:  "log.join()", want: "a"},
		{name: "heal", html: `<main><button id=a` + clicks + `>A</button></main>`,
			run: [][]string{cmd("snapshot", "-i"), cmd("eval", "document.querySelector('main').innerHTML += ''; 0"), cmd("click", "@e1")}, say: "healed", js: "log.join()", want: "a"},
		{name: "do not guess", html: `<main><button` + clicks + `>A</button></main>`,
			run:  [][]string{cmd("snapshot", "-i"), cmd("eval", "document.querySelector('main').innerHTML = '<button>A</button><button>A</button>'; 0"), cmd("--timeout", "300", "click", "@e1")},
			fail: fault.RefStale, js: "log.join()", want: ""},
		{name: "end with their element", html: `<main><button` + clicks + `>A</button></main>`,
			run:  [][]string{cmd("snapshot", "-i"), cmd("eval", "document.querySelector('main').innerHTML = ''; 0"), cmd("--timeout", "300", "click", "@e1")},
			fail: fault.RefStale, say: `button "A"`},
		{name: "end with their page", html: `<button>A</button>`, run: [][]string{cmd("snapshot", "-i"), cmd("reload"), cmd("click", "@e1")}, fail: fault.RefStale, say: "loaded anew"},
		{name: "belong to their tab", html: `<button>A</button>`, run: [][]string{cmd("snapshot", "-i"), cmd("tab", "new"), cmd("click", "@e1")}, fail: fault.RefStale, say: "belongs to tab t1"},
		{name: "were never given", html: ``, run: [][]string{cmd("click", "@e7")}, fail: fault.RefUnknown, say: "Unknown ref: e7"},
		{name: "are spelled in three ways", html: `<input id=a aria-label=A>`, run: [][]string{cmd("snapshot", "-i"), cmd("fill", "@e1", "x"), cmd("type", "e1", "y"), cmd("type", "ref=e1", "z")}, js: "a.value", want: "xyz"},
	})
}

func TestDialogs(t *testing.T) {
	testEffects(t, []effect{
		{name: "alert is accepted", html: `<button id=a onclick="alert('hey');log.push('after')">A</button>`,
			run: [][]string{cmd("click", "#a")}, say: `a JavaScript alert was accepted: "hey"`, js: "log.join()", want: "after"},
		{name: "confirm is accepted", html: `<button id=a onclick="log.push(confirm('sure?'))">A</button>`, run: [][]string{cmd("click", "#a"), cmd("dialog", "accept")}, js: "log[0]", want: true},
		{name: "confirm is told", html: `<button id=a onclick="confirm('sure?')">A</button>`, run: [][]string{cmd("click", "#a")}, say: "confirm dialog is blocking the page"},
		{name: "others fail at once", html: `<button id=a onclick="confirm('sure?')">A</button>`, run: [][]string{cmd("click", "#a"), cmd("get", "text", "#a")}, fail: fault.DialogOpen, say: `"sure?"`},
		{name: "the address is known", html: `<button id=a onclick="history.pushState(0,'','/at');confirm('sure?')">A</button>`, run: [][]string{cmd("click", "#a"), cmd("get", "url")}, text: "SITE/at"},
		{name: "status", html: `<button id=a onclick="prompt('name?', 'Ada')">A</button>`, run: [][]string{cmd("click", "#a"), cmd("dialog", "status")},
			text: "⚠ JavaScript prompt dialog is open: \"name?\"\n  Default prompt text: \"Ada\"\n  Use `dialog accept [text]` or `dialog dismiss` to resolve it"},
		{name: "prompt is answered", html: `<button id=a onclick="log.push(prompt('name?'))">A</button>`, run: [][]string{cmd("click", "#a"), cmd("dialog", "accept", "Ada")}, js: "log[0]", want: "Ada"},
		{name: "prompt is dismissed", html: `<button id=a onclick="log.push(prompt('name?'))">A</button>`, run: [][]string{cmd("click", "#a"), cmd("dialog", "dismiss")}, js: "String(log[0])", want: "null"},
		{name: "none", html: ``, run: [][]string{cmd("dialog", "accept")}, fail: fault.NoDialog},
	})
}

func TestTabs(t *testing.T) {
	testEffects(t, []effect{
		{name: "new", html: `<title>One</title>`, run: [][]string{cmd("tab", "new"), cmd("tab", "list")}, say: "", js: "location.href", want: "about:blank"},
		{name: "back by id", html: `<p id=a>`, run: [][]string{cmd("tab", "new"), cmd("tab", "t1")}, js: "a.id", want: "a"},
		{name: "by label", html: `<p id=a>`, run: [][]string{cmd("tab", "new", "--label", "docs"), cmd("tab", "t1"), cmd("tab", "docs")}, js: "location.href", want: "about:blank"},
		{name: "close goes back", html: `<p id=a>`, run: [][]string{cmd("tab", "new"), cmd("tab", "close")}, text: "✓ Tab [t2] closed", js: "a.id", want: "a"},
		{name: "ids are not used again", html: ``, run: [][]string{cmd("tab", "new"), cmd("tab", "close"), cmd("tab", "new"), cmd("tab", "t2")}, fail: fault.TabNotFound, say: "Tab t2 not found"},
		{name: "the last one stays", html: ``, run: [][]string{cmd("tab", "close")}, fail: fault.TabNotFound, say: "Cannot close the last tab"},
		{name: "no positions", html: ``, run: [][]string{cmd("tab", "1")}, fail: fault.TabNotFound, say: "positional integers are not accepted"},
		{name: "labels are unique", html: ``, run: [][]string{cmd("tab", "new", "--label", "x"), cmd("tab", "new", "--label", "x")}, fail: fault.Usage, say: "already used"},
		{name: "a label like an id", html: ``, run: [][]string{cmd("tab", "new", "--label", "t5")}, fail: fault.Usage, say: "reserved for tab IDs"},
		{name: "closed by its page", html: `<button id=a onclick="window.open('/echo').close(); log.push(1)">A</button>`, run: [][]string{cmd("click", "#a")}, js: "log.length", want: 1.0},
		{name: "new with a bad address", html: `<p id=a>`, run: [][]string{cmd("tab", "new", "http://127.0.0.1:1")}, fail: fault.NavigationFailed, say: "t1 is the active one", js: "a.id", want: "a"},
	})
}

// A button in frames: of the page's own origin, of another site, and in a frame of that one.
func TestFrames(t *testing.T) {
	t.Parallel()
	button := func(name string) string {
		return `<button onclick="parent.postMessage('` + name + `', '*')">` + name + `</button><input aria-label="` + name + ` field" oninput="parent.postMessage(this.value, '*')">` +
			`<script>addEventListener('message', e => parent.postMessage(e.data, '*'))</script>`
	}
	inner := site.write(button("Innermost"))
	c := showing(t, `<h1>Top</h1><script>addEventListener('message', e => log.push(e.data))</script><div style="height:1500px"></div>
		<iframe title=Same src="`+site.write(button("Same"))+`"></iframe>
		<iframe title=Other style="transform:scale(.8)" src="`+site.elsewhere(site.write(button("Other")+`<iframe title=Deep src="`+site.url(inner)+`"></iframe>`))+`"></iframe>`)
	for _, name := range []string{"Same", "Other", "Innermost"} {
		c.do("click", c.ref(`button "`+name+`"`))
		c.do("wait", "--fn", "log.includes('"+name+"')")
		c.do("fill", c.ref(`textbox "`+name+` field"`), name+" text")
		c.do("wait", "--fn", "log.includes('"+name+" text')")
	}
	require.Equal(t, []any{"Same", "Same text", "Other", "Other text", "Innermost", "Innermost text"}, c.page("log"))
}

func TestBatch(t *testing.T) {
	t.Parallel()
	c := showing(t, `<button id=a`+clicks+`>A</button><input id=f>`)

	reply := c.doWith(`[["snapshot","-i"],["click","@e1"],["fill","#f","x"],["get","value","#f"]]`, "batch")
	require.Contains(t, reply.Result.Text, `button "A" [ref=e1]`)
	require.True(t, strings.HasSuffix(reply.Result.Text, "\n\nx"), reply.Result.Text)
	require.Equal(t, "a", c.log())

	reply = c.do("batch", "get title", "bogus", "click #a")
	require.True(t, reply.Result.Failed)
	require.Contains(t, reply.Result.ErrText, "Command 2: Unknown command: bogus")
	require.Equal(t, "a\na", c.log(), "the row after the failed one did not run")

	reply = c.do("batch", "--bail", "bogus", "click #a")
	require.True(t, reply.Result.Failed)
	require.Equal(t, "a\na", c.log(), "a row ran after the failed one")

	for _, test := range []struct{ name, stdin, say string }{
		{"no JSON", `{`, "Invalid JSON input"},
		{"a step that is no array", `["get"]`, "step 1 is not an array of strings"},
		{"nothing", ``, "Missing arguments for: batch"},
	} {
		require.Contains(t, c.failed(c.tryWith(test.stdin, "batch"), fault.Usage, test.name).Error(), test.say)
	}
	require.Contains(t, c.do("batch", `batch "get title"`).Result.ErrText, "cannot contain a batch")
}

func TestScreenshot(t *testing.T) {
	t.Parallel()
	c := showing(t, `<style>body{margin:0}</style><div id=a style="width:100px;height:50px;background:#f00"></div><div style="height:1950px"></div>`)
	read := func(name string, decode func(b []byte) (image.Image, error)) image.Image {
		b, err := os.ReadFile(filepath.Join(c.dir, name))
		require.NoError(t, err)
		img, err := decode(b)
		require.NoError(t, err)
		return img
	}
	asPNG := func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) }
	asJPEG := func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) }

	require.Equal(t, "✓ Screenshot saved to new/view.png", c.do("screenshot", "new/view.png").Result.Text)
	require.Equal(t, image.Rect(0, 0, 1280, 720), read("new/view.png", asPNG).Bounds())

	c.do("screenshot", "--full", "full.jpg")
	require.Equal(t, image.Rect(0, 0, 1280, 2000), read("full.jpg", asJPEG).Bounds())

	c.page("scrollTo(0, 500); 0")
	c.do("screenshot", "#a", "part.png")
	part := read("part.png", asPNG)
	require.Equal(t, image.Rect(0, 0, 100, 50), part.Bounds())
	r, g, b, _ := part.At(50, 25).RGBA()
	require.Equal(t, [3]uint32{0xffff, 0, 0}, [3]uint32{r, g, b})

	require.NoError(t, os.Mkdir(filepath.Join(c.dir, "folder.png"), 0o755))
	require.Contains(t, c.fails(fault.File, "screenshot", "folder.png").Error(), "is a folder")
	c.fails(fault.SelectorNotFound, "--timeout", "100", "screenshot", "foo")
	c.fails(fault.Usage, "screenshot", "--screenshot-quality", "200", "x.jpg")
}
