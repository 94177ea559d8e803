//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// builds are the ways in which the client is linked: each behaves the same. The value is the directory with the two
// programs.
var builds = map[string]string{}

// runTests builds the clients, runs the tests and removes the clients.
func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sk")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	flags := map[string]string{"from main": "-s -w"}
	if runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") {
		flags["before the runtime"] = "-s -w -E main.entry"
	}
	for name, ldflags := range flags {
		builds[name] = filepath.Join(dir, fmt.Sprint(len(builds)))
		if err := install(builds[name], ldflags); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}

// install builds the client into dir and puts the test binary beside it as the host.
func install(dir, ldflags string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags", ldflags, "-o", filepath.Join(dir, "skua"), ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	return copyProgram(own, filepath.Join(dir, hostProgram))
}

// copyProgram copies with another process: as long as this one had the copy open for writing, so would every process
// that a parallel test starts just then, and the copy could not be run.
func copyProgram(from, to string) error {
	if out, err := exec.Command("cp", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("cp: %w\n%s", err, out)
	}
	return nil
}

// client is an installed client and the directory of its hosts.
type client struct {
	bin string   // where its programs are
	run string   // SKUA_SOCKET_DIR
	dir string   // the working directory
	env []string // besides HOME, PATH and SKUA_SOCKET_DIR
	arg string   // the name that it is called by
	in  io.Reader
}

// eachBuild runs a test with every build of the client, each with a directory for hosts of its own.
func eachBuild(t *testing.T, test func(t *testing.T, c client)) {
	t.Helper()
	t.Parallel()
	for name, bin := range builds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newClient(t, bin))
		})
	}
}

func newClient(t *testing.T, bin string) client {
	t.Helper()
	c := client{bin: bin, run: shortDir(t), dir: t.TempDir(), arg: "skua"}
	t.Cleanup(func() { stopHost(t, c.run, "") })
	return c
}

// stopHost ends a host, if there is one, and waits for its end.
func stopHost(t *testing.T, base, namespace string) {
	if _, err := daemon.StopHost(context.Background(), base, namespace); err != nil {
		t.Logf("the host was not stopped: %v", err)
	}
}

// shortDir makes a directory whose sockets have paths that every system takes, which those of t.TempDir may not be.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sk")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// result is what a caller of the client sees.
type result struct {
	Out, Err string
	Code     int
}

// command prepares a call.
func (c client) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, "skua"), args...)
	cmd.Args[0] = c.arg
	cmd.Dir = c.dir
	cmd.Stdin = c.in
	cmd.Env = append([]string{"HOME=/nonexistent", "PATH=/nonexistent", "SKUA_SOCKET_DIR=" + c.run}, c.env...)
	return cmd
}

func (c client) call(t *testing.T, args ...string) result {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd := c.command(t, args...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return result{out.String(), errOut.String(), cmd.ProcessState.ExitCode()}
}

// socketPath is where the client connects to.
func (c client) socketPath() string { return filepath.Join(c.run, hostdir.Socket) }

// fakeHost listens in the host's place. It serves until the test ends or serve returns false.
func (c client) fakeHost(t *testing.T, serve func(conn *net.UnixConn) bool) {
	t.Helper()
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: c.socketPath(), Net: "unix"})
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := ln.AcceptUnix()
			if err != nil {
				return
			}
			goOn := serve(conn)
			if !goOn {
				_ = ln.Close() // which removes the socket
			}
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = ln.Close()
		<-done
	})
}
