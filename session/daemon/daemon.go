package daemon

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/session/wire"
)

// Handler answers one request of a client: it writes to out and errOut and returns the exit code, 0 to 255. It runs on
// one goroutine per request. Writing does not wait for a slow client and fails only when the client is gone, which also
// ends ctx.
type Handler interface {
	Handle(ctx context.Context, req *wire.Request, out, errOut io.Writer) int
}

// Options configure a host. Only Dir is required.
type Options struct {
	Dir       string // the base directory, see SocketDir
	Namespace string // the host's namespace; "" is the default one
	// end after this time without a request, asked after each one; 0 or nil: never
	IdleTimeout func() time.Duration
	// the host's build, see OwnStamp; a host with the zero Stamp is never replaced
	Stamp wire.Stamp
	Ready io.WriteCloser // is written to when clients can connect, see ReadyPipe
	Log   *slog.Logger   // nil is silent
	// reports work without a request, such as a recording: the host is not idle then
	Busy func() bool
	// reports whether something would be lost with the host; if not, it ends soon, whatever IdleTimeout says; nil means
	// always in use
	InUse    func() bool
	OnChange func(fn func()) (stop func()) // calls fn when InUse may have changed; nil means only requests change it
	// closes the sessions, after the last request and before another host may start
	Close func(context.Context)
	// moves sessions to the host of a newer build; if nil, sessions and their commands end with this host
	Handover Handover
}

// Limits for the end of a host, which takes 5 seconds at most: for requests that were told to stop, for their answers
// after their connections were cut, and for closing the sessions. After that the browsers are killed.
const (
	requestGrace = time.Second
	cutGrace     = 300 * time.Millisecond
	closeGrace   = 3 * time.Second
)

// stopGrace is how long the end of one session may take.
const stopGrace = 10 * time.Second

// startLimit is how long a host waits for its predecessor, which is longer than an orderly end takes.
const startLimit = 20 * time.Second

// Serve runs the engine host of a namespace. It returns nil when the host ends: after the idle timeout, soon after it
// is no longer in use, when its socket is gone, after a shutdown request, SIGINT or SIGTERM, the end of ctx, or when a
// newer build has taken its place and the commands that were under way then have ended. By then requests are answered,
// sessions closed and the socket removed. It also returns nil at once if another host of the namespace is running.
// Errors are those of starting; o.Ready is told about them, too.
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
		o.Log.Warn("the socket is not watched", "err", err)
	}
	defer unwatch()
	d.stepped, d.unlock = unwatch, unlock
	d.takeOver(ctx, filepath.Dir(ln.path))
	ready.listening()
	o.Log.Info("host started", "pid", os.Getpid(), "socket", ln.path)
	d.serve(ctx, ln)
	unlock()
	d.finish()
	o.Log.Info("host ended", "pid", os.Getpid(), "why", d.why)
	return nil
}

// startHost claims the namespace and listens. The listener is nil if another host serves it. Of several hosts that
// start at once, one listens and the others wait: each holds startLock from looking for a running host until it
// listens. A host holds its own lock for its whole life, so that the next one starts after its sessions are closed.
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
	atomicfile.Sweep(dir) // no other process writes there while the lock is held
	ln, err = listen(dir)
	if err != nil {
		unlock()
		return nil, nil, err
	}
	return ln, unlock, nil
}
