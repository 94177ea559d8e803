package turn

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// One command works in a session at a time: the next one waits for its end, and no longer than its own deadline.
func TestQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue()
		leave, err := q.Enter(t.Context(), "click @e1", "")
		require.NoError(t, err)
		require.True(t, q.Busy())

		ctx, cancel := context.WithTimeoutCause(t.Context(), 3*time.Second,
			fault.New(fault.Timeout, "the command's time is over"))
		defer cancel()
		_, err = q.Enter(ctx, "get title", "")
		require.Equal(t, fault.Timeout, fault.CodeOf(err))
		require.ErrorContains(t, err, "timed out behind `click @e1`, which has been running in this session for 3s")

		entered := make(chan func())
		go func() {
			next, err := q.Enter(t.Context(), "get url", "")
			if err == nil {
				entered <- next
			}
		}()
		synctest.Wait()
		select {
		case <-entered:
			require.Fail(t, "the second command did not wait for the first")
		default:
		}
		leave()
		(<-entered)()
		require.False(t, q.Busy())
	})
}

// enters starts commands that note when their turn comes, and returns how they leave.
func enters(t *testing.T, q *Queue, what, lane string) (entered func() bool, leave func()) {
	t.Helper()
	turn := make(chan func(), 1)
	go func() {
		end, err := q.Enter(t.Context(), what, lane)
		if err == nil {
			turn <- end
		}
	}()
	synctest.Wait()
	return func() bool { synctest.Wait(); return len(turn) > 0 }, func() { (<-turn)(); synctest.Wait() }
}

// Commands of different tabs run beside each other, and never two in one tab. What concerns the whole session runs
// alone, and no other overtakes it.
func TestQueueHasALaneForEachTab(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue()
		began := time.Now()
		wait1, leaveWait1 := enters(t, q, "wait", "t1")
		title4, leaveTitle4 := enters(t, q, "get title", "t4")
		click1, leaveClick1 := enters(t, q, "click", "t1")
		require.True(t, wait1())
		require.True(t, title4(), "another tab does not wait")
		require.False(t, click1(), "the same tab does")
		require.True(t, q.At("t1", began))
		cookies, leaveCookies := enters(t, q, "cookies get", "")
		late4, leaveLate4 := enters(t, q, "get url", "t4")
		time.Sleep(time.Second)
		leaveTitle4()
		require.False(t, cookies(), "t1 is at work")
		require.False(t, late4(), "it came behind a command of the whole session")
		require.True(t, q.At("t4", began), "it has run there beside the one that runs still")
		require.False(t, q.At("t4", time.Now().Add(time.Millisecond)))
		leaveWait1()
		require.True(t, click1(), "first come, first served")
		require.False(t, cookies())
		leaveClick1()
		require.True(t, cookies())
		require.False(t, late4())
		leaveCookies()
		require.True(t, late4())
		leaveLate4()
		require.False(t, q.Busy())
		require.False(t, q.At("t4", time.Now().Add(time.Second)))
	})
}

// Who gives up waiting does not hold up those behind it, and is told what it waited for.
func TestQueueGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue()
		_, leave := enters(t, q, "wait", "t1")
		ctx, cancel := context.WithTimeoutCause(t.Context(), 3*time.Second,
			fault.New(fault.Timeout, "the command's time is over"))
		defer cancel()
		failed := make(chan error, 1)
		go func() {
			_, err := q.Enter(ctx, "cookies get", "")
			failed <- err
		}()
		synctest.Wait()
		title, leaveTitle := enters(t, q, "get title", "t4")
		require.False(t, title())
		require.ErrorContains(t, <-failed, "timed out behind `wait`, which has been running in this session for 3s")
		require.True(t, title())
		leaveTitle()
		leave()
		require.False(t, q.Busy())
		ended, end := context.WithCancel(t.Context())
		end()
		_, err := q.Enter(ended, "get title", "t4")
		require.ErrorIs(t, err, context.Canceled)
		require.False(t, q.Busy())
	})
}

// Many commands at once: in each tab one at a time, and one of the whole session beside none.
func TestQueueUnderLoad(t *testing.T) {
	t.Parallel()
	q := NewQueue()
	lanes := []string{"", "t1", "t2", "t3"}
	inside := make([]atomic.Int32, len(lanes))
	var all sync.WaitGroup
	for i := range 400 {
		all.Go(func() {
			at := i % len(lanes)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			if i%7 == 0 {
				cancel() // some give up
			}
			defer cancel()
			leave, err := q.Enter(ctx, "x", lanes[at])
			if err != nil {
				return
			}
			defer leave()
			if n := inside[at].Add(1); n != 1 {
				t.Errorf("%d commands in %q", n, lanes[at])
			}
			for k := range inside {
				if n := inside[k].Load(); n != 0 && k != at && (at == 0 || k == 0) {
					t.Errorf("%q beside %q", lanes[k], lanes[at])
				}
			}
			inside[at].Add(-1)
		})
	}
	all.Wait()
	require.False(t, q.Busy())
	require.Empty(t, q.waiting)
}

func BenchmarkQueue(b *testing.B) {
	q := NewQueue()
	for b.Loop() {
		leave, err := q.Enter(b.Context(), "click", "t1")
		if err != nil {
			b.Fatal(err)
		}
		leave()
	}
}

// A command that is stuck does not keep its turn when the session was closed. One that ends in time does, until it has
// ended.
func TestAbandon(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		leave time.Duration // 0: never
		want  time.Duration
	}{
		{name: "stuck", want: unwindLimit},
		{name: "ends in time", leave: 10 * time.Millisecond, want: 10 * time.Millisecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q, begun := NewQueue(), time.Now()
				leave, err := q.Enter(t.Context(), "state load", "")
				require.NoError(t, err)
				q.Abandon()
				if tt.leave > 0 {
					time.AfterFunc(tt.leave, leave)
				}
				next, err := q.Enter(t.Context(), "open", "")
				require.NoError(t, err)
				require.Equal(t, tt.want, time.Since(begun))
				leave() // too late, and without effect on the one that runs now
				require.True(t, q.Busy())
				time.Sleep(2 * unwindLimit)
				require.True(t, q.Busy(), "a command that came after the close keeps its turn")
				next()
				require.False(t, q.Busy())
			})
		})
	}
}
