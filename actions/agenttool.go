package actions

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// AgentTool is a tool that runs the command for MCP clients that want a tool for each kind of action. Names and
// descriptions are data, since prompts contain them. A parameter takes what its argument or flag takes.
type AgentTool struct {
	Name, Title string
	About       string // what it does, for a model
	ReadOnly    bool   // it changes neither the page nor a file
	Params      []Param
	// Lines returns the command lines of a call, for a tool that is more than this command. They run until one fails. A
	// nil Lines stands for the command with the values of the parameters.
	Lines func(ToolCall) ([][]string, error)
}

// ToolForm is the call of a tool that is other words for a command, where the tool is not one of the command's own, or
// needs more than its arguments.
type ToolForm struct {
	Of   string            // the command that has the tool; empty means this one
	With map[string]string // parameters that choose a command, as in action: switch
}

// Param is a parameter of a tool. A required Selector becomes two parameters, ref and selector, one of which must be
// given.
type Param struct {
	Name     string
	Of       string // the argument or flag that it stands for; empty means that of its name
	Kind     Kind   // of one that stands for none
	About    string // what is not clear from its name; may be empty
	Required bool   // of a tool, although not of the command
	OneOf    []string
	// Least and Most bound a whole number; 0 means no bound.
	Least, Most int
	// Stdin is the flag with which the command reads the value from standard input.
	Stdin string
}

// ParamRef and ParamSelector are the parameters that name an element.
const (
	ParamRef      = "ref"
	ParamSelector = "selector"
)

// ToolCall is a call of a tool: the values of its parameters, each of the parameter's kind.
type ToolCall struct {
	Values   map[string]any
	Upstream bool // it runs on the agent-browser program
}

// String returns the value of a parameter, or empty.
func (c ToolCall) String(name string) string {
	s, _ := c.Values[name].(string)
	return s
}

// Int returns the value of a parameter, or 0.
func (c ToolCall) Int(name string) int {
	n, _ := c.Values[name].(int)
	return n
}

// Has reports whether a parameter has a value.
func (c ToolCall) Has(name string) bool { return c.Values[name] != nil }

// Element returns the element that the call names.
func (c ToolCall) Element() (string, error) {
	ref, selector := c.String(ParamRef), c.String(ParamSelector)
	switch {
	case ref != "" && selector != "":
		return "", errors.New("give ref or selector, not both")
	case ref != "":
		return "@" + strings.TrimPrefix(ref, "@"), nil
	case selector != "":
		return selector, nil
	}
	return "", errors.New("give the element as ref (@e1, from browser_snapshot) or as selector")
}

// ToolLine is one command line. An operand that looks like a flag is kept from being read as one.
func ToolLine(command []string, operands ...string) []string {
	if slices.ContainsFunc(operands, func(word string) bool { return len(word) > 1 && word[0] == '-' }) {
		command = append(slices.Clone(command), "--")
	}
	return slices.Concat(command, operands)
}

// ParamSlot is what a parameter takes, by its argument or flag.
type ParamSlot struct {
	Kind     Kind
	OneOf    []string
	Arg      int    // the index of the argument; -1 means that the parameter is not an argument
	Flag     string // empty means that the parameter is not a flag
	Element  bool   // an element, which must be given
	Required bool
}

// Slot returns what a parameter of the command's tools takes.
func (c *Command) Slot(p *Param) ParamSlot {
	name, s := p.Of, ParamSlot{Kind: p.Kind, Arg: -1}
	if name == "" {
		name = p.Name
	}
	if i := slices.IndexFunc(c.Args, func(a Arg) bool { return a.Name == name }); i >= 0 {
		a := &c.Args[i]
		s = ParamSlot{Kind: a.Kind, OneOf: a.OneOf, Arg: i, Element: a.Kind == Selector && !a.Optional}
		s.Required = !a.Optional && !s.Element
	} else if i := slices.IndexFunc(c.Flags, func(f Flag) bool { return f.Name == name }); i >= 0 {
		s.Kind, s.OneOf, s.Flag = c.Flags[i].Kind, c.Flags[i].OneOf, name
	}
	if p.OneOf != nil {
		s.OneOf = p.OneOf
	}
	s.Required = s.Required || p.Required
	return s
}

// checkTools returns what is wrong with the command's tools.
func checkTools(c *Command) (faults []string) {
	for i := range c.Tools {
		t := &c.Tools[i]
		if t.Name == "" || t.Title == "" || t.About == "" {
			faults = append(faults, fmt.Sprintf("tool %q needs a name, a title and a description", t.Name))
		}
		for j := range t.Params {
			if s := c.Slot(&t.Params[j]); t.Lines == nil && s.Arg < 0 && s.Flag == "" {
				faults = append(faults,
					fmt.Sprintf("tool %s: the parameter %q is not an argument or flag of the command", t.Name, t.Params[j].Name))
			}
		}
	}
	return faults
}
