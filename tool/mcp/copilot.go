package mcp

import (
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/tool/contract"
)

// addCopilotTools offers what plans are made with, under the same command lines as plans have.
func (s *Server) addCopilotTools() {
	for _, t := range toolbox.Tools() {
		s.addLineTool(&sdk.Tool{
			Name: t.MCP, Title: t.Title, Description: t.About, InputSchema: objectSchema(properties(t.Name, t.Properties()), t.Required()),
			Annotations: &sdk.ToolAnnotations{Title: t.Title, ReadOnlyHint: t.ReadOnly},
		}, func(raw json.RawMessage, _ bool) (contract.Params, error) {
			argv, err := t.Argv(raw)
			return contract.Params{Args: argv}, err
		})
	}
}

// properties reads those of a tool's schema.
func properties(tool, text string) map[string]json.RawMessage {
	var known map[string]json.RawMessage
	if err := json.Unmarshal([]byte("{"+text+"}"), &known); err != nil {
		panic(fmt.Sprintf("schema of %s: %v", tool, err)) // a mistake of ours
	}
	return known
}

func objectSchema[P any](properties map[string]P, required []string) map[string]any {
	schema := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}
