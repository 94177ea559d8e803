package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/guide"
	"github.com/skua-browser/skua/tool/input"
)

// addAgentTool offers agent_browser.
func (s *Server) addAgentTool(slim bool) {
	t := &sdk.Tool{
		Name:         contract.ToolName,
		Title:        "Agent Browser",
		Description:  guide.Text(guide.Description),
		InputSchema:  input.Schema(),
		OutputSchema: outputSchema,
		Annotations:  &sdk.ToolAnnotations{Title: "Agent Browser"},
	}
	if slim {
		t = &sdk.Tool{Name: contract.ToolName, Description: guide.Text(guide.Slim), InputSchema: slimSchema}
	}
	s.server.AddTool(t, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		raw := arguments(req.Params.Arguments)
		if slim && asksForHelp(raw) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: help()}}}, nil
		}
		return s.serveCall(ctx, req, func(*connection) (contract.Params, error) { return input.Decode(raw) })
	})
}

// slimSchema names the parameters that most calls have. The tool takes all others, too.
var slimSchema = json.RawMessage(
	`{"type":"object","properties":{"args":{"type":"array","items":{"type":"string"}},"stdin":{"type":"string"},"help":{"type":"boolean"}}}`)

func asksForHelp(raw json.RawMessage) bool {
	var given struct {
		Help bool `json:"help"`
	}
	return json.Unmarshal(raw, &given) == nil && given.Help
}

// help is what the short listing leaves out.
func help() string {
	return guide.Text(guide.Description) + "\n\nThe parameters, as a JSON schema:\n" + string(input.Schema()) +
		"\n\nThe resource skua://guide/playbook has the whole guide."
}

// shown is what a client gets of a result.
func shown(c *connection, r *contract.Result, protocol string) *sdk.CallToolResult {
	out := &sdk.CallToolResult{
		IsError:           r.IsError,
		Content:           make([]sdk.Content, 0, len(r.Content)+1),
		StructuredContent: structured(r),
	}
	for _, item := range r.Content {
		if item.Type != "image" {
			out.Content = append(out.Content, &sdk.TextContent{Text: item.Text})
			continue
		}
		data, err := base64.StdEncoding.DecodeString(item.Data)
		if err != nil { // it says less than the picture, but that there was one
			out.Content = append(out.Content, &sdk.TextContent{Text: "(an image that is not readable: " + err.Error() + ")"})
			continue
		}
		out.Content = append(out.Content, &sdk.ImageContent{Data: data, MIMEType: item.MIMEType})
	}
	out.Content = append(out.Content, c.links(r.Details, protocol)...)
	return out
}

// invalid is the result of a call with invalid parameters.
func invalid(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{
		IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}},
		StructuredContent: &contract.Details{OutcomeDetails: contract.OutcomeDetails{
			ResultCategory: contract.Failure, FailureCategory: contract.ValidationError, ValidationError: err.Error(),
		}},
	}
}

// addFurther offers a tool that is not a form of agent_browser.
func (s *Server) addFurther(f ExtraTool) {
	s.server.AddTool(&sdk.Tool{
		Name:        f.Name,
		Title:       f.Title,
		Description: f.Description,
		InputSchema: f.Schema,
		Annotations: &sdk.ToolAnnotations{Title: f.Title, ReadOnlyHint: f.ReadOnly},
	}, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		text, data, err := f.Call(ctx, arguments(req.Params.Arguments))
		out := &sdk.CallToolResult{StructuredContent: data}
		if err != nil {
			out.IsError = true
			if text == "" {
				text = err.Error()
			}
		}
		out.Content = []sdk.Content{&sdk.TextContent{Text: text}}
		return out, nil
	})
}

// arguments is the object that a client sent, or an empty one.
func arguments(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}")
	}
	return raw
}
