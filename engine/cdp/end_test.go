package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestDeadline(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		limit   time.Duration
		session string
		message string
		facts   map[string]any
	}{
		{
			"page", 3 * time.Second, "AB", "the browser did not answer Page.navigate within 3s",
			map[string]any{"method": "Page.navigate", "cdpSession": "AB", "waitedMs": int64(3000)},
		},
		{
			"browser", 1234567 * time.Microsecond, "", "the browser did not answer Page.navigate within 1.2s",
			map[string]any{"method": "Page.navigate", "waitedMs": int64(1234)},
		},
		{
			"short", 250100 * time.Microsecond, "", "the browser did not answer Page.navigate within 250ms",
			map[string]any{"method": "Page.navigate", "waitedMs": int64(250)},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c, f := newMemoryFake(t)
				ctx, cancel := context.WithTimeout(t.Context(), test.limit)
				defer cancel()
				started := time.Now()
				got := inBackground(ctx, c.Session(test.session), "Page.navigate", nil)
				cmd := f.next()
				err := (<-got).err
				require.Equal(t, test.limit, time.Since(started))
				require.Equal(t, fault.Timeout, fault.CodeOf(err))
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, test.message, err.Error())
				e, ok := errors.AsType[*fault.Error](err)
				require.True(t, ok, "%v", err)
				if diff := cmp.Diff(test.facts, e.Facts); diff != "" {
					t.Errorf("facts (-want +got):\n%s", diff)
				}
				// A late reply has no caller and is dropped.
				f.answer(cmd, `{"late":true}`)
				p := c.Root().Start("A.next", nil)
				f.answer(f.next(), `{}`)
				raw, err := p.Wait(t.Context())
				require.NoError(t, err)
				require.Equal(t, `{}`, string(raw))
				require.Zero(t, c.Skipped())
			})
		})
	}
}

// A pending call that is waited for late has waited since it was written.
func TestPendingDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, f := newMemoryFake(t)
		p := c.Root().Start("Page.navigate", nil)
		f.next()
		<-time.After(time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := p.Wait(ctx)
		require.EqualError(t, err, "the browser did not answer Page.navigate within 2s")
	})
}

// A browser that has stopped reading holds up no caller beyond its deadline, and Start not at all.
func TestDeadlineWhileTheBrowserDoesNotRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		open func(*testing.T) (*Conn, *fake)
	}{
		{"os pipe", newFake},
		{"memory pipe", newMemoryFake},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, f := test.open(t)
			large := c.Root().Start("A.large", map[string]string{"a": strings.Repeat("x", 2*keepBuffer)})
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := c.Root().CallRaw(ctx, "A.b", nil)
			require.Equal(t, fault.Timeout, fault.CodeOf(err))
			require.ErrorContains(t, err, "stopped reading")
			last := c.Root().Start("A.last", nil)
			for _, want := range []string{"A.large", "A.b", "A.last"} {
				cmd := f.next()
				require.Equal(t, want, cmd.Method)
				f.answer(cmd, `{}`)
			}
			require.NoError(t, large.Decode(t.Context(), nil))
			require.NoError(t, last.Decode(t.Context(), nil))
		})
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			got := inBackground(ctx, c.Session("AB"), "Page.navigate", nil)
			f.next()
			cancel(errors.New("the user closed the session"))
			err := (<-got).err
			require.Equal(t, fault.Canceled, fault.CodeOf(err))
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorContains(t, err, "Page.navigate (the user closed the session)")

			_, err = c.Root().CallRaw(ctx, "A.unsent", nil)
			require.Equal(t, fault.Canceled, fault.CodeOf(err))
			late, cancelLate := context.WithDeadline(t.Context(), time.Unix(0, 0))
			defer cancelLate()
			_, err = c.Root().CallRaw(late, "A.unsent", nil)
			require.Equal(t, fault.Timeout, fault.CodeOf(err))
			require.ErrorContains(t, err, "A.unsent")

			c.Root().Start("A.next", nil)
			require.Equal(t, "A.next", f.next().Method, "nothing was written for the contexts that had ended")
			require.Len(t, c.waiting(), 1)
		})
	}
}

