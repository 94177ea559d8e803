package model

import (
	"encoding/json"

	"github.com/skua-browser/skua/copilot/toolbox"
)

// Tools are the definitions of a planner's tools for a model.
func Tools(list []toolbox.Tool) []Tool {
	tools := make([]Tool, len(list))
	for i, t := range list {
		tools[i] = Tool{Name: t.MCP, About: t.About, Schema: schema(t.Properties(), t.Required())}
	}
	return tools
}

// schema makes the schema of an object of its properties.
func schema(properties string, required []string) json.RawMessage {
	s := `{"type":"object","properties":{` + properties + `}`
	if len(required) > 0 {
		b, _ := json.Marshal(required) // strings
		s += `,"required":` + string(b)
	}
	return json.RawMessage(s + `,"additionalProperties":false}`)
}
