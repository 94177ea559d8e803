package endpoint

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// identifyLimit bounds the question what listens at a port of this machine. A browser answers it from a thread that has
// nothing else to do.
const identifyLimit = 2 * time.Second

// ErrMute means that an HTTP server at a port does not identify itself. A Chrome whose user has to approve debugging
// behaves like that: only a client that knows the path of its websocket can ask the user.
var ErrMute = errors.New("it does not tell what it is")

// Identity is what a browser reports about itself.
type Identity struct {
	Product string // such as "Chrome/144.0.7559.60"
	URL     string // of its websocket
}

// Identify asks what listens at a port of this machine, at either of its loopback addresses. With ErrMute the identity
// has the websocket's scheme and host alone.
func Identify(ctx context.Context, port int) (Identity, error) {
	var best Identity
	var first error
	for _, base := range loopbacks(&url.URL{Scheme: "http", Host: "localhost:" + strconv.Itoa(port)}) {
		id, err := identifyAt(ctx, base)
		if err == nil {
			return id, nil
		}
		if first == nil || errors.Is(err, ErrMute) && !errors.Is(first, ErrMute) {
			best, first = id, err
		}
	}
	return best, first
}

func identifyAt(ctx context.Context, base *url.URL) (Identity, error) {
	ctx, cancel := context.WithTimeout(ctx, identifyLimit)
	defer cancel()
	e, product, err := version(ctx, base, nil)
	if status, ok := errors.AsType[httpStatus](err); ok && status.code == http.StatusNotFound {
		return Identity{URL: "ws://" + base.Host}, ErrMute
	}
	return Identity{Product: product, URL: e.URL}, err
}
