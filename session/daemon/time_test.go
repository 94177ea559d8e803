package daemon

import (
	"context"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/wire"
)

func discardLog() *slog.Logger { return slog.New(slog.DiscardHandler) }

// timed runs a daemon under a clock of its own and returns how long it served.
func timed(t *testing.T, h Handler, o Options, client func(ln *memorySocket)) time.Duration {
	t.Helper()
	o.Log = discardLog()
	ln := newMemorySocket()
	d := newDaemon(h, o, "")
	begin := time.Now()
	var wg sync.WaitGroup
	if client != nil {
		wg.Go(func() { client(ln) })
	}
	d.serve(context.Background(), ln)
	took := time.Since(begin)
	d.finish()
	wg.Wait()
	return took
}

// always is an idle timeout that does not change.
func always(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

// sleeper runs for as long as its argument says.
var sleeper = handlerFunc(func(_ context.Context, req *wire.Request, out, _ io.Writer) int {
	d, _ := time.ParseDuration(req.Args[0])
	time.Sleep(d)
	_, _ = io.WriteString(out, "slept")
	return 0
})

func TestIdleEnd(t *testing.T) {
	t.Parallel()
	const period = time.Hour
	for _, tc := range []struct {
		name   string
		busy   time.Duration // there is work besides requests for so long
		client func(t *testing.T, ln *memorySocket)
		want   time.Duration
	}{
		{"nothing happens", 0, nil, period},
		{"a request in the middle", 0, func(t *testing.T, ln *memorySocket) {
			time.Sleep(period / 2)
			sleepOn(t, ln, "1m")
		}, period/2 + time.Minute + period},
		{"a request that takes longer than the period", 0, func(t *testing.T, ln *memorySocket) {
			sleepOn(t, ln, "3h")
		}, 3*time.Hour + period},
		{"requests that overlap", 0, func(t *testing.T, ln *memorySocket) {
			var wg sync.WaitGroup
			wg.Go(func() { sleepOn(t, ln, "90m") })
			time.Sleep(time.Minute)
			sleepOn(t, ln, "1m")
			wg.Wait()
		}, 90*time.Minute + period},
		{"a question who it is does not count", 0, func(t *testing.T, ln *memorySocket) {
			time.Sleep(period / 2)
			c, err := ln.dial()
			require.NoError(t, err)
			require.Equal(t, wire.Pong, ask(t, c, wire.Request{Kind: wire.Ping}).Last)
		}, period},
		{"work without requests", 150 * time.Minute, nil, 3 * period},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				var client func(*memorySocket)
				if tc.client != nil {
					client = func(ln *memorySocket) { tc.client(t, ln) }
				}
				got := timed(t, sleeper, Options{
					IdleTimeout: always(period),
					Busy:        func() bool { return time.Since(begin) < tc.busy },
				}, client)
				require.Equal(t, tc.want, got)
			})
		})
	}
}

func sleepOn(t *testing.T, ln *memorySocket, how string) {
	t.Helper()
	c, err := ln.dial()
	require.NoError(t, err)
	_, err = c.Write((&wire.Request{Kind: wire.Run, Args: []string{how}}).Append(nil))
	require.NoError(t, err)
	f := frameReader{c: c}
	_, payload, err := f.next()
	require.NoError(t, err)
	require.Equal(t, "slept", payload)
	_, _, err = f.next()
	require.NoError(t, err)
}

// A request that a host had no time for any more is sent to the next one.
func TestIdleTimerTurnsAwayAfterTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Int32
		idle := newIdleTimer(always(time.Second), nil, nil, func() { ended.Add(1) })
		require.True(t, idle.begin())
		time.Sleep(time.Minute)
		idle.end()
		time.Sleep(999 * time.Millisecond)
		synctest.Wait()
		require.Zero(t, ended.Load())
		time.Sleep(time.Millisecond)
		synctest.Wait()
		require.Equal(t, int32(1), ended.Load())
		require.False(t, idle.begin())

		never := newIdleTimer(always(0), nil, nil, func() { ended.Add(1) })
		require.True(t, never.begin())
		never.end()
		time.Sleep(1000 * time.Hour)
		require.Equal(t, int32(1), ended.Load())
		never.stop()
		require.False(t, never.begin())
	})
}

// A handler that does not listen to its context delays the end, and does not prevent it.
func TestEndLeavesStuckRequestsBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		running, free := make(chan struct{}), make(chan struct{})
		stuck := handlerFunc(func(context.Context, *wire.Request, io.Writer, io.Writer) int {
			close(running)
			<-free
			return 0
		})
		closed := false
		got := timed(t, stuck, Options{Close: func(context.Context) { closed = true }}, func(ln *memorySocket) {
			c, err := ln.dial()
			require.NoError(t, err)
			_, err = c.Write((&wire.Request{Kind: wire.Run}).Append(nil))
			require.NoError(t, err)
			<-running
			stop, err := ln.dial()
			require.NoError(t, err)
			require.Equal(t, exitWith(0, ""), ask(t, stop, wire.Request{Kind: wire.Shutdown}))
		})
		require.Equal(t, requestGrace+cutGrace, got)
		require.True(t, closed)
		close(free)
	})
}

