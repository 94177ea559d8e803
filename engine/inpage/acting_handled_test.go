package inpage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// later is a handler that writes on the page in its task, in one behind it, and in a timer of 0 ms.
const later = `function later() { say('at once'); const c = new MessageChannel(); c.port1.onmessage = () => say('a task later'); c.port2.postMessage(0); setTimeout(() => say('a timer later')) }
	function say(text) { document.body.append(Object.assign(document.createElement('p'), {textContent: text})) }`

// key presses and releases a key.
func (p *testPage) key(t testing.TB, key string) {
	t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		call(t, p.sess, "Input.dispatchKeyEvent", object{"type": kind, "key": key, "text": key}, nil)
	}
}

// An op that is sent with input says what its handlers led to, whichever of the two the page takes first.
func TestActingBehindInput(t *testing.T) {
	t.Parallel()
	const field = `<body><input id=i><button id=b>Go</button><button id=m>Menu</button><script>` + later + `</script>`
	keyup := object{"event": "keyup", "count": 2}
	watch := func(t *testing.T, p *testPage) {
		p.js(t,
			`i.focus(); i.addEventListener('keyup', (e) => e.key === 'y' && later()); b.addEventListener('click', later); m.addEventListener('mousemove', later); 0`)
	}
	settled := func(t *testing.T, p *testPage) (string, object) {
		p.op(t, "watch", object{}, nil)
		return "settled", object{"effects": true, "behind": keyup}
	}
	for _, tt := range []struct {
		name  string
		begin func(t *testing.T, p *testPage) (op string, arg object)
		on    string // what the pointer is for; "": keys
		want  object
	}{
		{"keys", settled, "", object{}},
		{"a text", func(t *testing.T, p *testPage) (string, object) {
			p.result(t, "focus", object{"target": css("#i"), "typing": 1000, "watch": true})
			return "typed", object{"text": "xy", "wait": 1000, "effects": true, "behind": keyup}
		}, "", object{"outcome": "kept"}},
		{"a click", func(t *testing.T, p *testPage) (string, object) {
			at := p.result(t, "aim",
				object{
					"target": css("#b"), "checks": "pointer", "arm": []string{"mousedown", "click"}, "guard": true,
					"watch": true,
				})
			return "landed", object{"token": at["token"], "wait": 250, "effects": true, "behind": true}
		}, "b", object{"hit": true}},
		{"a move", func(t *testing.T, p *testPage) (string, object) {
			at := p.result(t, "aim", object{"target": css("#m"), "checks": "hover", "arm": []string{"mousemove"}, "watch": true})
			return "pointed", object{"token": at["token"], "wait": 50, "effects": true, "behind": true}
		}, "m", object{"pointed": true}},
	} {
		for _, order := range []string{"the op first", "the input first"} {
			t.Run(tt.name+", "+order, func(t *testing.T) {
				t.Parallel()
				p := newPage(t, field)
				watch(t, p)
				op, arg := tt.begin(t, p)
				input := func() { pressOn(t, p, tt.on) }
				var got object
				if order == "the op first" {
					result := p.start(t, op, arg)
					require.Equal(t, 1.0, p.js(t, "1"), "the page has taken the op") // in the order of what was sent
					input()
					got = result()
				} else {
					input()
					got = p.result(t, op, arg)
				}
				for key, want := range tt.want {
					require.Equal(t, want, got[key], key)
				}
				effects, _ := got["effects"].(object)
				require.Equal(t, 3.0, effects["added"], "%v", got)
			})
		}
	}
}

// pressOn clicks on the button b, moves the pointer to another one, or presses x and y.
func pressOn(t testing.TB, p *testPage, on string) {
	t.Helper()
	if on == "" {
		p.key(t, "x")
		p.key(t, "y")
		return
	}
	at := object{}
	p.evaluate(t, 0,
		`(({x, y, width, height}) => ({x: x + width / 2, y: y + height / 2}))(`+on+`.getBoundingClientRect())`, &at)
	if on == "b" {
		p.click(t, at["x"], at["y"])
		return
	}
	p.mouse(t, "mouseMoved", at["x"], at["y"])
}

// A page may keep the events to itself. What the op is told then is that the browser has acknowledged them.
func TestActingBehindInputNotSeen(t *testing.T) {
	t.Parallel()
	const swallowed = `<script>` + later +
		`for (const n of ['keyup', 'click']) addEventListener(n, (e) => { e.stopImmediatePropagation(); later() }, true)</script>` +
		`<body><input id=i autofocus><button id=b>Go</button>`
	t.Run("keys", func(t *testing.T) {
		t.Parallel()
		p := newPage(t, swallowed)
		p.op(t, "watch", object{}, nil)
		result := p.start(t, "settled", object{"effects": true, "behind": object{"event": "keyup", "count": 1}})
		p.key(t, "x")
		p.op(t, "acknowledged", object{}, nil)
		require.Equal(t, 3.0, result()["effects"].(object)["added"])
	})
	t.Run("a click", func(t *testing.T) {
		t.Parallel()
		p := newPage(t, swallowed)
		at := p.result(t, "aim",
			object{"target": css("#b"), "checks": "pointer", "arm": []string{"mousedown", "click"}, "watch": true})
		result := p.start(t, "landed", object{"token": at["token"], "wait": 300, "behind": true})
		p.click(t, at["x"], at["y"])
		p.op(t, "acknowledged", object{}, nil)
		got := result()
		require.Equal(t, []any{true, "mouseup"}, []any{got["hit"], got["event"]})
	})
	t.Run("a press without its release", func(t *testing.T) {
		t.Parallel()
		p := newPage(t, `<button id=b>Go</button>`)
		at := p.result(t, "aim",
			object{"target": css("#b"), "checks": "pointer", "arm": []string{"mousedown", "click"}, "watch": true})
		result := p.start(t, "landed", object{"token": at["token"], "wait": 10000, "behind": true})
		p.mouse(t, "mouseMoved", at["x"], at["y"])
		p.mouse(t, "mousePressed", at["x"], at["y"])
		p.op(t, "acknowledged", object{"dialog": true}, nil)
		require.Equal(t, true, result()["unreleased"])
		p.mouse(t, "mouseReleased", at["x"], at["y"])
	})
}

// An op that still waits for the input of an action that is over, since a dialog had ended its command, takes nothing
// from the next action.
func TestActingBehindInputGivenUp(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<body><input id=i autofocus><script>`+later+`; i.onkeyup = later</script>`)
	p.op(t, "watch", object{}, nil)
	p.start(t, "settled", object{"effects": true, "behind": object{"event": "keyup", "count": 1}})
	p.op(t, "watch", object{}, nil)
	p.key(t, "x")
	p.op(t, "acknowledged", object{}, nil)
	p.op(t, "settled", object{}, nil)
	require.Equal(t, 3.0, p.result(t, "effects", object{})["added"])
}
