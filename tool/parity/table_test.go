package parity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	t.Parallel()
	made := func(text string, exit int) result { return result{text: []outcome{{Text: text, Exit: exit}}} }
	page := Table([]Judgement{
		{
			Scenario: Scenario{Family: "Reading", Name: "get title", Run: [][]string{{"get", "title"}}}, theirs: made("Act", 0),
			ours: made("Act", 0),
		},
		{
			Scenario: Scenario{
				Family: "Reading", Name: "get a|b", Run: [][]string{{"get", "x"}}, Better: "it says <why>",
				Differs: []string{"text"},
			},
			theirs: made("a|b", 0), ours: made("one\ntwo", 1),
		},
		{Scenario: Scenario{Family: "Sessions", Name: "auth", Later: "soon"}},
	})
	for _, line := range []string{
		"3 scenarios: 1 same, 1 better, 0 not applicable, 1 not yet.",
		"| Reading | 2 | 1 | 1 | 0 | 0 |",
		"| `get a\\|b` | a\\|b | one … (exit 1) | better: it says &lt;why> |",
		"| `auth` |  |  | not yet: soon |",
		"| `get title` | Act |",
	} {
		require.Contains(t, page, line+"\n")
	}
	require.Less(t, strings.Index(page, "## Differences"), strings.Index(page, "`auth`"))
	require.Less(t, strings.Index(page, "## The same"), strings.Index(page, "`get title`"))
	require.Contains(t, cell(result{data: []outcome{{Data: map[string]any{"a": 1.0}}}}), `{"a":1}`)
}
