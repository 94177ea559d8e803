package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/actions/copilot"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/tool/contract"
)

// addCopilotTools offers what plans are made with, under the same command lines as plans have.
func (s *Server) addCopilotTools() {
	for _, t := range toolbox.Tools() {
		s.addLineTool(&sdk.Tool{
			Name:        t.MCP,
			Title:       t.Title,
			Description: t.About,
			InputSchema: newObjectSchema(properties(t.Name, t.Properties()),
				t.Required()),
			OutputSchema: observedSchema,
			Annotations:  &sdk.ToolAnnotations{Title: t.Title, ReadOnlyHint: t.ReadOnly},
		}, func(raw json.RawMessage, _ bool) (contract.Params, error) {
			argv, err := t.Argv(raw)
			return contract.Params{Args: argv, Observation: true}, err
		})
	}
}

// addSkillTools offers each skill as a tool of its own, whose parameters are those of its definition.
func (s *Server) addSkillTools() {
	for _, k := range skill.All() {
		deletes := slices.Contains(k.Effects, skill.Deletes)
		s.addLineTool(&sdk.Tool{
			Name:        "skill_" + strings.ReplaceAll(k.Name, "-", "_"),
			Title:       k.Name,
			Description: k.About + " Ends when " + k.Ends + ".",
			InputSchema: newObjectSchema(properties(k.Name, k.Properties()), k.Required()),
			Annotations: &sdk.ToolAnnotations{Title: k.Name, DestructiveHint: &deletes},
		}, func(raw json.RawMessage, _ bool) (contract.Params, error) {
			return contract.Params{Args: copilot.SkillLine(k.Name, raw)}, nil
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

// objectSchema is the JSON schema of an object with these properties, and no others.
type objectSchema[P any] struct {
	Additional bool         `json:"additionalProperties"`
	Properties map[string]P `json:"properties"`
	Required   []string     `json:"required,omitempty"`
	Type       string       `json:"type"`
}

func newObjectSchema[P any](properties map[string]P, required []string) objectSchema[P] {
	return objectSchema[P]{Type: "object", Properties: properties, Required: required}
}
