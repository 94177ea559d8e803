package perceive_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/pcd"
)

var update = flag.Bool("update", false, "rewrite the summaries in testdata")

// goldenPages are the pages of testdata/pages whose summaries are kept.
var goldenPages = []string{
	"copilot-login", "copilot-search", "copilot-shop", "copilot-cart", "copilot-checkout", "copilot-invoices",
	"copilot-settings", "copilot-menu",
	"copilot-virtual", "copilot-frames", "copilot-shadow", "copilot-poor", "copilot-cookies", "copilot-german",
	"copilot-rtl", "copilot-decoys",
	"copilot-modal", "copilot-kanban", "copilot-many",
	"perception-form-login", "perception-form-search", "perception-form-filter", "perception-form-booking",
	"perception-page-shop",
	"perception-page-mail", "perception-page-dashboard", "perception-page-files", "perception-page-lists",
	"perception-table-aria",
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
			s.Actions = renamed(t, s.Actions)
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

// renamed numbers the clusters, whose names depend on the port of the site.
func renamed(t *testing.T, actions []pcd.Action) []pcd.Action {
	names := map[string]string{}
	out := slices.Clone(actions)
	for i, a := range out {
		require.NotEmpty(t, a.ClusterID)
		if names[a.ClusterID] == "" {
			names[a.ClusterID] = "c" + strconv.Itoa(len(names)+1)
		}
		out[i].ClusterID = names[a.ClusterID]
	}
	return out
}
