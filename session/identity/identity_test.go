package identity

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// git runs the real program, so that what is recognized is what it makes.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
}

func TestWorktree(t *testing.T) {
	t.Parallel()
	base := RealPath(t.TempDir())
	at := func(elem ...string) string {
		dir := filepath.Join(append([]string{base}, elem...)...)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		return dir
	}
	repo := at("repo")
	git(t, repo, "init", "-q")
	git(t, repo, "commit", "-q", "--allow-empty", "-m", "first")
	git(t, repo, "worktree", "add", "-q", filepath.Join(base, "linked"))
	git(t, repo, "worktree", "add", "-q", filepath.Join(repo, "within"))
	git(t, at("other"), "init", "-q")
	git(t, at("other"), "commit", "-q", "--allow-empty", "-m", "first")
	git(t, repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", filepath.Join(base, "other"), "module")
	at("named", ".git") // an empty folder of that name is not a repository
	require.NoError(t, os.Mkdir(filepath.Join(base, "filed"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(base, "filed", ".git"), []byte("notes"), 0o600))
	require.NoError(t, os.Symlink(at("repo", "src", "deep"), filepath.Join(base, "link")))
	for name, tt := range map[string]struct {
		dir, want string
	}{
		"the root":                         {repo, repo},
		"a folder below":                   {at("repo", "src", "deep"), repo},
		"a linked worktree":                {at("linked", "a"), filepath.Join(base, "linked")},
		"a worktree within another":        {filepath.Join(repo, "within"), filepath.Join(repo, "within")},
		"a submodule":                      {filepath.Join(repo, "module"), filepath.Join(repo, "module")},
		"a symbolic link":                  {filepath.Join(base, "link"), repo},
		"a path with dots":                 {filepath.Join(repo, "src") + "/../src/deep", repo},
		"inside the repository's folder":   {filepath.Join(repo, ".git", "refs"), ""},
		"an empty folder of that name":     {at("named"), ""},
		"a file that leads nowhere":        {at("filed"), ""},
		"outside":                          {base, ""},
		"a folder that is gone":            {filepath.Join(base, "gone", "deeper"), ""},
		"a folder that is gone, in a tree": {filepath.Join(repo, "gone"), repo},
		"no path":                          {"", ""},
		"a relative path":                  {"somewhere/relative", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, ok := Worktree(tt.dir)
			require.Equal(t, tt.want, root)
			require.Equal(t, tt.want != "", ok)
		})
	}
	require.NotEqual(t, Name(repo), Name(filepath.Join(base, "linked")))
	require.NotEqual(t, Name(repo), Name(filepath.Join(repo, "within")))
}

func TestID(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		prefix, want string
	}{
		"none":              {"", "da0fd15c1c10"},
		"a word":            {"pre", "pre-da0fd15c1c10"},
		"what is not taken": {"A.B/C", "A-B-C-da0fd15c1c10"},
		"several of it":     {"a..b", "a-b-da0fd15c1c10"},
		"at the ends":       {"-x-", "x-da0fd15c1c10"},
		"nothing else":      {"---", "da0fd15c1c10"},
		"letters":           {"é_x", "é_x-da0fd15c1c10"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, ID(tt.prefix, "/tmp/idn/plain")) // as agent-browser says for this folder
		})
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	require.Equal(t, "my-app-"+Hash("/work/my app"), Name("/work/my app"))
	require.Equal(t, Hash("/"), Name("/"))
	long := Name("/" + strings.Repeat("ü", 90))
	require.LessOrEqual(t, len(long), 100)
	require.True(t, strings.HasPrefix(long, "üü"))
	require.NotEqual(t, Name("/a/app"), Name("/b/app"))
}

func TestScopes(t *testing.T) {
	t.Parallel()
	dir := RealPath(t.TempDir())
	for _, s := range []Scope{ScopeWorktree, ScopeFolder} {
		path, err := s.Path(dir)
		require.NoError(t, err)
		require.Equal(t, dir, path)
	}
	_, err := ScopeGitRoot.Path(dir)
	require.ErrorIs(t, err, ErrNoWorktree)
	_, err = Scope("bogus").Path(dir)
	require.ErrorIs(t, err, ErrUnknownScope)
}

// BenchmarkWorktree is what a command of a session without a name costs: a folder four below the root of its worktree.
func BenchmarkWorktree(b *testing.B) {
	root := b.TempDir()
	if err := os.MkdirAll(filepath.Join(root, ".git"), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ".git", "HEAD"), nil, 0o600); err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(root, "a", "b", "c", "d")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	var f Finder
	for name, find := range map[string]func(string) (string, bool){"looking": Worktree, "remembered": f.Worktree} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := find(dir); !ok {
					b.Fatal("not found")
				}
			}
		})
	}
}

func TestFinderSeesChanges(t *testing.T) {
	t.Parallel()
	var f Finder
	dir := RealPath(t.TempDir())
	_, ok := f.Worktree(dir)
	require.False(t, ok)
	git(t, dir, "init", "-q")
	root, ok := f.Worktree(dir)
	require.True(t, ok, "a repository that was made meanwhile")
	require.Equal(t, dir, root)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, ".git")))
	_, ok = f.Worktree(dir)
	require.False(t, ok, "a repository that was removed meanwhile")
	for i := range 2 * maxCached {
		sub := filepath.Join(dir, strings.Repeat("x", i+1))
		require.NoError(t, os.Mkdir(sub, 0o755))
		f.Worktree(sub)
	}
	require.LessOrEqual(t, len(f.recent), maxCached)
}
