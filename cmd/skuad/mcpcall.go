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

// callOnce calls one tool and prints the result as a line of JSON.
func callOnce(ctx context.Context, in *actions.Input, owner *policy.Owner) error {
	result, failed, err := callTool(ctx, in, owner)
	if refused, ok := errors.AsType[*mcp.Refusal](err); ok {
		result = map[string]any{"error": refused}
	} else if err != nil {
		return err
	}
	meta, _ := result["_meta"].(map[string]any)
	if meta == nil {
		meta = map[string]any{}
	}
	meta["skuaVersion"] = session.Version
	result["_meta"] = meta
	text, encodeErr := plainjson.Marshal(result)
	if encodeErr != nil {
		return encodeErr
	}
	if _, printErr := fmt.Fprintln(printed(os.Stdout), string(text)); printErr != nil {
		return printErr
	}
	switch {
	case err != nil:
		return callRefused
	case failed:
		return toolFailed
	}
	return nil
}

func callTool(ctx context.Context, in *actions.Input, owner *policy.Owner) (map[string]any, bool, error) {
	if !in.Has("tool") {
		return nil, false, &mcp.Refusal{Code: invalidParams, Message: "Missing tool name\nUsage: skua mcp call <tool> [<arguments-json> | -]"}
	}
	arguments := []byte(in.String("arguments"))
	if string(arguments) == "-" {
		var err error
		if arguments, err = io.ReadAll(os.Stdin); err != nil {
			return nil, false, err
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
		return nil, false, &mcp.Refusal{Code: invalidParams, Message: fmt.Sprintf("Tool arguments must be a JSON object: %s", why)}
	}
	server, closing, err := mcpServer(ctx, in, owner)
	if err != nil {
		return nil, false, err
	}
	defer closing()
	return server.Once(ctx, in.String("tool"), arguments)
}
