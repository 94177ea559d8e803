package install

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/internal/retry"
)

// How often something is asked for that got nothing new, how long after another, and after which silence.
const (
	maxFailures = 5
	firstPause  = 500 * time.Millisecond
	longPause   = 30 * time.Second // longest that a server may ask for
	silence     = 30 * time.Second
)

var errSilent = errors.New("the server stopped sending")

// finalError is an error that a retry would not change.
type finalError struct{ error }

func (e *finalError) Unwrap() error { return e.error }

// httpError is a response with an error status.
type httpError struct {
	status int
	after  time.Duration // the server's wish
}

func (e *httpError) Error() string {
	return fmt.Sprintf("the server answers with %d %s", e.status, http.StatusText(e.status))
}

func statusError(res *http.Response) error {
	return &httpError{status: res.StatusCode, after: min(retry.After(res.Header), longPause)}
}

// retry runs what asks for an address, and runs it again after a pause when it failed in a way that may pass. try says
// by alive that bytes came: it is ended when that has not happened for long, and starts to count again.
func (i *Installer) retry(
	ctx context.Context, address string, try func(ctx context.Context, alive func()) error,
) error {
	for failures := 0; ; {
		moved, err := i.once(ctx, try)
		if err == nil {
			return nil
		}
		if moved {
			failures = 0
		}
		failures++
		if ctx.Err() != nil {
			return fault.New(fault.CodeOf(context.Cause(ctx)), "The download of %s was canceled: %w.", address,
				context.Cause(ctx)).About(address).
				WithHint("The part that has arrived is kept; the next `install` continues from there.")
		}
		if failures >= maxFailures || !passes(err) {
			return unreachable(address, failures, err)
		}
		wait := i.pause << (failures - 1)
		wait += rand.N(wait/2 + 1) // no secret
		if e, ok := errors.AsType[*httpError](err); ok {
			wait = max(wait, e.after)
		}
		i.say("%s: %v; next try in %s", address, bare(err), wait.Round(100*time.Millisecond))
		_ = pause.For(ctx, wait) // the next try finds that ctx has ended
	}
}

// once is one try, with the watch over its silence.
func (i *Installer) once(
	ctx context.Context, try func(ctx context.Context, alive func()) error,
) (moved bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(i.silence, func() { cancel(errSilent) })
	defer watch.Stop()
	err = try(ctx, func() {
		moved = true
		watch.Reset(i.silence)
	})
	if err != nil && errors.Is(context.Cause(ctx), errSilent) {
		err = errSilent
	}
	return moved, err
}

// passes reports whether an error may be gone the next time.
func passes(err error) bool {
	if _, final := errors.AsType[*finalError](err); final {
		return false
	}
	if _, untrusted := errors.AsType[*tls.CertificateVerificationError](err); untrusted {
		return false
	}
	if e, ok := errors.AsType[*httpError](err); ok {
		return retry.IsTransient(e.status)
	}
	if _, ours := errors.AsType[*fault.Error](err); ours {
		return false
	}
	return true
}

// bare is an error without the address, which is said already.
func bare(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

func unreachable(address string, failures int, err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	times := ""
	if failures > 1 {
		times = fmt.Sprintf(" (tried %d times)", failures)
	}
	f := fault.New(fault.InstallFailed, "%s cannot be downloaded: %w%s.", address, bare(err), times).About(address)
	status, answered := errors.AsType[*httpError](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case untrusted:
		return f.WithHint("If your proxy signs certificates, give its root certificate with --ca-cert.")
	case answered && !retry.IsTransient(status.status):
		return f.WithHint("Check the version, and SKUA_CFT_URL if it is set.").With("status", status.status)
	}
	return f.WithHint(
		"Check the connection, HTTPS_PROXY and the firewall; the part that has arrived is kept. `skua install --system` " +
			"uses the system's packages.")
}

// aliveReader says of each read that something came.
type aliveReader struct {
	io.Reader
	alive func()
}

func (r aliveReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n > 0 {
		r.alive()
	}
	return n, err
}
