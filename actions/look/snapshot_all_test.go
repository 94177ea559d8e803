package look_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/internal/fault"
)

// All items of a list are collected in their order, also where the page draws only those in view, and the list is put
// back where it was.
func TestSnapshotAll(t *testing.T) {
	t.Parallel()
	rows := func(n int, word string) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf(word, i))
		}
		return all
	}
	var customers, repeated []string
	for i := range 237 {
		customers = append(customers, fmt.Sprintf("%d · Customer %d", 1000+i, i%7))
	}
	for i := range 60 {
		repeated = append(repeated, fmt.Sprintf("Item %d", i%5))
	}
	tests := map[string]struct {
		selector string
		items    []string
		says     string
	}{
		"rows that say their place": {"#placed", customers, "(all 237 items)"},
		"rows that do not":          {"#drawn", customers, "(all 237 items)"},
		"equal items":               {"#whole", repeated, "(all 60 items)"},
		"more at the end":           {"#growing", rows(50, "Post %d"), "(all 50 items)"},
		"a list that runs upwards":  {"#upwards", rows(120, "Message %d"), "(all 120 items)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/lists.html")
			const places = `[...document.querySelectorAll('.box')].map((box) => box.scrollTop)`
			before := c.Do("eval", places).Result.Text
			result := c.Do("snapshot", "--all", "-s", tt.selector).Result
			list := sessiontest.Decode[look.ListSnapshot](t, result.Data)
			require.Equal(t, tt.items, list.Items)
			require.True(t, list.Complete)
			require.True(t, strings.HasPrefix(result.Text, `page "Lists to scroll through" `), result.Text)
			require.True(t, strings.HasSuffix(result.Text, "\n- "+tt.items[len(tt.items)-1]+"\n"+tt.says), result.Text)
			require.Equal(t, before, c.Do("eval", places).Result.Text)
		})
	}
}

func TestSnapshotAllInPart(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/lists.html")
	list := sessiontest.Decode[look.ListSnapshot](t, c.Do("snapshot", "--all", "-s", "#late").Result.Data)
	require.Len(t, list.Items, 196)
	require.False(t, list.Complete)
	require.Contains(t, list.Snapshot, "(196 items of 237 items: the page did not show all of them when it was scrolled)")

	require.Contains(t, lookAt(c, "--all", "-s", "#short"), "(no items)")
	found := lookAt(c, "--all", "-s", "#placed", "--search", "CUSTOMER 3", "--max-tokens", "10")
	require.Equal(t,
		"- 1003 · Customer 3\n- 1010 · Customer 3\n(all 237 items)\n(34 of them with \"CUSTOMER 3\")\n(32 items left out: "+
			"--max-tokens 0 shows all, --search TEXT some)", found)
	require.Contains(t, c.Fails(fault.Usage, "snapshot", "--all").Error(), "-s")
	require.Contains(t, c.Fails(fault.Usage, "snapshot", "--all", "-i", "-s", "#placed").Error(), "--interactive")
}
