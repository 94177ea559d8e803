package look_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/testgolden"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestSnapshotGolden compares what `snapshot -i` prints of testdata/pages/snapshot-*.html with testdata/snapshots;
// -update rewrites that.
func TestSnapshotGolden(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../testdata/pages/snapshot-*.html")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, page := range pages {
		name := filepath.Base(page)
		t.Run(strings.TrimSuffix(name, ".html"), func(t *testing.T) {
			t.Parallel()
			c := host.OpenedFresh(t, "/pages/"+name)
			got := strings.ReplaceAll(c.Do("snapshot", "-i").Result.Text, site.URL(""), "SITE") + "\n"
			file := filepath.Join("testdata/snapshots", strings.TrimSuffix(name, ".html")+".txt")
			if testgolden.Updating() {
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				return
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(string(want), got),
				"-want +got; go test ./actions/look -run TestSnapshotGolden -update rewrites it")
		})
	}
}
