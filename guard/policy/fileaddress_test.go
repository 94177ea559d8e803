package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A page shows a file below a root, and none of skua's secrets, however its address is written.
func TestShows(t *testing.T) {
	t.Parallel()
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, name := range []string{"in/a.html", "in/with space.html", "out/b.html", "in/secret/key"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(top, name), nil, 0o600))
	}
	require.NoError(t, os.Symlink(filepath.Join(top, "out"), filepath.Join(top, "in", "link")))
	private := func(path string) bool { return strings.HasPrefix(path, filepath.Join(top, "in", "secret")) }
	var reading, writing, none Roots
	require.NoError(t, reading.Add(Reading, []string{filepath.Join(top, "in")}, "r"))
	require.NoError(t, writing.Add(Writing, []string{filepath.Join(top, "in")}, "w"))
	for _, tc := range []struct {
		name, address string
		ok            bool
	}{
		{"below the root", "file://" + top + "/in/a.html", true},
		{"with a query and a fragment", "file://" + top + "/in/a.html?x=/../../#y", true},
		{"escaped", "file://" + top + "/in/with%20space.html", true},
		{"the root", "file://" + top + "/in/", true},
		{"what is not there", "file://" + top + "/in/none.html", true},
		{"of localhost", "file://localhost" + top + "/in/a.html", true},
		{"another scheme", "https://example.com" + top + "/out/b.html", true},
		{"outside", "file://" + top + "/out/b.html", false},
		{"the source of what is outside", "view-source:file://" + top + "/out/b.html", false},
		{"capitals and blanks", " View-Source:FILE:" + top + "/out/b.html", false},
		{"one slash", "file:" + top + "/out/b.html", false},
		{"dots", "file://" + top + "/in/../out/b.html", false},
		{"escaped dots", "file://" + top + "/in/%2e%2e/out/b.html", false},
		{"an escaped slash", "file://" + top + "/in/..%2Fout/b.html", false},
		{"backslashes", `file:\\\` + top + `/in\..\out\b.html`, false},
		{"through a link", "file://" + top + "/in/link/b.html", false},
		{"of another machine", "file://host" + top + "/in/a.html", false},
		{"the system's own view", "file:///proc/self/root" + top + "/out/b.html", false},
		{"a secret below the root", "file://" + top + "/in/secret/key", false},
		{"the folder of secrets", "file://" + top + "/in/secret", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, roots := range []Roots{reading, writing} {
				if err := roots.Shows(tc.address, private); tc.ok {
					require.NoError(t, err)
				} else {
					require.Error(t, err)
				}
			}
		})
	}
	require.NoError(t, none.Shows("file://"+top+"/out/b.html", private))
	require.Error(t, none.Shows("file://"+top+"/in/secret/key", private))
}
