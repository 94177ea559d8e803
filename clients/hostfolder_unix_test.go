//go:build unix

package clients_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/daemon"
)

// The libraries look for the host where the programs do, also where the folders that the system names cannot be used.
// Else there would be two hosts, of which one does not have the other's sessions.
func TestHostFolder(t *testing.T) {
	t.Parallel()
	readLibraries(t)
	dir, err := os.MkdirTemp("/tmp", "sk")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	long := strings.Repeat("x", 200)
	for _, name := range []string{"h", "r", "t", "used/.skua/run", "foreign", long} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, name), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	_ = os.Chown(filepath.Join(dir, "foreign"), 65534, 65534) // refused unless this is the superuser
	in := func(name string) string { return filepath.Join(dir, name) }
	envs := []map[string]string{
		{"HOME": in("h"), "XDG_RUNTIME_DIR": in("r")},
		{"HOME": in("h"), "XDG_RUNTIME_DIR": in("r") + "/"},
		{"HOME": in("h"), "XDG_RUNTIME_DIR": in("none")},
		{"HOME": in("h"), "XDG_RUNTIME_DIR": in("file")},
		{"HOME": in("h"), "XDG_RUNTIME_DIR": in("foreign")},
		{"HOME": in("h"), "XDG_RUNTIME_DIR": in(long)},
		{"HOME": in("used"), "TMPDIR": in("t")},
		{"HOME": in("none"), "TMPDIR": in("t")},
		{"HOME": in("file"), "TMPDIR": in("t")},
		{"HOME": in("file/h"), "TMPDIR": in("t")},
		{"HOME": "", "TMPDIR": in("t")},
		{"HOME": in(long), "TMPDIR": in(long)},
		{"HOME": "/", "SKUA_SOCKET_DIR": in("none")},
		{},
	}
	want := make([]string, len(envs))
	for i, env := range envs {
		var list []string
		for name, value := range env {
			list = append(list, name+"="+value)
		}
		want[i] = daemon.SocketDir(list)
	}
	text, err := json.Marshal(envs)
	require.NoError(t, err)
	for name, words := range map[string][]string{
		"typescript": {"node", "--input-type=module", "-e", `import { findPlace } from './typescript/lib/host.js';
console.log(JSON.stringify(JSON.parse(process.env.CASES).map((env) => findPlace(env, '/', {}).base)));`},
		"python": {"python3", "-c", `import json, os, sys
sys.path.insert(0, "python")
from skua._host import find_place
print(json.dumps([find_place(env, "/", None, None).base for env in json.loads(os.environ["CASES"])]))`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Env = append(os.Environ(), "CASES="+string(text), "PYTHONDONTWRITEBYTECODE=1")
			out, err := cmd.Output()
			require.NoError(t, err)
			var got []string
			require.NoError(t, json.Unmarshal(out, &got))
			for i := range want {
				if want[i] != got[i] {
					t.Errorf("%v: the programs use %s, the library %s", envs[i], want[i], got[i])
				}
			}
			require.Len(t, got, len(want))
		})
	}
}
