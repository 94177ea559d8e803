package mcp

import (
	"context"
	"errors"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// askPerson asks the person at the client.
type askPerson func(ctx context.Context, p *sdk.ElicitParams) (*sdk.ElicitResult, error)

// asker returns how the person at the client is asked while a call runs; nil means that the client has no way to.
// Before protocol 2026-07-28 the server sends a request of its own. From then on the question is the answer to the
// client's request, who sends that again with what the person said.
func asker(req *sdk.CallToolRequest, r *running) askPerson {
	can := req.ClientCapabilities()
	if can == nil || can.Elicitation == nil || can.Elicitation.Form == nil && can.Elicitation.URL != nil {
		return nil
	}
	if req.ProtocolVersion() >= alone {
		return r.ask
	}
	return req.Session.Elicit
}

// approve returns what asks the person at the client whether an action may be done, which the model cannot answer in
// his place. Nil means that the client has no way to ask.
func approve(ask askPerson) func(ctx context.Context, question string) (bool, error) {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, question string) (bool, error) {
		answer, err := ask(ctx, &sdk.ElicitParams{
			Mode:    "form",
			Message: question,
			RequestedSchema: &jsonschema.Schema{
				Type:     "object",
				Required: []string{"allow"},
				Properties: map[string]*jsonschema.Schema{"allow": {
					Type:        "boolean",
					Title:       "Allow",
					Description: "Let it be done",
				}},
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
