package perceive_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the summaries in testdata")

// goldenPages are the pages of testdata/pages whose summaries are kept.
var goldenPages = []string{
	"perception-form-login", "perception-page-shop",
}

// TestGolden compares summaries with those in testdata. go test -update rewrites them.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range goldenPages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := visit(t, "/frames/"+name+".html")
			s := *v.summary()
			require.Positive(t, s.TS)
			s.TS = 1
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			require.NoError(t, e.Encode(&s))
			got := strings.NewReplacer(site.URL, "http://site.test", elsewhere(), "http://elsewhere.test").Replace(b.String())
			file := filepath.Join("testdata", name+".json")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				return
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got; go test -update rewrites it):\n%s", file, diff)
			}
		})
	}
}
