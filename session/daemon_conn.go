package session

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

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/session/wire"
)

// How long a client may take to send its request once it is connected, and to take an answer that the host does not
// want to wait for.
const (
	requestLimit = 30 * time.Second
	answerLimit  = 5 * time.Second
)

var errClientGone = errors.New("the client closed the connection")

// serveConn serves one connection. It reports true when the connection waits for the end of the host.
func (d *daemon) serveConn(life context.Context, ln socket, c net.Conn) (waits bool) {
	if err := ln.verify(c); err != nil {
		d.refuse(c, err.Error())
		return false
	}
	req, err := d.read(life, c)
	switch {
	case err == nil && subtle.ConstantTimeCompare([]byte(req.Token), []byte(d.token)) != 1:
		d.refuse(c, "The request does not carry the token of this host; start a new client.")
	case err == nil:
		return d.answer(life, c, req)
	case errors.Is(err, wire.ErrVersion) && req.Stamp.Newer(d.o.Stamp):
		d.replaced(c)
	case errors.Is(err, wire.ErrVersion):
		d.refuse(c, fmt.Sprintf("The client speaks version %d of the protocol and the running host, which is newer, version %d. "+
			"Use the client that was installed with the host.", req.Version, wire.Version))
	case errors.Is(err, wire.ErrTooLarge):
		d.refuse(c, "The request is larger than 64 MiB. Pass large input as a file.")
	case errors.Is(err, wire.ErrGarbage):
		d.refuse(c, "That was no request of a skua client.")
	case !errors.Is(err, io.EOF):
		d.o.Log.Warn("request not read", "err", err)
	}
	return false
}

// read reads the request. A client that is slow to send it is dropped, and sooner when the host ends.
func (d *daemon) read(life context.Context, c net.Conn) (*wire.Request, error) {
	_ = c.SetReadDeadline(time.Now().Add(requestLimit))
	stop := context.AfterFunc(life, func() { _ = c.SetReadDeadline(time.Now().Add(time.Second)) })
	req, err := wire.ReadRequest(c)
	stop()
	_ = c.SetReadDeadline(time.Time{})
	return req, err
}

func (d *daemon) answer(life context.Context, c net.Conn, req *wire.Request) (waits bool) {
	switch req.Kind {
	case wire.Ping:
		if life.Err() != nil {
			d.again(c)
			return false
		}
		d.send(c, wire.AppendPong(nil, wire.Identity{PID: os.Getpid(), Stamp: d.o.Stamp}))
	case wire.Shutdown:
		d.end(errStopped)
		return d.answerAtEnd(c)
	case wire.Run:
		switch {
		case req.Stamp.Newer(d.o.Stamp):
			d.replaced(c)
		case life.Err() != nil || !d.idle.begin():
			d.again(c)
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
	ctx, cancel := context.WithCancelCause(life)
	r := newReply(c)
	watched := make(chan struct{})
	go func() { // ends when the connection is closed, by either side
		defer close(watched)
		var b [1]byte
		_, _ = c.Read(b[:]) // a client says nothing after its request
		cancel(errClientGone)
		r.abandon(errClientGone)
	}()
	code := d.handle(ctx, req, r)
	d.idle.end()
	r.finish(code)
	_ = c.Close()
	<-watched
}

// handle calls the handler. A panic becomes an answer, and the host goes on.
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
	code = d.h.Handle(ctx, req, stream{r, wire.Stdout}, stream{r, wire.Stderr})
	if code < 0 || code > 255 {
		code = 1
	}
	return code
}

// writeFailure writes err in the form that the client's user asked for.
func writeFailure(req *wire.Request, r *reply, err error) {
	if !slices.Contains(req.Args, "--json") {
		_, _ = fmt.Fprintf(stream{r, wire.Stderr}, "✗ %s\n", err)
		return
	}
	line, jsonErr := json.Marshal(map[string]any{
		"success": false, "data": nil, "error": err.Error(), "code": fault.CodeOf(err),
	})
	if jsonErr == nil {
		_, _ = stream{r, wire.Stdout}.Write(append(line, '\n'))
	}
}

// replaced ends the host in favour of the client's newer one.
func (d *daemon) replaced(c net.Conn) {
	d.end(errReplaced)
	d.again(c)
}

// again sends a client to the next host. The answer waits until this one cannot be found any more.
func (d *daemon) again(c net.Conn) {
	<-d.withdrawn
	d.send(c, wire.AppendAgain(nil, d.lost))
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
