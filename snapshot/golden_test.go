package snapshot

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the snapshots in testdata")

// goldenOptions are the snapshots that a folder may ask for, by the name of the file that holds what is expected.
var goldenOptions = map[string]Options{
	"full.txt":        {Depth: -1},
	"interactive.txt": {Depth: -1, Interactive: true},
	"digest.txt":      {Depth: -1, Interactive: true, Digest: true},
	"compact.txt":     {Depth: -1, Compact: true},
	"depth-1.txt":     {Depth: 1},
	"urls.txt":        {Depth: -1, Interactive: true, URLs: true},
	"data.json":       {Depth: -1},
}

// TestGolden takes snapshots of the pages in testdata, a folder each. A folder holds the walk of every frame:
// main.walk, main-7.walk for the frame whose element has token 7 in the main document, main-7-2.walk for one inside
// that. A file .error instead of .walk is a frame that cannot be read, for that reason. Fields of a walk are separated
// by tabs.
func TestGolden(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/pages/*")
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			root, refs, expected := goldenPage(t, dir), NewRefs(), 0
			for _, name := range slices.Sorted(maps.Keys(goldenOptions)) {
				file := filepath.Join(dir, name)
				want, err := os.ReadFile(file)
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				require.NoError(t, err)
				expected++
				s := take(t, refs, root, goldenOptions[name])
				got := s.Text() + "\n"
				if filepath.Ext(name) == ".json" {
					got = string(s.AppendJSON(nil)) + "\n"
				}
				requireTyped(t, s)
				if *update {
					require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				} else if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("%s (-want +got; go test -update rewrites it):\n%s", file, diff)
				}
			}
			require.NotZero(t, expected, "nothing is expected of the page")
		})
	}
}

// requireTyped checks that the snapshot's data is the same by the way through text and without it.
func requireTyped(t *testing.T, s *Snapshot) {
	t.Helper()
	got, err := json.Marshal(s.Typed())
	require.NoError(t, err)
	require.JSONEq(t, string(s.AppendJSON(nil)), string(got))
}

// goldenPage builds the frames of a folder.
func goldenPage(t *testing.T, dir string) *page {
	t.Helper()
	frames := map[string]*page{}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files {
		ext := filepath.Ext(f.Name())
		if ext != ".walk" && ext != ".error" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		require.NoError(t, err)
		name := strings.TrimSuffix(f.Name(), ext)
		p := &page{id: name, doc: name + "-doc", url: "https://" + name + ".example/", wire: string(data)}
		if ext == ".error" {
			p.wire, p.err = "", errors.New(strings.TrimSpace(string(data)))
		}
		frames[name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(frames)) {
		at := strings.LastIndexByte(name, '-')
		if at < 0 {
			continue
		}
		p, parent := frames[name], frames[name[:at]]
		require.NotNil(t, parent, "the parent of %s", name)
		token, err := strconv.ParseInt(name[at+1:], 10, 64)
		require.NoError(t, err)
		p.owner = axtree.Owner{Token: token, DocID: parent.doc}
		parent.children = append(parent.children, p)
	}
	require.NotNil(t, frames["main"], "main.walk")
	return frames["main"]
}
