package inpage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// pressListeners is how many listeners the first aim leaves in a document.
const pressListeners = 8

func TestActingLanded(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		html    string
		between string // done by the page after the aim, before the click
		wait    int
		want    object
	}{
		{
			name: "on the target", html: `<button id=b>Go</button>`,
			want: object{"hit": true, "event": "click", "removed": false},
		},
		{
			name: "on a child of the target", html: `<button id=b><i>Go</i></button>`,
			want: object{"hit": true, "event": "click", "removed": false},
		},
		{
			name: "on the label of the target", html: `<label for=b>Agree</label><input id=b type=checkbox hidden>`,
			want: object{"hit": true, "event": "click", "removed": false, "checked": "true"},
		},
		{
			name: "on the button of an icon", html: `<button id=btn><i id=b style="pointer-events:none">Go</i></button>`,
			want: object{"hit": true, "event": "click", "removed": false},
		},
		{
			name: "in a shadow tree",
			html: `<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<button id=b>Go</button>'</script>`,
			want: object{"hit": true, "event": "click", "removed": false},
		},
		{
			name: "the handler removes it", html: `<button id=b onclick="this.remove()">Go</button>`,
			want: object{"hit": true, "event": "click", "removed": true},
		},
		{
			name: "pressing removes it", html: `<button id=b onmousedown="this.remove()">Go</button>`, wait: 300,
			want: object{"hit": true, "event": "mousedown", "removed": true, "clicked": false, "on": "html"},
		},
		{
			name: "the page stops the event",
			html: `<button id=b>Go</button><script>document.addEventListener('click',e=>e.stopImmediatePropagation(),true)</script>`,
			want: object{"hit": true, "event": "click", "removed": false},
		},
		{
			name: "the page swallows it on the window",
			html: `<script>for (const n of ['click','mousedown']) addEventListener(n,e=>e.stopImmediatePropagation(),true)</script><button id=b>Go</button>`,
			wait: 300, want: object{"hit": true, "event": "mouseup", "removed": false},
		},
		{
			name: "the page swallows all of it on the window",
			html: `<script>for (const n of ['click','mousedown','mouseup']) addEventListener(n,e=>e.stopImmediatePropagation(),true)</script><button id=b>Go</button>`,
			wait: 300, want: object{"hit": true, "event": "hover", "removed": false},
		},
		{
			name: "pressing takes it out and puts it back",
			html: `<div><button id=b onmousedown="this.parentNode.append(this)">Go</button></div>`, wait: 300,
			want: object{"hit": true, "event": "mousedown", "removed": false, "clicked": false},
		},
		{
			name: "the target moved away", html: `<button id=b>Go</button>`, between: `b.style.marginLeft = '500px'`,
			want: object{"hit": false, "event": "click", "removed": false, "on": "body"},
		},
		{
			name:    "something came over it",
			html:    `<button id=b>Go</button><div id=ov style="position:fixed;inset:0;display:none"></div>`,
			between: `ov.style.display = 'block'`,
			want:    object{"hit": false, "event": "click", "removed": false, "on": "div#ov"},
		},
		{
			name: "an equal one took its place", html: `<button id=b>Go</button>`,
			between: `b.outerHTML = '<button id=b>Go</button>'`,
			want:    object{"hit": true, "event": "click", "removed": false},
		},
		{
			name: "an equal one that is not the target took its place", html: `<button id=b>Go</button>`,
			between: `b.outerHTML = '<button id=new>Go</button>'`,
			want:    object{"hit": false, "event": "click", "removed": true, "on": "button#new"},
		},
		{
			name: "pressing puts an equal one in its place",
			html: `<div><button id=b onmousedown="this.outerHTML = '<button id=b>Go</button>'">Go</button></div>`, wait: 300,
			want: object{
				"hit": true, "event": "mousedown", "clicked": false, "replaced": true, "removed": true,
				"on": "button#b",
			},
		},
		{
			name: "pressing covers it",
			html: `<button id=b onmousedown="ov.hidden=false">Go</button><div id=ov hidden style="position:fixed;inset:0"></div>`,
			want: object{"hit": true, "event": "mousedown", "clicked": true, "removed": false, "on": "body"},
		},
		{
			name: "pressing opens it",
			html: `<button id=b aria-expanded=false onmousedown="ov.hidden=false;ariaExpanded='true'">Go</button>` +
				`<div id=ov hidden style="position:fixed;inset:0"></div>`,
			want: object{"hit": true, "event": "mousedown", "clicked": true, "removed": false, "on": "body"},
		},
		{
			name: "another one took its place", html: `<button id=b>Go</button>`,
			between: `b.outerHTML = '<button id=new>Do</button>'`,
			want:    object{"hit": false, "event": "click", "removed": true, "on": "button#new"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			at := p.result(t, "aim", object{"target": css("#b"), "checks": "pointer", "arm": []string{"mousedown", "click"}})
			if tt.between != "" {
				p.js(t, tt.between+"; 0")
			}
			p.click(t, at["x"], at["y"])
			wait := tt.wait
			if wait == 0 {
				wait = 10000
			}
			got := p.result(t, "landed", object{"token": at["token"], "wait": wait})
			for _, key := range []string{"onToken", "onRole", "onName", "now"} {
				delete(got, key)
			}
			require.Empty(t, cmp.Diff(tt.want, got))
			require.Equal(t, pressListeners, p.listeners(t), "listeners are left behind")
		})
	}
}

