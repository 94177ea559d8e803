package session_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// mistake is a line that agents write although the program has no such form. It does what was meant, or the reply says
// what does.
type mistake struct {
	wrote []string
	next  []string // what the reply leads to, where the line itself fails: an agent sends it as its next call
	says  string   // part of the reply that leads there; the name that it suggests is found by itself
	js    string   // read in the page afterwards
	want  any
}

// The twenty commonest mistakes of agents in real applications lead to success on the next call.
func TestCommonMistakes(t *testing.T) {
	const page = `<form onsubmit="log.push('sent');return false"><label>Email <input id=a></label><label>How often <select id=s><option>daily<option>weekly</select></label>
		<button id=b type=button onclick="log.push('b')">Send</button></form><p id=p>Loading</p><script>setTimeout(() => p.remove(), 50)</script>`
	tests := []mistake{
		{wrote: cmd("evaluate", "log.push('e')"), next: cmd("eval", "log.push('e')"), js: "log.join()", want: "e"},
		{wrote: cmd("input", "@e1", "Ann"), next: cmd("fill", "@e1", "Ann"), js: "a.value", want: "Ann"},
		{wrote: cmd("set_value", "@e1", "Ann"), next: cmd("fill", "@e1", "Ann"), js: "a.value", want: "Ann"},
		{wrote: cmd("select_option", "@e2", "weekly"), next: cmd("select", "@e2", "weekly"), js: "s.value", want: "weekly"},
		{wrote: cmd("press_key", "Tab"), next: cmd("press", "Tab"), js: "document.activeElement.id", want: "a"},
		{wrote: cmd("wait_for", "--text", "Send"), next: cmd("wait", "--text", "Send")},
		{wrote: cmd("switch_tab", "t1"), next: cmd("tab", "switch", "t1")},
		{wrote: cmd("take_screenshot"), next: cmd("screenshot")},
		{wrote: cmd("new_tab"), next: cmd("tab", "new")},
		{wrote: cmd("refresh"), next: cmd("reload")},
		{wrote: cmd("get", "@e1"), next: cmd("get", "text", "@e1")},
		{wrote: cmd("press", "Enter", "@e1"), js: "log.join()", want: "sent"},
		{
			wrote: cmd("press", "@e1", "Enter"), says: "`press Enter @e1`", next: cmd("press", "Enter", "@e1"), js: "log.join()",
			want: "sent",
		},
		{
			wrote: cmd("keyboard", "type", "@e1", "Ann"), says: "`type @e1 <text>`", next: cmd("type", "@e1", "Ann"),
			js: "a.value", want: "Ann",
		},
		{
			wrote: cmd("press", "Shift", "Tab"), says: "Shift+Tab", next: cmd("press", "Shift+Tab"),
			js: "document.activeElement.id", want: "b",
		},
		{
			wrote: cmd("fill", "@e1", "--text", "Ann"), says: "leave out --text", next: cmd("fill", "@e1", "Ann"), js: "a.value",
			want: "Ann",
		},
		{
			wrote: cmd("click", "--selector", "@e5"), says: "leave out --selector", next: cmd("click", "@e5"), js: "log.join()",
			want: "b",
		},
		{
			wrote: cmd("wait", "--text", "Loading", "--state", "hidden"), js: "document.body.textContent.includes('Loading')",
			want: false,
		},
		{wrote: cmd("wait", "0.05s")},
		{wrote: cmd("wait", "50ms")},
		{wrote: cmd("eval", "return log.push('r')"), js: "log.join()", want: "r"},
		{wrote: cmd("eval", "const n = await 2; return log.push('r' + n)"), js: "log.join()", want: "r2"},
		{wrote: cmd("click", "Send"), js: "log.join()", want: "b"},
		{wrote: cmd("fill", "Email", "Ann"), js: "a.value", want: "Ann"},
		{wrote: cmd("select", "How often", "weekly"), js: "s.value", want: "weekly"},
		{wrote: cmd("click", "[ref=e5]"), js: "log.join()", want: "b"},
		{wrote: cmd("click", `- button "Send" @e5`), js: "log.join()", want: "b"},
	}
	suggestion := regexp.MustCompile("Did you mean `([^`]+)`")
	t.Parallel()
	for _, tt := range tests {
		t.Run(tt.wrote[0]+" "+tt.wrote[len(tt.wrote)-1], func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, page)
			c.Do("snapshot", "-i")
			if tt.next == nil {
				c.Do(tt.wrote...)
			} else {
				said := c.Fails(fault.Usage, tt.wrote...).Error()
				if tt.says != "" {
					require.Contains(t, said, tt.says)
				} else {
					m := suggestion.FindStringSubmatch(said)
					require.NotNil(t, m, said)
					require.True(t, strings.HasPrefix(strings.Join(tt.next, " "), m[1]), "%s leads to %q", said, tt.next)
				}
				c.Do(tt.next...)
			}
			if tt.js != "" {
				require.Equal(t, tt.want, c.Page(tt.js))
			}
		})
	}
}

// A name that cannot be a selector is taken for a name, and what can be a selector for a selector.
func TestNamesThatAreNoSelectors(t *testing.T) {
	t.Parallel()
	for name, click := range map[string]string{
		"a number": "Cart (1)", "an arrow": "Next >", "a sentence": "Sign in.", "a plus": "+ New", "a colon": "Edit:",
		"an address": "ann@shop.test", "a shortcut": "Create this page [e]", "a period in it": "Save no. 5",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, `<button id=b onclick="log.push('b')"></button><button>.missing</button>`)
			c.Page(fmt.Sprintf("b.textContent = %q", click))
			reply := c.Do("click", click)
			require.Equal(t, "b", c.Page("log.join()"))
			require.Contains(t, sessiontest.Notes(reply), "the one control with that name was used")
			c.Fails(fault.SelectorNotFound, "click", ".missing")
			c.Fails(fault.SelectorInvalid, "click", "Other (1)")
		})
	}
}
