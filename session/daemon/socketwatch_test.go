//go:build unix

package daemon

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/wire/hostdir"
)

// A host that cannot be found any more ends at once, even if it is in use.
func TestDaemonEndsWithItsSocket(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(base, dir string) error{
		"the socket is removed": func(_, dir string) error { return os.Remove(filepath.Join(dir, hostdir.Socket)) },
		"another one takes its place": func(_, dir string) error {
			other := filepath.Join(dir, "other")
			if err := os.WriteFile(other, nil, 0o600); err != nil {
				return err
			}
			return os.Rename(other, filepath.Join(dir, hostdir.Socket))
		},
		"its folder is removed":   func(_, dir string) error { return os.RemoveAll(dir) },
		"its folder is moved":     func(_, dir string) error { return os.Rename(dir, dir+"-moved") },
		"all folders are removed": func(base, _ string) error { return os.RemoveAll(base) },
		"a folder above is moved": func(base, _ string) error {
			if runtime.GOOS == "linux" {
				return os.Rename(base, base+"-moved")
			}
			return os.RemoveAll(base)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := filepath.Join(shortDir(t), "base")
			host := startTestHost(t, echo, func(o *Options) {
				o.Dir, o.Namespace = base, "n"
				o.InUse = func() bool { return true }
			})
			require.NoError(t, remove(base, filepath.Join(base, "namespaces", "n")))
			<-host.done
			require.NoError(t, host.err)
		})
	}
}
