package forms_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// A field that the page replaces while it is typed into, or that loses the focus, is typed into once more; then it
// holds the text, or the command fails with what arrived. No key goes to the page meanwhile.
func TestTypeIntoAFieldThatIsReplaced(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, query string
		want        string // what the field holds
		code        fault.Code
		says        string // the error
	}{
		{name: "once when it gets the focus", query: "on=focus&times=1", want: "hello"},
		{name: "once right after it got the focus", query: "on=later&times=1", want: "hello"},
		{name: "once at an input, with its value", query: "on=input&times=1&value=kept", want: "hello"},
		{name: "once at an input, without its value", query: "on=input&times=1", want: "hello"},
		{name: "at each input, with the focus", query: "on=input&value=kept&focus=1", want: "hello"},
		{name: "disabled for a moment", query: "on=disable&times=1", want: "hello"},
		{name: "blurred", query: "on=blur&times=1", want: "hello"},
		{
			name: "each time when it gets the focus", query: "on=focus", code: fault.TargetMissed,
			says: "each time it got the focus",
		},
		{
			name: "each time right after it got the focus", query: "on=later", code: fault.ValueNotKept,
			says: "0 characters of 5 arrived",
		},
		{
			name: "at each input", query: "on=input&value=kept", want: "he", code: fault.ValueNotKept,
			says: `2 characters of 5 arrived, and it holds "he"`,
		},
		{
			name: "once at an input, with the focus and without its value", query: "on=input&times=1&focus=1", want: "ello",
			code: fault.ValueNotKept, says: `holds "ello"`,
		},
		{
			name: "blurred at each input", query: "on=blur", want: "he", code: fault.ValueNotKept,
			says: "2 characters of 5 arrived",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-typing-remount.html?"+tt.query)
			if tt.code == "" {
				c.Do("type", "#field", "hello")
			} else {
				require.Contains(t, c.Fails(tt.code, "type", "#field", "hello").Error(), tt.says)
			}
			require.Equal(t, tt.want, c.Page("field.value"))
			require.Empty(t, c.Log(), "the page got no key that was for the field")
		})
	}
}

// So is the field that has the focus.
func TestKeyboardTypeIntoAFieldThatIsReplaced(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"on=input&times=1&value=kept", "on=input&times=1", "on=blur&times=1"} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-typing-remount.html?"+query)
			c.Do("focus", "#field")
			c.Do("keyboard", "type", "hello")
			require.Equal(t, "hello", c.Page("field.value"))
			require.Empty(t, c.Log())
		})
	}
	t.Run("at each input", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, "/pages/acting-typing-remount.html?on=input&value=kept")
		c.Do("focus", "#field")
		require.Contains(t, c.Fails(fault.ValueNotKept, "keyboard", "type", "hello").Error(), "2 characters of 5 arrived")
		require.Equal(t, "he", c.Page("field.value"))
		require.Empty(t, c.Log())
	})
}

// What `focus` chose gets the text that comes next, one command a character, also where the page has taken the focus
// from it between two of them.
func TestKeyboardTypeBehindFocusInAFieldThatIsReplaced(t *testing.T) {
	t.Parallel()
	for _, query := range []string{
		"on=focus&times=1", "on=later&times=1", "on=input&times=1&value=kept",
		"on=input&value=kept", "on=blur", "on=blur&times=1",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-typing-remount.html?"+query)
			c.Do("focus", "label=Name")
			for _, char := range "hello" {
				c.Do("keyboard", "type", string(char))
				c.Do("wait", "1")
			}
			require.Equal(t, "hello", c.Page("field.value"))
			require.Empty(t, c.Log())
		})
	}
	t.Run("whenever it gets the focus", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, "/pages/acting-typing-remount.html?on=later")
		c.Do("focus", "#field")
		require.Contains(t, c.Fails(fault.ValueNotKept, "keyboard", "type", "h").Error(), "0 characters of 1 arrived")
		require.Empty(t, c.Log())
	})
	for name, between := range map[string][]string{
		"a key":     {"press", "Escape"},
		"a click":   {"click", "#save"},
		"a script":  {"eval", "1"},
		"its end":   {"eval", "field.remove()"},
		"Enter":     {"keyboard", "type", "\n"},
		"the mouse": {"mouse", "move", "5", "5"},
	} {
		t.Run("not behind "+name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-typing-remount.html?on=blur")
			c.Do("focus", "#field")
			c.Do("keyboard", "type", "a")
			c.Do(between...)
			c.Page("document.activeElement.blur()")
			require.Contains(t, sessiontest.Told(c.Do("keyboard", "type", "j")), "no text field has the focus")
			require.Contains(t, c.Log(), "j", "a shortcut of the page")
		})
	}
}