// countingConn counts writes.
type countingConn struct {
	net.Conn
	writes atomic.Int32
}

func (c *countingConn) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return len(p), nil
}

func TestReplyIsOneWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &countingConn{}
		r := newReply(c)
		for range 100 {
			_, err := io.WriteString(stream{r, wire.Stdout}, "line\n")
			require.NoError(t, err)
			_, err = io.WriteString(stream{r, wire.Stderr}, "line\n")
			require.NoError(t, err)
		}
		r.finish(wire.AppendExit(nil, 0))
		require.Equal(t, int32(1), c.writes.Load())
		_, err := io.WriteString(stream{r, wire.Stdout}, "too late")
		require.ErrorIs(t, err, net.ErrClosed)
	})
}

func TestReplyStreamsWhatTakesLonger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &countingConn{}
		r := newReply(c)
		out := stream{r, wire.Stdout}
		_, _ = io.WriteString(out, "zero")
		time.Sleep(time.Hour)
		require.Zero(t, c.writes.Load()) // it is not known yet that it takes longer
		r.stream()
		_, _ = io.WriteString(out, "one")
		time.Sleep(replyDelay - time.Nanosecond)
		_, _ = io.WriteString(out, "two")
		synctest.Wait()
		require.Zero(t, c.writes.Load())
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.Equal(t, int32(1), c.writes.Load()) // both, when the first has waited long enough
		_, _ = io.WriteString(out, "three")
		time.Sleep(replyDelay)
		synctest.Wait()
		require.Equal(t, int32(2), c.writes.Load())
		_, _ = io.WriteString(out, strings.Repeat("x", replyChunk))
		synctest.Wait()
		require.Equal(t, int32(3), c.writes.Load()) // at once
		r.finish(wire.AppendExit(nil, 0))
		require.Equal(t, int32(4), c.writes.Load())
	})
}

// A handler that prints without end for a client that does not read is held up, and let go when the client is gone.
func TestReplyIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, host := net.Pipe()
		defer client.Close()
		r := newReply(host)
		out := stream{r, wire.Stdout}
		var written atomic.Int64
		var wg sync.WaitGroup
		wg.Go(func() {
			chunk := make([]byte, 8<<20)
			for {
				n, err := out.Write(chunk)
				if err != nil {
					return
				}
				written.Add(int64(n))
			}
		})
		synctest.Wait()
		held := int(written.Load())
		require.GreaterOrEqual(t, held, replyPending)
		require.LessOrEqual(t, held, replyPending+8<<20)
		r.abandon(errClientGone)
		wg.Wait()
		require.Equal(t, held, int(written.Load()))
		_ = host.Close()
		r.finish(wire.AppendExit(nil, 0))
	})
}

// A host that is not in use ends soon, whatever its idle timeout is; what it is needed for may end without a request.
func TestSpareHostEnds(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		period time.Duration
		needed func(since time.Duration) bool
		change time.Duration // when it is said that needed may have another answer; 0: never
		client func(t *testing.T, ln *memorySocket)
		want   time.Duration
	}{
		{"never needed", time.Hour, func(time.Duration) bool { return false }, 0, nil, unneededGrace},
		{"never needed, and no idle timeout", 0, func(time.Duration) bool { return false }, 0, nil, unneededGrace},
		{"an idle timeout that is shorter", time.Second, func(time.Duration) bool { return false }, 0, nil, time.Second},
		{"a request", time.Hour, func(time.Duration) bool { return false }, 0, func(t *testing.T, ln *memorySocket) {
			time.Sleep(time.Second)
			sleepOn(t, ln, "10m")
		}, time.Second + 10*time.Minute + unneededGrace},
		{"needed", time.Hour, func(time.Duration) bool { return true }, 0, nil, time.Hour},
		{"needed for a while", time.Hour, func(d time.Duration) bool {
			return d < 10*time.Minute
		}, 10 * time.Minute, nil, 10*time.Minute + unneededGrace},
		{"needed for a while, without an idle timeout", 0, func(d time.Duration) bool {
			return d < 10*time.Minute
		}, 10 * time.Minute, nil, 10*time.Minute + unneededGrace},
		{"a change after which it is needed still", time.Hour, func(time.Duration) bool {
			return true
		}, 10 * time.Minute, nil, time.Hour},
		{"a client that has not sent its request", time.Hour, func(time.Duration) bool {
			return false
		}, 0, func(t *testing.T, ln *memorySocket) {
			c, err := ln.dial()
			require.NoError(t, err)
			time.Sleep(10 * time.Second)
			require.Equal(t, exitWith(0, "slept"), ask(t, c, wire.Request{Kind: wire.Run, Args: []string{"1s"}}))
		}, 11*time.Second + unneededGrace},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				var client func(*memorySocket)
				if tc.client != nil {
					client = func(ln *memorySocket) { tc.client(t, ln) }
				}
				got := timed(t, sleeper, Options{
					IdleTimeout: always(tc.period),
					InUse:       func() bool { return tc.needed(time.Since(begin)) },
					OnChange: func(fn func()) func() {
						if tc.change > 0 {
							time.AfterFunc(tc.change, fn)
						}
						return func() {}
					},
				}, client)
				require.Equal(t, tc.want, got)
			})
		})
	}
}
