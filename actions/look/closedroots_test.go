package look_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// closedPage is a page whose contents are all behind closed shadow roots, made in several ways; `log` hears what
// happens in them.
const closedPage = `<!doctype html><title>Closed</title><script>var log = []</script>
<div id=empty></div>
<x-card id=card><b slot=title>Slotted title</b><button onclick="log.push('slotted')">Slotted</button></x-card>
<section id=covered><p>Never shown</p></section>
<x-outer id=outer></x-outer>
<my-late id=late></my-late>
<script>
const closed = (host, html) => { const root = host.attachShadow({mode: 'closed'}); root.innerHTML = html; return root };
const button = (name) => '<button onclick="log.push(\'' + name + '\')" onmouseenter="log.push(\'over ' + name + '\')">' + name + '</button>';
closed(empty, button('In div') + '<label>Field in div <input oninput="log.push(this.value)"></label>');
closed(card, '<h2><slot name=title></slot></h2>' + button('In custom') + '<div><slot></slot></div>');
closed(covered, button('In section'));
const open = outer.attachShadow({mode: 'open'});
open.innerHTML = '<div id=inner></div>';
const inner = closed(open.getElementById('inner'), '<p>Level two</p><x-deep id=deep></x-deep>');
const deep = closed(inner.getElementById('deep'), button('Deep') + '<input aria-label="Deep field">');
customElements.define('my-late', class extends HTMLElement { connectedCallback() { closed(this, button('Late')) } });
const looks = () => [document.documentElement.outerHTML, ...['empty', 'card', 'covered', 'late'].map((id) => document.getElementById(id).shadowRoot)].join();
var before = looks();
</script>`

func TestClosedRootsInSnapshot(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, closedPage)
	text := c.Do("snapshot").Result.Text
	for _, want := range []string{
		`button "In div"`, `textbox "Field in div"`, `heading "Slotted title"`, `button "In custom"`, `button "Slotted"`,
		`button "In section"`,
		`"Level two"`, `button "Deep"`, `textbox "Deep field"`, `button "Late"`,
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "Never shown", "what is not slotted is not on the screen")
	require.Equal(t, text, c.Do("snapshot").Result.Text, "a second snapshot gives the same refs")
	interactive := c.Do("snapshot", "-i").Result.Text
	require.Contains(t, interactive, `button "Deep"`)
	require.Equal(t, true, c.Page("looks() === before"), "the page sees nothing of it")
	require.Equal(t, "", c.Log())
}

func TestClosedRootsActions(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, closedPage)
	for _, name := range []string{"In div", "In custom", "In section", "Deep", "Late"} {
		t.Run(name, func(t *testing.T) {
			c := c.In(t)
			c.Page("log.length = 0")
			reply := c.Do("click", c.Ref(fmt.Sprintf("button %q", name)))
			require.Empty(t, sessiontest.Notes(reply))
			require.Contains(t, c.Log(), name)
			c.Do("hover", c.Ref(`heading "Slotted title"`))
			c.Page("log.length = 0")
			c.Do("hover", c.Ref(fmt.Sprintf("button %q", name)))
			require.Equal(t, "over "+name, c.Log())
			require.Equal(t, name, c.Do("get", "text", c.Ref(fmt.Sprintf("button %q", name))).Result.Text)
		})
	}
	c.Page("log.length = 0")
	c.Do("fill", c.Ref(`textbox "Field in div"`), "words")
	require.Equal(t, "words", c.Log())
	c.Do("type", c.Ref(`textbox "Deep field"`), "ab")
	require.Equal(t, "ab", c.Page("deep.querySelector('input').value"))
	require.Contains(t, c.Do("snapshot").Result.Text, ": ab", "the focused field in two closed roots")
	c.Do("click", c.Ref(`button "Slotted"`))
	require.Contains(t, c.Log(), "slotted")
}

// Selectors find elements in closed shadow roots without a snapshot before.
func TestClosedRootsBySelector(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"css within the tree", []string{"click", "h2 + button"}, "In custom"},
		{"css across trees", []string{"click", "x-outer x-deep button"}, "Deep"},
		{"text", []string{"click", "text=In div"}, "In div"},
		{"role", []string{"click", `role=button[name="Late"]`}, "Late"},
		{"find", []string{"find", "role", "button", "click", "--name", "In section"}, "In section"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, closedPage)
			c.Do(tt.args...)
			require.Contains(t, strings.Split(c.Log(), "\n"), tt.want)
		})
	}
	c := host.Showing(t, closedPage)
	c.Do("wait", "--text", "Level two")
	require.Equal(t, float64(1), c.Data("get", "count", "x-deep")["count"])
}

