package daemon

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// A client of another user gets no further than the door, even where the files would let it in. The superuser can
// become that other user here; for anyone else the test shows that their own clients are let in.
func TestDaemonRefusesOtherUsers(t *testing.T) {
	t.Parallel()
	base := shortDir(t)
	host := startTestHost(t, echo, func(o *Options) { o.Dir = base })
	path := filepath.Join(base, hostdir.Socket)
	require.NoError(t, os.Chmod(base, 0o755))
	require.NoError(t, os.Chmod(path, 0o666))
	if os.Geteuid() != 0 {
		require.Equal(t, exitWith(0, "own"), host.run(t, "own"))
		return
	}
	c := dialAs(t, path, 65534)
	_, _ = c.Write((&wire.Request{Kind: wire.Run, Args: []string{"foreign"}}).Append(nil)) // it may be refused before that
	require.Equal(t, answer{Last: wire.Refused, Payload: "This host belongs to another user (uid 0)."}, readAnswer(t, c))
	require.Equal(t, exitWith(0, "own"), host.run(t, "own"))
}

// dialAs connects as another user. Only one thread changes its user, and it ends with its goroutine.
func dialAs(t *testing.T, path string, uid int) net.Conn {
	t.Helper()
	type result struct {
		fd  int
		err error
	}
	got := make(chan result)
	go func() {
		runtime.LockOSThread() // never unlocked
		const keep = ^uintptr(0)
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, keep, uintptr(uid), keep); errno != 0 {
			got <- result{-1, errno}
			return
		}
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err == nil {
			err = unix.Connect(fd, &unix.SockaddrUnix{Name: path})
		}
		got <- result{fd, err}
	}()
	r := <-got
	require.NoError(t, r.err)
	f := os.NewFile(uintptr(r.fd), path)
	defer f.Close()
	c, err := net.FileConn(f)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}
