package daemon

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/wire"
)

// How long a client may take to send its request, and to receive an answer from the host itself.
const (
	requestLimit = 30 * time.Second
	answerLimit  = 5 * time.Second
)

// longRequest is how long a request runs before its client is watched and its output streamed. One timer starts both,
// since waking another thread costs a quarter of a short round trip.
const longRequest = 2 * time.Millisecond

var errClientGone = errors.New("the client closed the connection")

// serveConn serves one connection. It returns true if the connection waits for the end of the host.
func (d *daemon) serveConn(life context.Context, ln socket, c net.Conn) (waits bool) {
	buf, err := ln.greet(c, make([]byte, 0, wire.FirstRead))
	if err != nil {
		d.refuse(c, err.Error())
		return false
	}
	from := waitForRest(life, c)
	req, err := wire.ReadRequest(from, buf)
	from.done()
	switch {
	case err == nil && subtle.ConstantTimeCompare([]byte(req.Token), []byte(d.token)) != 1:
		d.refuse(c, "The request does not carry the token of this host; start a new client.")
	case err == nil:
		return d.answer(life, c, req)
	case errors.Is(err, wire.ErrVersion) && req.Stamp.Newer(d.o.Stamp):
		d.makeWay(c)
	case errors.Is(err, wire.ErrVersion):
		d.refuse(c,
			fmt.Sprintf(
				"The client speaks version %d of the protocol and the running host, which is newer, version %d. Use the client "+
					"that was installed with the host.", req.Version, wire.Version))
	case errors.Is(err, wire.ErrTooLarge):
		d.refuse(c, "The request is larger than 64 MiB. Pass large input as a file.")
	case errors.Is(err, wire.ErrMalformed):
		d.refuse(c, "The data is not a request of a skua client.")
	case !errors.Is(err, io.EOF):
		d.o.Log.Warn("request not read", "err", err)
	}
	return false
}

// waitForRest returns a reader for the rest of a client's request. A slow client is dropped, sooner if the host ends.
// Call done after the last read.
func waitForRest(life context.Context, c net.Conn) *restReader {
	return &restReader{c: c, begin: func() (stop func() bool) {
		_ = c.SetReadDeadline(time.Now().Add(requestLimit))
		return context.AfterFunc(life, func() { _ = c.SetReadDeadline(time.Now().Add(time.Second)) })
	}}
}

type restReader struct {
	c     net.Conn
	begin func() (stop func() bool)
	stop  func() bool
}

// Read sets the limits on the first call: usually the request is already complete.
func (r *restReader) Read(p []byte) (int, error) {
	if r.stop == nil {
		r.stop = r.begin()
	}
	return r.c.Read(p)
}

func (r *restReader) done() {
	if r.stop != nil {
		r.stop()
		_ = r.c.SetReadDeadline(time.Time{})
	}
}

func (d *daemon) answer(life context.Context, c net.Conn, req *wire.Request) (waits bool) {
	switch req.Kind {
	case wire.Ping:
		if life.Err() != nil || d.leaves() {
			d.sendRetry(c)
			return false
		}
		d.send(c, wire.AppendPong(nil, wire.Identity{PID: os.Getpid(), Stamp: d.o.Stamp}))
	case wire.Shutdown:
		d.end(errStopped)
		return d.holdForEnd(c)
	case wire.TakeOver:
		d.handOver(life, c, req)
	case wire.Run, wire.Offer:
		d.count(1)
		defer d.count(-1)
		switch {
		case req.Stamp.Newer(d.o.Stamp):
			d.makeWay(c)
		case life.Err() != nil || !d.idle.begin():
			d.sendRetry(c)
		default:
			d.run(life, c, req)
		}
	default:
		d.refuse(c, fmt.Sprintf("The host does not know requests of kind %d.", req.Kind))
	}
	return false
}

// run runs the handler. Its context ends with the client and with the host.
func (d *daemon) run(life context.Context, c net.Conn, req *wire.Request) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(life))
	unhook := context.AfterFunc(life, func() { cancel(hostEnded(context.Cause(life))) })
	defer unhook()
	r := newReply(c)
	q := &questions{c: c, r: r, gone: make(chan struct{})}
	watched := make(chan struct{})
	watch := time.AfterFunc(longRequest, func() { // ends when the connection is closed, by either side
		defer close(watched)
		r.stream()
		q.listen()
		cancel(errClientGone)
		r.abandon(errClientGone)
	})
	q.watch = func() {
		if watch.Stop() {
			watch.Reset(0)
		}
	}
	r.questions = q
	code := d.handle(ctx, req, r)
	d.idle.end()
	switch {
	case code == WantsInput && req.Kind == wire.Offer:
		r.finish(wire.AppendFrame(nil, wire.Input, nil))
	case code == Elsewhere:
		<-d.withdrawn
		r.finish(wire.AppendFrame(nil, wire.Retry, nil))
	default:
		r.finish(wire.AppendExit(nil, exitCode(code)))
	}
	_ = c.Close()
	if !watch.Stop() {
		<-watched
	}
	cancel(nil)
}

// hostEnded is the error of requests that run when the host ends.
func hostEnded(why error) error {
	return fault.New(fault.HostUnreachable, "The command was interrupted, because the host is ending (%w).", why).
		WithHint("The next command starts another one; look at the page before trying again.")
}

// handle calls the handler. A panic becomes an error, and the host goes on.
func (d *daemon) handle(ctx context.Context, req *wire.Request, r *reply) (code int) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		d.o.Log.Error("handler panicked", "panic", p, "stack", string(debug.Stack()))
		writeFailure(req, r, fault.New(fault.Internal, "Skua hit a bug of its own: %v.", p).
			WithHint("The host's log has the details."))
		code = 1
	}()
	return d.h.Handle(ctx, req, stream{r, wire.Stdout}, stream{r, wire.Stderr})
}

// WantsInput is what a [Handler] returns for a wire.Offer whose command line reads standard input, if it has run and
// printed nothing.
const WantsInput = -1

// exitCode returns a code in the range of the systems.
func exitCode(code int) int {
	if code < 0 || code > 255 {
		return 1
	}
	return code
}

// writeFailure writes err in the form that the client asked for.
func writeFailure(req *wire.Request, r *reply, err error) {
	if !slices.Contains(req.Args, "--json") {
		_, _ = fmt.Fprintf(stream{r, wire.Stderr}, "✗ %s\n", err)
		return
	}
	line, jsonErr := json.Marshal(struct {
		Code    fault.Code `json:"code"`
		Data    *struct{}  `json:"data"`
		Error   string     `json:"error"`
		Success bool       `json:"success"`
	}{Code: fault.CodeOf(err), Error: err.Error()})
	if jsonErr == nil {
		_, _ = stream{r, wire.Stdout}.Write(append(line, '\n'))
	}
}

// sendRetry sends a client to the next host, once this one cannot be found any longer.
func (d *daemon) sendRetry(c net.Conn) {
	<-d.withdrawn
	d.send(c, wire.AppendFrame(nil, wire.Retry, nil))
}

func (d *daemon) refuse(c net.Conn, why string) {
	d.o.Log.Warn("request refused", "why", why)
	d.send(c, wire.AppendFrame(nil, wire.Refused, []byte(why)))
}

// send writes an answer of the daemon itself.
func (d *daemon) send(c net.Conn, b []byte) {
	_ = c.SetWriteDeadline(time.Now().Add(answerLimit))
	if _, err := c.Write(b); err != nil {
		d.o.Log.Warn("answer not sent", "err", err)
	}
}
