package policy_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guard/policy"
)

func TestPlace(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	out := filepath.Join(dir, "out")
	for _, folder := range []string{"out", "elsewhere", "out/.cache"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o700))
	}
	for _, file := range []string{"out/.profile", "out/plain", ".profile", "out/.cache/plain"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte("as it was"), 0o600))
	}
	require.NoError(t, os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(out, "link")))
	require.NoError(t, os.Symlink(filepath.Join(out, ".profile"), filepath.Join(out, "innocent")))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "repo", ".git", "hooks"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join(dir, "repo", ".git", "hooks"), filepath.Join(out, "githooks")))
	var roots, inside policy.Roots
	require.NoError(t, roots.Add(policy.Writing, []string{out}, "--download-root"))
	require.NoError(t,
		inside.Add(policy.Writing, []string{filepath.Join(dir, "repo", ".git", "pictures")}, "--download-root"))
	tests := []struct {
		name      string
		roots     policy.Roots
		path      string
		outside   bool
		protected bool
	}{
		{name: "below the root", roots: roots, path: "out/new/file"},
		{name: "a file that is there", roots: roots, path: "out/plain"},
		{name: "outside", roots: roots, path: "file", outside: true},
		{name: "by a link", roots: roots, path: "out/link/file", outside: true},
		{name: "a dot file", roots: roots, path: "out/.profile", protected: true},
		{name: "a dot file by a link", roots: roots, path: "out/innocent", protected: true},
		{name: "a new dot file", roots: roots, path: "out/.new"},
		{name: "in a dot folder", roots: roots, path: "out/.cache/plain"},
		{name: "the configuration of git", roots: roots, path: "out/.git/config", protected: true},
		{name: "a new hook", roots: roots, path: "out/sub/.git/hooks/pre-commit", protected: true},
		{name: "keys of a login", roots: roots, path: "out/.ssh/authorized_keys", protected: true},
		{name: "a new file of a shell", roots: roots, path: "out/.bashrc", protected: true},
		{name: "a new file of an environment", roots: roots, path: "out/.env.local", protected: true},
		{name: "in other letters", roots: roots, path: "out/.GIT/config", protected: true},
		{name: "an autostart entry", roots: roots, path: "out/.config/autostart/x.desktop", protected: true},
		{name: "the settings of an agent", roots: roots, path: "out/.claude/settings.local.json", protected: true},
		{name: "a picture beside them", roots: roots, path: "out/.claude/shots/a.png"},
		{name: "a file of another configuration", roots: roots, path: "out/.config/other/x"},
		{name: "a folder with a similar name", roots: roots, path: "out/.gitpictures/a.png"},
		{name: "a root inside", roots: inside, path: "repo/.git/pictures/a.png"},
		{name: "a hook without roots", path: "repo/.git/hooks/pre-commit", protected: true},
		{name: "by a link to a folder", path: "out/githooks/pre-commit", protected: true},
		{name: "a dot file without roots", path: ".profile", protected: true},
		{name: "by a link without roots", path: "out/innocent", protected: true},
		{name: "without roots", path: "elsewhere/file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			place, err := test.roots.Destination(filepath.Join(dir, test.path))
			_, outside := errors.AsType[*policy.OutsideError](err)
			_, protected := errors.AsType[*policy.ProtectedError](err)
			require.Equal(t, [2]bool{test.outside, test.protected}, [2]bool{outside, protected}, "%v", err)
			if err != nil {
				return
			}
			require.NoError(t, place.Write([]byte("new")))
			content, err := os.ReadFile(filepath.Join(dir, test.path))
			require.NoError(t, err)
			require.Equal(t, "new", string(content))
		})
	}
	for _, file := range []string{"out/.profile", ".profile"} {
		content, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		require.Equal(t, "as it was", string(content))
	}
}

// A link that takes the place of a folder after the roots were asked leads nowhere else.
func TestPlaceThatMoves(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, folder := range []string{"out", "out/sub", "elsewhere"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o700))
	}
	var roots policy.Roots
	require.NoError(t, roots.Add(policy.Writing, []string{filepath.Join(dir, "out")}, "--download-root"))
	place, err := roots.Destination(filepath.Join(dir, "out", "sub", "file"))
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(dir, "out", "sub")))
	require.NoError(t, os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(dir, "out", "sub")))
	require.Error(t, place.Write([]byte("new")))
	left, err := os.ReadDir(filepath.Join(dir, "elsewhere"))
	require.NoError(t, err)
	require.Empty(t, left)
}
