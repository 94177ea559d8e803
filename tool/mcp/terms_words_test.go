package mcp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTextInTheTermsOfAClient(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		set        Set
		text, want string
	}{
		"a call": {
			SetBrowser, "Take a new `snapshot -i` and use its refs.",
			"Take a new `browser_snapshot {\"interactive\":true}` and use its refs.",
		},
		"of another set": {
			SetCopilot, "Take a new `snapshot -i` and use its refs.",
			"Take a new `get_mini_pcd` and use its refs.",
		},
		"the last clause": {
			SetBrowser, "a page has the rights of this user; run `doctor` to see, or set A=1",
			"a page has the rights of this user",
		},
		"an alternative": {
			SetBrowser, "It is taken. Wait for it, or end it with `close`.",
			"It is taken. Wait for it.",
		},
		"a sentence": {
			SetBrowser, "No recording. `network har start` begins one. It lasts.",
			"No recording. It lasts.",
		},
		"a middle sentence": {SetBrowser, "It is gone. Use `tab new <url>`, or `tab list`.", "It is gone."},
		"after a dash": {
			SetBrowser, "A dialog is open — use `dialog accept [text]` or `dialog dismiss`",
			"A dialog is open",
		},
		"what is wrong stays": {
			SetBrowser, "Element is a box, which `uncheck` cannot work on. Use `check`.",
			"Element is a box, which uncheck cannot work on.",
		},
		"the program":          {SetBrowser, "Repair it; `skua config show` lists all files.", "Repair it."},
		"a flag that it lacks": {SetBrowser, "Wait, or wait with `wait --state enabled`.", "Wait."},
		"no command":           {SetBrowser, "Expected an id like `t1` and `a b`.", "Expected an id like `t1` and `a b`."},
		"quoted words": {
			SetBrowser, "The page asks: \"Run `doctor`?\"; answer it.",
			"The page asks: \"Run `doctor`?\"; answer it.",
		},
		"no pair": {SetBrowser, "It shows ` and `close` here.", "It shows ` and `close` here."},
		"a ref of a shown page": {
			SetBrowser, "It is covered. `click @e3` (button \"Close\") may close it.",
			"It is covered. `browser_click {\"ref\":\"@e3\"}` (button \"Close\") may close it.",
		},
		"a choice of a tool": {
			SetBrowser, "Go back with `tab switch t2`.",
			"Go back with `browser_tabs {\"action\":\"switch\",\"id\":\"t2\"}`.",
		},
		"another choice": {
			SetBrowser, "End it with `tab close t2`.",
			"End it with `browser_tabs {\"action\":\"close\",\"id\":\"t2\"}`.",
		},
		"what a tool fixes": {SetBrowser, "See it with `get url`.", "See it with `browser_get {\"attr\":\"url\"}`."},
		"a word of the copilot": {
			SetCopilot, "Point at it with `hover @e2`.",
			"Point at it with `dom_hover {\"selector\":\"@e2\"}`.",
		},
		"more than its words": {SetCopilot, "Wait with `wait #a`.", "Wait with `dom_wait_for`."},
		"lines":               {SetBrowser, "It failed.\nRun `doctor`.\nLook again.", "It failed.\nLook again."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, terms{tt.set}.Text(tt.text))
		})
	}
}
