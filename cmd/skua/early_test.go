//go:build linux && (amd64 || arm64)

package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/skua-browser/skua/internal/testterminal"
	"github.com/skua-browser/skua/session/wire"
)

// What runs before the Go runtime has no heap: a single allocation there would end the process. The trip is made here
// as earlyMain makes it, with everything that can come in an ordinary one.
func TestNoAllocation(t *testing.T) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	host := os.NewFile(uintptr(fds[1]), "host")
	defer host.Close()
	defer socket(fds[0]).close()

	args := []string{"--session", "s", "fill", "@e1", "text", "--namespace", "n", "--json", "batch", "--stdin"}
	env := []string{
		"HOME=/home/user", "PATH=/usr/local/bin:/usr/bin::relative:" + strings.Repeat("x", 200),
		"SKUA_SOCKET_DIR=relative/dir",
		"AGENT_BROWSER_SESSION=s", "SECRET=s", "HTTP_PROXY=http://proxy", "XDG_RUNTIME_DIR=/run/user/0",
	}
	reply := wire.AppendFrame(nil, wire.Stdout, nil)
	reply = wire.AppendFrame(reply, wire.Stderr, nil)
	reply = wire.AppendExit(reply, 7)
	e := &early
	l := &connection{sock: socket(fds[0]), buf: e.reply[:]}
	in := make([]byte, earlyRequest)
	nowhere := []byte("/nonexistent/skua.socket\x00")

	allocs := testing.AllocsPerRun(100, func() {
		tr := &e.call
		*tr = call{}
		p := tr.prepare("/usr/bin/agent-browser", args, env,
			buffers{socket: e.socket[:0], skuad: e.skuad[:0], cwd: e.cwd[:0], env: e.sent[:0]})
		if p != noProblem || !tr.stdin || tr.namespace != "n" || len(tr.req.Env) != 6 {
			t.Fatal("not prepared as expected")
		}
		if _, _, errno := dial(nowhere); errno != syscall.ENOENT {
			t.Fatal(errno)
		}
		if !l.send(tr.req.Append(e.request[:0])) {
			t.Fatal("not sent")
		}
		if n, _ := readFD(fds[1], in); n != tr.req.Size() {
			t.Fatal("not received")
		}
		if n, ok := socket(fds[1]).write(reply); !ok || n != len(reply) {
			t.Fatal("not answered")
		}
		if how, _, payload := l.receive(); how != exited || payload[0] != 7 {
			t.Fatal("not understood")
		}
		l.r, l.w = 0, 0
		if !writeOutput(wire.Stdout, nil) {
			t.Fatal("not printed")
		}
	})
	require.Zero(t, allocs)
}

// The kernel's stack, as the client finds it.
func TestCString(t *testing.T) {
	t.Parallel()
	first, second := []byte("ab\x00"), []byte{0}
	words := [3]*byte{&first[0], &second[0], nil}
	require.Equal(t, "ab", cString(unsafe.Pointer(&words), 0))
	require.Empty(t, cString(unsafe.Pointer(&words), 1))
}

// The client tells which of its streams are terminals.
func TestTerminals(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		require.Equal(t, result{Out: "0\n"}, c.call(t, "tty"))
		terminal := openTerminal(t)
		c.in = terminal
		require.Equal(t, result{Out: strconv.Itoa(int(wire.StdinTTY)) + "\n"}, c.call(t, "tty"))
		// Nothing is read from it.
		require.Equal(t, result{Out: "stdin=false 0 bytes\n"}, c.call(t, "batch"))

		cmd := c.command(t, "exit", "0")
		cmd.Stdout, cmd.Stderr = terminal, terminal
		require.NoError(t, cmd.Run())
	})
}

// openTerminal opens a pseudo-terminal and returns the side that programs use.
func openTerminal(t *testing.T) *os.File {
	t.Helper()
	_, side := testterminal.New(t)
	return side
}
