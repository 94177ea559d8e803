package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// browserTool is one tool of the browser family: other words for a command line, or for a batch of them.
type browserTool struct {
	name, title, about string
	readOnly           bool
	properties         string // of its schema, as JSON
	required           []string
	compile            func(a browserArgs) (contract.Params, error)
}

// browserArgs are the parameters of all tools of the family; a tool takes those of its schema.
type browserArgs struct {
	URL         string `json:"url"`
	Wait        string `json:"wait"`
	Action      string `json:"action"`
	ID          string `json:"id"`
	Interactive bool   `json:"interactive"`
	Compact     bool   `json:"compact"`
	Selector    string `json:"selector"`
	Ref         string `json:"ref"`
	Button      string `json:"button"`
	Count       int    `json:"count"`
	Text        string `json:"text"`
	Clear       bool   `json:"clear"`
	Value       string `json:"value"`
	Key         string `json:"key"`
	Full        bool   `json:"full"`
	Path        string `json:"path"`
	Attr        string `json:"attr"`
	Timeout     int    `json:"timeout"`
	Script      string `json:"script"`
	Body        string `json:"body"`

	upstream bool // it runs on the agent-browser program
}

// target is the element that the parameters name.
func (a browserArgs) target() (string, error) {
	switch {
	case a.Ref != "" && a.Selector != "":
		return "", errors.New("give ref or selector, not both")
	case a.Ref != "":
		return refOf(a.Ref), nil
	case a.Selector != "":
		return a.Selector, nil
	}
	return "", errors.New("give the element as ref (@e1, from browser_snapshot) or as selector")
}

// refOf writes a ref with its at sign, however it came.
func refOf(ref string) string {
	if ref[0] == '@' {
		return ref
	}
	return "@" + ref
}

// addBrowserTools offers the family.
func (s *Server) addBrowserTools() {
	for _, t := range browserTools() {
		s.addBrowserTool(t)
	}
}

func (s *Server) addBrowserTool(t browserTool) {
	known := properties(t.name, t.properties)
	s.addLineTool(&sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: schemaOf(known, t.required),
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: t.readOnly},
	}, func(raw json.RawMessage, upstream bool) (contract.Params, error) {
		return t.params(raw, known, upstream)
	})
}

// properties reads those of a tool's schema.
func properties(tool, text string) map[string]json.RawMessage {
	var known map[string]json.RawMessage
	if err := json.Unmarshal([]byte("{"+text+"}"), &known); err != nil {
		panic(fmt.Sprintf("schema of %s: %v", tool, err)) // a mistake of ours
	}
	return known
}

func schemaOf(known map[string]json.RawMessage, required []string) map[string]any {
	schema := map[string]any{"type": "object", "additionalProperties": false, "properties": known}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// addLineTool offers a tool that is other words for a call of agent_browser. Compile is told whether that runs on the agent-browser program.
func (s *Server) addLineTool(t *sdk.Tool, compile func(arguments json.RawMessage, upstream bool) (contract.Params, error)) {
	s.server.AddTool(t, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c, err := s.connection(req)
		if err != nil {
			return nil, err
		}
		params, err := compile(arguments(req.Params.Arguments), c.tool.Backend() == backend.NameSubprocess)
		if err != nil {
			return invalid(fmt.Errorf("%s: %w", t.Name, err)), nil
		}
		r, err := s.call(ctx, req, params)
		if err != nil {
			return nil, err
		}
		return s.shown(req, r), nil
	})
}

// params turns the arguments of a call into a call of agent_browser.
func (t browserTool) params(raw json.RawMessage, known map[string]json.RawMessage, upstream bool) (contract.Params, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return contract.Params{}, err
	}
	for name, value := range given {
		schema, ok := known[name]
		if !ok {
			return contract.Params{}, fmt.Errorf("there is no parameter %q", name)
		}
		if err := oneOf(schema, value); err != nil {
			return contract.Params{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range t.required {
		if value, ok := given[name]; !ok || string(value) == "null" {
			return contract.Params{}, fmt.Errorf("the parameter %q is missing", name)
		}
	}
	a := browserArgs{upstream: upstream}
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(&a); err != nil {
		return contract.Params{}, err
	}
	return t.compile(a)
}

// oneOf refuses a value that is none of those that the schema lists, if it lists any.
func oneOf(schema, value json.RawMessage) error {
	var list struct {
		Enum []string `json:"enum"`
	}
	var given string
	if json.Unmarshal(schema, &list) != nil || len(list.Enum) == 0 || json.Unmarshal(value, &given) != nil || slices.Contains(list.Enum, given) {
		return nil
	}
	return fmt.Errorf("expects one of %s, got %q", strings.Join(list.Enum, ", "), given)
}

// line is one command line. What stands for itself and looks like a flag is kept from being taken for one.
func line(command []string, operands ...string) contract.Params {
	for _, word := range operands {
		if len(word) > 1 && word[0] == '-' {
			command = append(slices.Clone(command), "--")
			break
		}
	}
	return contract.Params{Args: slices.Concat(command, operands)}
}

// lines are several command lines, of which the first that fails is the last.
func lines(rows ...[]string) (contract.Params, error) {
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

// one is a tool that is one command line with nothing to say.
func one(words ...string) func(browserArgs) (contract.Params, error) {
	return func(browserArgs) (contract.Params, error) { return line(words), nil }
}

// onTarget is a command on an element, with what else it needs behind it.
func onTarget(further func(a browserArgs) []string, command ...string) func(browserArgs) (contract.Params, error) {
	return func(a browserArgs) (contract.Params, error) {
		target, err := a.target()
		if err != nil {
			return contract.Params{}, err
		}
		operands := []string{target}
		if further != nil {
			operands = append(operands, further(a)...)
		}
		return line(command, operands...), nil
	}
}

// refuse is a tool's answer to parameters that do not fit together.
func refuse(format string, args ...any) (contract.Params, error) {
	return contract.Params{}, fmt.Errorf(format, args...)
}
