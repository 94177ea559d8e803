package inpage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestActingWait(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		html   string
		arg    object
		change string // done while the op waits; "" = the condition holds already
		text   any
	}{
		{name: "visible", html: `<p id=b hidden>x</p>`, arg: object{"target": css("#b")}, change: `b.hidden = false`},
		{
			name: "visible by a class", html: `<style>.off{visibility:hidden}</style><p id=b class=off>x</p>`,
			arg:    object{"target": css("#b")},
			change: `b.className = ''`,
		},
		{
			name: "visible by a stylesheet rule", html: `<style id=s>p{display:none}</style><p id=b>x</p>`,
			arg:    object{"target": css("#b")},
			change: `s.sheet.deleteRule(0)`,
		},
		{
			name: "visible, any of several", html: `<p hidden>x</p><p hidden id=b>x</p>`, arg: object{"target": css("p")},
			change: `b.hidden = false`,
		},
		{name: "visible already", html: `<p id=b>x</p>`, arg: object{"target": css("#b"), "state": "visible"}},
		{
			name: "visible in a shadow tree that comes later", html: `<div id=host></div>`, arg: object{"target": css("#b")},
			change: `host.attachShadow({mode: 'open'}).innerHTML = '<p id=b>x</p>'`,
		},
		{
			name: "visible by a change inside a shadow tree",
			html: `<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<p id=b hidden>x</p>'</script>`,
			arg:  object{"target": css("#b")}, change: `host.shadowRoot.querySelector('#b').hidden = false`,
		},
		{
			name:   "visible at the end of a transition",
			html:   `<style>#b{visibility:hidden;transition:visibility 0s .2s}</style><p id=b>x</p>`,
			arg:    object{"target": css("#b")},
			change: `b.getBoundingClientRect(), b.style.visibility = 'visible'`,
		},
		{
			name: "hidden", html: `<p id=b>x</p>`, arg: object{"target": css("#b"), "state": "hidden"},
			change: `b.style.display = 'none'`,
		},
		{
			name: "hidden by removal", html: `<p id=b>x</p>`, arg: object{"target": css("#b"), "state": "hidden"},
			change: `b.remove()`,
		},
		{
			name: "hidden by an ancestor", html: `<div id=d><p id=b>x</p></div>`,
			arg: object{"target": css("#b"), "state": "hidden"}, change: `d.hidden = true`,
		},
		{name: "hidden: never was there", arg: object{"target": css("#b"), "state": "hidden"}},
		{
			name: "attached", arg: object{"target": css("#b"), "state": "attached"},
			change: `document.body.innerHTML = '<p id=b hidden>x</p>'`,
		},
		{
			name: "detached", html: `<p id=b hidden>x</p>`, arg: object{"target": css("#b"), "state": "detached"},
			change: `b.remove()`,
		},
		{
			name: "enabled", html: `<button id=b disabled>x</button>`, arg: object{"target": css("#b"), "state": "enabled"},
			change: `b.disabled = false`,
		},
		{
			name: "role", arg: object{"target": find("role", "button", object{"name": "Go"})},
			change: `document.body.innerHTML = '<button>Go</button>'`,
		},
		{
			name: "the third of several", html: `<p>1</p>`, arg: object{"target": find("css", "p", object{"index": 2})},
			change: `document.body.innerHTML += '<p>2</p><p>3</p>'`,
		},
		{name: "xpath", arg: object{"target": object{"xpath": "//p"}}, change: `document.body.innerHTML = '<p>x</p>'`},
		{
			name: "text", arg: object{"text": "All done"}, change: `document.body.innerHTML = '<p>All <b>done</b>!</p>'`,
			text: "All done",
		},
		{
			name: "text by a change of characters", html: `<p id=b>x</p>`, arg: object{"text": "All done"},
			change: `b.firstChild.data = 'All done'`, text: "All done",
		},
		{
			name: "text that was hidden", html: `<p id=b hidden>All done</p>`, arg: object{"text": "All done"},
			change: `b.hidden = false`, text: "All done",
		},
		{
			name: "text in a shadow tree", html: `<div id=host></div>`, arg: object{"text": "All done"},
			change: `host.attachShadow({mode: 'open'}).innerHTML = 'All done'`, text: "All done",
		},
		{
			name: "text that CSS writes in capitals", html: `<p style="text-transform:uppercase">All done</p>`,
			arg: object{"text": "ALL DONE"}, text: "ALL DONE",
		},
		{
			name: "text on a button", html: `<input type=button value="All done">`, arg: object{"text": "All done"},
			text: "All done",
		},
		{name: "text over two lines", html: `<p>All<br>done</p>`, arg: object{"text": "All done"}, text: "All done"},
		{
			name: "text of an element", html: `<p>All done</p><p id=b>x</p>`,
			arg:    object{"target": css("#b"), "text": "All done"},
			change: `b.textContent = 'All done'`, text: "All done",
		},
		{
			name: "after the document was rewritten", arg: object{"text": "All done"},
			change: `document.open(), document.write('All done'), document.close()`,
			text:   "All done",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			tt.arg["patience"] = 10000
			result := p.start(t, "wait", tt.arg)
			if tt.change != "" {
				p.js(t, tt.change+"; 0")
			}
			want := object{"met": true}
			if tt.text != nil {
				want["text"] = tt.text
			}
			require.Empty(t, cmp.Diff(want, result()))
			require.Zero(t, p.listeners(t), "listeners are left behind")
		})
	}
}

