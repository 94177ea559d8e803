package daemon

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

func TestDaemonAnswers(t *testing.T) {
	t.Parallel()
	host := startTestHost(t, handlerFunc(func(_ context.Context, req *wire.Request, out, errOut io.Writer) int {
		_, _ = io.WriteString(out, req.Cwd+" "+req.Getenv("HOME")+" "+string(req.Stdin)+"\n")
		_, _ = io.WriteString(errOut, "warning\n")
		_, _ = io.WriteString(out, "more\n")
		return 3
	}), nil)
	got := ask(t, host.dial(t), wire.Request{
		Kind: wire.Run, Cwd: "/here", Env: []string{"HOME=/home/me"}, HasStdin: true, Stdin: []byte("input"),
	})
	require.Equal(t, answer{Out: "/here /home/me input\nmore\n", Err: "warning\n", Last: wire.Exit, Payload: "\x03"}, got)
}

func TestDaemonTakesLargeRequestsAndReplies(t *testing.T) {
	t.Parallel()
	host := startTestHost(t, handlerFunc(func(_ context.Context, req *wire.Request, out, _ io.Writer) int {
		_, _ = out.Write(req.Stdin)
		return 0
	}), nil)
	in := strings.Repeat("0123456789", 1<<20)
	got := ask(t, host.dial(t), wire.Request{Kind: wire.Run, HasStdin: true, Stdin: []byte(in)})
	require.Equal(t, len(in), len(got.Out))
	require.True(t, in == got.Out)
}

func TestDaemonExitCodesStayInRange(t *testing.T) {
	t.Parallel()
	host := startTestHost(t, handlerFunc(func(_ context.Context, req *wire.Request, _, _ io.Writer) int {
		code, _ := strconv.Atoi(req.Args[0])
		return code
	}), nil)
	for code, want := range map[string]byte{"0": 0, "1": 1, "255": 255, "256": 1, "-1": 1} {
		require.Equal(t, exitWith(want, ""), host.run(t, code), code)
	}
}

// Requests do not wait for each other.
func TestDaemonRunsRequestsTogether(t *testing.T) {
	t.Parallel()
	const clients = 20
	var all sync.WaitGroup
	all.Add(clients)
	host := startTestHost(t, handlerFunc(func(_ context.Context, req *wire.Request, out, _ io.Writer) int {
		all.Done()
		all.Wait()
		_, _ = io.WriteString(out, req.Args[0])
		return 0
	}), nil)
	var wg sync.WaitGroup
	for i := range clients {
		c := host.dial(t)
		wg.Go(func() {
			name := strings.Repeat("x", i)
			got := ask(t, c, wire.Request{Kind: wire.Run, Args: []string{name}})
			if got != exitWith(0, name) {
				t.Errorf("client %d got %+v", i, got)
			}
		})
	}
	wg.Wait()
}

func TestDaemonCancelsWhenTheClientGoes(t *testing.T) {
	t.Parallel()
	cause := make(chan error, 1)
	host := startTestHost(t, handlerFunc(func(ctx context.Context, _ *wire.Request, out, _ io.Writer) int {
		_, _ = io.WriteString(out, "running")
		<-ctx.Done()
		_, err := io.WriteString(out, "too late")
		cause <- errors.Join(context.Cause(ctx), err)
		return 0
	}), nil)
	c := host.dial(t)
	_, err := c.Write((&wire.Request{Kind: wire.Run}).Append(nil))
	require.NoError(t, err)
	f := frameReader{c: c}
	_, payload, err := f.next()
	require.NoError(t, err)
	require.Equal(t, "running", payload)
	require.NoError(t, c.Close())
	require.ErrorIs(t, <-cause, errClientGone)
}

func TestDaemonSurvivesAPanic(t *testing.T) {
	t.Parallel()
	host := startTestHost(t, handlerFunc(func(_ context.Context, req *wire.Request, out, _ io.Writer) int {
		if req.Args[0] == "boom" {
			panic("no such luck")
		}
		return 0
	}), nil)
	got := host.run(t, "boom")
	require.Equal(t, answer{
		Err:  "✗ Skua hit a bug of its own: no such luck. The host's log has the details.\n",
		Last: wire.Exit, Payload: "\x01",
	}, got)
	got = host.run(t, "boom", "--json")
	require.JSONEq(t, `{"success":false,"data":null,"code":"internal",
		"error":"Skua hit a bug of its own: no such luck. The host's log has the details."}`, got.Out)
	require.Equal(t, exitWith(0, ""), host.run(t, "fine"))
}

