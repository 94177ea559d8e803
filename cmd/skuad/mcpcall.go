package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool/mcp"
)

// The exit codes of `mcp call`, as in agent-browser.
const (
	toolFailed  exitCode = 1
	callRefused exitCode = 2
)

// invalidParams is JSON-RPC's code for an unknown tool or wrong arguments.
const invalidParams = -32602

// refusedCall is what is printed of a call that was not made.
type refusedCall struct {
	Meta  callMeta     `json:"_meta"`
	Error *mcp.Refusal `json:"error"`
}

// callMeta is what is added to each result.
type callMeta struct {
	Version string `json:"skuaVersion"`
}

// callOnce calls one tool and prints the result as a line of JSON.
func callOnce(ctx context.Context, in *actions.Input, owner *policy.Owner) error {
	result, err := callTool(ctx, in, owner)
	var answer any = result
	refused, isRefused := errors.AsType[*mcp.Refusal](err)
	switch {
	case isRefused:
		answer = refusedCall{Meta: callMeta{session.Version}, Error: refused}
	case err != nil:
		return err
	default:
		result.Note("skuaVersion", session.Version)
	}
	text, encodeErr := plainjson.Marshal(answer)
	if encodeErr != nil {
		return encodeErr
	}
	if _, printErr := fmt.Fprintln(printed(os.Stdout), string(text)); printErr != nil {
		return printErr
	}
	switch {
	case err != nil:
		return callRefused
	case result.IsError:
		return toolFailed
	}
	return nil
}

func callTool(ctx context.Context, in *actions.Input, owner *policy.Owner) (*mcp.Result, error) {
	if !in.Has("tool") {
		return nil, &mcp.Refusal{
			Code:    invalidParams,
			Message: "Missing tool name\nUsage: skua mcp call <tool> [<arguments-json> | -]",
		}
	}
	arguments := []byte(in.String("arguments"))
	if string(arguments) == "-" {
		var err error
		if arguments, err = io.ReadAll(os.Stdin); err != nil {
			return nil, err
		}
	}
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = []byte("{}")
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &object); err != nil || object == nil {
		why := "it is null"
		if err != nil {
			why = err.Error()
		}
		return nil, &mcp.Refusal{Code: invalidParams, Message: fmt.Sprintf("Tool arguments must be a JSON object: %s", why)}
	}
	server, closing, err := mcpServer(ctx, in, owner)
	if err != nil {
		return nil, err
	}
	defer closing()
	return server.Once(ctx, in.String("tool"), arguments)
}
