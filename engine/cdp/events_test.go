package cdp

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// collect returns a handler and the channel that it puts events into.
func collect(n int) (func(Event), <-chan Event) {
	ch := make(chan Event, n)
	return func(ev Event) { ch <- ev }, ch
}

func TestHandleGetsAllOfItsSession(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			onRoot, root := collect(10)
			onSession, session := collect(10)
			defer c.Root().Handle(onRoot)()
			// The connection has not seen the session attach yet.
			defer c.Session("AB").Handle(onSession)()
			f.event("AB", "A.one", `{"n":1}`)
			f.event("", "A.two", `{"n":2}`)
			f.event("CD", "A.three", `{"n":3}`)
			f.event("AB", "B.four", `{"n":4}`)
			f.say(`{"sessionId":"AB","method":"A.five"}`)
			f.event("", "B.six", `{"n":6}`)
			want := []Event{
				{"A.one", jsonv2.Value(`{"n":1}`), "AB"},
				{"B.four", jsonv2.Value(`{"n":4}`), "AB"},
				{"A.five", nil, "AB"},
				{"A.two", jsonv2.Value(`{"n":2}`), ""},
				{"B.six", jsonv2.Value(`{"n":6}`), ""},
			}
			if diff := cmp.Diff(want, []Event{<-session, <-session, <-session, <-root, <-root}); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// A subscriber that does nothing delays neither replies nor other subscribers, and misses nothing.
func TestSlowSubscribers(t *testing.T) {
	t.Parallel()
	const n = 3 * keepItems
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			s := c.Session("AB")
			resume := make(chan struct{})
			seen := make(chan string, n)
			defer s.Handle(func(ev Event) {
				<-resume
				seen <- string(ev.Params)
			})()
			slow, cancelSlow := s.Subscribe("A.event")
			defer cancelSlow()
			quick, cancelQuick := s.Subscribe("A.event")
			defer cancelQuick()
			for i := range n {
				f.event("AB", "A.event", fmt.Sprintf(`{"i":%d}`, i))
				f.event("AB", "A.other", `{}`)
				require.Equal(t, fmt.Sprintf(`{"i":%d}`, i), string(<-quick))
			}
			p := s.Start("A.b", nil)
			f.answer(f.next(), `{}`)
			require.NoError(t, p.Decode(t.Context(), nil))

			close(resume)
			for i := range n {
				want := fmt.Sprintf(`{"i":%d}`, i)
				require.Equal(t, want, string(<-slow))
				require.Equal(t, want, <-seen)
				if i < n-1 {
					require.Equal(t, `{}`, <-seen)
				}
			}
		})
	}
}

func TestStop(t *testing.T) {
	t.Parallel()
	c, f := newFake(t)
	s := c.Session("AB")

	var stop func()
	ready := make(chan struct{})
	calls := make(chan Event, 10)
	stop = s.Handle(func(ev Event) {
		<-ready
		calls <- ev
		stop() // from within
		stop()
	})
	close(ready)
	events, cancel := s.Subscribe("A.event")
	others, cancelOthers := s.Subscribe("A.event")
	defer cancelOthers()
	for i := range 5 {
		f.event("AB", "A.event", fmt.Sprintf(`{"i":%d}`, i))
	}
	for range 5 {
		received(t, others)
	}
	require.Equal(t, `{"i":0}`, string(received(t, calls).Params))
	require.Equal(t, `{"i":0}`, string(received(t, events)))
	cancel()
	cancel()
	for range events { // what was on its way may come, and then the end
	}
	f.event("AB", "A.event", `{"i":5}`)
	require.Equal(t, `{"i":5}`, string(received(t, others)))
	require.Empty(t, calls)
	require.Len(t, *s.events.list.Load(), 1)
}