func TestDaemonRefusesGarbage(t *testing.T) {
	t.Parallel()
	host := startTestHost(t, echo, nil)
	for _, tc := range []struct{ name, input, says string }{
		{"HTTP", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "not a request of a skua client"},
		{"upstream's JSON", `{"id":"1","action":"close"}` + "\n", "not a request of a skua client"},
		{"zeros", strings.Repeat("\x00", 100_000), "not a request of a skua client"},
		{"more than 64 MiB", "skua\xff\xff\xff\xff\x7f", "larger than 64 MiB"},
		{"another version", "skua\x05\x63\x01\x00\x00\x01", "version 99"},
		{"another kind", string((&wire.Request{Kind: 77}).Append(nil)), "kind 77"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := host.dial(t)
			_, _ = c.Write([]byte(tc.input)) // may fail: the host does not have to read it all
			got := readAnswer(t, c)
			require.Equal(t, wire.Refused, got.Last)
			require.Contains(t, got.Payload, tc.says)
			require.Equal(t, exitWith(0, "fine"), host.run(t, "fine"))
		})
	}
}

func TestDaemonWantsItsToken(t *testing.T) {
	t.Parallel()
	ln := newMemorySocket()
	d := newDaemon(echo, Options{Log: discardLog()}, "the token")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.serve(ctx, ln)
		d.finish()
	}()
	for token, want := range map[string]wire.FrameKind{"the token": wire.Exit, "": wire.Refused, "a guess": wire.Refused} {
		c, err := ln.dial()
		require.NoError(t, err)
		require.Equal(t, want, ask(t, c, wire.Request{Kind: wire.Run, Token: token}).Last, token)
	}
	cancel()
	<-done
}

// A client that is stopped, or whose pager is, does not keep the handler.
func TestDaemonDoesNotWaitForSlowClients(t *testing.T) {
	t.Parallel()
	returned := make(chan struct{})
	host := startTestHost(t, handlerFunc(func(_ context.Context, _ *wire.Request, out, _ io.Writer) int {
		defer close(returned)
		for range 1000 {
			if _, err := out.Write(make([]byte, 16<<10)); err != nil {
				return 1
			}
		}
		return 0
	}), nil)
	c := host.dial(t)
	_, err := c.Write((&wire.Request{Kind: wire.Run}).Append(nil))
	require.NoError(t, err)
	<-returned
	require.Len(t, readAnswer(t, c).Out, 1000*16<<10)
}

func TestDaemonIsReplacedByANewerBuildOnly(t *testing.T) {
	t.Parallel()
	own := wire.Stamp{MTime: 1000, Size: 10}
	var closed atomic.Bool
	host := startTestHost(t, echo, func(o *Options) {
		o.Stamp = own
		o.Close = func(context.Context) { closed.Store(true) }
	})
	for _, s := range []wire.Stamp{{}, own, {MTime: 999, Size: 10}, {MTime: 1000, Size: 11}} {
		got := ask(t, host.dial(t), wire.Request{Kind: wire.Run, Stamp: s, Args: []string{"ran"}})
		require.Equal(t, exitWith(0, "ran"), got, "%v", s)
	}
	got := ask(t, host.dial(t), wire.Request{Kind: wire.Run, Stamp: wire.Stamp{MTime: 1001}, Args: []string{"ran"}})
	require.Equal(t, wire.Retry, got.Last)
	require.Empty(t, got.Out)
	// The answer came when the old host could not be found any more.
	require.NoFileExists(t, filepath.Join(host.base, hostdir.Socket))
	<-host.done
	require.NoError(t, host.err)
	require.True(t, closed.Load())
}

// A client whose protocol is newer replaces the host too; one whose protocol is older is told so.
func TestDaemonAndOtherVersions(t *testing.T) {
	t.Parallel()
	host := startTestHost(t, echo, func(o *Options) { o.Stamp = wire.Stamp{MTime: 100} })
	send := func(mtime byte) answer {
		c := host.dial(t)
		_, err := c.Write([]byte("skua\x05\x63\x01" + string([]byte{mtime}) + "\x05\x01"))
		require.NoError(t, err)
		return readAnswer(t, c)
	}
	got := send(99)
	require.Equal(t, wire.Refused, got.Last)
	require.Contains(t, got.Payload, "Use the client that was installed with the host.")
	require.Equal(t, wire.Retry, send(101).Last)
	<-host.done
}

