package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Remote is a server that is reached over streamable HTTP.
type Remote struct {
	URL   string // of its endpoint
	Token string
	Task  string // empty means that the connection has pages of its own
}

// Bridge passes the messages of a client on standard input and output on to a server, and back. It returns when either
// has hung up, or ctx ends.
func Bridge(ctx context.Context, in io.ReadCloser, out io.WriteCloser, to Remote) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	who := bearer{to, rand.Text()}
	defer who.bye(context.WithoutCancel(ctx))
	client := &http.Client{Transport: who, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // the token stays with the server that it is for
	}}
	far, err := (&sdk.StreamableClientTransport{
		Endpoint: to.URL, HTTPClient: client, DisableStandaloneSSE: true, MaxEventSize: maxMessage,
	}).Connect(ctx)
	if err != nil {
		return err
	}
	near, err := (&lineTransport{in: in, out: out}).Connect(ctx)
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

// send passes the client's messages on. A call is sent on a goroutine of its own: to send it takes as long as the
// server takes to answer, and what cancels it must not wait for that.
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
				err := far.Write(within, message)
				if err == nil || within.Err() != nil && ctx.Err() == nil {
					return
				}
				if err = reject(ctx, near, call, err); err != nil {
					fail(err)
				}
			})
			continue
		}
		if under.cancels(message) {
			continue
		}
		if err := far.Write(ctx, message); err != nil {
			call, _ := message.(*jsonrpc.Request)
			if err = reject(ctx, near, call, err); err != nil {
				return err
			}
		}
	}
}

// notSent is the code by which the SDK says that the server did not get a message.
const notSent = -32005

// reject tells the client that the server did not take a message, nil for a response. It returns the error if it is
// about the connection.
func reject(ctx context.Context, near sdk.Connection, message *jsonrpc.Request, err error) error {
	why, ok := errors.AsType[*jsonrpc.Error](err)
	switch {
	case !ok || why.Code == notSent:
		return err
	case message == nil || !message.IsCall():
		return nil // JSON-RPC has no answer to it
	}
	return near.Write(ctx, &jsonrpc.Response{ID: message.ID, Error: why})
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
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && r.Method == http.MethodPost && answer.StatusCode == http.StatusBadRequest {
		explain(answer)
	}
	return answer, err
}

// explain makes the plain text with which a server refuses one message an error of JSON-RPC. The client's transport
// takes any other body for the end of the connection.
func explain(answer *http.Response) {
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 4<<10)) // what could be read is all that matters
	_ = answer.Body.Close()
	if m, err := jsonrpc.DecodeMessage(text); err == nil {
		if r, ok := m.(*jsonrpc.Response); ok && r.Error != nil {
			answer.Body = io.NopCloser(bytes.NewReader(text))
			return
		}
	}
	// the id is not read
	refused := refuse(jsonrpc.CodeInvalidRequest, strings.TrimSpace(string(text))).to(json.RawMessage("0"))
	answer.Body = io.NopCloser(bytes.NewReader(refused.encode()))
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
