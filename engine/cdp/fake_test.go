package cdp

import (
	"context"
	"fmt"
	"net"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/stretchr/testify/require"
)

// fake is a browser that does nothing by itself: the test reads each command from it and says each answer.
type fake struct {
	t         *testing.T
	transport Transport
}

// command is what the fake browser was told.
type command struct {
	ID        int64        `json:"id"`
	Method    string       `json:"method"`
	SessionID string       `json:"sessionId"`
	Params    jsonv2.Value `json:"params"`
}

// next returns the next command.
func (f *fake) next() command {
	f.t.Helper()
	msg, err := f.transport.Read()
	require.NoError(f.t, err)
	var c command
	require.NoError(f.t, jsonv2.Unmarshal(msg, &c), "command %s", msg)
	return c
}

// say sends messages.
func (f *fake) say(format string, args ...any) {
	f.t.Helper()
	require.NoError(f.t, f.transport.Write(fmt.Appendf(nil, format, args...)))
}

// answer replies to a command in Chromium's shape.
func (f *fake) answer(c command, result string) {
	f.t.Helper()
	if c.SessionID != "" {
		f.say(`{"id":%d,"result":%s,"sessionId":%q}`, c.ID, result, c.SessionID)
		return
	}
	f.say(`{"id":%d,"result":%s}`, c.ID, result)
}

// event sends an event in Chromium's shape.
func (f *fake) event(session, method, params string) {
	f.t.Helper()
	if session != "" {
		f.say(`{"method":%q,"params":%s,"sessionId":%q}`, method, params, session)
		return
	}
	f.say(`{"method":%q,"params":%s}`, method, params)
}

// start returns a connection over the transports' first, and the browser at the second.
func start(t *testing.T, ours, theirs Transport) (*Conn, *fake) {
	t.Helper()
	c := NewConn(ours)
	t.Cleanup(func() {
		require.NoError(t, c.Close())
		require.NoError(t, theirs.Close())
	})
	return c, &fake{t: t, transport: theirs}
}

// newFake returns a connection over pipes of the operating system, as to a browser that we started.
func newFake(t *testing.T) (*Conn, *fake) {
	t.Helper()
	ours, theirs := osPipes(t)
	return start(t, ours, theirs)
}

// newMemoryFake returns a connection that needs nothing outside this process, so that it works under testing/synctest.
func newMemoryFake(t *testing.T) (*Conn, *fake) {
	t.Helper()
	ours, theirs := memoryPipes()
	return start(t, ours, theirs)
}

func osPipes(t testing.TB) (ours, theirs Transport) {
	t.Helper()
	fromBrowser, browserOut, err := os.Pipe()
	require.NoError(t, err)
	browserIn, toBrowser, err := os.Pipe()
	require.NoError(t, err)
	return NewPipe(fromBrowser, toBrowser), NewPipe(browserIn, browserOut)
}

func memoryPipes() (ours, theirs Transport) {
	a, b := net.Pipe()
	return NewPipe(a, a), NewPipe(b, b)
}

// transports are the ways to a browser that every behavior of a connection must be the same on.
var transports = []struct {
	name string
	open func(*testing.T) (*Conn, *fake)
}{
	{"os pipe", newFake},
	{"memory pipe", newMemoryFake},
	{"websocket", newSocketFake},
}

// result is the result of a call made on another goroutine.
type result struct {
	raw jsonv2.Value
	err error
}

// inBackground makes a call on a goroutine of its own, which ends with the call.
func inBackground(ctx context.Context, s *Session, method string, params any) <-chan result {
	ch := make(chan result, 1)
	go func() {
		raw, err := s.CallRaw(ctx, method, params)
		ch <- result{raw, err}
	}()
	return ch
}

// serve answers every command with what the function returns, until the connection ends. The goroutine ends with the
// test.
func (f *fake) serve(reply func(command) string) {
	done := make(chan struct{})
	f.t.Cleanup(func() {
		f.transport.Close()
		<-done
	})
	go func() {
		defer close(done)
		for {
			msg, err := f.transport.Read()
			if err != nil {
				return
			}
			var c command
			if err := jsonv2.Unmarshal(msg, &c); err != nil {
				f.t.Errorf("not a command: %s", msg)
				return
			}
			if f.transport.Write([]byte(reply(c))) != nil {
				return
			}
		}
	}()
}
