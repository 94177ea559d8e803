package agreement

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rowsIn reads rows from the JSON of a tree.
func rowsIn(t testing.TB, tree string) []Row {
	t.Helper()
	var nodes []any
	require.NoError(t, json.Unmarshal([]byte(tree), &nodes))
	return RowsOf(nodes)
}

func TestCompareRows(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name         string
		chrome, skua string
		nodes        int
		want         []Disagreement
	}{
		{
			name:   "alike, except for what is not compared",
			chrome: `[{"role":"generic","children":[{"role":"button","name":"A","ref":"e1","children":[{"role":"StaticText","name":"x"}]}]}]`,
			skua:   `[{"role":"button","name":"A","ref":"e1","placeholder":"p"}]`, nodes: 1,
		},
		{
			name:   "numbers of 32 bits",
			chrome: `[{"role":"slider","ref":"e1","value":"0.6000000238418579"}]`,
			skua:   `[{"role":"slider","ref":"e1","value":"0.6"}]`, nodes: 1,
		},
		{
			name:   "a state and a name",
			chrome: `[{"role":"checkbox","name":"A","ref":"e1","checked":"false"},{"role":"link","name":"B","ref":"e2"}]`,
			skua:   `[{"role":"checkbox","name":"A","ref":"e1","checked":"true"},{"role":"link","name":"C","ref":"e2"}]`,
			nodes:  2,
			want: []Disagreement{
				{`checkbox "A"`, "checked=false", "checked=true"},
				{`link "C"`, `"B"`, `"C"`},
			},
		},
		{
			name: "one has a node more", nodes: 3,
			chrome: `[{"role":"button","name":"A","ref":"e1"},{"role":"note","name":"N"}]`,
			skua:   `[{"role":"list"},{"role":"button","name":"A","ref":"e1"}]`,
			want:   []Disagreement{{"list", "-", `list ""`}, {`note "N"`, `note "N"`, "-"}},
		},
		{
			name: "one has a ref", nodes: 1,
			chrome: `[{"role":"button","name":"A"}]`, skua: `[{"role":"button","name":"A","ref":"e1"}]`,
			want: []Disagreement{{`button "A"`, "no ref", "a ref"}},
		},
		{
			name: "a label that stands for a box that cannot be seen", nodes: 1,
			chrome: `[{"role":"LabelText"}]`, skua: `[{"role":"checkbox","name":"All","ref":"e1","checked":"true"}]`,
		},
		{
			name: "another place", nodes: 3,
			chrome: `[{"role":"list","children":[{"role":"listitem","ref":"e1"}]},{"role":"button","name":"A","ref":"e2"}]`,
			skua:   `[{"role":"list","children":[{"role":"listitem","ref":"e1"},{"role":"button","name":"A","ref":"e2"}]}]`,
			want:   []Disagreement{{`button "A"`, "in the page", "in list"}},
		},
		{
			name: "what is in a node that one does not have has not moved", nodes: 2,
			chrome: `[{"role":"group","children":[{"role":"button","name":"A","ref":"e1"}]}]`,
			skua:   `[{"role":"button","name":"A","ref":"e1"}]`,
			want:   []Disagreement{{"group", `group ""`, "-"}},
		},
		{
			name: "what can be clicked", nodes: 2,
			chrome: `[{"role":"row"},{"role":"button","name":"A","ref":"e1"}]`,
			skua: `[{"role":"row","name":"text","ref":"e9","hints":["onclick"]},
				{"role":"generic","name":"Card","ref":"e8","hints":["onclick"],"children":[{"role":"button","name":"A","ref":"e1"}]}]`,
		},
		{
			name: "what can be clicked and is said to be for layout", nodes: 1,
			chrome: `[{"role":"button","name":"A","ref":"e1"}]`,
			skua:   `[{"role":"none","name":"Card","ref":"e8","hints":["listener"],"children":[{"role":"button","name":"A","ref":"e1"}]}]`,
		},
		{
			name: "another order", nodes: 3,
			chrome: `[{"role":"button","name":"A"},{"role":"button","name":"B"}]`,
			skua:   `[{"role":"button","name":"B"},{"role":"button","name":"A"}]`,
			want:   []Disagreement{{`button "B"`, "-", `button "B"`}, {`button "B"`, `button "B"`, "-"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			nodes, found := Compare(rowsIn(t, tt.chrome), rowsIn(t, tt.skua))
			require.Equal(t, tt.want, found)
			require.Equal(t, tt.nodes, nodes)
		})
	}
}

// Two trees of 10,000 nodes that differ at both ends and in between are compared in no time: the table for their
// longest common subsequence would have 100 million cells.
func TestCompareManyRows(t *testing.T) {
	t.Parallel()
	tree := func(spoil string) []Row {
		var b strings.Builder
		b.WriteString("[")
		for i := range 10_000 {
			name := fmt.Sprint("cell ", i%7000)
			if i == 0 || i == 9_999 || i%1000 == 500 {
				name += spoil
			}
			fmt.Fprintf(&b, `{"role":"cell","name":%q},`, name)
		}
		return rowsIn(t, strings.TrimSuffix(b.String(), ",")+"]")
	}
	nodes, found := Compare(tree(""), tree("!"))
	require.Equal(t, 10_000, nodes)
	require.Len(t, found, 12)
}
