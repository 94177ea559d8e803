package daemon

import (
	"context"
	"errors"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// lockFile takes the lock of a file and waits for its holder. The system frees the lock when the process dies. The wait
// sleeps in the system instead of polling; if ctx ends first, the goroutine gives the lock back as soon as it gets it.
func lockFile(ctx context.Context, path string) (unlock func(), err error) {
	l := flock.New(path, flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	switch {
	case err != nil:
		return nil, lockFault(path, err)
	case ok:
		return func() { _ = l.Close() }, nil
	}
	got := make(chan error)
	abandoned := make(chan struct{})
	go func() {
		err := l.Lock()
		select {
		case got <- err:
		case <-abandoned:
			_ = l.Close()
		}
	}()
	select {
	case err := <-got:
		if err != nil {
			return nil, lockFault(path, err)
		}
		return func() { _ = l.Close() }, nil
	case <-ctx.Done():
		close(abandoned)
		return nil, context.Cause(ctx)
	}
}

func lockFault(path string, err error) error {
	f := fault.New(fault.File, "The file %s cannot be locked: %w.", path, err).About(path)
	if errors.Is(err, errors.ErrUnsupported) {
		f = f.WithHint("Its file system has no locks; set SKUA_SOCKET_DIR to a directory on another one.")
	}
	return f
}

// lockStart takes the lock that lets hosts of dir start one after another.
func lockStart(ctx context.Context, dir string) (unlock func(), err error) {
	return lockWithReason(ctx, dir, hostdir.StartLock, "Another host of %s has been starting for too long")
}

// lockHost takes the lock that a host of dir holds for its whole life.
func lockHost(ctx context.Context, dir string) (unlock func(), err error) {
	return lockWithReason(ctx, dir, hostdir.Lock, "The previous host of %s has not ended yet")
}

// lockWithReason takes a lock, and says who holds it if that takes too long.
func lockWithReason(ctx context.Context, dir, name, blame string) (func(), error) {
	path := hostdir.Join(dir, name)
	unlock, err := lockFile(ctx, path)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fault.New(fault.HostUnreachable, blame+" (it holds %s).", dir, path).About(path).
			WithHint("Try again; if that does not help, end the skuad process that has this file open.")
	}
	return unlock, err
}
