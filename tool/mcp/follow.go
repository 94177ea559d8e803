package mcp

import (
	"cmp"
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/copilot/toolbox"

	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// terms are the sets of tools of a client without agent_browser, by which it is told what to do. It implements
// [tool.Caller].
type terms []Set

// callerOf returns the words of clients with these sets; nil where they have agent_browser, as results take it.
func callerOf(sets []Set) tool.Caller {
	if slices.Contains(sets, SetAgent) {
		return nil
	}
	return terms(sets)
}

// FollowUp returns how the client makes the call that a follow-up names; false means by none of its tools.
func (t terms) FollowUp(a contract.NextAction) (contract.NextAction, bool) {
	if a.Params.Args == nil || a.Params.SessionMode != "" || a.Params.Stdin != "" {
		return a, false
	}
	w := argv.Read(a.Params.Args)
	if w.HasSession || w.HasNamespace {
		return a, false
	}
	for _, set := range t {
		if name, arguments := inSet(set, &w); name != "" {
			a.Tool, a.Params = name, contract.NextParams{ToolArguments: arguments}
			return a, true
		}
	}
	return a, false
}

// inSet is a command line as a call of a tool of the set; an empty name: there is none that does the same.
func inSet(set Set, w *argv.Words) (name string, arguments contract.ToolArguments) {
	switch {
	case w.Entry == nil || len(w.Positionals) > len(w.Entry.Args):
		return "", arguments
	case set == SetCopilot:
		return inCopilot(w)
	}
	form, owner := w.Entry.InTool, w.Entry
	if form.Of != "" {
		owner = argv.Lookup(form.Of)
	}
	if owner == nil || len(owner.Tools) == 0 {
		return "", arguments
	}
	tool := &owner.Tools[0]
	for param, value := range form.With {
		arguments.Set(param, value)
	}
	for i := range w.Entry.Args {
		arg, word := &w.Entry.Args[i], w.Positional(i)
		switch {
		case word == "" && arg.Optional:
		case word == "" || arg.Kind == actions.Selector && arg.Optional: // in whose place there may be something else
			return "", arguments
		case !fill(&arguments, tool, arg.Name, word, arg.Kind == actions.Selector):
			return "", arguments
		}
	}
	for i := range w.Flags {
		f := &w.Flags[i]
		if !fill(&arguments, tool, f.Name, cmp.Or(f.Value, "true"), false) {
			return "", arguments
		}
	}
	return tool.Name, arguments
}

// fill sets the parameter of a tool that stands for an argument or a flag. It reports whether there is one.
func fill(arguments *contract.ToolArguments, tool *actions.AgentTool, name, value string, element bool) bool {
	i := slices.IndexFunc(tool.Params, func(p actions.Param) bool { return cmp.Or(p.Of, p.Name) == name })
	switch {
	case i < 0:
		return false
	case element && value[0] == '@':
		return arguments.Set(actions.ParamRef, value)
	}
	return arguments.Set(tool.Params[i].Name, value)
}

// inCopilot is a command line as a call of a tool of the copilot that needs no more than the line's words.
func inCopilot(w *argv.Words) (name string, arguments contract.ToolArguments) {
	tool, ok := toolbox.For(w.Entry.Name)
	if !ok {
		return "", arguments
	}
	given := 0
	for _, p := range tool.Params {
		switch {
		case !p.Required:
		case w.Positional(given) == "" || w.Entry.Args[given].Optional || len(w.Flags) > 0 ||
			!arguments.Set(p.Name, w.Positional(given)):
			return "", arguments
		default:
			given++
		}
	}
	if given < len(w.Positionals) {
		return "", arguments
	}
	return tool.MCP, arguments
}
