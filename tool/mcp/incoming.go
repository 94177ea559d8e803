package mcp

import (
	"context"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// alone is the first version of the protocol without connections: each request says its version and what its client
// can, and a server asks back in its results.
const alone = "2026-07-28"

// isAlone reports whether a request came over HTTP by a protocol without connections.
func isAlone(h http.Header) bool { return h.Get("Mcp-Protocol-Version") >= alone }

// incoming is what not every handler of the SDK gets with a request, and what a handler cannot return by it.
type incoming struct {
	header http.Header // nil means that it did not come over HTTP
	task   *running    // what is answered in place of the result
}

type incomingKey struct{}

func incomingOf(ctx context.Context) *incoming {
	if in, ok := ctx.Value(incomingKey{}).(*incoming); ok {
		return in
	}
	return &incoming{}
}

// receive goes around the handlers of all requests.
func receive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		in := &incoming{}
		if extra := req.GetExtra(); extra != nil {
			in.header = extra.Header
		}
		result, err := next(context.WithValue(ctx, incomingKey{}, in), method, req)
		if err == nil && in.task != nil {
			return in.task.handle(), nil
		}
		return result, err
	}
}
