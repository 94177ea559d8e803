package daemon

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// Of hosts that start at once one serves; the others say that it is ready and end.
func TestDaemonsThatStartTogether(t *testing.T) {
	t.Parallel()
	const hosts = 8
	base := shortDir(t)
	var serving atomic.Int32
	var said []<-chan string
	var all []*testHost
	for range hosts {
		first := true
		host, s := launchTestHost(t, handlerFunc(func(context.Context, *wire.Request, io.Writer, io.Writer) int {
			if first {
				first = false
				serving.Add(1)
			}
			return 0
		}), func(o *Options) { o.Dir = base })
		all, said = append(all, host), append(said, s)
	}
	for i, s := range said {
		require.Equal(t, wire.Ready, <-s)
		require.Equal(t, exitWith(0, ""), all[i].run(t))
	}
	require.Equal(t, int32(1), serving.Load())
	stopped, err := StopHost(t.Context(), base, "")
	require.NoError(t, err)
	require.True(t, stopped)
	for _, h := range all {
		<-h.done
		require.NoError(t, h.err)
	}
}

// The next host waits until the sessions of the one before are closed.
func TestDaemonWaitsForItsPredecessor(t *testing.T) {
	t.Parallel()
	closing, goOn := make(chan struct{}), make(chan struct{})
	first := startTestHost(t, echo, func(o *Options) {
		o.Close = func(context.Context) {
			close(closing)
			<-goOn
		}
	})
	first.end()
	<-closing
	second, said := launchTestHost(t, echo, func(o *Options) { o.Dir = first.base })
	id, err := FindHost(t.Context(), first.base, "")
	require.NoError(t, err)
	require.Zero(t, id)
	select {
	case s := <-said:
		t.Fatalf("the second host said %q while the first one was closing", s)
	case <-first.done:
		t.Fatal("the first host ended before its sessions")
	default:
	}
	close(goOn)
	require.Equal(t, wire.Ready, <-said)
	require.Equal(t, exitWith(0, "fine"), second.run(t, "fine"))
}

func TestDaemonTakesOverADeadSocket(t *testing.T) {
	t.Parallel()
	base := shortDir(t)
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(base, hostdir.Socket), Net: "unix"})
	require.NoError(t, err)
	dead.SetUnlinkOnClose(false)
	require.NoError(t, dead.Close())
	require.FileExists(t, filepath.Join(base, hostdir.Socket))
	host := startTestHost(t, echo, func(o *Options) { o.Dir = base })
	require.Equal(t, exitWith(0, "fine"), host.run(t, "fine"))
}

// A host that cannot start explains why in one sentence, to its caller and on standard error.
func TestDaemonStartFails(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		prepare func(t *testing.T, o *Options)
		code    fault.Code
		says    string
	}{
		{"a file has the socket's name", func(t *testing.T, o *Options) {
			o.Dir = shortDir(t)
			require.NoError(t, os.WriteFile(filepath.Join(o.Dir, hostdir.Socket), nil, 0o600))
		}, fault.HostUnreachable, "skua.socket is in the way: it is not a socket. Move it away"},
		{"a stranger listens", func(t *testing.T, o *Options) {
			o.Dir = shortDir(t)
			ln, err := net.Listen("unix", filepath.Join(o.Dir, hostdir.Socket))
			require.NoError(t, err)
			t.Cleanup(func() { _ = ln.Close() })
			go func() {
				for c, err := ln.Accept(); err == nil; c, err = ln.Accept() {
					_, _ = io.WriteString(c, "220 mail.example ESMTP\r\n")
					_ = c.Close()
				}
			}()
		}, fault.HostUnreachable, "cannot be used: not a message of the skua protocol"},
		{"the path is too long", func(t *testing.T, o *Options) {
			o.Dir = filepath.Join(shortDir(t), strings.Repeat("x", 120))
		}, fault.HostUnreachable, "is too long"},
		{"the directory is a file", func(t *testing.T, o *Options) {
			o.Dir = filepath.Join(shortDir(t), "file")
			require.NoError(t, os.WriteFile(o.Dir, nil, 0o600))
		}, fault.File, "cannot be created"},
		{"others may write to the directory", func(t *testing.T, o *Options) {
			o.Dir = shortDir(t)
			require.NoError(t, os.Chmod(o.Dir, 0o777))
		}, fault.HostUnreachable, "Other users may write to the socket directory"},
		{"the directory of another user", func(t *testing.T, o *Options) {
			o.Dir = foreignDir(t)
		}, fault.HostUnreachable, "belongs to another user"},
		{"the namespace is a path", func(t *testing.T, o *Options) {
			o.Dir, o.Namespace = shortDir(t), "../x"
		}, fault.Usage, `namespace "../x": only letters, digits, - and _ are allowed`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var o Options
			tc.prepare(t, &o)
			host, said := launchTestHost(t, echo, func(to *Options) { to.Dir, to.Namespace = o.Dir, o.Namespace })
			<-host.done
			require.Error(t, host.err)
			require.Equal(t, tc.code, fault.CodeOf(host.err))
			require.Contains(t, host.err.Error(), tc.says)
			require.Equal(t, host.err.Error(), <-said)
		})
	}
}

// foreignDir returns a directory that belongs to another user.
func foreignDir(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		return "/"
	}
	dir := shortDir(t)
	require.NoError(t, os.Chown(dir, 65534, 65534))
	return dir
}

func TestLockFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(shortDir(t), "lock") // which does not mind what the wait that is given up leaves there
	unlock, err := lockFile(t.Context(), path)
	require.NoError(t, err)

	ended, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrNoProgress)
	_, err = lockFile(ended, path)
	require.ErrorIs(t, err, io.ErrNoProgress)

	got := make(chan func())
	go func() {
		second, err := lockFile(context.Background(), path)
		if err != nil {
			t.Error(err)
		}
		got <- second
	}()
	unlock()
	(<-got)()
	// The wait that was given up has given back what it got.
	third, err := lockFile(t.Context(), path)
	require.NoError(t, err)
	third()
	_, err = lockFile(t.Context(), filepath.Join(path, "below"))
	require.True(t, fault.Is(err, fault.File), "%v", err)
}

func TestParseStamp(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		input string
		want  wire.Stamp
		ok    bool
	}{
		{"12:34", wire.Stamp{MTime: 12, Size: 34}, true},
		{"-12:34", wire.Stamp{MTime: -12, Size: 34}, true},
		{"", wire.Stamp{}, false},
		{"12", wire.Stamp{}, false},
		{"x:1", wire.Stamp{}, false},
		{"1:", wire.Stamp{}, false},
	} {
		got, ok := parseStamp(tc.input)
		require.Equal(t, tc.want, got, tc.input)
		require.Equal(t, tc.ok, ok, tc.input)
	}
}

// Not in parallel: it looks at the environment of the process.
func TestOwnStamp(t *testing.T) {
	path, err := os.Executable()
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, wire.Stamp{MTime: info.ModTime().UnixNano(), Size: info.Size()}, OwnStamp())

	t.Setenv(hostdir.HostStampVar, "7:8")
	require.Equal(t, wire.Stamp{MTime: 7, Size: 8}, OwnStamp())
	require.Empty(t, os.Getenv(hostdir.HostStampVar))
}

func TestSocketDir(t *testing.T) {
	t.Parallel()
	require.Equal(t, "/there", SocketDir([]string{"SKUA_SOCKET_DIR=/there"}))
}