// A wait that is met before it begins says so, unless it was asked before and not met then: the engine asks twice where
// it has to look first.
func TestActingWaitMetAlready(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<p id=b>x</p>`)
	ask := func(selector string, id int) any {
		return p.start(t, "wait", object{"target": css(selector), "id": id, "patience": 1})()
	}
	require.Equal(t, object{"met": true, "already": true}, ask("#b", 1))
	ask("#c", 2)
	p.js(t, `b.id = 'c'; 0`)
	require.Equal(t, object{"met": true}, ask("#c", 2))
	require.Equal(t, object{"met": true, "already": true}, ask("#c", 3))
}

func TestActingWaitForARef(t *testing.T) {
	t.Parallel()
	t.Run("to go away", func(t *testing.T) {
		t.Parallel()
		p := newPage(t, `<button id=b>Go</button>`)
		result := p.start(t, "wait", object{"target": refTo(t, p, "#b"), "state": "hidden", "patience": 10000})
		p.js(t, `b.remove(); 0`)
		require.Equal(t, object{"met": true}, result())
	})
	t.Run("to be shown", func(t *testing.T) {
		t.Parallel()
		p := newPage(t, `<button id=b hidden>Go</button>`)
		result := p.start(t, "wait", object{"target": refTo(t, p, "#b"), "patience": 10000})
		p.js(t, `b.hidden = false; 0`)
		require.Equal(t, object{"met": true}, result())
	})
}

func TestActingWaitTellsWhatWasSeen(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		html  string
		arg   object
		code  string
		facts object
	}{
		{
			"nothing there", ``,
			object{"target": css("#b")},
			"timeout",
			object{"state": "visible", "seen": "nothing", "count": 0.0},
		},
		{
			"hidden", `<p id=b hidden>x</p>`,
			object{"target": css("#b")},
			"timeout",
			object{"state": "visible", "seen": "hidden", "count": 1.0, "element": "p#b", "reason": "display:none"},
		},
		{
			"still shown", `<p id=b>x</p>`,
			object{"target": css("#b"), "state": "hidden"},
			"timeout",
			object{"state": "hidden", "seen": "visible", "count": 1.0, "element": "p#b"},
		},
		{
			"still attached", `<p id=b hidden>x</p>`,
			object{"target": css("#b"), "state": "detached"},
			"timeout",
			object{"state": "detached", "seen": "hidden"},
		},
		{
			"disabled", `<button id=b disabled>x</button>`,
			object{"target": css("#b"), "state": "enabled"},
			"timeout",
			object{"state": "enabled", "seen": "disabled"},
		},
		{
			"no such text", `<p>Something else</p>`,
			object{"text": "All done"},
			"timeout",
			object{"text": "All done", "shows": "Something else"},
		},
		{"text in another case", `<p>ALL DONE</p>`, object{"text": "All done"}, "timeout", object{"otherCase": "ALL DONE"}},
		{
			"text that is hidden", `<p id=b hidden>All done</p>`,
			object{"text": "All done"},
			"timeout",
			object{"shows": "", "hidden": object{"element": "p#b", "reason": "display:none"}},
		},
		{
			"text in a script", `<script>"All done"</script>x`,
			object{"text": "All done"},
			"timeout",
			object{"shows": "x", "hidden": nil},
		},
		{
			"text of another element", `<p>All done</p><p id=b>x</p>`,
			object{"target": css("#b"), "text": "All done"},
			"timeout",
			object{"shows": "x", "count": 1.0},
		},
		{"invalid selector", ``, object{"target": css("#[")}, "selector-invalid", nil},
		{"unknown state", ``, object{"target": css("#b"), "state": "bogus"}, "usage", object{"state": "bogus"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			// Once without waiting, once after some: both tell the same.
			for _, patience := range []int{0, 40} {
				tt.arg["patience"] = patience
				code, facts := p.failure(t, "wait", tt.arg)
				require.Equal(t, tt.code, code)
				for k, want := range tt.facts {
					require.Empty(t, cmp.Diff(want, facts[k]), k)
				}
			}
			require.Zero(t, p.listeners(t), "listeners are left behind")
		})
	}
}

// An invalid selector ends the wait at once, whatever the patience: more waiting cannot make it valid.
func TestActingWaitDoesNotWaitInVain(t *testing.T) {
	t.Parallel()
	p := newPage(t, ``)
	code, _ := p.failure(t, "wait", object{"target": css("#["), "patience": 600000})
	require.Equal(t, "selector-invalid", code)
}
