//go:build linux

package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// toolCall is one call of a tool.
type toolCall struct {
	tool      string
	arguments map[string]any
}

// vocabulary is how a peer's tools are used. Actions are given in the words of agent-browser's command line; an element
// is given by what ref returned for it, or where the peer takes them by a CSS selector.
type vocabulary struct {
	call func(words []string) (toolCall, error)
	ref  func(snapshot, role, name string) (string, error)
	css  bool // elements may be given by CSS selectors

	// has the reply of an action show what may be acted on now; nil means that there is no such thing
	observe func(toolCall) toolCall
	// a ref is good for as long as its element lives, so that earlier snapshots serve, too
	refsStand bool
}

// errNoTool: the peer has nothing that does this.
var errNoTool = errors.New("it has no tool for this")

func noTool(words []string) (toolCall, error) {
	return toolCall{}, fmt.Errorf("%w: %s", errNoTool, strings.Join(words, " "))
}

// skuaWords: one tool takes every command line.
var skuaWords = vocabulary{
	call: func(words []string) (toolCall, error) {
		return toolCall{"agent_browser", map[string]any{"args": words}}, nil
	},
	ref: refOfDelta,
	css: true,
	observe: func(c toolCall) toolCall {
		c.arguments["observe"] = true
		return c
	},
	refsStand: true,
}

var (
	deltaHead = regexp.MustCompile(`(?m)^\([+~-] [^\n]* since revision `)
	deltaSign = regexp.MustCompile(`(?m)^( *)[+~] `)
)

// refOfDelta is refOf, and knows how skua shows what changed: lines of what came begin with +, of what is different now
// with ~, of what went with -.
func refOfDelta(view, role, name string) (string, error) {
	if deltaHead.MatchString(view) {
		view = deltaSign.ReplaceAllString(strings.ReplaceAll(view, "\n- ", "\n"), "$1- ")
	}
	return refOf(view, role, name)
}

// upstreamWords: agent-browser's MCP server has a tool for each command.
var upstreamWords = vocabulary{call: upstreamCall, ref: refOf, css: true}

func upstreamCall(words []string) (toolCall, error) {
	tool := func(name string, pairs ...any) (toolCall, error) {
		return toolCall{"agent_browser_" + name, arguments(pairs...)}, nil
	}
	at := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	two := at(0) + " " + at(1)
	switch {
	case at(0) == "open":
		return tool("open", "url", at(1))
	case two == "get title":
		return tool("get_title")
	case two == "get text":
		return tool("get_text", "selector", at(2))
	case at(0) == "eval":
		return tool("eval", "script", at(1))
	case two == "snapshot -i":
		return tool("snapshot", "interactive", true)
	case at(0) == "snapshot":
		return tool("snapshot", "interactive", false)
	case at(0) == "click":
		return tool("click", "selector", at(1))
	case at(0) == "dblclick": // its server has no tool for it
		return tool("batch", "commands", [][]string{words})
	case at(0) == "fill":
		return tool("fill", "selector", at(1), "text", at(2))
	case at(0) == "type":
		return tool("type", "selector", at(1), "text", at(2))
	case at(0) == "press":
		return tool("press", "key", at(1))
	case at(0) == "select":
		return tool("select", "selector", at(1), "values", words[2:])
	case two == "wait --text":
		return tool("wait_for_text", "text", at(2))
	case at(0) == "download":
		return tool("download", "selector", at(1), "path", at(2))
	case two == "tab list":
		return tool("tab_list")
	case two == "tab close":
		return tool("tab_close", "tab", at(2))
	case at(0) == "tab":
		return tool("tab_switch", "tab", at(1))
	case two == "dialog accept":
		return tool("dialog_accept")
	}
	return noTool(words)
}

// playwrightWords are the vocabulary of Playwright's MCP server.
var playwrightWords = vocabulary{
	css: true,
	call: func(words []string) (toolCall, error) {
		switch strings.Join(words[:min(2, len(words))], " ") {
		case "get title":
			return toolCall{"browser_evaluate", arguments("function", "() => document.title")}, nil
		case "wait --text":
			return toolCall{"browser_wait_for", arguments("text", words[2])}, nil
		}
		switch words[0] {
		case "open":
			return toolCall{"browser_navigate", arguments("url", words[1])}, nil
		case "eval":
			return toolCall{"browser_evaluate", arguments("function", "() => "+words[1])}, nil
		case "snapshot":
			return toolCall{"browser_snapshot", arguments()}, nil
		case "click":
			return toolCall{"browser_click", arguments("element", "the element", "target", words[1])}, nil
		case "fill":
			return toolCall{"browser_type", arguments("element", "the element", "target", words[1], "text", words[2])}, nil
		case "select":
			return toolCall{
				"browser_select_option",
				arguments("element", "the element", "target", words[1], "values", words[2:]),
			}, nil
		}
		return noTool(words)
	},
	ref: refIn(func(role, name string) string { return fmt.Sprintf(`(?m)^ *- %s "%s"[^\n]* \[ref=(\w+)\]`, role, name) }),
}

// devtoolsWords are the vocabulary of the MCP server of Chrome's developer tools. Its tools name the page; there is
// one.
var devtoolsWords = vocabulary{
	call: func(words []string) (toolCall, error) {
		onPage := func(tool string, pairs ...any) (toolCall, error) {
			return toolCall{tool, arguments(append(pairs, "pageId", 1)...)}, nil
		}
		switch strings.Join(words[:min(2, len(words))], " ") {
		case "get title":
			return onPage("evaluate_script", "function", "() => document.title")
		case "wait --text":
			return onPage("wait_for", "text", words[2:])
		}
		switch words[0] {
		case "open":
			return onPage("navigate_page", "type", "url", "url", words[1])
		case "eval":
			return onPage("evaluate_script", "function", "() => "+words[1])
		case "snapshot":
			return onPage("take_snapshot")
		case "click":
			return onPage("click", "uid", words[1])
		case "fill", "select":
			return onPage("fill", "uid", words[1], "value", words[2])
		}
		return noTool(words)
	},
	ref: refIn(func(role, name string) string { return fmt.Sprintf(`(?m)^ *uid=(\S+) %s "%s"`, role, name) }),
}

// refIn returns a function that finds the one line of a snapshot which has a role and a name, and the ref in it, by a
// pattern.
func refIn(pattern func(role, name string) string) func(snapshot, role, name string) (string, error) {
	return func(snapshot, role, name string) (string, error) {
		line, err := regexp.Compile(pattern(role, regexp.QuoteMeta(name)))
		if err != nil {
			return "", err
		}
		match := line.FindAllStringSubmatch(snapshot, 2)
		if len(match) != 1 {
			return "", fmt.Errorf("the snapshot has %d lines of %s %q: %s", len(match), role, name, firstLines(snapshot, 5))
		}
		return match[0][1], nil
	}
}

// arguments makes an object of names and values.
func arguments(pairs ...any) map[string]any {
	object := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		object[pairs[i].(string)] = pairs[i+1]
	}
	return object
}
