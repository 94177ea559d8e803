//go:build unix

package main

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

func complaint(sentence string) result { return result{Err: "✗ " + sentence + "\n", Code: 1} }

func TestDeadSocket(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: c.socketPath(), Net: "unix"})
		require.NoError(t, err)
		dead.SetUnlinkOnClose(false)
		require.NoError(t, dead.Close())
		require.Equal(t, result{Out: "fine\n"}, c.call(t, "echo", "fine"))
	})
}

// After the host was killed the next call starts another one.
func TestKilledHost(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		first := hostPID(t, c.call(t, "who"))
		require.Equal(t, complaint("The host ended without an answer: the command may or may not have run. "+
			"Look at the page before trying again."), c.call(t, "die"))
		require.FileExists(t, c.socketPath())
		require.NotEqual(t, first, hostPID(t, c.call(t, "who")))
		require.Contains(t, c.call(t, "die", "--json").Out, `"outcome":"unknown"`, "it may not be sent again without a look")
	})
}

func TestFileInTheWay(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		require.NoError(t, os.WriteFile(c.socketPath(), nil, 0o600))
		require.Equal(t,
			complaint(c.socketPath()+
				" is in the way: it is not a socket. Move it away, or set SKUA_SOCKET_DIR to another directory."),
			c.call(t, "who"))
	})
}

func TestDirectoryOfAnotherUser(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		c.run = "/" // only the superuser may write to it
		uid := "0"
		if os.Geteuid() == 0 {
			c.run, uid = shortDir(t), "65534"
			require.NoError(t, os.Chown(c.run, 65534, 65534))
		}
		got := c.call(t, "who")
		require.Equal(t, complaint("The socket directory "+c.run+" belongs to another user (uid "+uid+
			"). Set SKUA_SOCKET_DIR to a directory of your own."), got)
		entries, err := os.ReadDir(c.run)
		require.NoError(t, err)
		for _, e := range entries {
			require.NotContains(t, e.Name(), "skua.")
		}
	})
}

func TestDirectoryThatIsNone(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		file := filepath.Join(c.run, "file")
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		c.run = file
		got := c.call(t, "who")
		require.Equal(t, complaint("The socket directory "+file+" cannot be created: not a directory. "+
			"Set SKUA_SOCKET_DIR to a directory of your own."), got)
	})
}

func TestLongPath(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		c.run = filepath.Join(c.run, strings.Repeat("x", 100))
		got := c.call(t, "who", "--namespace", "n")
		require.Equal(t, 1, got.Code)
		require.Contains(t, got.Err, "/skua.socket is too long (")
		require.Contains(t, got.Err, " bytes, the systems take 103). Set SKUA_SOCKET_DIR to a shorter directory.")
	})
}

func TestHostMissing(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		installed := c.bin
		c.bin = t.TempDir()
		require.NoError(t, copyProgram(filepath.Join(installed, "skua"), filepath.Join(c.bin, "skua")))
		real, err := filepath.EvalSymlinks(c.bin)
		require.NoError(t, err)
		missing := complaint("The engine host is not running, and its program skuad is neither beside this one in " + real +
			"/ nor in PATH. Install both programs in one directory.")
		require.Equal(t, missing, c.call(t, "who"))

		// The working directory is not searched, even if PATH says so.
		c.dir = installed
		c.env = []string{"PATH=:.:"}
		require.Equal(t, missing, c.call(t, "who"))

		c.env = []string{"PATH=/nonexistent::" + installed}
		require.Equal(t, result{Out: "fine\n"}, c.call(t, "echo", "fine"))
	})
}

func TestHostDoesNotStart(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		c.env = []string{"SKUA_TEST_FAIL_START=No browser for you.\n"}
		require.Equal(t, complaint("No browser for you."), c.call(t, "who"))
		c.env = []string{"SKUA_TEST_FAIL_START=silent"}
		require.Equal(t, complaint("The host "+filepath.Join(c.bin, "skuad")+" ended while it was starting. See its log "+
			filepath.Join(c.run, hostdir.Log)+"."), c.call(t, "who"))
	})
}

func TestComplaintsAsJSON(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		want := `{"success":false,"data":null,"error":"a \"quoted\" \u0009 text","code":"host-unreachable","outcome":"none"}` + "\n"
		c.env = []string{"SKUA_TEST_FAIL_START=a \"quoted\" \t text"}
		require.Equal(t, result{Out: want, Code: 1}, c.call(t, "who", "--json"))
		c.env = append(c.env, "AGENT_BROWSER_JSON=1")
		require.Equal(t, result{Out: want, Code: 1}, c.call(t, "who"))
	})
}

// receive reads the request that a client sends, so far as it is of interest.
func receive(conn *net.UnixConn) *wire.Request {
	req, err := wire.ReadRequest(conn, nil)
	if err != nil {
		return &wire.Request{}
	}
	return req
}

