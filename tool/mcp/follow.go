package mcp

import (
	"slices"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// terms are the sets of tools of a client without agent_browser, by which it is told what to do. It implements [tool.Caller].
type terms []Set

// callerOf returns the words of clients with these sets; nil where they have agent_browser, as results take it.
func callerOf(sets []Set) tool.Caller {
	if slices.Contains(sets, SetAgent) {
		return nil
	}
	return terms(sets)
}

// FollowUp returns how the client makes the call that a follow-up names; false: by none of its tools.
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
	for i := range w.Flags {
		if f := w.Flags[i].Name; f != "interactive" && f != "text" && f != "url" {
			return "", arguments
		}
	}
	first := w.Positional(0)
	if set == SetCopilot {
		switch {
		case w.Does(trait.Snapshots):
			return "get_mini_pcd", arguments
		case w.Does(trait.Clicks) && first != "":
			return "dom_click", contract.ToolArguments{Selector: first}
		case w.Does(trait.ChoosesTab) && first != "":
			return "tabs_switch", contract.ToolArguments{TabID: first}
		}
		return "", arguments
	}
	switch {
	case w.Does(trait.Snapshots):
		return "browser_snapshot", contract.ToolArguments{Interactive: new(w.Has("interactive"))}
	case w.Does(trait.ListsTabs):
		return "browser_tabs", contract.ToolArguments{Action: "list"}
	case w.Does(trait.ChoosesTab) && first != "":
		return "browser_tabs", contract.ToolArguments{Action: "switch", ID: first}
	case w.Does(trait.ReadsAddress | trait.ReadsTitle):
		return "browser_get", contract.ToolArguments{Attr: w.Subcommand}
	case w.Does(trait.Clicks) && first != "":
		return "browser_click", element(first)
	case w.Does(trait.PressesKey) && first != "":
		return "browser_press", contract.ToolArguments{Key: first}
	case w.Does(trait.Photographs) && first == "":
		return "browser_screenshot", arguments
	case w.Does(trait.Waits) && w.Has("text"):
		return "browser_wait", contract.ToolArguments{Text: w.Value("text")}
	case w.Does(trait.Waits) && w.Has("url"):
		return "browser_wait", contract.ToolArguments{URL: w.Value("url")}
	case w.Does(trait.Opens) && first != "":
		return "browser_open", contract.ToolArguments{URL: first}
	}
	return "", arguments
}

// element names an element as the family does.
func element(target string) contract.ToolArguments {
	if target[0] == '@' {
		return contract.ToolArguments{Ref: target}
	}
	return contract.ToolArguments{Selector: target}
}
