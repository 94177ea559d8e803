package session_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
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
			c := host.ShowingFresh(t, e.html)
			for _, words := range e.run[:len(e.run)-1] {
				c.Do(words...)
			}
			last := e.run[len(e.run)-1]
			if e.fail != "" {
				require.Contains(t, c.Fails(e.fail, last...).Error(), e.say)
			} else {
				reply := c.Do(last...)
				require.Contains(t, sessiontest.Notes(reply), e.say)
				if e.text != "" {
					require.Equal(t, strings.ReplaceAll(e.text, "SITE", site.URL("")), reply.Result.Text)
				}
			}
			if e.js != "" {
				require.Equal(t, e.want, c.Page(e.js))
			}
		})
	}
}

const clicks = ` onclick="log.push(this.id)"`

func TestRefs(t *testing.T) {
	testEffects(t, []effect{
		{
			name: "keep number and element", html: `<p>x</p><button id=a` + clicks + `>A</button>`,
			run: [][]string{
				cmd("snapshot", "-i"), cmd("eval", "document.body.prepend(document.createElement('button')); 0"),
				cmd("snapshot", "-i"), cmd("click", "@e1"),
			},
			js: "log.join()", want: "a",
		},
		{
			name: "heal", html: `<main><button id=a` + clicks + `>A</button></main>`,
			run: [][]string{
				cmd("snapshot", "-i"), cmd("eval", "document.querySelector('main').innerHTML += ''; 0"),
				cmd("click", "@e1"),
			}, say: "healed", js: "log.join()", want: "a",
		},
		{
			name: "do not guess", html: `<main><button` + clicks + `>A</button></main>`,
			run: [][]string{
				cmd("snapshot", "-i"),
				cmd("eval", "document.querySelector('main').innerHTML = '<button>A</button><button>A</button>'; 0"),
				cmd("--timeout", "1000", "click", "@e1"),
			},
			fail: fault.RefStale, js: "log.join()", want: "",
		},
		{
			name: "end with their element", html: `<main><button` + clicks + `>A</button></main>`,
			run: [][]string{
				cmd("snapshot", "-i"), cmd("eval", "document.querySelector('main').innerHTML = ''; 0"),
				cmd("--timeout", "1000", "click", "@e1"),
			},
			fail: fault.RefStale, say: `button "A"`,
		},
		{
			name: "go on where their page is loaded again", html: `<button>A</button>`,
			run: [][]string{cmd("snapshot", "-i"), cmd("reload"), cmd("click", "@e1")}, say: "before it was loaded again",
		},
		{
			name: "end with their page", html: `<button>A</button>`,
			run: [][]string{cmd("snapshot", "-i"), cmd("open", "about:blank"), cmd("click", "@e1")}, fail: fault.RefStale,
			say: "which tab t1 no longer shows",
		},
		{
			name: "belong to their tab", html: `<button>A</button>`,
			run: [][]string{cmd("snapshot", "-i"), cmd("tab", "new"), cmd("click", "@e1")}, fail: fault.RefStale,
			say: "belongs to tab t1",
		},
		{
			name: "were never given", html: ``, run: [][]string{cmd("click", "@e7")}, fail: fault.RefUnknown,
			say: "Unknown ref: e7",
		},
		{
			name: "are spelled in several ways", html: `<input id=a aria-label=A>`,
			run: [][]string{
				cmd("snapshot", "-i"), cmd("fill", "@e1", "x"), cmd("type", "e1", "y"), cmd("type", "ref=e1", "z"),
				cmd("type", "[ref=e1]", "1"), cmd("type", `textbox "A" @e1`, "2"), cmd("type", `- textbox "A" [ref=e1]: x`, "3"),
			},
			js: "a.value", want: "xyz123",
		},
	})
}

