package mcp

import (
	"context"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// approve returns what asks the person at the client whether an action may be done, which the model cannot answer in his place. Nil: the client has
// no way to ask. From protocol 2026-07-28 on a server may not ask while it serves a call; what has to be confirmed is held there.
func approve(s *sdk.ServerSession) func(ctx context.Context, question string) (bool, error) {
	p := s.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.Elicitation == nil {
		return nil
	}
	return func(ctx context.Context, question string) (bool, error) {
		answer, err := s.Elicit(ctx, &sdk.ElicitParams{
			Message: question,
			RequestedSchema: map[string]any{
				"type": "object", "required": []string{"allow"},
				"properties": map[string]any{"allow": map[string]any{"type": "boolean", "title": "Allow", "description": "Let it be done"}},
			},
		})
		switch {
		case err != nil:
			return false, err
		case answer.Action == "cancel":
			return false, errors.New("the question was dismissed")
		}
		allowed, _ := answer.Content["allow"].(bool)
		return answer.Action == "accept" && allowed, nil
	}
}
