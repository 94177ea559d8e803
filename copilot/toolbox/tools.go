package toolbox

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/skua-browser/skua/engine/fault"
)

// Tool is something that a planner may do.
type Tool struct {
	Name     string // as plans have it: "dom.click"
	MCP      string // as tools are called where names have no dots: "dom_click"
	Title    string
	About    string // what it does, for a model
	ReadOnly bool   // it changes neither the page nor which tab is shown
	Schema   string // the properties of its arguments, as a JSON object without braces
	Required []string
	argv     func(a args) ([]string, error)
}

// args are the arguments of all tools; a tool takes those of its schema.
type args struct {
	Tab tabID `json:"tabId"`
}

// tabID is a tab's id: "t1", or its number.
type tabID string

func (t *tabID) UnmarshalJSON(b []byte) error {
	var n int
	if json.Unmarshal(b, &n) == nil {
		*t = tabID(fmt.Sprintf("t%d", n))
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

// Tools returns all tools, those that look first.
func Tools() []Tool {
	return []Tool{
		{
			Name: "getMiniPCD", MCP: "get_mini_pcd", Title: "Summary of the page", ReadOnly: true,
			About:  "What the page offers: its actions, forms and collections, with ids that other tools take.",
			Schema: tabSchema, argv: func(args) ([]string, error) { return []string{"capabilities"}, nil },
		},
	}
}

const tabSchema = `"tabId":{"type":"string","description":"t2; the active tab without it"}`

// Find returns the tool of a name, in either spelling.
func Find(name string) (Tool, error) {
	for _, t := range Tools() {
		if name == t.Name || name == t.MCP {
			return t, nil
		}
	}
	return Tool{}, fault.New(fault.Usage, "There is no tool %q.", name).About(name)
}

// Argv returns the command line that a call of the tool stands for. The error names the argument that is wrong.
func (t Tool) Argv(raw json.RawMessage) ([]string, error) {
	var a args
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, fault.New(fault.Usage, "The arguments of %s cannot be read: %w", t.Name, err)
	}
	argv, err := t.argv(a)
	if err != nil {
		return nil, fault.New(fault.Usage, "The arguments of %s are wrong: %w", t.Name, err)
	}
	if a.Tab != "" {
		argv = append([]string{"--tab", string(a.Tab)}, argv...)
	}
	return argv, nil
}