func TestDialogs(t *testing.T) {
	testEffects(t, []effect{
		{
			name: "alert is accepted", html: `<button id=a onclick="alert('hey');log.push('after')">A</button>`,
			run: [][]string{cmd("click", "#a")}, say: `a JavaScript alert was accepted: "hey"`, js: "log.join()", want: "after",
		},
		{
			name: "confirm is accepted", html: `<button id=a onclick="log.push(confirm('sure?'))">A</button>`,
			run: [][]string{cmd("click", "#a"), cmd("dialog", "accept")}, js: "log[0]", want: true,
		},
		{
			name: "confirm is told", html: `<button id=a onclick="confirm('sure?')">A</button>`,
			run: [][]string{cmd("click", "#a")}, say: "confirm dialog is blocking the page",
		},
		{
			name: "others fail at once", html: `<button id=a onclick="confirm('sure?')">A</button>`,
			run: [][]string{cmd("click", "#a"), cmd("get", "text", "#a")}, fail: fault.DialogOpen, say: `"sure?"`,
		},
		{
			name: "the address is known",
			html: `<button id=a onclick="history.pushState(0,'','/at');confirm('sure?')">A</button>`,
			run:  [][]string{cmd("click", "#a"), cmd("get", "url")}, text: "SITE/at",
		},
		{
			name: "status", html: `<button id=a onclick="prompt('name?', 'Ada')">A</button>`,
			run: [][]string{cmd("click", "#a"), cmd("dialog", "status")},
			text: "⚠ JavaScript prompt dialog is open: \"name?\"\n  Default prompt text: \"Ada\"\n  Use `dialog accept " +
				"[text]` or `dialog dismiss` to resolve it",
		},
		{
			name: "prompt is answered", html: `<button id=a onclick="log.push(prompt('name?'))">A</button>`,
			run: [][]string{cmd("click", "#a"), cmd("dialog", "accept", "Ada")}, js: "log[0]", want: "Ada",
		},
		{
			name: "prompt is dismissed", html: `<button id=a onclick="log.push(prompt('name?'))">A</button>`,
			run: [][]string{cmd("click", "#a"), cmd("dialog", "dismiss")}, js: "String(log[0])", want: "null",
		},
		{name: "none", html: ``, run: [][]string{cmd("dialog", "accept")}, fail: fault.NoDialog},
	})
}

func TestTabs(t *testing.T) {
	testEffects(t, []effect{
		{
			name: "new", html: `<title>One</title>`, run: [][]string{cmd("tab", "new"), cmd("tab", "list")}, say: "",
			js: "location.href", want: "about:blank",
		},
		{name: "back by id", html: `<p id=a>`, run: [][]string{cmd("tab", "new"), cmd("tab", "t1")}, js: "a.id", want: "a"},
		{
			name: "by label", html: `<p id=a>`,
			run: [][]string{cmd("tab", "new", "--label", "docs"), cmd("tab", "t1"), cmd("tab", "docs")}, js: "location.href",
			want: "about:blank",
		},
		{
			name: "close goes back", html: `<p id=a>`, run: [][]string{cmd("tab", "new"), cmd("tab", "close")},
			text: "✓ Tab [t2] closed", js: "a.id", want: "a",
		},
		{
			name: "ids are not used again", html: ``,
			run:  [][]string{cmd("tab", "new"), cmd("tab", "close"), cmd("tab", "new"), cmd("tab", "t2")},
			fail: fault.TabNotFound, say: "Tab t2 not found",
		},
		{
			name: "the last one stays", html: ``, run: [][]string{cmd("tab", "close")}, fail: fault.TabNotFound,
			say: "Cannot close the last tab",
		},
		{
			name: "no positions", html: ``, run: [][]string{cmd("tab", "1")}, fail: fault.TabNotFound,
			say: "positional integers are not accepted",
		},
		{
			name: "labels are unique", html: ``,
			run: [][]string{cmd("tab", "new", "--label", "x"), cmd("tab", "new", "--label", "x")}, fail: fault.Usage,
			say: "already used",
		},
		{
			name: "a label like an id", html: ``, run: [][]string{cmd("tab", "new", "--label", "t5")}, fail: fault.Usage,
			say: "reserved for tab IDs",
		},
		{
			name: "closed by its page", html: `<button id=a onclick="window.open('/echo').close(); log.push(1)">A</button>`,
			run: [][]string{cmd("click", "#a")}, js: "log.length", want: 1.0,
		},
		{
			name: "new with a bad address", html: `<p id=a>`, run: [][]string{cmd("tab", "new", "http://127.0.0.1:1")},
			fail: fault.NavigationFailed, say: "t1 is the active one", js: "a.id", want: "a",
		},
	})
}