// A press that would reach something else than what was aimed at reaches nothing.
func TestActingLandedGuard(t *testing.T) {
	t.Parallel()
	const logged = `<script>log = []; for (const n of ['pointerdown','mousedown','focusin','pointerup','mouseup','click','dblclick','contextmenu','auxclick','input'])
		document.addEventListener(n, e => log.push(n), true)</script>`
	tests := []struct {
		name    string
		html    string
		between string
		says    string // what was seen by the page
		want    object
	}{
		{
			name: "nothing is in the way", html: `<button id=b>Go</button>`,
			says: "pointerdown,mousedown,focusin,pointerup,mouseup,click",
			want: object{"hit": true, "event": "click", "removed": false},
		},
		{
			name:    "a link has come in its place",
			html:    `<button id=b>Go</button><a id=ov href="#gone" style="position:fixed;inset:0;display:none"></a>`,
			between: `ov.style.display = 'block'`, want: object{"hit": false, "blocked": true, "removed": false, "on": "a#ov"},
		},
		{
			name:    "a checkbox has come in its place",
			html:    `<button id=b>Go</button><input type=checkbox id=ov style="position:fixed;inset:0;display:none">`,
			between: `ov.style.display = 'block'`,
			want:    object{"hit": false, "blocked": true, "removed": false, "on": "input#ov"},
		},
		{
			name:    "a field has come in its place",
			html:    `<button id=b>Go</button><input id=ov style="position:fixed;inset:0;display:none">`,
			between: `ov.style.display = 'block'`,
			want:    object{"hit": false, "blocked": true, "removed": false, "on": "input#ov"},
		},
		{
			name:    "a submit button has come in its place",
			html:    `<button id=b>Go</button><form action="#sent"><button id=ov style="position:fixed;inset:0;display:none">`,
			between: `ov.style.display = 'block'`,
			want:    object{"hit": false, "blocked": true, "removed": false, "on": "button#ov"},
		},
		{
			name: "it has moved", html: `<button id=b>Go</button>`, between: `b.style.marginLeft = '500px'`,
			want: object{"hit": false, "blocked": true, "removed": false, "on": "body"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, logged+tt.html)
			at := p.result(t, "aim",
				object{"target": css("#b"), "checks": "pointer", "arm": []string{"mousedown", "click"}, "guard": true})
			p.js(t, tt.between+"; 0")
			p.click(t, at["x"], at["y"])
			got := p.result(t, "landed", object{"token": at["token"], "wait": 10000})
			for _, key := range []string{"onToken", "onRole", "onName"} {
				delete(got, key)
			}
			require.Empty(t, cmp.Diff(tt.want, got))
			require.Equal(t, tt.says, p.js(t, "log.join()"))
			require.Equal(t, "", p.js(t, "location.hash"))
			require.Equal(t, pressListeners, p.listeners(t), "listeners are left behind")
		})
	}
}

