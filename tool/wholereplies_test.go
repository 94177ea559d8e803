package tool_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
)

// sparseTable is a page with few words on many lines, as the list of parts of an order.
func sparseTable(rows int) string {
	var b strings.Builder
	b.WriteString("<!doctype html><title>Parts</title><div id=parts style='white-space:pre'>")
	for i := range rows {
		fmt.Fprintf(&b, "part %d\n\n   \n\n", i)
	}
	return b.String() + "</div>"
}

// A reply is cut by its bytes, and not by its lines.
func TestWholeReplies(t *testing.T) {
	t.Parallel()
	t.Run("blank lines make no text long", func(t *testing.T) {
		t.Parallel()
		c := showing(t, sparseTable(60))
		r := c.do("get", "text", "#parts")
		require.NotContains(t, textOf(r), "compacted")
		require.Contains(t, textOf(r), "part 0\n\npart 1\n")
		require.Contains(t, textOf(r), "part 59")
		require.Contains(t, asJSON(r.Details.Data).(map[string]any)["text"], "part 0\n\n   \n\npart 1",
			"programs get it as it is")
		r = c.do("batch", "get text #parts", "get title")
		require.Contains(t, textOf(r), "part 59")
		require.Contains(t, textOf(r), "Step 2 — get title (succeeded)\nParts")
		require.Contains(t, textOf(c.do("eval", "document.querySelector('#parts').textContent")), "part 59")
	})
	t.Run("what a preview has room for is shown whole", func(t *testing.T) {
		t.Parallel()
		c := showing(t, "<!doctype html><ul>"+strings.Repeat("<li>a word", 150)+"</ul>")
		text := textOf(c.do("get", "text", "ul"))
		require.NotContains(t, text, "compacted")
		require.Equal(t, 150, strings.Count(text, "a word"))
	})
	t.Run("a long batch keeps the outcome of each step", func(t *testing.T) {
		t.Parallel()
		c := showing(t,
			"<!doctype html><title>Parts</title><div id=a>"+strings.Repeat("many words ", 400)+"</div><div id=b>"+
				strings.Repeat("<p>and lines of more words than this", 50)+"</div><input aria-label=Name>")
		r := c.try("batch", "get text #a", "get text #a", "find label Name fill Ann", "get text #b", "get title",
			"click #none --timeout 50", "get url")
		require.True(t, r.IsError)
		text := textOf(r)
		require.Contains(t, text, "Large batch output compacted.")
		for _, step := range []string{
			"Step 1 — get text #a (succeeded)\nmany words", "Step 2 — get text #a (succeeded)\nmany words",
			"Step 3 — find label Name fill Ann (succeeded)\n",
			"Step 4 — get text #b (succeeded)\nand lines", "Step 5 — get title (succeeded)\nParts\n",
			"Step 6 — click #none --timeout 50 (failed)\n",
		} {
			require.Contains(t, text, step)
		}
		require.Contains(t, text, " more bytes)")
		require.Less(t, len(text), 5000)
		whole, err := os.ReadFile(r.Details.FullOutputPath)
		require.NoError(t, err)
		require.Contains(t, string(whole), "Step 5 — get title")
	})
	t.Run("the guide arrives whole", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		text := textOf(c.do("skills", "get", "core"))
		require.NotContains(t, text, "compacted")
		require.Contains(t, text, "## The loop")
		require.Contains(t, text, "lists the other guides")
		require.LessOrEqual(t, len(text), 12<<10)
		require.Contains(t, textOf(c.do("batch", "skills get core", "skills list")), "lists the other guides")
		require.Contains(t, textOf(c.call(contract.Params{Args: []string{"skills", "get", "core", "--ref", "selectors"}})),
			"\n# Selectors")
	})
}