// Who ends a context with a fault has said what happened. Each call gets a copy of its own.
func TestContextEndedWithAFault(t *testing.T) {
	t.Parallel()
	c, f := newFake(t)
	cause := fault.New(fault.DialogOpen, "a dialog is open").With("type", "alert")
	ctx, cancel := context.WithCancelCause(t.Context())
	got := inBackground(ctx, c.Root(), "Page.navigate", nil)
	f.next()
	cancel(fmt.Errorf("while navigating: %w", cause))
	pending := (<-got).err
	_, unsent := c.Root().CallRaw(ctx, "A.unsent", nil)
	for _, err := range []error{pending, unsent} {
		own, ok := errors.AsType[*fault.Error](err)
		require.True(t, ok)
		require.Equal(t, cause, own)
		require.NotSame(t, cause, own)
		own.With("more", true)
	}
	require.Equal(t, map[string]any{"type": "alert"}, cause.Facts)
}

// waiting returns the methods of the calls without a reply.
func (c *Conn) waiting() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var methods []string
	for _, p := range c.pending {
		methods = append(methods, p.method)
	}
	return methods
}

func TestConnectionEnd(t *testing.T) {
	t.Parallel()
	ends := []struct {
		name string
		end  func(*testing.T, *Conn, *fake)
		says string
	}{
		{"by the browser", func(t *testing.T, _ *Conn, f *fake) { require.NoError(t, f.transport.Close()) }, ""},
		{"by us", func(t *testing.T, c *Conn, _ *fake) { require.NoError(t, c.Close()) }, "closed from this side"},
	}
	for _, transport := range transports {
		for _, end := range ends {
			t.Run(transport.name+"/"+end.name, func(t *testing.T) {
				t.Parallel()
				c, f := transport.open(t)
				require.NoError(t, c.Err())
				s := c.Session("AB")
				events, cancel := s.Subscribe("A.event")
				defer cancel()
				call := inBackground(t.Context(), s, "Page.navigate", nil)
				f.next()
				started := c.Root().Start("A.b", nil)
				f.next()
				f.event("AB", "A.event", `{"last":true}`)
				require.Equal(t, `{"last":true}`, string(<-events))

				end.end(t, c, f)
				<-c.Done()
				err := (<-call).err
				require.Equal(t, fault.BrowserGone, fault.CodeOf(err))
				require.ErrorContains(t, err, "before it answered Page.navigate")
				require.ErrorContains(t, err, end.says)
				_, err = started.Wait(t.Context())
				require.Equal(t, fault.BrowserGone, fault.CodeOf(err))
				_, open := <-events
				require.False(t, open)

				require.Equal(t, fault.BrowserGone, fault.CodeOf(c.Err()))
				require.ErrorContains(t, c.Err(), end.says)
				_, err = s.CallRaw(t.Context(), "A.later", nil)
				require.Equal(t, fault.BrowserGone, fault.CodeOf(err))
				require.ErrorContains(t, err, "A.later")
				_, err = c.Session("CD").Start("A.later", nil).Wait(t.Context())
				require.Equal(t, fault.BrowserGone, fault.CodeOf(err))
				for _, p := range s.Batch(Call{Method: "A.later"}, Call{Method: "A.later"}) {
					_, err = p.Wait(t.Context())
					require.Equal(t, fault.BrowserGone, fault.CodeOf(err))
				}
				for _, session := range []*Session{c.Root(), s, c.Session("EF")} {
					events, cancel := session.Subscribe("A.event")
					_, open := <-events
					require.False(t, open)
					cancel()
					session.Handle(func(Event) { t.Error("no event can come") })()
				}
				require.NoError(t, c.Close())
			})
		}
	}
}

