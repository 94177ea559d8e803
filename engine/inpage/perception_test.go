package inpage_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const pagesDir = "../../testdata/pages"

// perceptionPages are the pages that were written to compare the walk with Chrome's accessibility tree, which session's
// TestCorpus does.
func perceptionPages(t testing.TB) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(pagesDir, "perception-*.html"))
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}

func openFile(t testing.TB, path string) *testPage {
	t.Helper()
	html, err := os.ReadFile(path)
	require.NoError(t, err)
	return newPage(t, strings.Replace(string(html), "<title>", `<base href="https://base.test/dir/"><title>`, 1))
}

// The walk for what can be acted on takes short cuts; it must find the same as the full one.
func TestInteractiveWalkIsPartOfTheFullOne(t *testing.T) {
	for i, path := range perceptionPages(t) {
		if testing.Short() && i%3 > 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".html"), func(t *testing.T) {
			t.Parallel()
			p := openFile(t, path)
			p.holdStill(t)
			want := referred(p.walk(t, object{}))
			got := referred(p.walk(t, object{"interactive": true}))
			require.NotEmpty(t, got)
			require.Empty(t, cmp.Diff(want, got, cmp.AllowUnexported(ours{})))
		})
	}
}

// referred are the nodes that can be referred to, without their depth.
func referred(nodes []ours) []ours {
	var out []ours
	for _, n := range nodes {
		if n.token != "" {
			n.depth = 0
			out = append(out, n)
		}
	}
	return out
}