// Events from before the end are still delivered behind it.
func TestLastEvents(t *testing.T) {
	t.Parallel()
	const n = 100
	ends := []struct {
		name string
		end  func(*testing.T, *Session, *fake)
	}{
		{"connection", func(t *testing.T, _ *Session, f *fake) { require.NoError(t, f.transport.Close()) }},
		{"session", func(_ *testing.T, s *Session, _ *fake) { s.Detached() }},
	}
	for _, end := range ends {
		t.Run(end.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c, f := newMemoryFake(t)
				s := c.Session("AB")
				resume := make(chan struct{})
				handled := make(chan Event, n)
				s.Handle(func(ev Event) {
					<-resume
					handled <- ev
				})
				events, _ := s.Subscribe("A.event")
				forgotten, _ := s.Subscribe("A.event")
				for range n {
					f.event("AB", "A.event", `{}`)
				}
				synctest.Wait()
				end.end(t, s, f)
				synctest.Wait()
				close(resume)
				for range n {
					<-handled
				}
				got := 0
				for range events {
					got++
				}
				require.Equal(t, n, got)

				// A channel without a receiver is abandoned in the end, so that its goroutine does not leak.
				<-time.After(lastEventsPatience)
				synctest.Wait()
				for got = 0; ; got++ {
					if _, open := <-forgotten; !open {
						break
					}
				}
				require.Less(t, got, n)
			})
		})
	}
}

// cdproto decodes events strictly, and Chromium's text is not always valid.
func TestSubscribeMendsText(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, sent, want string }{
		{"plain", `{"a": "b"}`, `{"a": "b"}`},
		{"invalid UTF-8", "{\"a\":\"x\xffy\"}", "{\"a\":\"x\ufffdy\"}"},
		{"lone surrogate", `{"a":"x\ud800y"}`, "{\"a\":\"x\ufffdy\"}"},
		{"lone surrogate in capitals", `{"a":"x\uDC00y"}`, "{\"a\":\"x\ufffdy\"}"},
		{"pair", `{"a":"\ud83d\ude00"}`, "{\"a\":\"\U0001f600\"}"},
		{"not JSON", `{"a":\ud800}`, `{"a":\ud800}`},
	}
	c, f := newFake(t)
	events, cancel := c.Root().Subscribe("A.event")
	t.Cleanup(cancel)
	handler, handled := collect(len(tests))
	t.Cleanup(c.Root().Handle(handler))
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f.event("", "A.event", test.sent)
			require.Equal(t, test.want, string(<-events))
			require.Equal(t, test.sent, string((<-handled).Params), "shared bytes stay as they are")
		})
	}
}

// received takes one value from a channel. An event that is lost makes the test fail, and not hang.
func received[T any](t *testing.T, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(30 * time.Second):
		require.FailNow(t, "nothing came")
	}
	return v
}

func TestMadeUpEventNamesTakeNoMemory(t *testing.T) {
	t.Parallel()
	c, f := newFake(t)
	handler, handled := collect(1)
	defer c.Root().Handle(handler)()
	for i := range maxMethods + 100 {
		f.event("", fmt.Sprintf("A.%d", i), `{}`)
		require.Equal(t, fmt.Sprintf("A.%d", i), received(t, handled).Method)
	}
	p := c.Root().Start("A.b", nil)
	f.answer(f.next(), `{}`)
	require.NoError(t, p.Decode(t.Context(), nil)) // orders the reader's last event before what follows
	require.Len(t, c.methods, maxMethods)
}

// Who has a reply has seen, through a tap, every event in front of it.
func TestTapSeesEventsBeforeReplies(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			s := c.Session("AB")
			var mu sync.Mutex
			var seen []string
			tap := func(mark string) func(Event) {
				return func(ev Event) {
					mu.Lock()
					defer mu.Unlock()
					seen = append(seen, mark+ev.Method+ev.SessionID)
				}
			}
			round := func() []string {
				p := s.Start("A.b", nil)
				cmd := f.next()
				f.event("AB", "A.one", `{}`)
				f.event("", "A.other", `{}`)
				f.event("AB", "A.two", `{}`)
				f.answer(cmd, `{}`)
				f.event("", "A.other", `{}`)
				require.NoError(t, p.Decode(t.Context(), nil))
				mu.Lock()
				defer mu.Unlock()
				got := seen
				seen = nil
				return got
			}
			s.Tap(tap("1:"))
			require.Equal(t, []string{"1:A.oneAB", "1:A.twoAB"}, round())
			s.Tap(tap("2:"))
			require.Equal(t, []string{"2:A.oneAB", "2:A.twoAB"}, round())
			s.Tap(nil)
			require.Empty(t, round())
		})
	}
}
