package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/explore"
)

// Text from a page cannot end the string that holds it.
func TestDOT(t *testing.T) {
	t.Parallel()
	s := &fakeSite{pages: map[string]fakePage{
		home:         {title: `Ho"me\`, links: links(`Say "hi" -> /hi`, "Gone -> /gone", "Old -> /old")},
		full("/hi"):  {title: "Hi", form: "x", links: links("Back -> /")},
		full("/old"): {redirect: full("/hi")},
	}}
	r, err := explore.Search(t.Context(), s, s.at(t, home), explore.Options{Goal: form("x"), Words: "hi"})
	require.NoError(t, err)
	require.Equal(t, `digraph site {
  rankdir=LR;
  node [shape=box, style=rounded];
  n1 [label="Ho\"me\\\nhttps://www.example.com/", URL="https://www.example.com/"];
  n2 [label="Hi\nhttps://www.example.com/hi", URL="https://www.example.com/hi", peripheries=2];
  n3 [label="Not found [404]\nhttps://www.example.com/gone", URL="https://www.example.com/gone", color=red];
  n4 [label="(redirect)\nhttps://www.example.com/old", URL="https://www.example.com/old", shape=plain];
  n1 -> n2 [label="Say \"hi\"", penwidth=2];
  n1 -> n3 [label="Gone", penwidth=2];
  n1 -> n4 [label="Old", penwidth=2];
  n4 -> n2 [label="", style=dashed];
  n2 -> n1 [label="Back"];
}
`, r.Graph.DOT())
}