func TestWhatAHostMayDo(t *testing.T) {
	const unknown = "The host ended without an answer: the command may or may not have run. Look at the page before " +
		"trying again."
	eachBuild(t, func(t *testing.T, c client) {
		for _, tc := range []struct {
			name  string
			reply []byte
			want  result
		}{
			{"says nothing", nil, complaint(unknown)},
			{
				"speaks something else", []byte("220 mail.example ESMTP\r\n"),
				complaint(
					"What listens on PATH is not a skua host. Remove that file, or set SKUA_SOCKET_DIR to another directory."),
			},
			{"ends within the output", wire.AppendFrame(nil, wire.Stdout, []byte("half")), result{
				Out: "half", Err: "✗ The host ended before the command was done; its output is not complete. " +
					"Look at the page before going on.\n", Code: 1,
			}},
			{"ends within a frame", []byte{byte(wire.Stdout), 9, 'x'}, result{
				Out: "x", Err: "✗ The host ended before the command was done; its output is not complete. " +
					"Look at the page before going on.\n", Code: 1,
			}},
			{"ends within a header", []byte{byte(wire.Exit)}, complaint("The host ended before the command was done; " +
				"its output is not complete. Look at the page before going on.")},
			{
				"an exit code of two bytes",
				[]byte{byte(wire.Exit), 2, 0, 0},
				complaint(
					"What listens on PATH is not a skua host. Remove that file, or set SKUA_SOCKET_DIR to another directory."),
			},
			{
				"answers another question", wire.AppendPong(nil, wire.Identity{}),
				complaint(
					"What listens on PATH is not a skua host. Remove that file, or set SKUA_SOCKET_DIR to another directory."),
			},
			{"refuses", wire.AppendFrame(nil, wire.Refused, []byte("Not today.")), complaint("Not today.")},
			{
				"refuses at length", wire.AppendFrame(nil, wire.Refused, []byte(strings.Repeat("x", 200<<10))),
				complaint(strings.Repeat("x", 200<<10)),
			},
			{"goes on after the end", append(wire.AppendExit(nil, 4), "more"...), result{Code: 4}},
			{
				"empty frames",
				append(wire.AppendFrame(wire.AppendFrame(nil, wire.Stdout, nil), wire.Stderr, nil), wire.AppendExit(nil, 0)...),
				result{},
			},
		} {
			t.Run(tc.name, func(t *testing.T) {
				c := newClient(t, c.bin)
				c.fakeHost(t, func(conn *net.UnixConn) bool {
					receive(conn)
					_, _ = conn.Write(tc.reply)
					return true
				})
				tc.want.Err = strings.ReplaceAll(tc.want.Err, "PATH", c.socketPath())
				require.Equal(t, tc.want, c.call(t, "who"))
				require.NoError(t, os.Remove(c.socketPath())) // the clean-up must not ask it
			})
		}
	})
}

// A reply may come in any pieces.
func TestReplyInPieces(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		reply := wire.AppendFrame(nil, wire.Stdout, []byte(strings.Repeat("x", 130)))
		reply = wire.AppendFrame(reply, wire.Stderr, []byte("y"))
		reply = wire.AppendExit(reply, 9)
		c.fakeHost(t, func(conn *net.UnixConn) bool {
			receive(conn)
			for i := range reply {
				if _, err := conn.Write(reply[i : i+1]); err != nil {
					t.Error(err)
				}
			}
			return true
		})
		require.Equal(t, result{Out: strings.Repeat("x", 130), Err: "y", Code: 9}, c.call(t, "who"))
		require.NoError(t, os.Remove(c.socketPath()))
	})
}

// A request that the host cannot have got whole is sent to another one, whether it was written whole or not.
func TestHostThatEndsWhileItIsAsked(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		for _, size := range []int{0, 4 << 20} {
			stopHost(t, c.run, "")
			c.fakeHost(t, func(conn *net.UnixConn) bool {
				_, _ = io.ReadFull(conn, make([]byte, 10))
				return false
			})
			c.in = strings.NewReader(strings.Repeat("x", size))
			require.Equal(t, result{Out: "stdin=true " + strconv.Itoa(size) + " bytes\n"}, c.call(t, "batch"))
		}
	})
}

// A host that dies before it accepts the connection has not got the request.
func TestHostThatEndsBeforeItIsAsked(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: c.socketPath(), Net: "unix"})
		require.NoError(t, err)
		cmd := c.command(t, "echo", "fine")
		var out strings.Builder
		cmd.Stdout = &out
		require.NoError(t, cmd.Start())
		awaitConnection(t, ln)
		require.NoError(t, ln.Close())
		require.NoError(t, cmd.Wait())
		require.Equal(t, "fine\n", out.String())
	})
}

