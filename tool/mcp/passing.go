package mcp

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// passing are the calls that a bridge has passed on and that are not answered. Where requests have no connection, the
// end of one cancels it, and there is no message for that.
type passing struct {
	mu   sync.Mutex
	ends map[jsonrpc.ID]context.CancelFunc
}

// begin notes a call, and returns the context of its request.
func (p *passing) begin(ctx context.Context, call *jsonrpc.Request) context.Context {
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if json.Unmarshal(call.Params, &params) != nil || params.Meta[sdk.MetaKeyProtocolVersion] == nil {
		return ctx
	}
	ctx, cancel := context.WithCancel(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ends == nil {
		p.ends = map[jsonrpc.ID]context.CancelFunc{}
	}
	p.ends[call.ID] = cancel
	return ctx
}

// end ends the request of a call, and reports whether it was one without a connection.
func (p *passing) end(id jsonrpc.ID) bool {
	p.mu.Lock()
	cancel := p.ends[id]
	delete(p.ends, id)
	p.mu.Unlock()
	if cancel == nil {
		return false
	}
	cancel()
	return true
}

// cancels reports whether a message of the client's cancels a request without a connection, and ends that.
func (p *passing) cancels(message jsonrpc.Message) bool {
	note, ok := message.(*jsonrpc.Request)
	if !ok || note.Method != "notifications/cancelled" {
		return false
	}
	var params struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(note.Params, &params) != nil {
		return false
	}
	id, err := jsonrpc.MakeID(params.RequestID)
	return err == nil && p.end(id)
}
