package mcp

import (
	"context"
	"errors"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// hand returns what asks the person at the client to do something in the browser, at an address that shows it. Nil
// means the client has no way to ask.
func hand(ask askPerson) func(ctx context.Context, text, address string) (done bool, reason string, err error) {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, text, address string) (bool, string, error) {
		answer, err := ask(ctx, &sdk.ElicitParams{
			Mode: "form",
			Message: "The agent asks you to do something in its browser: " + text + "\nOpen " + address +
				" to see the page and to work in it. Then say how it went.",
			RequestedSchema: &jsonschema.Schema{
				Type: "object", Required: []string{"done"},
				Properties: map[string]*jsonschema.Schema{
					"done":   {Type: "boolean", Title: "Done", Description: "It is done"},
					"reason": {Type: "string", Title: "Reason", Description: "Why you cannot do it", MaxLength: new(maxReason)},
				},
			},
		})
		switch {
		case err != nil:
			return false, "", err
		case answer.Action == "cancel":
			return false, "", errors.New("the question was dismissed")
		case answer.Action != "accept":
			return false, "declined", nil
		}
		done, _ := answer.Content["done"].(bool)
		reason, _ := answer.Content["reason"].(string)
		return done, reason, nil
	}
}

// maxReason is how long a person's reason may be, in characters.
const maxReason = 1000
