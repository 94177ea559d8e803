package look_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const sourcePage = `<title>Source</title><h1>Sign in</h1><form onsubmit="log.push('sent'); return false">
	<input id=user aria-label=User value=ann><input id=pass type=password aria-label=Password value=hunter2>
	<input id=box type=checkbox aria-label=Stay><select id=kind aria-label=Kind><option>One<option>Two</select>
	<a id=help href="/help">Help</a><button>Go</button></form><div id=card onclick="log.push('card')">Card</div>`

// ax takes a snapshot from Chrome's tree and returns its refs.
func ax(c *sessiontest.Client) map[string]string {
	c.T.Helper()
	return c.Refs("--source", "ax")
}

func TestSourceHasTheSameRefs(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"page", "ax"} {
		t.Run(first+" first", func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, sourcePage)
			c.Do("snapshot", "--source", first)
			page, ax := c.Refs(), ax(c)
			delete(page, `generic "Card"`) // Chrome's tree does not tell that it can be clicked
			require.Equal(t, page, ax)
			require.NotContains(t, c.Seen, "hunter2")
			require.NotContains(t, c.Seen, "•")
		})
	}
}

func TestSourceActions(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, sourcePage)
	refs := ax(c)
	c.Do("fill", refs[`textbox "User"`], "bob")
	c.Do("check", refs[`checkbox "Stay"`])
	c.Do("select", refs[`combobox "Kind"`], "Two")
	c.Do("click", refs[`button "Go"`])
	require.Equal(t, "bob true Two sent", c.Page("[user.value, box.checked, kind.value, log.join()].join(' ')"))
	refs = ax(c)
	require.Contains(t, c.Seen, `checkbox "Stay" `+refs[`checkbox "Stay"`]+` [checked=true`)
	require.Contains(t, c.Seen, `combobox "Kind" `+refs[`combobox "Kind"`]+` [expanded=false]: Two`)
}

func TestSourceOptions(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t,
		`<main><p>Text <a href="/help">Help</a></p><ul><li>Item <button>Buy</button></ul></main><button>Out</button>`)
	c.Do("snapshot") // so that the numbers are known
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"everything", nil, `
- main
  - paragraph
    - StaticText "Text"
    - link "Help" @e1
  - list
    - listitem [level=1]
      - ListMarker "•"
      - StaticText "Item"
      - button "Buy" @e2
- button "Out" @e3`},
		{"interactive", []string{"-i"}, `
- link "Help" @e1
- button "Buy" @e2
- button "Out" @e3`},
		{"urls", []string{"-i", "-u", "-s", "a"}, `
- link "Help" @e1 [url=` + site.URL("/help") + `]`},
		{"depth", []string{"-d", "0"}, `
- main
- button "Out" @e3`},
		{"a part of the page", []string{"-s", "li"}, `
- listitem [level=1]
  - ListMarker "•"
  - StaticText "Item"
  - button "Buy" @e2`},
		{"the part below a ref", []string{"-s", "@e1"}, `
- link "Help" @e1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := c.Do(append([]string{"snapshot", "--no-header", "--source", "ax"}, tt.args...)...).Result.Text
			require.Equal(t, strings.TrimPrefix(tt.want, "\n"), text)
		})
	}
}

func TestSourceFails(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<button>Go</button>`)
	e := c.Fails(fault.Usage, "snapshot", "--source", "foo")
	require.Contains(t, e.Message, "--source expects page or ax, got 'foo'")
	c.Fails(fault.SelectorNotFound, "snapshot", "--source", "ax", "-s", "#nope")
	c.Fails(fault.SelectorInvalid, "snapshot", "--source", "ax", "-s", "#[")
}

// Refs are removed when the source that showed them no longer does, and only then.
func TestSourceRemovedRefs(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<button>Go</button><button id=b>Gone</button><div id=card onclick="log.push('card')">Card</div>`)
	refs := c.Refs()
	require.Empty(t, c.Data("snapshot", "--source", "ax")["removedRefs"])
	c.Do("click", refs[`generic "Card"`])
	require.Equal(t, "card", c.Log())
	c.Do("eval", "b.remove(), card.remove(), 0")
	require.Equal(t, []any{refs[`button "Gone"`]}, c.Data("snapshot", "--source", "ax")["removedRefs"])
	require.Equal(t, []any{refs[`generic "Card"`]}, c.Data("snapshot")["removedRefs"])
}

func TestSourceFrames(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there", "here,there", "there,here"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, depth := host.Framed(t, frames)
			page, ax := c.Refs(), ax(c)
			require.Equal(t, page, ax)
			name := map[int]string{1: `button "Button 1"`, 2: `button "Button 2"`}[depth]
			c.Do("click", ax[name])
			c.Heard(depth, "click")
		})
	}
}

// No script finds its way into a closed shadow tree; Chrome's tree has what is in there.
func TestSourceClosedShadow(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<div id=host></div><script>
		const root = host.attachShadow({ mode: 'closed' });
		root.innerHTML = '<button>Closed</button><input aria-label=Inner><p>over</p>';
		root.querySelector('button').onclick = () => log.push('clicked');
		root.querySelector('p').style.cssText = 'position: fixed; inset: 0; margin: 0; display: none';
		shadowValue = () => root.querySelector('input').value;
		cover = () => root.querySelector('p').style.display = 'block';
	</script>`)
	refs := ax(c)
	c.Do("click", refs[`button "Closed"`])
	require.Equal(t, "clicked", c.Log())
	c.Do("fill", refs[`textbox "Inner"`], "filled")
	c.Do("press", "End")
	c.Do("keyboard", "type", "!")
	require.Equal(t, "filled!", c.Page("shadowValue()"))
	require.Equal(t, "filled!", c.Do("get", "value", refs[`textbox "Inner"`]).Result.Text)
	require.Equal(t, c.Refs(), refs)
	c.Do("eval", "cover()")
	c.Fails(fault.TargetCovered, "click", refs[`button "Closed"`])
}

// The parts of the browser's own controls can be acted on, too.
func TestSourceControlParts(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<input type=date aria-label=Day value=2020-02-03 id=day>`)
	refs := ax(c)
	require.Equal(t, c.Refs(), refs)
	c.Do("click", refs[`spinbutton "Day"`])
	c.Do("press", "ArrowUp")
	require.Equal(t, "2020-02-04", c.Page("day.value"))
	c.Do("fill", refs[`Date "Day"`], "2021-05-06")
	require.Equal(t, "2021-05-06", c.Page("day.value"))
}
