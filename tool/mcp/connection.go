package mcp

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/tool"
)

// connection is one client's. Its tool is opened by the first call, so that a client which only lists tools costs
// nothing.
type connection struct {
	ended context.Context // ends when the client is gone; calls under way end with it
	end   context.CancelFunc

	once    sync.Once
	tool    *tool.Tool
	release func(context.Context)
	err     error
	closed  sync.Once

	kept    calls       // that go on without a request
	outputs outputFiles // that resources/read returns

	// Of a client whose requests belong together by a name; guarded by the server's mutex.
	users int
	idle  *time.Timer // ends it when no request has come for long; nil while one is served
}

var errOver = errors.New("the server is ending")

// requester is who sent a request: a *sdk.ServerSession where connections have state, else a name.
type requester any

// name is the requester of requests that have no connection. Requests with the same name share their pages.
type name string

// requesterOf returns who sent a request. From protocol 2026-07-28 on, a request over HTTP has no connection: it names
// its task, its connection, or else the client's program.
func requesterOf(session *sdk.ServerSession, header http.Header, client *sdk.Implementation) requester {
	if !isAlone(header) {
		return session
	}
	switch {
	case header.Get(TaskHeader) != "":
		return name("task " + header.Get(TaskHeader))
	case header.Get(ConnectionHeader) != "":
		return name("connection " + header.Get(ConnectionHeader))
	case client != nil:
		return name("client " + client.Name)
	}
	return name("")
}

// enter returns the requester's connection, beginning it with its first call. Leave says that the request is served.
func (s *Server) enter(who requester, task string) (c *connection, leave func(), err error) {
	s.mu.Lock()
	c = s.conns[who]
	if c == nil {
		if s.over {
			s.mu.Unlock()
			return nil, nil, errOver
		}
		c = &connection{}
		c.ended, c.end = context.WithCancel(context.Background())
		s.conns[who] = c
		if session, ok := who.(*sdk.ServerSession); ok {
			s.ends.Go(func() {
				_ = session.Wait() // how it ended is of no interest
				s.forget(who)
			})
		}
	}
	leave = s.use(who, c)
	s.mu.Unlock()
	c.once.Do(func() { c.tool, c.release, c.err = s.open(task) })
	if c.err != nil {
		leave()
		return nil, nil, c.err
	}
	return c, leave, nil
}

// known returns the requester's connection if there is one. Leave says that the request is served.
func (s *Server) known(who requester) (c *connection, leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c = s.conns[who]; c == nil {
		return nil, func() {}
	}
	return c, s.use(who, c)
}

// use keeps a connection of requests without a connection from ending while one is served. The server's mutex is held.
func (s *Server) use(who requester, c *connection) (leave func()) {
	if _, alone := who.(name); !alone {
		return func() {}
	}
	c.users++
	if c.idle != nil {
		c.idle.Stop()
		c.idle = nil
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if c.users--; c.users == 0 && s.conns[who] == c && !s.over {
			c.idle = time.AfterFunc(idleConnection, func() { s.expire(who, c) })
		}
	}
}

// expire ends a connection that was not used again.
func (s *Server) expire(who requester, c *connection) {
	s.mu.Lock()
	stale := s.conns[who] == c && c.users == 0
	s.mu.Unlock()
	if stale {
		s.forget(who)
	}
}

// forget closes the tool of a connection that has ended, and returns when it is closed.
func (s *Server) forget(who requester) {
	s.mu.Lock()
	c := s.conns[who]
	s.mu.Unlock()
	if c == nil {
		return
	}
	c.closed.Do(func() {
		c.end()
		c.kept.end()
		c.once.Do(func() { c.err = errOver }) // it is not opened any longer
		if c.release != nil {
			ctx, cancel := context.WithTimeout(context.Background(), releaseLimit)
			defer cancel()
			c.release(ctx)
		}
		s.mu.Lock()
		if c.idle != nil {
			c.idle.Stop()
		}
		delete(s.conns, who)
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
