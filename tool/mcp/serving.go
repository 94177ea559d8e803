package mcp

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

// compile turns a request into a call of agent_browser. An error is the client's.
type compile func(c *connection) (contract.Params, error)

// serveCall serves a request to call a tool.
func (s *Server) serveCall(ctx context.Context, req *sdk.CallToolRequest, params compile) (*sdk.CallToolResult, error) {
	header := incomingOf(ctx).header
	c, leave, err := s.enter(requesterOf(req.Session, header, req.ClientInfo()), header.Get(TaskHeader))
	if err != nil {
		return nil, err
	}
	defer leave()
	if id := req.Params.RequestState; id != "" && req.ProtocolVersion() >= alone {
		r := c.kept.find(id)
		if r == nil || r.call != sumOf(req) {
			return nil, &jsonrpc.Error{
				Code:    jsonrpc.CodeInvalidParams,
				Message: "requestState: no call waits under it; send the call again without it",
			}
		}
		r.answer(req.Params.InputResponses)
		return s.await(ctx, req, c, r)
	}
	p, err := params(c)
	if err != nil {
		return invalid(err), nil
	}
	return s.await(ctx, req, c, s.beginCall(req, c, p))
}

// beginCall runs a call on the connection's tool. It ends with the connection, or when it is canceled.
func (s *Server) beginCall(req *sdk.CallToolRequest, c *connection, p contract.Params) *running {
	return begin(c.ended, req, func(ctx context.Context, r *running) (*sdk.CallToolResult, error) {
		ask := asker(req, r)
		result := c.tool.Call(ctx, tool.Request{
			Params:   p,
			Approve:  approve(ask),
			Hand:     hand(ask),
			Caller:   s.caller,
			Progress: r.tell,
		})
		s.refreshPageTools(ctx, c, result)
		return shown(c, result, req.ProtocolVersion()), nil
	})
}

// await waits for a call, until it has ended, asks something, or takes so long that it becomes a task.
func (s *Server) await(
	ctx context.Context, req *sdk.CallToolRequest, c *connection, r *running,
) (*sdk.CallToolResult, error) {
	var n *notifier
	if token := req.Params.GetProgressToken(); token != nil {
		n = &notifier{session: req.Session, token: token}
	}
	defer r.telling(ctx, n)()
	var long <-chan time.Time
	begun := time.Now()
	if knowsTasks(req.ProtocolVersion(), req.ClientCapabilities()) {
		timer := time.NewTimer(s.patience)
		defer timer.Stop()
		long = timer.C
	}
	for {
		// What has taken too long already asks as a task.
		if long != nil && time.Since(begun) >= s.patience && c.kept.keep(r) {
			incomingOf(ctx).task = r
			return &sdk.CallToolResult{}, nil // what is answered is the task
		}
		// A question of which the client was told before it answered another one waits still.
		if waiting := r.questions(); len(waiting) > 0 && c.kept.keep(r) && !r.over() {
			return &sdk.CallToolResult{InputRequests: waiting, RequestState: r.id}, nil
		}
		select {
		case <-r.ended:
			c.kept.drop(r)
			return r.result, r.err
		case <-r.asked:
		case <-long:
		case <-ctx.Done():
			r.cancel()
			<-r.ended
			c.kept.drop(r)
			return r.result, r.err
		}
	}
}
