package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A change runs the tests that can see it, and not those of its neighbors.
func TestChangeReaches(t *testing.T) {
	t.Parallel()
	all, err := readTree(t.Context())
	require.NoError(t, err)
	tests := map[string]struct {
		files []string
		runs  []string
		not   []string
	}{
		"a family": {
			[]string{"actions/wait/wait.go"},
			[]string{"actions/wait", "actions/catalog", "tool"},
			[]string{"actions/find", "engine", "snapshot"},
		},
		"a test": {
			[]string{"actions/wait/wait_test.go"},
			[]string{"actions/wait"},
			[]string{"actions/catalog", "actions/pointer", "engine"},
		},
		"what all is built on": {
			[]string{"engine/cdp/conn.go"},
			[]string{"engine/cdp", "engine", "actions/pointer", "session"},
			[]string{"internal/ring"},
		},
		"a page": {
			[]string{"testdata/pages/acting-click-mutating.html"},
			[]string{"actions/pointer"},
			[]string{"actions/wait", "engine"},
		},
		"test data": {
			[]string{"snapshot/testdata/anything"},
			[]string{"snapshot"},
			[]string{"actions/look", "engine"},
		},
		"the Go library": {
			[]string{"line.go"},
			[]string{"clients"},
			[]string{"actions/look", "engine", "tool"},
		},
		"a script of pages": {
			[]string{inpage + "/js/act/printing.js", bundled},
			[]string{inpage, "actions/pointer"},
			[]string{"engine/cdp", "guard/policy"},
		},
		"a bundle by itself": {[]string{bundled}, []string{inpage, "engine", "actions/wait"}, []string{"internal/ring"}},
		"a library":          {[]string{"go.mod"}, []string{"internal/ring", "engine", "actions/wait"}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := all.reach(tt.files)
			require.NoError(t, err)
			require.Empty(t, found.unread)
			require.Contains(t, found.tests, readsAll)
			for _, pkg := range tt.runs {
				require.Contains(t, found.tests, module+pkg)
			}
			for _, pkg := range tt.not {
				require.False(t, slices.Contains(found.tests, module+pkg), pkg)
			}
		})
	}
	unknown := "nothing/reads." + "this" // as one word, this file would name it
	found, err := all.reach([]string{unknown})
	require.NoError(t, err)
	require.Equal(t, reach{[]string{readsAll}, []string{unknown}}, found)
}