func TestClosedRootsInFrames(t *testing.T) {
	t.Parallel()
	inner := site.Write(closedPage)
	tests := []struct{ name, address string }{
		{"same process", site.URL(inner)},
		{"another process", site.Elsewhere(inner)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t,
				`<!doctype html><h1>Outside</h1><iframe title=Inside width=600 height=500 src="`+tt.address+`"></iframe>`)
			c.Do("wait", "--load", "networkidle")
			c.Do("fill", c.Ref(`textbox "Deep field"`), "far")
			require.Contains(t, c.Do("snapshot").Result.Text, `textbox "Deep field"`)
			require.Equal(t, "far", c.Do("get", "value", c.Ref(`textbox "Deep field"`)).Result.Text)
			// A browser that is too busy to paint a frame lets no press into it meanwhile.
			reply := c.Do("click", c.Ref(`button "Deep"`), "--timeout", "30000")
			require.Empty(t, sessiontest.Notes(reply))
		})
	}
}

// Asked for the listeners of a page, the browser hands out what is in its frames, too, as objects of the page's realm.
func TestClosedRootsInAFrameThatWasLookedAtFromOutside(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<!doctype html><h1>Outside</h1><iframe name=inside width=600 height=500 src="`+site.Write(closedPage)+`"></iframe>`)
	c.Do("wait", "--load", "networkidle")
	c.Do("snapshot", "-s", "h1")
	c.Do("frame", "inside")
	c.Do("click", "x-outer x-deep button")
	require.Equal(t, "Deep", c.Page("frames.inside.log.at(-1)"))
	require.Equal(t, true,
		c.Page(
			`frames.inside.eval("document instanceof Document && document.querySelector('button') instanceof HTMLButtonElement")`))
}

// A root that comes after the page was looked at is found by the next look.
func TestClosedRootLater(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, `<!doctype html><x-later></x-later><div id=d></div><script>var log = []</script>`)
	c.Do("snapshot")
	c.Page(`customElements.define('x-later', class extends HTMLElement {
		constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML = '<button>Upgraded</button>' } });
		d.attachShadow({mode: 'closed'}).innerHTML = '<button>Attached</button>'`)
	text := c.Do("snapshot", "-i").Result.Text
	require.Contains(t, text, `buttons: "Upgraded" @e1, "Attached" @e2`)
}

func TestDateFieldParts(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<!doctype html><label>When <input type=date id=d value=2024-02-03 min=2020-01-01></label>
		<input type=time id=t aria-label=At> <input type=date disabled aria-label=Off>
		<script>var log = []; d.oninput = () => log.push(d.value)</script>`)
	const ref = `@e\d+`
	require.Regexp(t, `- Date "When" `+ref+` \[4 parts\]: 2024-02-03\n- InputTime "At" `+ref+` \[4 parts\]\n`,
		lookAt(c, "-i"), "among all that can be acted on they are counted")
	const when = `(?s)- Date "When" ` + ref + `: 2024-02-03\n\s+- spinbutton "Month" ` + ref +
		`: 2\n\s+- spinbutton "Day" ` + ref + `: 3\n` +
		`\s+- spinbutton "Year" ` + ref + `: 2024\n\s+- button "Show date picker" ` + ref
	const at = `- InputTime "At" ` + ref + `\n\s+- spinbutton "Hours"`
	whole := lookAt(c)
	require.Regexp(t, when, whole)
	require.Regexp(t, at, whole)
	require.Regexp(t, when, lookAt(c, "-i", "-s", c.Ref(`Date "When"`)))
	require.Regexp(t, at, lookAt(c, "-i", "-s", c.Ref(`InputTime "At"`)))
	reply := c.Do("click", c.Ref(`spinbutton "Day"`))
	require.Empty(t, sessiontest.Notes(reply))
	c.Do("keyboard", "type", "21")
	require.Equal(t, "2024-02-21", c.Page("d.value"))
	require.Regexp(t, `spinbutton "Year" @e\d+( \[.*\])?: 2024`, c.Do("snapshot").Result.Text)

	c.Do("type", c.Ref(`spinbutton "Month"`), "11")
	require.Equal(t, "2024-11-21", c.Page("d.value"))
	c.Do("focus", c.Ref(`spinbutton "Year"`))
	c.Do("press", "ArrowUp")
	require.Equal(t, "2025-11-21", c.Page("d.value"))

	refused := c.Fails(fault.TargetUnsuitable, "fill", c.Ref(`spinbutton "Year"`), "2026")
	require.Contains(t, refused.Error(), "part of a field")
	c.Do("fill", c.Ref(`Date "When"`), "2030-12-31")
	require.Equal(t, "2030-12-31", c.Page("d.value"))
	require.Equal(t, "1", c.Page("String(document.querySelectorAll('[type=time]').length)"))
	require.Equal(t, float64(0), c.Data("get", "count", "span")["count"],
		"selectors do not see the browser's own elements")
	require.Empty(t, c.Page("d.shadowRoot"))
}