// The end tells running requests to stop, lets them answer, and closes the sessions before the next host may start.
func TestDaemonEndsInOrder(t *testing.T) {
	t.Parallel()
	running := make(chan struct{})
	var order []string
	host := startTestHost(t, handlerFunc(func(ctx context.Context, _ *wire.Request, out, _ io.Writer) int {
		close(running)
		<-ctx.Done()
		_, _ = io.WriteString(out, context.Cause(ctx).Error())
		order = append(order, "request")
		return 1
	}), func(o *Options) {
		o.Close = func(context.Context) { order = append(order, "close") }
	})
	busy := host.dial(t)
	_, err := busy.Write((&wire.Request{Kind: wire.Run}).Append(nil))
	require.NoError(t, err)
	<-running
	stopped, err := StopHost(t.Context(), host.base, "")
	require.NoError(t, err)
	require.True(t, stopped)
	require.Equal(t, []string{"request", "close"}, order)
	require.Equal(t, exitWith(1, hostEnded(errStopped).Error()), readAnswer(t, busy))
	<-host.done
	require.NoError(t, host.err)
	require.NoFileExists(t, filepath.Join(host.base, hostdir.Socket))

	stopped, err = StopHost(t.Context(), host.base, "")
	require.NoError(t, err)
	require.False(t, stopped)
}

func TestFindHost(t *testing.T) {
	t.Parallel()
	stamp := wire.Stamp{MTime: 5, Size: 6}
	host := startTestHost(t, echo, func(o *Options) { o.Stamp, o.Namespace = stamp, "n" })
	id, err := FindHost(t.Context(), host.base, "n")
	require.NoError(t, err)
	require.Equal(t, wire.Identity{PID: os.Getpid(), Stamp: stamp}, id)
	id, err = FindHost(t.Context(), host.base, "")
	require.NoError(t, err)
	require.Zero(t, id)
	_, err = FindHost(t.Context(), host.base, "../n")
	require.True(t, fault.Is(err, fault.Usage), "%v", err)
}

// Connections that are not accepted yet get an answer when the host ends, instead of a reset.
func TestWithdrawHandsOverWaitingClients(t *testing.T) {
	t.Parallel()
	dir := shortDir(t)
	ln, err := listen(dir)
	require.NoError(t, err)
	defer ln.Close()
	const clients = 3
	for range clients {
		c, _, err := dialHost(t.Context(), filepath.Join(dir, hostdir.Socket))
		require.NoError(t, err)
		defer c.Close()
	}
	var got []net.Conn
	ln.withdraw(func(c net.Conn) { got = append(got, c) })
	require.Len(t, got, clients)
	for _, c := range got {
		_, err := ln.greet(c, nil)
		require.NoError(t, err)
		require.NoError(t, c.Close())
	}
	require.NoFileExists(t, filepath.Join(dir, hostdir.Socket))
}

// The socket's name now belongs to another process.
func TestDaemonRemovesOnlyItsOwnSocket(t *testing.T) {
	t.Parallel()
	host := startTestHost(t, echo, nil)
	path := filepath.Join(host.base, hostdir.Socket)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.WriteFile(path, []byte("other"), 0o600))
	host.end()
	<-host.done
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "other", string(b))
}

func TestDaemonPrivacy(t *testing.T) {
	t.Parallel()
	base := filepath.Join(shortDir(t), "a", "b")
	host := startTestHost(t, echo, func(o *Options) { o.Dir, o.Namespace = base, "n" })
	dir := filepath.Join(host.base, "namespaces", "n")
	for _, path := range []string{filepath.Dir(base), base, dir} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), info.Mode().Perm(), path)
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, f := range files {
		info, err := f.Info()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), f.Name())
	}
}

// The host goes on to listen while a client is slow with its request, and drops it in the end.
func TestDaemonEndsWithSilentClients(t *testing.T) {
	t.Parallel()
	host := startTestHost(t, echo, nil)
	c := host.dial(t)
	_, err := c.Write([]byte("skua"))
	require.NoError(t, err)
	require.Equal(t, exitWith(0, "fine"), host.run(t, "fine"))
	host.end()
	<-host.done
}
