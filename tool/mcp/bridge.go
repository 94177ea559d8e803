package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Remote is a server that is reached over streamable HTTP.
type Remote struct {
	URL   string // of its endpoint
	Token string
	Task  string // empty: the connection has pages of its own
}

// Bridge passes the messages of a client on standard input and output on to a server, and back. It returns when either has hung up, or ctx
// ends.
func Bridge(ctx context.Context, in io.ReadCloser, out io.WriteCloser, to Remote) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	who := bearer{to, rand.Text()}
	defer who.bye(context.WithoutCancel(ctx))
	far, err := (&sdk.StreamableClientTransport{
		Endpoint: to.URL, HTTPClient: &http.Client{Transport: who}, DisableStandaloneSSE: true, MaxEventSize: maxMessage,
	}).Connect(ctx)
	if err != nil {
		return err
	}
	near, err := (&sdk.IOTransport{Reader: in, Writer: out, MaxLineLength: maxMessage}).Connect(ctx)
	if err != nil {
		_ = far.Close()
		return err
	}
	ended := make(chan error, 2)
	var under passing
	go func() { ended <- send(ctx, near, far, &under) }()
	go func() { ended <- fetch(ctx, far, near, &under) }()
	first := <-ended
	cancel()
	_ = far.Close() // which tells the server that the client is gone
	_ = near.Close()
	<-ended //nolint:errcheck // the first end says why; the second follows from it
	if errors.Is(first, io.EOF) {
		return nil
	}
	return first
}

// send passes the client's messages on. A call is sent on a goroutine of its own: to send it takes as long as the server takes to answer, and
// what cancels it must not wait for that.
func send(ctx context.Context, near, far sdk.Connection, under *passing) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var calls sync.WaitGroup
	defer calls.Wait()
	for {
		message, err := near.Read(ctx)
		if err != nil {
			fail(err)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return err
		}
		if call, ok := message.(*jsonrpc.Request); ok && call.IsCall() && call.Method != "initialize" {
			within := under.begin(ctx, call)
			calls.Go(func() {
				if err := far.Write(within, message); err != nil && (within.Err() == nil || ctx.Err() != nil) {
					fail(err)
				}
			})
			continue
		}
		if under.cancels(message) {
			continue
		}
		if err := far.Write(ctx, message); err != nil {
			return err
		}
	}
}

// fetch passes the server's messages back.
func fetch(ctx context.Context, far, near sdk.Connection, under *passing) error {
	for {
		message, err := far.Read(ctx)
		if err != nil {
			return err
		}
		if answer, ok := message.(*jsonrpc.Response); ok {
			under.end(answer.ID)
		}
		if err := near.Write(ctx, message); err != nil {
			return err
		}
	}
}

// bearer adds to each request who sends it.
type bearer struct {
	remote     Remote
	connection string // of requests without a connection
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.remote.Token)
	if b.remote.Task != "" {
		r.Header.Set(TaskHeader, b.remote.Task)
	} else {
		r.Header.Set(ConnectionHeader, b.connection)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// bye ends the pages of requests without a connection. Where it does not arrive, the server ends them later.
func (b bearer) bye(ctx context.Context) {
	if b.remote.Task != "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, releaseLimit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, b.remote.URL, http.NoBody)
	if err != nil {
		return
	}
	r.Header.Set("Mcp-Protocol-Version", alone)
	if answer, err := b.RoundTrip(r); err == nil {
		_ = answer.Body.Close()
	}
}