// awaitConnection waits until a client has connected, without accepting it.
func awaitConnection(t *testing.T, ln *net.UnixListener) {
	t.Helper()
	raw, err := ln.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) {
		_, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 30_000)
	}))
	require.NoError(t, err)
}

// What refuses every request is not asked for ever.
func TestHostThatNeverListens(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		c.fakeHost(t, func(conn *net.UnixConn) bool {
			_, _ = io.ReadFull(conn, make([]byte, 10))
			return true
		})
		c.in = strings.NewReader(strings.Repeat("x", 4<<20))
		require.Equal(t,
			complaint("The host behind "+c.socketPath()+" closes every connection. End its process and try again."),
			c.call(t, "batch"))
		require.NoError(t, os.Remove(c.socketPath()))
	})
}

// A client that is sent away by an ending host goes to the next one.
func TestHostThatIsEnding(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		c.fakeHost(t, func(conn *net.UnixConn) bool {
			receive(conn)
			require.NoError(t, os.Remove(c.socketPath()))
			_, _ = conn.Write(wire.AppendFrame(nil, wire.Retry, nil))
			return false
		})
		got := c.call(t, "who")
		require.NotZero(t, hostPID(t, got))
	})
}

func TestNewerAndOlderBuilds(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		installed := c.bin
		c.bin = t.TempDir()
		for _, program := range []string{"skua", "skuad"} {
			require.NoError(t, copyProgram(filepath.Join(installed, program), filepath.Join(c.bin, program)))
		}
		host := filepath.Join(c.bin, "skuad")
		built := time.Now().Add(-time.Hour).Truncate(time.Second)
		stamp := func(at time.Time) { require.NoError(t, os.Chtimes(host, at, at)) }
		stamp(built)
		first := hostPID(t, c.call(t, "who"))
		require.Equal(t, first, hostPID(t, c.call(t, "who")))

		stamp(built.Add(-time.Minute)) // an older client
		require.Equal(t, first, hostPID(t, c.call(t, "who")))

		stamp(built.Add(time.Nanosecond)) // a newer one
		got := c.call(t, "who")
		second := hostPID(t, got)
		require.NotEqual(t, first, second)

		got = c.call(t, "who")
		require.Equal(t, second, hostPID(t, got))

		require.NoError(t, os.Remove(host)) // a client without a host program uses the one that runs
		require.Equal(t, second, hostPID(t, c.call(t, "who")))
	})
}

// A reader of a pipe that the client inherited gets EOF when the client ends, even though the host runs on.
func TestHostInheritsNothing(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		defer r.Close()
		cmd := c.command(t, "who")
		cmd.ExtraFiles = []*os.File{nil, w}
		cmd.Stdout, cmd.Stderr = w, w
		require.NoError(t, cmd.Run())
		require.NoError(t, w.Close())
		out, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Contains(t, string(out), "pid=")
	})
}

// The host goes on when the terminal that it was started from is gone, and ends in order when it is told to.
func TestHostIsDetached(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		pid := hostProcess(t, c.call(t, "who"))
		own, err := syscall.Getpgid(os.Getpid())
		require.NoError(t, err)
		group, err := syscall.Getpgid(pid)
		require.NoError(t, err)
		require.Equal(t, pid, group)
		require.NotEqual(t, own, group)
		running := c.command(t, "hang")
		out, err := running.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, running.Start())
		_, err = io.ReadFull(out, make([]byte, len("hanging\n")))
		require.NoError(t, err)
		require.NoError(t, syscall.Kill(pid, syscall.SIGTERM))
		require.Error(t, running.Wait()) // it was canceled, so that the host is ending now
		require.Equal(t, 1, running.ProcessState.ExitCode())
		next := hostProcess(t, c.call(t, "who")) // waits for the other one, whether it finds it ending or gone
		require.NotEqual(t, pid, next)
		log, err := os.ReadFile(filepath.Join(c.run, hostdir.Log))
		require.NoError(t, err)
		require.Contains(t, string(log), "host ended")
	})
}

// A host that is stopped takes connections, as far as the system sees to that, and no client waits for it for ever.
func TestFrozenHost(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: c.socketPath(), Net: "unix"})
		require.NoError(t, err)
		defer func() { _ = l.Close() }()
		began := time.Now()
		got := c.call(t, "echo", "fine")
		require.Equal(t, 1, got.Code)
		require.Contains(t, got.Err,
			"✗ The host behind "+c.socketPath()+" takes connections and does not answer: its process is stopped or hangs. "+
				"The command may or may not have run.")
		require.Greater(t, time.Since(began), aliveLimit*time.Second, "one that is only slow has its chance")
	})
}

// What a command takes is its own affair, as long as the host is there.
func TestLongSilence(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		began := time.Now()
		require.Equal(t, result{Out: "fine\n"}, c.call(t, "late", strconv.Itoa(2*quietLimit+2), "fine"))
		require.Greater(t, time.Since(began), 2*quietLimit*time.Second)
	})
}
