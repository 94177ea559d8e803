package mcp

import (
	"context"
	"errors"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/tool"
)

// connection is one client's. Its tool is opened by the first call, so that a client which only lists tools costs nothing.
type connection struct {
	ended context.Context // ends when the client is gone; calls under way end with it
	end   context.CancelFunc

	once    sync.Once
	tool    *tool.Tool
	release func(context.Context)
	err     error
	closed  sync.Once

	outputs map[string]string // that results showed in part: files by address; guarded by the server's mutex
	written []string          // their addresses, the oldest first
}

var errOver = errors.New("the server is ending")

// connection returns the client's, beginning it with its first call.
func (s *Server) connection(req *sdk.CallToolRequest) (*connection, error) {
	s.mu.Lock()
	c := s.conns[req.Session]
	if c == nil {
		if s.over {
			s.mu.Unlock()
			return nil, errOver
		}
		c = &connection{}
		c.ended, c.end = context.WithCancel(context.Background())
		s.conns[req.Session] = c
		s.ends.Go(func() {
			_ = req.Session.Wait() // how it ended is of no interest
			s.forget(req.Session)
		})
	}
	s.mu.Unlock()
	c.once.Do(func() { c.tool, c.release, c.err = s.open(taskOf(req)) })
	return c, c.err
}

// taskOf returns the task that the client names in the headers of its requests.
func taskOf(req *sdk.CallToolRequest) string {
	if req.Extra == nil {
		return ""
	}
	return req.Extra.Header.Get(TaskHeader)
}

// forget closes the tool of a connection that has ended, and returns when it is closed.
func (s *Server) forget(ss *sdk.ServerSession) {
	s.mu.Lock()
	c := s.conns[ss]
	s.mu.Unlock()
	if c == nil {
		return
	}
	c.closed.Do(func() {
		c.end()
		c.once.Do(func() { c.err = errOver }) // it is not opened any more
		if c.release != nil {
			ctx, cancel := context.WithTimeout(context.Background(), releaseLimit)
			defer cancel()
			c.release(ctx)
		}
		s.mu.Lock()
		delete(s.conns, ss)
		s.mu.Unlock()
	})
}

// releaseLimit bounds how long the tool of a connection may take to end.
const releaseLimit = 15 * time.Second

// hangUp ends a connection from our side. What it runs is canceled first: the SDK waits for that.
func (s *Server) hangUp(ss *sdk.ServerSession) {
	s.mu.Lock()
	c := s.conns[ss]
	s.mu.Unlock()
	if c != nil {
		c.end()
	}
	_ = ss.Close() // an ended connection is what we want
}

// during derives a context that ends with the connection.
func (c *connection) during(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(c.ended, cancel)
	return ctx, func() { stop(); cancel() }
}
