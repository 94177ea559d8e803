package daemon

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/session/wire"
)

// Handler answers one request of a client: it writes to out and errOut as it goes and returns the exit code, 0 to 255.
// It is called on one goroutine a request, of many clients at once. Writing does not wait for a slow client and fails only
// when the client is gone, which also ends ctx.
type Handler interface {
	Handle(ctx context.Context, req *wire.Request, out, errOut io.Writer) int
}

// Options says how a host serves. Dir is needed, the rest has a meaning when it is zero.
type Options struct {
	Dir         string                        // the base directory, see SocketDir
	Namespace   string                        // which of the user's hosts it is; "" is the ordinary one
	IdleTimeout func() time.Duration          // end after so long without a request, asked behind each one; 0, and no function, is never
	Stamp       wire.Stamp                    // what the host was built as, see OwnStamp; the zero Stamp is never replaced
	Ready       io.WriteCloser                // told when the host can be connected to, see ReadyPipe
	Log         *slog.Logger                  // nil is silent
	Busy        func() bool                   // reports work that goes on without a request, such as a recording: the host is not idle then
	Needed      func() bool                   // reports whether something would be lost with the host; without that it ends soon, whatever IdleTimeout says; nil: it is always needed
	OnChange    func(fn func()) (stop func()) // has fn called when Needed may have another answer; nil: only requests change it
	Close       func(context.Context)         // ends the sessions, after the last request and before another host may start
}

// Limits of the end of a host, which takes 5 seconds at most, whatever its pages do: how long requests that were told to stop may take, how long
// their answers may when their connections were cut, and the sessions after them. What is left then is killed with its browser.
const (
	requestGrace = time.Second
	cutGrace     = 300 * time.Millisecond
	closeGrace   = 3 * time.Second
)

// startLimit is how long a host waits for its predecessor: longer than an orderly end takes.
const startLimit = 20 * time.Second

// Serve runs the engine host of a namespace. It returns nil after the idle timeout, soon when nobody needs it, at once when its socket is gone, after a shutdown request, a newer
// client, SIGINT or SIGTERM, or the end of ctx, with requests answered, sessions closed and the socket removed; and also
// at once when another host of the namespace is running already, since that one can then be used. Errors are those of
// starting, and o.Ready has been told them.
func Serve(ctx context.Context, h Handler, o Options) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ready := announcer{to: o.Ready}
	ln, unlock, err := startHost(ctx, o)
	if err != nil {
		ready.failed(err)
		return err
	}
	if ln == nil {
		o.Log.Info("another host is running", "dir", o.Dir, "namespace", o.Namespace)
		ready.listening()
		return nil
	}
	d := newDaemon(h, o, ln.token)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	unwatch, err := ln.watch(func() { cancel(errUnreachable) })
	if err != nil {
		o.Log.Warn("it is not noticed when the socket is gone", "err", err)
	}
	defer unwatch()
	ready.listening()
	o.Log.Info("host started", "pid", os.Getpid(), "socket", ln.path)
	d.serve(ctx, ln)
	unlock()
	d.finish()
	o.Log.Info("host ended", "pid", os.Getpid(), "why", d.why)
	return nil
}

// startHost claims the namespace and listens. The listener is nil when another host serves it. Of several hosts that start
// at once one listens and the others wait for it: startLock is held by each in turn, from the look for a running host to
// its own listening. The host's lock is held for its whole life, so that the next one starts when its sessions are closed.
func startHost(ctx context.Context, o Options) (ln *hostListener, unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	dir, err := namespaceDir(o.Dir, o.Namespace)
	if err != nil {
		return nil, nil, err
	}
	if err := makeSocketDir(dir); err != nil {
		return nil, nil, err
	}
	unlockStart, err := lockStart(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	defer unlockStart()
	switch id, err := findHost(ctx, dir); {
	case err == nil && id.PID != 0:
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	unlock, err = lockHost(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	atomicfile.Sweep(dir) // nobody else writes there while the lock is held
	ln, err = listen(dir)
	if err != nil {
		unlock()
		return nil, nil, err
	}
	return ln, unlock, nil
}
