package mcp

import (
	"fmt"
	"slices"
	"strings"
)

// Set is a set of tools that a server offers.
type Set string

// The sets.
const (
	SetAgent   Set = "agent"   // agent_browser, which can do everything
	SetBrowser Set = "browser" // browser_open, browser_click and so on: a tool for each kind of action
	SetCopilot Set = "copilot" // get_mini_pcd, pcd_query, dom_click and so on: what plans are made with
)

// optional are the sets that a server has when they are asked for.
var optional = []Set{SetBrowser, SetCopilot}

// upstream are the sets of agent-browser's own MCP server. What their tools do, agent_browser does.
var upstream = []string{"core", "network", "state", "debug", "tabs", "react", "mobile", "webmcp", "all"}

// ReadSets reads a list of sets as it is given to --tools. agent_browser is always among them unless "-agent" takes it
// away. notes say what of the list means nothing here.
func ReadSets(list string) (sets []Set, notes []string, err error) {
	sets = []Set{SetAgent}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		switch {
		case name == "" || name == string(SetAgent):
		case name == "-"+string(SetAgent):
			sets = slices.DeleteFunc(sets, func(s Set) bool { return s == SetAgent })
		case slices.Contains(optional, Set(name)):
			if !slices.Contains(sets, Set(name)) {
				sets = append(sets, Set(name))
			}
		case slices.Contains(upstream, name):
			notes = append(notes,
				fmt.Sprintf("the tool set %q of agent-browser is not a set here: agent_browser does what its tools do", name))
		default:
			return nil, nil,
				fmt.Errorf(
					"there is no set of tools %q; there are: agent, browser, copilot (and -agent, to leave out agent_browser)", name)
		}
	}
	if len(sets) == 0 {
		return nil, nil, fmt.Errorf("--tools %s leaves no tool", list)
	}
	return sets, notes, nil
}
