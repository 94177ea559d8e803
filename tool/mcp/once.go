package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/internal/product"
)

// Refusal is why a call was not made: there is no such tool, or it does not take such arguments.
type Refusal struct {
	Code    int64  `json:"code"` // of JSON-RPC
	Message string `json:"message"`
}

func (r *Refusal) Error() string { return r.Message }

// Result is the result of a call, decoded as a client gets it. Its members are in the order of their names.
type Result struct {
	Meta       map[string]json.RawMessage `json:"_meta,omitempty"`
	Content    []any                      `json:"content"`
	IsError    bool                       `json:"isError,omitempty"`
	Structured any                        `json:"structuredContent,omitempty"`
}

// Note adds a text beside the result.
func (r *Result) Note(name, text string) {
	if r.Meta == nil {
		r.Meta = map[string]json.RawMessage{}
	}
	r.Meta[name], _ = json.Marshal(text) // a text always encodes
}

// Once calls one tool over a connection of its own, which ends with the call, and with it its sessions. The error is a
// *Refusal when nothing was run.
func (s *Server) Once(ctx context.Context, tool string, arguments json.RawMessage) (*Result, error) {
	near, far := sdk.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = s.serve(ctx, far) // ends with the client
	}()
	defer func() { <-served }()
	client, err := sdk.NewClient(&sdk.Implementation{
		Name:    "skua mcp call",
		Version: product.Version,
	}, nil).Connect(ctx, near, nil)
	if err != nil {
		cancel()
		return nil, err
	}
	defer client.Close()
	answer, err := client.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if refused, ok := errors.AsType[*jsonrpc.Error](err); ok && refused.Code == jsonrpc.CodeInvalidParams {
		return nil, &Refusal{Code: refused.Code, Message: refused.Message}
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	result := new(Result)
	err = json.Unmarshal(text, result)
	return result, err
}
