package gate

import (
	"errors"
	"net"
	"net/url"
	"slices"
	"sync"

	"github.com/skua-browser/skua/internal/fault"
)

// failures are the errors of the last failed connections, by host and port. A proxy cannot tell the browser more than
// that there is no connection.
type failures struct {
	mu    sync.Mutex
	by    map[string]error
	order []string
}

// maxFailures bounds the number of failures; the oldest go first.
const maxFailures = 200

func (f *failures) set(address string, err error) {
	if err != nil && fault.CodeOf(err) != fault.PolicyBlocked && fault.CodeOf(err) != fault.NavigationFailed {
		failure, ok := errors.AsType[*Failure](err)
		if !ok { // the connection broke later
			failure = &Failure{"ConnectionClosed", err}
		}
		err = failure
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	_, had := f.by[address]
	switch {
	case err == nil && !had:
		return
	case err == nil:
		delete(f.by, address)
		f.order = slices.DeleteFunc(f.order, func(a string) bool { return a == address })
		return
	case f.by == nil:
		f.by = map[string]error{}
	}
	if !had {
		f.order = append(f.order, address)
		if len(f.order) > maxFailures {
			delete(f.by, f.order[0])
			f.order = slices.Delete(f.order, 0, 1)
		}
	}
	f.by[address] = err
}

func (f *failures) of(address string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.by[address]
}

// hostPort returns the host and port of a URL.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "ws": "80"}[u.Scheme]
	}
	if port == "" {
		port = "443"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