// A browser that ends in the middle of a message has ended.
func TestConnectionEndInAMessage(t *testing.T) {
	t.Parallel()
	c, f := newFake(t)
	p := c.Root().Start("A.b", nil)
	f.next()
	_, err := f.transport.(*pipe).w.Write([]byte(`{"id":1,"resu`))
	require.NoError(t, err)
	require.NoError(t, f.transport.Close())
	_, err = p.Wait(t.Context())
	require.Equal(t, fault.BrowserGone, fault.CodeOf(err))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// A browser that no longer takes commands is gone, although its other pipe may still be open.
func TestConnectionEndAtAWrite(t *testing.T) {
	t.Parallel()
	c, f := newFake(t)
	require.NoError(t, f.transport.(*pipe).r.Close())
	// A process that another test is just starting may hold the end of the pipe that was closed, until it has become that
	// program: what is written meanwhile is lost.
	for code := fault.Timeout; code != fault.BrowserGone; {
		require.Equal(t, fault.Timeout, code)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err := c.Root().CallRaw(ctx, "A.b", nil)
		cancel()
		code = fault.CodeOf(err)
	}
	<-c.Done()
}

func TestDetached(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			gone, other := c.Session("AB"), c.Session("CD")
			require.Same(t, gone, c.Session("AB"))
			require.Equal(t, "AB", gone.ID())
			events, cancel := gone.Subscribe("A.event")
			defer cancel()
			lost, kept, root := gone.Start("A.lost", nil), other.Start("A.kept", nil), c.Root().Start("A.root", nil)
			lostCmd, keptCmd, rootCmd := f.next(), f.next(), f.next()

			gone.Detached()
			gone.Detached()
			_, err := lost.Wait(t.Context())
			require.Equal(t, fault.PageGone, fault.CodeOf(err))
			require.ErrorContains(t, err, "A.lost")
			_, err = gone.CallRaw(t.Context(), "A.later", nil)
			require.Equal(t, fault.PageGone, fault.CodeOf(err))
			require.ErrorContains(t, err, "A.later")
			_, err = gone.Batch(Call{Method: "A.later"})[0].Wait(t.Context())
			require.Equal(t, fault.PageGone, fault.CodeOf(err))
			_, open := <-events
			require.False(t, open)

			f.answer(lostCmd, `{}`)
			c.Root().Detached()
			f.answer(keptCmd, `{}`)
			f.answer(rootCmd, `{}`)
			require.NoError(t, kept.Decode(t.Context(), nil))
			require.NoError(t, root.Decode(t.Context(), nil))
			require.NoError(t, c.Err())
		})
	}
}

// A session that cannot answer says why, and answers again when it can.
func TestFail(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			failing, other := c.Session("AB"), c.Session("CD")
			lost, kept := failing.Start("A.lost", nil), other.Start("A.kept", nil)
			lostCmd, keptCmd := f.next(), f.next()

			why := fault.New(fault.PageCrashed, "it crashed").About("somewhere")
			failing.Fail(why)
			_, err := lost.Wait(t.Context())
			require.Equal(t, why, err)
			require.NotSame(t, why, err, "callers may add to what they get")
			_, err = failing.CallRaw(t.Context(), "A.later", nil)
			require.Equal(t, why, err)
			for _, call := range failing.Batch(Call{Method: "A.later"}, Call{Method: "A.last"}) {
				_, err = call.Wait(t.Context())
				require.Equal(t, why, err)
			}
			f.answer(lostCmd, `{}`)
			f.answer(keptCmd, `{}`)
			require.NoError(t, kept.Decode(t.Context(), nil))

			failing.Fail(nil)
			again := failing.Start("A.again", nil)
			f.answer(f.next(), `{}`)
			require.NoError(t, again.Decode(t.Context(), nil))
		})
	}
}