// Chromium drops a release that comes while a dialog is open. The aim stays armed for the one that is sent again.
func TestActingLandedUnreleased(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<script>log = []</script><button id=b onclick="log.push('clicked')">Go</button>`)
	at := p.result(t, "aim", object{"target": css("#b"), "checks": "pointer", "arm": []string{"mousedown", "click"}})
	p.mouse(t, "mousePressed", at["x"], at["y"])
	landed := object{"token": at["token"], "wait": 10000, "dialog": true}
	require.Equal(t, object{"hit": false, "unreleased": true}, p.result(t, "landed", landed))
	p.mouse(t, "mouseReleased", at["x"], at["y"])
	require.Equal(t, true, p.result(t, "landed", landed)["hit"])
	require.Equal(t, "clicked", p.js(t, "log.join()"))
}

func TestActingLandedSeesOnlyTrustedEvents(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<button id=b>Go</button>`)
	at := p.result(t, "aim", object{"target": css("#b"), "checks": "pointer", "arm": []string{"click"}})
	p.js(t, `b.click()`)
	require.Equal(t, object{"hit": false, "lost": true, "removed": false},
		p.result(t, "landed", object{"token": at["token"], "wait": 20}))
}

func TestActingLandedWithoutAim(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<button id=b>Go</button>`)
	at := p.result(t, "aim", object{"target": css("#b"), "checks": "pointer"})
	require.Equal(t, object{"hit": false, "removed": false, "armed": false},
		p.result(t, "landed", object{"token": at["token"]}))
	require.Equal(t, object{"hit": false, "removed": true, "armed": false}, p.result(t, "landed", object{"token": 77}))
}

// A later aim takes the place of an earlier one, and nothing of the earlier one is left.
func TestActingLandedOneAtATime(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<button id=a>A</button><button id=b>B</button>`)
	first := p.result(t, "aim",
		object{"target": css("#a"), "checks": "pointer", "arm": []string{"mousedown", "mouseup", "click"}})
	second := p.result(t, "aim", object{"target": css("#b"), "checks": "pointer", "arm": []string{"click"}})
	require.Equal(t, pressListeners, p.listeners(t))
	require.Equal(t, false, p.result(t, "landed", object{"token": first["token"]})["armed"])
	p.click(t, second["x"], second["y"])
	require.Equal(t, true, p.result(t, "landed", object{"token": second["token"], "wait": 10000})["hit"])
	require.Equal(t, pressListeners, p.listeners(t))
}

// The op waits in the page while the click is under way.
func TestActingLandedBeforeTheEvent(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<button id=b onclick="document.title = 'clicked'">Go</button>`)
	at := p.result(t, "aim", object{"target": css("#b"), "checks": "pointer", "arm": []string{"click"}})
	landed := p.start(t, "landed", object{"token": at["token"], "wait": 10000})
	p.click(t, at["x"], at["y"])
	require.Equal(t, true, landed()["hit"])
	require.Equal(t, "clicked", p.js(t, "document.title"), "it resolves after the page's handlers ran")
}

// listeners counts the listeners on the window, without those that a document has for good: by which the script follows
// scrolling and pointer locks.
func (p *testPage) listeners(t *testing.T) int {
	t.Helper()
	var window struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}
	call(t, p.sess, "Runtime.evaluate", object{"expression": "globalThis", "contextId": p.world}, &window)
	var res struct {
		Listeners []struct {
			ScriptID string `json:"scriptId"`
			Type     string `json:"type"`
		} `json:"listeners"`
	}
	call(t, p.sess, "DOMDebugger.getEventListeners", object{"objectId": window.Result.ObjectID}, &res)
	own := 0
	for _, l := range res.Listeners {
		switch l.Type { // none after document.open()
		case "scroll":
			own++
		case "pointerlockchange":
			own += 2 // and one for the moves of a pointer that is locked
		}
	}
	return len(res.Listeners) - own
}
