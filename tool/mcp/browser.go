package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// browserTool is one tool of the browser family: other words for a command line, or for a batch of them. It is what the
// definition of its command says.
type browserTool struct {
	*actions.AgentTool
	command    *actions.Command
	parameters map[string]parameter
}

// parameter is a parameter with what it takes.
type parameter struct {
	*actions.Param
	slot actions.ParamSlot
}

// browserTools are the tools of the family.
func browserTools() []browserTool {
	var list []browserTool
	for _, c := range argv.Registry().Commands() {
		for i := range c.Tools {
			list = append(list, newBrowserTool(c, &c.Tools[i]))
		}
	}
	return list
}

func newBrowserTool(c *actions.Command, tool *actions.AgentTool) browserTool {
	t := browserTool{AgentTool: tool, command: c, parameters: map[string]parameter{}}
	for i := range tool.Params {
		p := &tool.Params[i]
		slot := c.Slot(p)
		t.parameters[p.Name] = parameter{p, slot}
		if slot.Element {
			t.parameters[actions.ParamRef] = parameter{&actions.Param{
				Name:  actions.ParamRef,
				About: "@e1, from browser_snapshot",
			}, slot}
		}
	}
	return t
}

// addBrowserTools offers the family.
func (s *Server) addBrowserTools() {
	for _, t := range browserTools() {
		s.addLineTool(&sdk.Tool{
			Name:        t.Name,
			Title:       t.Title,
			Description: t.About,
			InputSchema: t.schema(),
			Annotations: &sdk.ToolAnnotations{Title: t.Title, ReadOnlyHint: t.ReadOnly},
		}, t.call)
	}
}

// addLineTool offers a tool that is other words for a call of agent_browser. Compile is told whether that runs on the
// agent-browser program.
func (s *Server) addLineTool(
	t *sdk.Tool, compile func(arguments json.RawMessage, upstream bool) (contract.Params, error),
) {
	s.server.AddTool(t, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return s.serveCall(ctx, req, func(c *connection) (contract.Params, error) {
			params, err := compile(arguments(req.Params.Arguments), !c.tool.Can().OwnWords)
			if err != nil {
				err = fmt.Errorf("%s: %w", t.Name, err)
			}
			return params, err
		})
	})
}

// schema is the JSON schema of the parameters.
func (t *browserTool) schema() objectSchema[property] {
	properties, required := map[string]property{}, []string{}
	for name, p := range t.parameters {
		properties[name] = p.property()
	}
	for i := range t.Params {
		if name := t.Params[i].Name; t.parameters[name].slot.Required {
			required = append(required, name)
		}
	}
	return newObjectSchema(properties, required)
}

// property is a parameter in a schema.
type property struct {
	Type        string   `json:"type,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Minimum     int      `json:"minimum,omitempty"`
	Maximum     int      `json:"maximum,omitempty"`
	Description string   `json:"description,omitempty"`
}

func (p parameter) property() property {
	if p.slot.OneOf != nil {
		return property{Enum: p.slot.OneOf, Description: p.About}
	}
	return property{Type: jsonType(p.slot.Kind), Minimum: p.Least, Maximum: p.Most, Description: p.About}
}

// jsonType is what values of a kind are in JSON.
func jsonType(kind actions.Kind) string {
	switch kind {
	case actions.Bool:
		return "boolean"
	case actions.Int:
		return "integer"
	}
	return "string"
}

// value reads a value. What is typed into pages may be secret: an error does not repeat it.
func (p parameter) value(raw json.RawMessage) (any, error) {
	var err error
	switch p.slot.Kind {
	case actions.Bool:
		var b bool
		if err = json.Unmarshal(raw, &b); err == nil {
			return b, nil
		}
	case actions.Int:
		var n int
		if err = json.Unmarshal(raw, &n); err == nil {
			return n, p.bounds(n)
		}
	default:
		var s string
		if err = json.Unmarshal(raw, &s); err == nil {
			if p.slot.OneOf != nil && !slices.Contains(p.slot.OneOf, s) {
				return nil, fmt.Errorf("expects one of %s, got %q", strings.Join(p.slot.OneOf, ", "), s)
			}
			return s, nil
		}
	}
	return nil, fmt.Errorf("expects a value of type %s", jsonType(p.slot.Kind))
}

func (p parameter) bounds(n int) error {
	switch {
	case p.Least != 0 && n < p.Least, p.Most != 0 && n > p.Most:
		if p.Most == 0 {
			return fmt.Errorf("expects %d or more, got %d", p.Least, n)
		}
		return fmt.Errorf("expects %d to %d, got %d", p.Least, p.Most, n)
	}
	return nil
}

// call turns the arguments of a call into a call of agent_browser.
func (t *browserTool) call(raw json.RawMessage, upstream bool) (contract.Params, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return contract.Params{}, err
	}
	c := actions.ToolCall{Values: map[string]any{}, Upstream: upstream}
	for _, name := range slices.Sorted(maps.Keys(given)) { // in one order, so that the same mistake has the same message
		p, known := t.parameters[name]
		if !known {
			return contract.Params{}, fmt.Errorf("there is no parameter %q", name)
		}
		if string(given[name]) == "null" { // as if it were not given
			continue
		}
		value, err := p.value(given[name])
		if err != nil {
			return contract.Params{}, fmt.Errorf("%s: %w", name, err)
		}
		c.Values[name] = value
	}
	for i := range t.Params {
		if p := t.parameters[t.Params[i].Name]; p.slot.Required && !c.Has(p.Name) {
			return contract.Params{}, fmt.Errorf("the parameter %q is missing", p.Name)
		}
	}
	if t.Lines == nil {
		return t.line(c)
	}
	rows, err := t.Lines(c)
	if err != nil {
		return contract.Params{}, err
	}
	return lines(rows)
}

// line is the command with the values of a call.
func (t *browserTool) line(c actions.ToolCall) (contract.Params, error) {
	var params contract.Params
	words, operands := strings.Fields(t.command.Name), make([]string, len(t.command.Args))
	given := make([]bool, len(operands))
	for i := range t.Params {
		p := t.parameters[t.Params[i].Name]
		value := c.Values[p.Name]
		switch {
		case p.slot.Element:
			target, err := c.Element()
			if err != nil {
				return params, err
			}
			operands[p.slot.Arg], given[p.slot.Arg] = target, true
		case value == nil || value == false:
		case p.Stdin != "":
			text := fmt.Sprint(value)
			params.Stdin, words = &text, append(words, "--"+p.Stdin)
		case p.slot.Arg >= 0 && (p.slot.Required || value != ""):
			operands[p.slot.Arg], given[p.slot.Arg] = fmt.Sprint(value), true
		case value == true:
			words = append(words, "--"+p.slot.Flag)
		case p.slot.Flag != "" && value != "":
			words = append(words, "--"+p.slot.Flag, fmt.Sprint(value))
		}
	}
	var last []string
	for i, operand := range operands {
		if given[i] {
			last = append(last, operand)
		}
	}
	params.Args = actions.ToolLine(words, last...)
	return params, nil
}

// lines are command lines, of which the first that fails is the last.
func lines(rows [][]string) (contract.Params, error) {
	if len(rows) == 1 {
		return contract.Params{Args: rows[0]}, nil
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return contract.Params{}, err
	}
	stdin := string(text)
	return contract.Params{Args: []string{"batch", "--bail"}, Stdin: &stdin}, nil
}
