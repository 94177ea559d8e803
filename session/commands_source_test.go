package session_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const sourcePage = `<title>Source</title><h1>Sign in</h1><form onsubmit="log.push('sent'); return false">
	<input id=user aria-label=User value=ann><input id=pass type=password aria-label=Password value=hunter2>
	<input id=box type=checkbox aria-label=Stay><select id=kind aria-label=Kind><option>One<option>Two</select>
	<a id=help href="/help">Help</a><button>Go</button></form><div id=card onclick="log.push('card')">Card</div>`

// ax takes a snapshot from Chrome's tree and returns its refs.
func (c *client) ax() map[string]string {
	c.t.Helper()
	return c.refs("--source", "ax")
}

func TestSourceHasTheSameRefs(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"page", "ax"} {
		t.Run(first+" first", func(t *testing.T) {
			t.Parallel()
			c := showing(t, sourcePage)
			c.do("snapshot", "--source", first)
			page, ax := c.refs(), c.ax()
			delete(page, `generic "Card"`) // Chrome's tree does not tell that it can be clicked
			require.Equal(t, page, ax)
			require.NotContains(t, c.seen, "hunter2")
			require.NotContains(t, c.seen, "•")
		})
	}
}

func TestSourceActions(t *testing.T) {
	t.Parallel()
	c := showing(t, sourcePage)
	refs := c.ax()
	c.do("fill", refs[`textbox "User"`], "bob")
	c.do("check", refs[`checkbox "Stay"`])
	c.do("select", refs[`combobox "Kind"`], "Two")
	c.do("click", refs[`button "Go"`])
	require.Equal(t, "bob true Two sent", c.page("[user.value, box.checked, kind.value, log.join()].join(' ')"))
	refs = c.ax()
	require.Contains(t, c.seen, `checkbox "Stay" [checked=true, `)
	require.Contains(t, c.seen, `combobox "Kind" [expanded=false, ref=`+strings.TrimPrefix(refs[`combobox "Kind"`], "@")+`]: Two`)
}

func TestSourceOptions(t *testing.T) {
	t.Parallel()
	c := showingFresh(t, `<main><p>Text <a href="/help">Help</a></p><ul><li>Item <button>Buy</button></ul></main><button>Out</button>`)
	c.do("snapshot") // so that the numbers are known
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"everything", nil, `
- main
  - paragraph
    - StaticText "Text"
    - link "Help" [ref=e1]
  - list
    - listitem [level=1]
      - ListMarker "•"
      - StaticText "Item"
      - button "Buy" [ref=e2]
- button "Out" [ref=e3]`},
		{"interactive", []string{"-i"}, `
- link "Help" [ref=e1]
- button "Buy" [ref=e2]
- button "Out" [ref=e3]`},
		{"urls", []string{"-i", "-u", "-s", "a"}, `
- link "Help" [ref=e1, url=` + site.url("/help") + `]`},
		{"depth", []string{"-d", "0"}, `
- main
- button "Out" [ref=e3]`},
		{"a part of the page", []string{"-s", "li"}, `
- listitem [level=1]
  - ListMarker "•"
  - StaticText "Item"
  - button "Buy" [ref=e2]`},
		{"the part below a ref", []string{"-s", "@e1"}, `
- link "Help" [ref=e1]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := c.do(append([]string{"snapshot", "--no-header", "--source", "ax"}, tt.args...)...).Result.Text
			require.Equal(t, strings.TrimPrefix(tt.want, "\n"), text)
		})
	}
}

func TestSourceFails(t *testing.T) {
	t.Parallel()
	c := showing(t, `<button>Go</button>`)
	e := c.fails(fault.Usage, "snapshot", "--source", "foo")
	require.Contains(t, e.Message, "--source expects page or ax, got 'foo'")
	c.fails(fault.SelectorNotFound, "snapshot", "--source", "ax", "-s", "#nope")
	c.fails(fault.SelectorInvalid, "snapshot", "--source", "ax", "-s", "#[")
}

// Refs are removed when the source that showed them no longer does, and only then.
func TestSourceRemovedRefs(t *testing.T) {
	t.Parallel()
	c := showing(t, `<button>Go</button><button id=b>Gone</button><div id=card onclick="log.push('card')">Card</div>`)
	refs := c.refs()
	require.Empty(t, c.data("snapshot", "--source", "ax")["removedRefs"])
	c.do("click", refs[`generic "Card"`])
	require.Equal(t, "card", c.log())
	c.do("eval", "b.remove(), card.remove(), 0")
	require.Equal(t, []any{refs[`button "Gone"`]}, c.data("snapshot", "--source", "ax")["removedRefs"])
	require.Equal(t, []any{refs[`generic "Card"`]}, c.data("snapshot")["removedRefs"])
}

func TestSourceFrames(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there", "here,there", "there,here"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, depth := framed(t, frames)
			page, ax := c.refs(), c.ax()
			require.Equal(t, page, ax)
			name := map[int]string{1: `button "Button 1"`, 2: `button "Button 2"`}[depth]
			c.do("click", ax[name])
			c.heard(depth, "click")
		})
	}
}

// No script finds its way into a closed shadow tree; Chrome's tree has what is in there.
func TestSourceClosedShadow(t *testing.T) {
	t.Parallel()
	c := showing(t, `<div id=host></div><script>
		const root = host.attachShadow({ mode: 'closed' });
		root.innerHTML = '<button>Closed</button><input aria-label=Inner><p>over</p>';
		root.querySelector('button').onclick = () => log.push('clicked');
		root.querySelector('p').style.cssText = 'position: fixed; inset: 0; margin: 0; display: none';
		shadowValue = () => root.querySelector('input').value;
		cover = () => root.querySelector('p').style.display = 'block';
	</script>`)
	refs := c.ax()
	c.do("click", refs[`button "Closed"`])
	require.Equal(t, "clicked", c.log())
	c.do("fill", refs[`textbox "Inner"`], "filled")
	c.do("press", "End")
	c.do("keyboard", "type", "!")
	require.Equal(t, "filled!", c.page("shadowValue()"))
	require.Equal(t, "filled!", c.do("get", "value", refs[`textbox "Inner"`]).Result.Text)
	require.Equal(t, c.refs(), refs)
	c.do("eval", "cover()")
	c.fails(fault.TargetCovered, "click", refs[`button "Closed"`])
}

// The parts of the browser's own controls can be acted on, too.
func TestSourceControlParts(t *testing.T) {
	t.Parallel()
	c := showing(t, `<input type=date aria-label=Day value=2020-02-03 id=day>`)
	refs := c.ax()
	require.Equal(t, c.refs(), refs)
	c.do("click", refs[`spinbutton "Day"`])
	c.do("press", "ArrowUp")
	require.Equal(t, "2020-02-04", c.page("day.value"))
	c.do("fill", refs[`Date "Day"`], "2021-05-06")
	require.Equal(t, "2021-05-06", c.page("day.value"))
}
