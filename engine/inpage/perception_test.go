package inpage_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const pagesDir = "../../testdata/pages"

// perceptionPages are the pages that were written to compare the walk with Chrome's accessibility tree.
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

func TestWalkAgreesWithChrome(t *testing.T) {
	for _, path := range perceptionPages(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".html")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openFile(t, path)
			walk := rows(p.walk(t, object{}))
			chrome := p.chromeRows(t)
			same, diff := agreement(walk, chrome)
			t.Logf("%d of %d nodes agree", same, max(len(walk), len(chrome)))
			excused := exceptions(t, name)
			for _, d := range diff {
				if !excused(d) {
					t.Error(d)
				}
			}
		})
	}
}

// exceptions returns the function that tells whether testdata/oracle-exceptions.md says why the two sides differ in a row of the page.
func exceptions(t testing.TB, page string) func(diff string) bool {
	t.Helper()
	text, err := os.ReadFile("../../testdata/oracle-exceptions.md")
	require.NoError(t, err)
	var excused []string
	for line := range strings.SplitSeq(string(text), "\n") {
		cells := strings.Split(line, " | ")
		if len(cells) == 5 && cells[0] == "| "+page {
			cells[1] = strings.Replace(cells[1], "PluginObject", "Iframe", 1)
			excused = append(excused, "walk:   "+cells[1]+" ", "chrome: "+cells[1]+" ", "chrome: "+cells[2]+" ")
		}
	}
	return func(diff string) bool {
		return slices.ContainsFunc(excused, func(start string) bool { return strings.HasPrefix(diff, start) })
	}
}

// The walk for what can be acted on takes short cuts; it must find the same as the full one.
func TestInteractiveWalkIsPartOfTheFullOne(t *testing.T) {
	for _, path := range perceptionPages(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".html"), func(t *testing.T) {
			t.Parallel()
			p := openFile(t, path)
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