// By a ref, by a label, behind what the field holds, with pauses, and as a row of a batch.
func TestTypeIntoAFieldThatIsReplacedOtherwise(t *testing.T) {
	t.Parallel()
	page := "/pages/acting-typing-remount.html?on=input&times=1&value=kept"
	for name, command := range map[string][]string{
		"label":  {"type", "label=Name", "hello"},
		"find":   {"find", "label", "Name", "type", "hello"},
		"pauses": {"type", "#field", "hello", "--delay", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, page)
			c.Page("field.value = 'oh '")
			c.Do(command...)
			require.Equal(t, "oh hello", c.Page("field.value"))
		})
	}
	t.Run("ref", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, page)
		c.Do("type", c.Ref(`textbox "Name"`), "hello")
		require.Equal(t, "hello", c.Page("field.value"))
	})
	t.Run("batch", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, page)
		_, rows := c.Batch([][]string{{"type", "#field", "hello"}, {"get", "value", "#field"}})
		require.True(t, *rows[0].Success)
		require.Equal(t, "hello", c.Page("field.value"))
	})
}

// So are fields in frames of the same process and of another one.
func TestTypeIntoAFieldOfAFrameThatIsReplaced(t *testing.T) {
	t.Parallel()
	for name, server := range map[string]string{
		"same process":    "127.0.0.1:" + site.Port(),
		"another process": site.Localhost(),
	} {
		for _, query := range []string{
			"on=focus&times=1", "on=input&times=1&value=kept", "on=input&times=1",
			"on=blur&times=1",
		} {
			t.Run(name+" "+query, func(t *testing.T) {
				t.Parallel()
				for _, lines := range [][][]string{
					{{"type", "#field", "hello"}},
					{{"focus", "#field"}, {"keyboard", "type", "hello"}},
				} {
					if lines[0][0] == "focus" && strings.HasPrefix(query, "on=focus") {
						continue // what has the focus then is not what was named
					}
					c := host.NewClient(t)
					c.Do("open",
						site.URL(site.Write(`<iframe id=frame src="http://`+server+`/pages/acting-typing-remount.html?`+query+
							`"></iframe>`)))
					c.Do("frame", "#frame")
					for _, line := range lines {
						c.Do(line...)
					}
					require.Equal(t, "hello", c.Do("get", "value", "#field").Result.Text)
				}
			})
		}
	}
}

// A key that costs the field its focus says so, since the next one goes to the page.
func TestPressInAFieldThatIsReplaced(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"on=input&times=1&value=kept", "on=blur&times=1"} {
		c := host.Opened(t, "/pages/acting-typing-remount.html?"+query)
		c.Do("focus", "#field")
		reply := c.Do("press", "h")
		require.Contains(t, sessiontest.Told(reply), "no element has the focus now", query)
		require.Equal(t, true, sessiontest.Decode[object](t, reply.Result.Data)["effect"].(object)["unfocused"])
		c.Do("press", "e")
		require.Equal(t, "e", c.Log(), "what is pressed goes where it goes")
	}
}

// What fill puts in once is put in again where the field was replaced before it had any of it.
func TestFillOfAFieldThatIsReplaced(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"on=focus&times=1", "on=later&times=1", "on=input&value=kept", "on=blur"} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-typing-remount.html?"+query)
			c.Do("fill", "#field", "hello")
			require.Equal(t, "hello", c.Page("field.value"))
		})
	}
	c := host.Opened(t, "/pages/acting-typing-remount.html?on=later")
	require.Contains(t, c.Fails(fault.ValueNotKept, "fill", "#field", "hello").Error(),
		"replaced '#field' before it had the text")
	c = host.Opened(t, "/pages/acting-typing-remount.html?on=input&times=1")
	require.Contains(t, c.Fails(fault.ValueNotKept, "fill", "#field", "hello").Error(), `it now holds ""`)
}

// What is not typed since a dialog opened is an error, which says how much was typed.
func TestTypeUntilADialog(t *testing.T) {
	t.Parallel()
	for name, line := range map[string][]string{"type": {"type", "#field"}, "keyboard type": {"keyboard", "type"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Do("open",
				site.URL(site.Write(`<input id=field autofocus oninput="if (this.value.length === 3) confirm('Sure?')">`)))
			c.Do("focus", "#field")
			err := c.Fails(fault.DialogOpen, append(line, strings.Repeat("x", 150))...)
			require.ErrorContains(t, err, "the last 50 characters of 150 were not typed")
			c.Do("dialog", "accept")
			require.Less(t, len(c.Page("field.value").(string)), 150)
		})
	}
}
