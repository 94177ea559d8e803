package policy_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guard/policy"
)

func TestRootsCheck(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	at := func(path string) string { return filepath.Join(base, filepath.FromSlash(path)) }
	for _, dir := range []string{"in/sub", "in-other", "out", "links"} {
		require.NoError(t, os.MkdirAll(at(dir), 0o755))
	}
	for _, file := range []string{"in/a", "in/sub/b", "in-other/c", "out/d"} {
		require.NoError(t, os.WriteFile(at(file), nil, 0o600))
	}
	for link, to := range map[string]string{
		"in/to-out": "out", "in/to-d": "out/d", "in/to-a": "in/a", "in/nowhere": "out/new", "in/nowhere-dir": "out/newdir",
		"links/in": "in", "in/sub/up": "in/sub",
	} {
		require.NoError(t, os.Symlink(at(to), at(link)))
	}
	var roots policy.Roots
	require.NoError(t, roots.Add(policy.Reading, []string{at("in")}, "--upload-root"))
	for _, tc := range []struct {
		path, real string // no real path: refused
	}{
		{"in/a", "in/a"},
		{"in", "in"},
		{"in/sub/b", "in/sub/b"},
		{"in/to-a", "in/a"},
		{"in/not/there/yet", "in/not/there/yet"},
		{"links/in/a", "in/a"},
		{"in/sub/up/b", "in/sub/b"},
		{"out/d", ""},
		{"in-other/c", ""},
		{"", ""},
		{"in/to-d", ""},
		{"in/to-out", ""},
		{"in/to-out/d", ""},
		{"in/to-out/new", ""},
		{"in/nowhere", ""},
		{"in/nowhere-dir/x", ""},
		{"in/a/below-a-file", ""},
	} {
		t.Run(tc.path, func(t *testing.T) {
			real, err := roots.Check(policy.Reading, at(tc.path))
			if tc.real == "" {
				require.ErrorAs(t, err, new(*policy.OutsideError))
				require.Empty(t, real)
				return
			}
			require.NoError(t, err)
			require.Equal(t, at(tc.real), real)
		})
	}

	// Spelled with .. in it, and for another use.
	_, err = roots.Check(policy.Reading, at("in")+"/sub/../../out/d")
	require.Error(t, err)
	real, err := roots.Check(policy.Writing, at("in/to-d"))
	require.NoError(t, err)
	require.Equal(t, at("in/to-d"), real, "without roots a path is left as it is")
}

// Each list narrows; none widens.
func TestRootsNarrow(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	a, b, deep := filepath.Join(base, "a"), filepath.Join(base, "b"), filepath.Join(base, "a", "deep")
	var roots policy.Roots
	require.Empty(t, roots.Folder(policy.Writing))
	require.NoError(t, roots.Add(policy.Writing, []string{b, a}, "x"))
	require.Equal(t, a, roots.Folder(policy.Writing))
	require.NoError(t, roots.Add(policy.Writing, []string{a, b, a}, "the same again"))
	require.Len(t, roots.Rules(), 1)
	before := roots
	require.NoError(t, roots.Add(policy.Writing, []string{deep}, "y"))
	require.Equal(t, deep, roots.Folder(policy.Writing))
	require.Empty(t, roots.Folder(policy.Reading))

	_, err = before.Check(policy.Writing, filepath.Join(b, "x"))
	require.NoError(t, err, "a copy is as it was")
	_, err = roots.Check(policy.Writing, filepath.Join(b, "x"))
	require.Error(t, err)
	_, err = roots.Check(policy.Writing, filepath.Join(deep, "x"))
	require.NoError(t, err)

	require.NoError(t, roots.Add(policy.Writing, []string{b}, "z"))
	require.Empty(t, roots.Folder(policy.Writing))
	_, err = roots.Check(policy.Writing, filepath.Join(deep, "x"))
	require.Error(t, err)

	// A root that is made later as a link elsewhere is not followed.
	var later policy.Roots
	root := filepath.Join(base, "later")
	require.NoError(t, later.Add(policy.Reading, []string{root}, "x"))
	require.NoError(t, os.MkdirAll(b, 0o755))
	require.NoError(t, os.Symlink(b, root))
	_, err = later.Check(policy.Reading, filepath.Join(root, "x"))
	require.Error(t, err)

	file := filepath.Join(base, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.ErrorContains(t, roots.Add(policy.Reading, []string{file}, "x"), "not a folder")
}
