package session

import (
	"context"
	"io"

	"github.com/skua-browser/skua/session/wire"
)

// Handler answers one request of a client: it writes to out and errOut as it goes and returns the exit code, 0 to 255.
// It is called on one goroutine a request, of many clients at once. Writing never waits for a slow client and fails only
// when the client is gone, which also ends ctx.
type Handler interface {
	Handle(ctx context.Context, req *wire.Request, out, errOut io.Writer) int
}

// LostSessions is implemented by handlers whose sessions end with the host. When a newer build replaces the host, the
// names go to the new host in the Lost field of the request that caused it.
type LostSessions interface {
	LostSessions() []string
}
