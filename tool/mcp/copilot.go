package mcp

import (
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/tool/contract"
)

// addCopilotTools offers what plans are made with, under the same command lines as plans have.
func (s *Server) addCopilotTools() {
	for _, t := range toolbox.Tools() {
		s.addLineTool(&sdk.Tool{
			Name: t.MCP, Title: t.Title, Description: t.About, InputSchema: schemaOf(properties(t.Name, t.Schema), t.Required),
			Annotations: &sdk.ToolAnnotations{Title: t.Title, ReadOnlyHint: t.ReadOnly},
		}, func(raw json.RawMessage, _ bool) (contract.Params, error) {
			argv, err := t.Argv(raw)
			return contract.Params{Args: argv}, err
		})
	}
}
