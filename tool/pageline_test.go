package tool_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page that a reply names is the one that the session shows then.
func TestPageLine(t *testing.T) {
	t.Parallel()
	second := site.Show(
		"<!doctype html><title>Second</title><button onclick=\"history.pushState({}, '', '#step')\">Step</button>")
	first := "<!doctype html><title>First</title><a href='" + second +
		"'>Next</a><button onclick=\"setTimeout(() => location.href='" + second + "', 0)\">Later</button>" +
		"<form action='" + second + "'><input aria-label=Word></form>"
	stepText := func(t *testing.T, text, step string) string {
		t.Helper()
		_, rest, found := strings.Cut(text, step)
		require.True(t, found, text)
		rest, _, _ = strings.Cut(rest, "\nStep ")
		return rest
	}
	for name, row := range map[string]string{
		"a link": "click text=Next", "a script": "click text=Later --settle",
		"double click": "dblclick text=Next", "found": "find role link click --name Next",
	} {
		t.Run("of a batch that navigates by "+name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, first)
			text := textOf(c.do("batch", row, "wait --text Step", "click text=Step", "get title"))
			for line := range strings.SplitSeq(text, "\n") {
				if strings.HasPrefix(line, "Page: ") || strings.HasPrefix(line, "Navigated: ") {
					require.Contains(t, line, second, text)
				}
			}
			require.Contains(t, stepText(t, text, "Step 3 — "), second+"#step")
		})
	}
	t.Run("alone", func(t *testing.T) {
		t.Parallel()
		c := showing(t, first)
		text := textOf(c.do("click", "text=Later", "--settle"))
		require.Contains(t, text, "Navigated: Second — "+second)
	})
	t.Run("which a row before has left", func(t *testing.T) {
		t.Parallel()
		c := showing(t, first)
		text := textOf(c.do("batch", "click text=Later", "wait --url "+second, "click text=Step"))
		require.Contains(t, text, "Navigated: Second — "+second+"#step")
	})
	t.Run("when a tab is closed", func(t *testing.T) {
		t.Parallel()
		c := showing(t, first)
		at := textOf(c.do("get", "url"))
		c.do("tab", "new", second)
		for _, text := range []string{textOf(c.do("tab", "close")), textOf(c.do("batch", "tab new "+second, "tab close"))} {
			require.Contains(t, text, "Active now: t1 First — "+at)
			_, closed, _ := strings.Cut(text, "Tab closed: ")
			require.NotContains(t, closed, second)
		}
		c.do("tab", "new", second)
		text := textOf(c.do("tab", "close", "t1"))
		require.NotContains(t, text, at)
		require.Contains(t, text, second)
	})
}