// A button in frames: of the page's own origin, of another site, and in a frame of that one.
func TestFrames(t *testing.T) {
	t.Parallel()
	button := func(name string) string {
		return `<button onclick="parent.postMessage('` + name + `', '*')">` + name + `</button><input aria-label="` + name +
			` field" oninput="parent.postMessage(this.value, '*')">` +
			`<script>addEventListener('message', e => parent.postMessage(e.data, '*'))</script>`
	}
	inner := site.Write(button("Innermost"))
	c := host.Showing(t,
		`<h1>Top</h1><script>addEventListener('message', e => log.push(e.data))</script><div style="height:1500px"></div>
		<iframe title=Same src="`+site.Write(button("Same"))+`"></iframe>
		<iframe title=Other style="transform:scale(.8)" src="`+
			site.Elsewhere(site.Write(button("Other")+`<iframe title=Deep src="`+site.URL(inner)+`"></iframe>`))+`"></iframe>`)
	for _, name := range []string{"Same", "Other", "Innermost"} {
		c.Do("click", c.Ref(`button "`+name+`"`))
		c.Do("wait", "--fn", "log.includes('"+name+"')")
		c.Do("fill", c.Ref(`textbox "`+name+` field"`), name+" text")
		c.Do("wait", "--fn", "log.includes('"+name+" text')")
	}
	require.Equal(t, []any{"Same", "Same text", "Other", "Other text", "Innermost", "Innermost text"}, c.Page("log"))
}

func TestBatch(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, `<button id=a`+clicks+`>A</button><input id=f>`)

	reply := c.DoWith(`[["snapshot","-i"],["click","@e1"],["fill","#f","x"],["get","value","#f"]]`, "batch")
	require.Contains(t, reply.Result.Text, `button "A" @e1`)
	require.True(t, strings.HasSuffix(reply.Result.Text, "\n\nx"), reply.Result.Text)
	require.Equal(t, "a", c.Log())

	reply = c.Do("batch", "get title", "bogus", "click #a")
	require.True(t, reply.Result.Failed)
	require.Contains(t, reply.Result.ErrText, "Command 2 (bogus): Unknown command: bogus")
	require.Equal(t, "a\na", c.Log(), "the row after the failed one did not run")

	f := c.Fails(fault.Usage, "batch", "--bail", "click #a", "bogus")
	require.Contains(t, f.Error(), "Command 2: Unknown command: bogus. No command was run.")
	reply = c.Do("batch", "--bail", "get text #none --timeout 50", "click #a")
	require.True(t, reply.Result.Failed)
	require.Equal(t, "a\na", c.Log(), "a row ran after the failed one")

	for _, test := range []struct{ name, stdin, say string }{
		{"no JSON", `{`, "Invalid JSON input"},
		{"a step that is not an array", `["get"]`, "step 1 is not an array of strings"},
		{"nothing", ``, "Missing arguments for: batch"},
	} {
		require.Contains(t, c.Failed(c.TryWith(test.stdin, "batch"), fault.Usage, test.name).Error(), test.say)
	}
	require.Contains(t, c.Do("batch", `batch "get title"`).Result.ErrText, "cannot contain a batch")
}