func TestMediaControls(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<!doctype html><audio id=a controls src="`+silence(5)+`"></audio><video id=v controls width=300 height=150 src="`+
			silence(5)+`"></video>
		<script>var log = []; for (const m of [a, v]) for (const e of ['play', 'pause', 'volumechange']) m.addEventListener(e, () => log.push(m.id + ' ' + e))</script>`)
	c.Do("wait", "--fn", "a.readyState > 0 && v.readyState > 0")
	text := c.Do("snapshot", "-i").Result.Text
	require.Equal(t, 2, strings.Count(text, `"play" @`), text)
	reply := c.Do("click", c.Ref(`button "play"`))
	require.Empty(t, sessiontest.Notes(reply))
	c.Do("wait", "--fn", "!a.paused")
	require.Equal(t, "a play", c.Log())
	c.Do("click", c.Ref(`button "mute"`))
	c.Do("wait", "--fn", "a.muted")
	c.Do("click", c.Ref(`button "pause"`))
	c.Do("wait", "--fn", "a.paused")
}

// silence is the address of a sound of so many seconds in which nothing is heard.
func silence(seconds int) string {
	const rate = 8000
	n := uint32(rate * seconds)
	b := []byte("RIFF")
	b = binary.LittleEndian.AppendUint32(b, 36+n)
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = binary.LittleEndian.AppendUint16(b, 1) // PCM
	b = binary.LittleEndian.AppendUint16(b, 1) // channels
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint16(b, 8) // bits
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, n)
	b = append(b, strings.Repeat("\x80", int(n))...)
	return "data:audio/wav;base64," + base64.StdEncoding.EncodeToString(b)
}

func TestListeners(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<!doctype html><body><div id=root>
		<div id=plain>Open details</div>
		<ul id=menu><li id=one>First item</li><li id=two>Second item</li></ul>
		<div id=bar><button>Real</button> words</div>
		<section id=card><h3>Offer</h3><p>Cheap</p></section>
		<p id=keyed>Hears keys only</p><a id=anchor>No address</a><a id=dumb>No listener</a>
		<div id=around><span inert><a href=#>Inert</a></span><span aria-hidden=true><a href=#>Untold</a></span><em title=x>Text</em></div>
		<div id=hidden style="display:none">Hidden</div>
		<my-box></my-box>
		</div><script>
		var log = [];
		const listen = (el, ...types) => { for (const t of types) el.addEventListener(t, (e) => { if (e.currentTarget === el) log.push(el.id + ' ' + t) }) };
		for (const id of ['plain', 'menu', 'one', 'two', 'bar', 'card', 'hidden', 'root', 'around', 'anchor']) listen(document.getElementById(id), 'click');
		listen(keyed, 'keydown', 'mousemove');
		listen(document, 'click'); listen(document.body, 'click'); listen(window, 'click');
		const inner = document.querySelector('my-box').attachShadow({mode: 'closed'});
		inner.innerHTML = '<span id=inside>Inside</span>';
		listen(inner.getElementById('inside'), 'pointerdown');
		</script>`)
	text := c.Do("snapshot").Result.Text
	for _, want := range []string{
		`generic "Open details" @e\d+ clickable \[listener\]`,
		`listitem "First item" @e\d+ \[level=1\] clickable \[listener\]`,
		`generic "Offer ?Cheap" @e\d+ clickable \[listener\]`, `generic "Inside" @e\d+ clickable \[listener\]`,
		`link "No address" @e\d+`,
	} {
		require.Regexp(t, want, text)
	}
	require.Equal(t, 6, strings.Count(text, "[listener]"), "delegates and what is not clicked have no refs:\n%s", text)
	require.Contains(t, c.Do("snapshot", "-i").Result.Text, `"Inside" @`)

	reply := c.Do("click", c.Ref(`generic "Open details"`))
	require.Empty(t, sessiontest.Notes(reply))
	require.Contains(t, c.Log(), "plain click")
	c.Do("click", c.Ref(`generic "Inside"`))
	require.Contains(t, c.Log(), "inside pointerdown")

	c.Page(
		`const later = document.createElement('div'); later.textContent = 'Later'; later.onclick = () => {}; document.body.append(later);
		plain.replaceWith(plain.cloneNode(true)); 0`)
	text = c.Do("snapshot", "-i").Result.Text
	require.Contains(t, text, `"Later" @`)
	require.NotContains(t, text, `"Open details"`, "its listener is gone")
}

func TestManyListeners(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<!doctype html><body><script>var log = [];
		for (let i = 0; i < 1000; i++) { const el = document.createElement('div'); el.textContent = 'Row ' + i;
			el.addEventListener('click', () => log.push(i)); document.body.append(el) }</script>`)
	text := c.Do("snapshot", "-i", "--max-tokens", "0").Result.Text
	require.Equal(t, 1000, strings.Count(text, " @e"))
	require.Equal(t, text, c.Do("snapshot", "-i", "--max-tokens", "0").Result.Text)
	c.Do("click", c.Ref(`generic "Row 777"`))
	require.Equal(t, "777", c.Log())
}
