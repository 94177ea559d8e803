//go:build unix

package hostdir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// place makes a short folder, since paths of sockets are, with what the tests below name.
func place(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "b")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for _, name := range []string{
		"h", "r", "t", "used/.skua/run", "half/.skua", "taken/.skua", strings.Repeat("x", 90),
		"ran/skua",
	} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, name), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "taken/.skua/run"), nil, 0o600))
	require.NoError(t, os.Symlink("h", filepath.Join(dir, "link")))
	return dir
}

func TestAppendBase(t *testing.T) {
	t.Parallel()
	dir, uid := place(t), os.Geteuid()
	long := "D/" + strings.Repeat("x", 90)
	number := string(appendInt(nil, uid))
	for _, tc := range []struct {
		name string
		env  []string // D is the folder
		want string
	}{
		{
			"ours wins",
			[]string{"HOME=D/h", "XDG_RUNTIME_DIR=D/r", "AGENT_BROWSER_SOCKET_DIR=/ab", "SKUA_SOCKET_DIR=/sk"},
			"/sk",
		},
		{"upstream's", []string{"HOME=D/h", "XDG_RUNTIME_DIR=D/r", "AGENT_BROWSER_SOCKET_DIR=/ab"}, "/ab"},
		{"ours is as it was given", []string{"HOME=D/h", "SKUA_SOCKET_DIR=D/file"}, "D/file"},
		{"empty is not set", []string{"HOME=D/h", "SKUA_SOCKET_DIR=", "AGENT_BROWSER_SOCKET_DIR="}, "D/h/.skua/run"},
		{"relative, as given", []string{"HOME=D/h", "SKUA_SOCKET_DIR=run"}, "run"},
		{"runtime directory", []string{"HOME=D/h", "XDG_RUNTIME_DIR=D/r"}, "D/r/skua"},
		{"used runtime directory", []string{"HOME=D/h", "XDG_RUNTIME_DIR=D/ran/"}, "D/ran/skua"},
		{"relative runtime directory", []string{"HOME=D/h", "XDG_RUNTIME_DIR=r"}, "D/h/.skua/run"},
		{"no runtime directory", []string{"HOME=D/h", "XDG_RUNTIME_DIR=D/none"}, "D/h/.skua/run"},
		{"a file as runtime directory", []string{"HOME=D/h", "XDG_RUNTIME_DIR=D/file"}, "D/h/.skua/run"},
		{"below a file", []string{"HOME=D/h", "XDG_RUNTIME_DIR=D/file/r"}, "D/h/.skua/run"},
		{"long runtime directory", []string{"HOME=D/h", "XDG_RUNTIME_DIR=" + long}, "D/h/.skua/run"},
		{"home", []string{"HOME=D/h/"}, "D/h/.skua/run"},
		{"used home", []string{"HOME=D/used"}, "D/used/.skua/run"},
		{"home with other files of ours", []string{"HOME=D/half"}, "D/half/.skua/run"},
		{"link to a home", []string{"HOME=D/link"}, "D/link/.skua/run"},
		{"no home", []string{"TMPDIR=D/t"}, "D/t/skua-N"},
		{"empty home", []string{"HOME=", "TMPDIR=D/t"}, "D/t/skua-N"},
		{"home that is not there", []string{"HOME=D/none", "TMPDIR=D/t"}, "D/t/skua-N"},
		{"a file as home", []string{"HOME=D/file", "TMPDIR=D/t"}, "D/t/skua-N"},
		{"a file where the directory would be", []string{"HOME=D/taken", "TMPDIR=D/t"}, "D/t/skua-N"},
		{"long home", []string{"HOME=" + long, "TMPDIR=D/t"}, "D/t/skua-N"},
		{"none of them", []string{"HOME=D/none", "XDG_RUNTIME_DIR=D/file", "TMPDIR=D/none"}, "/tmp/skua-N"},
		{"long temporary files", []string{"TMPDIR=" + long}, "/tmp/skua-N"},
		{"nothing", nil, "/tmp/skua-N"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var env []string
			for _, e := range tc.env {
				env = append(env, strings.ReplaceAll(e, "D/", dir+"/"))
			}
			want := strings.ReplaceAll(strings.ReplaceAll(tc.want, "D/", dir+"/"), "N", number)
			require.Equal(t, want, string(AppendBase(nil, env, uid)))
			require.Equal(t, "before"+want, string(AppendBase(append(make([]byte, 0, 1<<10), "before"...), env, uid)))
		})
	}
	require.NoDirExists(t, filepath.Join(dir, "r/skua"), "a question makes nothing")
	require.NoDirExists(t, filepath.Join(dir, "h/.skua"))
}

// A runtime directory of another user, as after `sudo`, is not for this one, however much it may write there.
func TestAppendBaseOfAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only the superuser can give folders away")
	}
	dir := place(t)
	for _, name := range []string{"r", "used/.skua/run"} {
		require.NoError(t, os.Chown(filepath.Join(dir, name), 65534, 65534))
	}
	require.Equal(t, dir+"/h/.skua/run",
		string(AppendBase(nil, []string{"XDG_RUNTIME_DIR=" + dir + "/r", "HOME=" + dir + "/h"}, 0)))
	require.Equal(t, dir+"/t/skua-0",
		string(AppendBase(nil, []string{"HOME=" + dir + "/used", "TMPDIR=" + dir + "/t"}, 0)))
}

func TestAppendBaseAllocatesNothing(t *testing.T) {
	b, dir := make([]byte, 0, 4<<10), place(t)
	env := []string{"HOME=" + dir + "/none", "XDG_RUNTIME_DIR=" + dir + "/file", "TMPDIR=" + dir + "/t"}
	require.Zero(t, testing.AllocsPerRun(100, func() { b = AppendNamespace(AppendBase(b[:0], env, os.Geteuid()), "n") }))
}
