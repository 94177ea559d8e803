package artifacts

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSpills(t *testing.T) {
	t.Parallel()
	tests := map[string]func(t *testing.T, root string){
		"10.18 private, and whole": func(t *testing.T, root string) {
			s := NewSpills(filepath.Join(root, "state", "spills"), 1000)
			w, err := s.Write("snapshot", ".txt", "the text")
			require.NoError(t, err)
			text, err := os.ReadFile(w.Path)
			require.NoError(t, err)
			require.Equal(t, "the text", string(text))
			file, err := os.Stat(w.Path)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), file.Mode().Perm())
			dir, err := os.Stat(filepath.Dir(w.Path))
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o700), dir.Mode().Perm())
			require.NoError(t, s.Close())
			require.FileExists(t, w.Path, "a store of a session outlives the process")
		},
		"10.18 a temporary store is gone when it is closed": func(t *testing.T, root string) {
			s := NewTempSpills(root, 1000)
			w, err := s.Write("eval", ".txt", "x")
			require.NoError(t, err)
			dir, err := os.Stat(filepath.Dir(w.Path))
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o700), dir.Mode().Perm())
			require.NoError(t, s.Close())
			left, err := os.ReadDir(root)
			require.NoError(t, err)
			require.Empty(t, left)
			_, err = s.Write("eval", ".txt", "x")
			require.Error(t, err)
		},
		"10.18 nothing is made before it is needed": func(t *testing.T, root string) {
			s := NewTempSpills(root, 1000)
			left, err := os.ReadDir(root)
			require.NoError(t, err)
			require.Empty(t, left)
			require.NoError(t, s.Close())
		},
		"10.18 the oldest goes first, and is told": func(t *testing.T, root string) {
			s := NewSpills(root, 250)
			var paths []string
			for i := range 2 {
				w, err := s.Write("log", ".txt", strings.Repeat("x", 100))
				require.NoError(t, err)
				require.Empty(t, w.Evicted)
				require.NoError(t, os.Chtimes(w.Path, time.Time{}, time.Now().Add(time.Duration(i-10)*time.Minute)))
				paths = append(paths, w.Path)
			}
			w, err := s.Write("log", ".txt", strings.Repeat("y", 100))
			require.NoError(t, err)
			require.Equal(t, paths[:1], w.Evicted)
			require.NoFileExists(t, paths[0])
			require.FileExists(t, paths[1])
		},
		"10.18 more than the budget is refused, and nothing goes for it": func(t *testing.T, root string) {
			s := NewSpills(root, 50)
			first, err := s.Write("log", ".txt", "small")
			require.NoError(t, err)
			_, err = s.Write("log", ".txt", strings.Repeat("x", 51))
			require.ErrorContains(t, err, "exceed the limit")
			require.FileExists(t, first.Path)
		},
		"10.18 what a killed process left goes after a day": func(t *testing.T, root string) {
			const unused = 1 << 30 // no process has it
			uid := strconv.Itoa(os.Getuid())
			old := filepath.Join(root, "skua-spill-"+uid+"-"+strconv.Itoa(unused)+"-old")
			young := filepath.Join(root, "skua-spill-"+uid+"-"+strconv.Itoa(unused)+"-young")
			alive := filepath.Join(root, "skua-spill-"+uid+"-"+strconv.Itoa(os.Getpid())+"-alive")
			foreign := filepath.Join(root, "something-else")
			for _, dir := range []string{old, young, alive, foreign} {
				require.NoError(t, os.Mkdir(dir, 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), nil, 0o600))
				if dir != young {
					require.NoError(t, os.Chtimes(dir, time.Time{}, time.Now().Add(-25*time.Hour)))
				}
			}
			s := NewTempSpills(root, 1000)
			_, err := s.Write("x", ".txt", "x")
			require.NoError(t, err)
			require.NoDirExists(t, old)
			require.DirExists(t, young)
			require.DirExists(t, alive)
			require.DirExists(t, foreign)
			require.NoError(t, s.Close())
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, t.TempDir())
		})
	}
}
