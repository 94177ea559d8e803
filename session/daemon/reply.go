package daemon

import (
	"net"
	"sync"
	"time"

	"github.com/skua-browser/skua/session/wire"
)

const (
	// replyDelay is how long output of a long request is collected before it is sent. A short request's reply is one
	// write.
	replyDelay = 20 * time.Millisecond
	// replyChunk is the amount of output that is sent at once.
	replyChunk = 64 << 10
	// replyPending is the amount of unread output after which the handler waits for a slow client.
	replyPending = 64 << 20
)

// reply collects the frames of one request and sends them. Handlers do not wait for the client, up to replyPending: an
// open pager must not block a session.
type reply struct {
	c         net.Conn
	questions *questions

	mu       sync.Mutex
	changed  sync.Cond // flushing, err or the amount in buf
	buf      []byte    // frames to send
	spare    []byte    // the previous buffer, for reuse
	timer    *time.Timer
	streams  bool // output is sent before the request ends
	armed    bool // timer will call flush
	flushing bool // a goroutine is sending, and continues until buf is empty
	sending  int  // bytes that it took out of buf
	err      error
}

func newReply(c net.Conn) *reply {
	r := &reply{c: c}
	r.changed.L = &r.mu
	return r
}

// stream is standard output or standard error of a request.
type stream struct {
	r    *reply
	kind wire.FrameKind
}

// Write sends p soon.
func (s stream) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	r := s.r
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.err == nil && len(r.buf)+r.sending > replyPending {
		r.changed.Wait()
	}
	if r.err != nil {
		return 0, r.err
	}
	r.buf = wire.AppendFrame(r.buf, s.kind, p)
	r.schedule()
	return len(p), nil
}

// stream starts sending output while the request runs.
func (r *reply) stream() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.streams = true
	if len(r.buf) > 0 {
		r.schedule()
	}
}

// schedule lets a goroutine send the buffer, unless one is sending already. The caller holds mu.
func (r *reply) schedule() {
	large := len(r.buf) >= replyChunk
	if r.flushing || !large && (r.armed || !r.streams) {
		return
	}
	delay := replyDelay
	if large {
		delay = 0
	}
	r.armed = true
	if r.timer == nil {
		r.timer = time.AfterFunc(delay, r.flush)
	} else {
		r.timer.Reset(delay)
	}
}

// flush sends the buffer until it is empty, unless another goroutine does.
func (r *reply) flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.armed = false
	if r.flushing {
		return
	}
	r.flushing = true
	for len(r.buf) > 0 && r.err == nil {
		out := r.buf
		r.buf, r.spare, r.sending = r.spare[:0], nil, len(out)
		r.mu.Unlock()
		_, err := r.c.Write(out)
		r.mu.Lock()
		r.spare, r.sending = out, 0
		if err != nil && r.err == nil {
			r.err = err
		}
		r.changed.Broadcast()
	}
	r.flushing = false
	r.changed.Broadcast()
}

// finish sends the rest and the last frame, and waits until the client has received them or is gone.
func (r *reply) finish(last []byte) {
	r.mu.Lock()
	r.buf = append(r.buf, last...)
	if r.timer != nil {
		r.timer.Stop()
	}
	r.mu.Unlock()
	r.flush()
	r.mu.Lock()
	for r.flushing {
		r.changed.Wait()
	}
	if r.err == nil {
		r.err = net.ErrClosed
	}
	r.mu.Unlock()
}

// abandon makes further writes fail.
func (r *reply) abandon(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
	r.changed.Broadcast()
}
