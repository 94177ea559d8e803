package daemon

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/skua-browser/skua/session/wire"
)

// The reasons why a host ends, as the cause of its requests' contexts.
var (
	errIdle        = errors.New("the host was idle or not in use")
	errUnreachable = errors.New("the socket of the host is gone")
	errReplaced    = errors.New("a newer build of skua replaces this host")
	errStopped     = errors.New("the host was told to stop")
)

// socket is the part of hostListener that a daemon needs.
type socket interface {
	net.Listener
	// greet checks the peer of a connection, and adds to buf what has already arrived, without waiting.
	greet(c net.Conn, buf []byte) ([]byte, error)
	withdraw(pending func(net.Conn))
	// stepAside moves the socket to where only a successor looks for it.
	stepAside() error
}

// daemon serves the clients of one host.
//
//	accept ── one goroutine a connection: verify, read, run ── reply
//	              └─ beside a running request: watch for the client's going
//
// The end comes through end: requests are canceled and new ones turned away, the socket is withdrawn (withdrawn is
// closed), connections finish, sessions are closed, and last those who asked for the end are answered. For a newer
// build, the host first makes way, see [Handover].
type daemon struct {
	h         Handler
	o         Options
	token     string
	idle      *idleTimer
	end       context.CancelCauseFunc
	withdrawn chan struct{}
	conns     sync.WaitGroup

	why error // set before serve ends the host

	leaving      sync.Once // closes leave
	leave        chan struct{}
	withdrawOnce sync.Once // closes withdrawn
	stepped      func()    // called before the socket steps aside
	unlock       func()    // lets another host start
	following    followers // fixed when clients can connect

	mu          sync.Mutex
	open        map[net.Conn]struct{} // connections that the end waits for, and cuts if they take too long
	stopWaiters []net.Conn            // connections that wait for the end
	over        bool                  // finish has answered them
	running     int                   // requests that run or are being answered
	rested      chan struct{}         // closed when none does; nil means that nothing waits for that
}

func newDaemon(h Handler, o Options, token string) *daemon {
	return &daemon{
		h:         h,
		o:         o,
		token:     token,
		withdrawn: make(chan struct{}),
		leave:     make(chan struct{}),
		open:      map[net.Conn]struct{}{},
	}
}

// serve answers clients until the host ends, and returns when its sessions are closed.
func (d *daemon) serve(ctx context.Context, ln socket) {
	life, end := context.WithCancelCause(ctx)
	defer end(nil)
	d.end = end
	d.idle = newIdleTimer(d.o.IdleTimeout, d.o.Busy, d.inUse(), func() { end(errIdle) })
	if d.o.OnChange != nil {
		defer d.o.OnChange(d.idle.recheck)()
	}
	accepting := make(chan struct{})
	go func() {
		defer close(accepting)
		d.accept(life, ln)
	}()
	select {
	case <-life.Done():
	case <-d.leave:
		d.handOverAll(life, ln)
	}
	d.idle.stop()
	d.why = context.Cause(life)
	d.o.Log.Info("host is ending", "why", d.why)
	ln.withdraw(func(c net.Conn) { d.start(life, ln, c) })
	d.withdrawOnce.Do(func() { close(d.withdrawn) })
	_ = ln.Close()
	<-accepting
	d.following.stop() // what is not received yet stays with the older host
	d.drain()
	if d.o.Close != nil {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
		defer cancel()
		d.o.Close(closing)
	}
}

// inUse is o.InUse, or true while a client is connected that has not sent its request yet.
func (d *daemon) inUse() func() bool {
	if d.o.InUse == nil {
		return nil
	}
	return func() bool {
		d.mu.Lock()
		connected := len(d.open) > 0
		d.mu.Unlock()
		return connected || d.o.InUse()
	}
}

// holdForEnd keeps a connection for finish, or returns false if finish has run.
func (d *daemon) holdForEnd(c net.Conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over {
		return false
	}
	delete(d.open, c)
	d.stopWaiters = append(d.stopWaiters, c)
	return true
}

// finish answers the clients that stopped the host.
func (d *daemon) finish() {
	d.mu.Lock()
	d.over = true
	askers := d.stopWaiters
	d.mu.Unlock()
	for _, c := range askers {
		d.send(c, wire.AppendExit(nil, 0))
		_ = c.Close()
	}
}

// accept starts a goroutine for each connection until the listener is closed.
func (d *daemon) accept(life context.Context, ln socket) {
	for {
		c, err := ln.Accept()
		switch {
		case err == nil:
			d.start(life, ln, c)
		case errors.Is(err, net.ErrClosed):
			return
		default:
			// Too many open files, or a client that is gone. The pause prevents a busy loop.
			d.o.Log.Error("cannot accept a connection", "err", err)
			select {
			case <-time.After(100 * time.Millisecond):
			case <-life.Done():
			}
		}
	}
}

func (d *daemon) start(life context.Context, ln socket, c net.Conn) {
	d.mu.Lock()
	d.open[c] = struct{}{}
	d.mu.Unlock()
	d.conns.Go(func() {
		if d.serveConn(life, ln, c) {
			return // kept open for finish
		}
		d.forget(c)
	})
}

func (d *daemon) forget(c net.Conn) {
	_ = c.Close()
	d.mu.Lock()
	delete(d.open, c)
	d.mu.Unlock()
	d.idle.recheck()
}

// drain waits for the connections and cuts those that exceed the grace. A handler that still does not return is left
// behind and logged, so that the next host can start.
func (d *daemon) drain() {
	done := make(chan struct{})
	go func() {
		d.conns.Wait()
		close(done)
	}()
	for _, limit := range []time.Duration{requestGrace, cutGrace} {
		select {
		case <-done:
			return
		case <-time.After(limit):
		}
		d.mu.Lock()
		d.o.Log.Warn("requests did not end in time", "open", len(d.open))
		for c := range d.open {
			_ = c.Close()
		}
		d.mu.Unlock()
	}
}
