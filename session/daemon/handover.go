package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"sync"
	"time"

	"github.com/skua-browser/skua/session/wire"
)

// Handover moves the sessions of a host to the host of a newer build that takes its place. The commands that are under
// way go on in the old host: a session moves when its last one has ended.
//
//	newer client ── old host: Leave, socket steps aside, lock given back ── Retry
//	newer client ── starts its host ── TakeOver from each old host ── ready
//	                                       └─ follow: a session each time one is free
type Handover interface {
	// Leave begins to hand the sessions over. After it, the handler answers requests for sessions that are not here any
	// more with [Elsewhere]. The channel is closed when all sessions are closed, and a successor has them or none has come
	// for them.
	Leave() (left <-chan struct{})
	// HandOver writes the sessions to the successor, each as soon as it is closed, and returns when that was the last one.
	// It closes the sessions of now without waiting for their commands, and then writes nothing.
	HandOver(ctx context.Context, now []string, to io.Writer) error
	// TakeOver reads what HandOver of another host writes. It returns when it knows which sessions will come; follow reads
	// on to the end. Demand asks the other host for a session at once.
	TakeOver(from io.Reader, demand func(session string) error) (follow func())
}

// Elsewhere is what a [Handler] returns for a request of a session that was handed over, if it has run and printed
// nothing.
const Elsewhere = -2

// makeWay lets the host of the client's newer build take this one's place.
func (d *daemon) makeWay(c net.Conn) {
	if d.o.Handover == nil {
		d.end(errReplaced)
	} else {
		d.leaving.Do(func() { close(d.leave) })
	}
	d.sendRetry(c)
}

// leaves reports whether the host makes way.
func (d *daemon) leaves() bool {
	select {
	case <-d.leave:
		return true
	default:
		return false
	}
}

// handOverAll makes way: it takes no more commands, lets another host start, and waits until the commands under way
// have ended and the sessions were handed over, or until the host is told to end.
func (d *daemon) handOverAll(life context.Context, ln socket) {
	d.o.Log.Info("a newer build takes the place of this host")
	d.idle.stop()
	left := d.o.Handover.Leave()
	d.following.stop()
	if d.stepped != nil {
		d.stepped()
	}
	if err := ln.stepAside(); err != nil { // the successor has the ledger
		d.o.Log.Warn("the socket did not step aside", "err", err)
		ln.withdraw(func(c net.Conn) { d.start(life, ln, c) })
	}
	if d.unlock != nil {
		d.unlock()
	}
	d.withdrawOnce.Do(func() { close(d.withdrawn) })
	select {
	case <-left:
		d.rest(life)
		d.end(errReplaced)
	case <-life.Done():
	}
}

// rest waits until the clients of the commands have their replies, or are slow.
func (d *daemon) rest(life context.Context) {
	d.mu.Lock()
	if d.running == 0 {
		d.mu.Unlock()
		return
	}
	rested := make(chan struct{})
	d.rested = rested
	d.mu.Unlock()
	select {
	case <-rested:
	case <-time.After(requestLimit):
	case <-life.Done():
	}
}

// count adds to the number of requests that run.
func (d *daemon) count(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running += n
	if d.running == 0 && d.rested != nil {
		close(d.rested)
		d.rested = nil
	}
}

// handOver answers a successor.
func (d *daemon) handOver(life context.Context, c net.Conn, req *wire.Request) {
	if !d.leaves() {
		d.refuse(c, "This host does not make way for another one.")
		return
	}
	ctx, cancel := context.WithCancel(life)
	defer cancel()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = c.Read(make([]byte, 1)) // returns when either side closes the connection
		cancel()
	}()
	err := d.o.Handover.HandOver(ctx, req.Args, output{c})
	if err == nil {
		d.send(c, wire.AppendExit(nil, 0))
	} else {
		d.o.Log.Warn("sessions not handed over", "err", err)
	}
	_ = c.Close()
	<-gone
}

// output writes the frames of standard output.
type output struct{ c net.Conn }

func (o output) Write(p []byte) (int, error) {
	_ = o.c.SetWriteDeadline(time.Now().Add(answerLimit))
	if _, err := o.c.Write(wire.AppendFrame(nil, wire.Stdout, p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// outputReader reads standard output from its frames. After an Exit frame it returns io.EOF, and after anything else
// io.ErrUnexpectedEOF.
type outputReader struct {
	c    net.Conn
	buf  []byte
	left uint64 // of the frame that buf begins with
}

func (r *outputReader) Read(p []byte) (int, error) {
	for {
		if r.left > 0 && len(r.buf) > 0 {
			n := copy(p[:min(uint64(len(p)), r.left)], r.buf)
			r.buf, r.left = r.buf[n:], r.left-uint64(n)
			return n, nil
		}
		if r.left == 0 {
			switch kind, size, n := wire.Header(r.buf); {
			case n > 0 && kind == wire.Stdout:
				r.buf, r.left = r.buf[n:], size
				continue
			case n > 0 && kind == wire.Exit:
				return 0, io.EOF
			case n != 0:
				return 0, io.ErrUnexpectedEOF
			}
		}
		chunk := make([]byte, 16<<10)
		n, err := r.c.Read(chunk)
		r.buf = append(r.buf, chunk[:n]...)
		if n == 0 && err != nil {
			return 0, errors.Join(io.ErrUnexpectedEOF, err)
		}
	}
}

// followers are the connections to the hosts whose sessions come here.
type followers struct {
	mu    sync.Mutex
	conns []net.Conn
	all   sync.WaitGroup
}

// takeOver begins to take over the sessions of the hosts of dir that make way. It returns when it knows which sessions
// will come.
func (d *daemon) takeOver(ctx context.Context, dir string) {
	if d.o.Handover == nil {
		return
	}
	for _, path := range leavingSockets(dir) {
		c, err := askForSessions(ctx, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			_ = os.Remove(path) // its host was killed
			continue
		case err != nil:
			d.o.Log.Warn("the sessions of an older host are not taken over", "socket", path, "err", err)
			continue
		}
		_ = c.SetReadDeadline(time.Now().Add(findLimit))
		follow := d.o.Handover.TakeOver(&outputReader{c: c}, func(session string) error { return demand(path, session) })
		_ = c.SetReadDeadline(time.Time{})
		d.following.conns = append(d.following.conns, c)
		d.following.all.Go(func() {
			follow()
			_ = c.Close()
		})
	}
}

// stop ends the connections to older hosts, and waits until what was received is dealt with.
func (f *followers) stop() {
	f.mu.Lock()
	for _, c := range f.conns {
		_ = c.Close()
	}
	f.conns = nil
	f.mu.Unlock()
	f.all.Wait()
}

// askForSessions asks the host behind path for its sessions, or to close those that are named.
func askForSessions(ctx context.Context, path string, now ...string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, findLimit)
	defer cancel()
	c, token, err := dialHost(ctx, path)
	if err != nil {
		return nil, err
	}
	req := wire.Request{Kind: wire.TakeOver, Token: token, Args: now}
	if _, err := c.Write(req.Append(nil)); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// demand has the host behind path close a session without waiting for its commands. With a host that is gone, its
// sessions are.
func demand(path, session string) error {
	c, err := askForSessions(context.Background(), path, session)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("asking the older host: %w", err)
	}
	defer c.Close()
	_ = c.SetReadDeadline(time.Now().Add(stopGrace))
	_, err = io.Copy(io.Discard, &outputReader{c: c})
	return err
}
