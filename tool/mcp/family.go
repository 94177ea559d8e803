package mcp

import (
	"strconv"

	"github.com/skua-browser/skua/tool/contract"
)

// Properties that several schemas have.
const (
	elementSchema = `"ref":{"type":"string","description":"@e1, from browser_snapshot"},"selector":{"type":"string"}`
	address       = `"url":{"type":"string"}`
)

// browserTools are the tools of the family.
func browserTools() []browserTool {
	return []browserTool{
		{
			name: "browser_open", title: "Open a page", about: "Go to an address. Then look with browser_snapshot.",
			properties: address + `,"wait":{"enum":["load","domcontentloaded","networkidle"],"description":"until when; load without it"}`, required: []string{"url"},
			compile: openPage,
		},
		{name: "browser_back", title: "Go back", about: "Go back in the history.", compile: one("back")},
		{name: "browser_forward", title: "Go forward", about: "Go forward in the history.", compile: one("forward")},
		{name: "browser_reload", title: "Reload", about: "Load the page again.", compile: one("reload")},
		{
			name: "browser_tabs", title: "Tabs", about: "List tabs, switch to one, or close one.",
			properties: `"action":{"enum":["list","close","switch"]},"id":{"type":"string","description":"t2, from the list"}`, required: []string{"action"}, compile: tabs,
		},
		{
			name: "browser_snapshot", title: "Look at the page", about: "The page as a tree of roles and names, with the refs that other tools take.", readOnly: true,
			properties: `"interactive":{"type":"boolean","description":"only what can be acted on"},"compact":{"type":"boolean"},"selector":{"type":"string"}`,
			compile:    snapshot,
		},
		{
			name: "browser_click", title: "Click", about: "Click an element.",
			properties: elementSchema + `,"button":{"enum":["left","right","middle"]},"count":{"type":"integer","minimum":1,"maximum":3}`, compile: click,
		},
		{
			name: "browser_type", title: "Type", about: "Type text into a field, key by key.",
			properties: elementSchema + `,"text":{"type":"string"},"clear":{"type":"boolean","description":"empty it first"}`, required: []string{"text"}, compile: typeText,
		},
		{
			name: "browser_fill", title: "Fill", about: "Replace what is in a field.",
			properties: elementSchema + `,"value":{"type":"string"}`, required: []string{"value"},
			compile: onTarget(func(a browserArgs) []string { return []string{a.Value} }, "fill"),
		},
		{
			name: "browser_press", title: "Press a key", about: "Press a key or a chord: Enter, Tab, Control+a.",
			properties: `"key":{"type":"string"}`, required: []string{"key"},
			compile: func(a browserArgs) (contract.Params, error) { return line([]string{"press"}, a.Key), nil },
		},
		{name: "browser_hover", title: "Hover", about: "Move the pointer over an element.", properties: elementSchema, compile: onTarget(nil, "hover")},
		{
			name: "browser_select", title: "Select", about: "Choose an option of a select box or a list, by its value or label.",
			properties: elementSchema + `,"value":{"type":"string"}`, required: []string{"value"},
			compile: onTarget(func(a browserArgs) []string { return []string{a.Value} }, "select"),
		},
		{
			name: "browser_screenshot", title: "Screenshot", about: "A picture of what is in view, of the whole page, or of an element.", readOnly: true,
			properties: `"full":{"type":"boolean"},"selector":{"type":"string"},"path":{"type":"string","description":"where to save it"}`, compile: screenshot,
		},
		{
			name: "browser_pdf", title: "PDF", about: "Save the page as a PDF.", properties: `"path":{"type":"string"}`, required: []string{"path"},
			compile: func(a browserArgs) (contract.Params, error) { return line([]string{"pdf"}, a.Path), nil },
		},
		{
			name: "browser_get", title: "Get", about: "The text of an element; with attr its value or an attribute. Without an element: attr url or title of the page.",
			readOnly: true, properties: elementSchema + `,"attr":{"type":"string","description":"text, value, or an attribute's name"}`, compile: get,
		},
		{
			name: "browser_wait", title: "Wait", about: "Wait until an element or a text is there or the address is so. timeout alone is a pause.", readOnly: true,
			properties: `"selector":{"type":"string"},"text":{"type":"string"},` + address + `,"timeout":{"type":"integer","minimum":1,"description":"milliseconds"}`, compile: wait,
		},
		{
			name: "browser_evaluate", title: "Run JavaScript", about: "Run JavaScript in the page and return its value.",
			properties: `"script":{"type":"string"}`, required: []string{"script"},
			compile: func(a browserArgs) (contract.Params, error) {
				return contract.Params{Args: []string{"eval", "--stdin"}, Stdin: &a.Script}, nil
			},
		},
		{
			name: "browser_route", title: "Route requests", about: "Let requests to an address (* for anything) fail, or answer them with body; remove ends that.",
			properties: address + `,"action":{"enum":["abort","mock","remove"]},"body":{"type":"string"}`, required: []string{"url", "action"}, compile: route,
		},
	}
}

// openPage waits for what is asked for. The agent-browser program has no word for that, and waits for load in any case.
func openPage(a browserArgs) (contract.Params, error) {
	switch {
	case a.Wait == "":
		return line([]string{"open"}, a.URL), nil
	case a.upstream:
		return lines([]string{"open", a.URL}, []string{"wait", "--load", a.Wait})
	}
	return line([]string{"open", "--wait-until", a.Wait}, a.URL), nil
}

func tabs(a browserArgs) (contract.Params, error) {
	switch {
	case a.Action == "list":
		return line([]string{"tab", "list"}), nil
	case a.Action == "close" && a.ID == "":
		return line([]string{"tab", "close"}), nil
	case a.Action == "close":
		return line([]string{"tab", "close"}, a.ID), nil
	case a.Action == "switch" && a.ID == "":
		return refuse("to switch needs the tab's id")
	case a.Action == "switch":
		return line([]string{"tab"}, a.ID), nil
	}
	return refuse("action %q is none of list, close, switch", a.Action)
}

func snapshot(a browserArgs) (contract.Params, error) {
	words := []string{"snapshot"}
	if a.Interactive {
		words = append(words, "-i")
	}
	if a.Compact {
		words = append(words, "-c")
	}
	if a.Selector != "" {
		words = append(words, "-s", a.Selector)
	}
	return line(words), nil
}

func click(a browserArgs) (contract.Params, error) {
	var words []string
	switch a.Count {
	case 0, 1:
		words = []string{"click"}
	case 2:
		words = []string{"dblclick"}
	case 3:
		words = []string{"click", "--count", "3"}
	default:
		return refuse("count is 1, 2 or 3")
	}
	if a.Button != "" && a.Button != "left" {
		words = append(words, "--button", a.Button)
	}
	return onTarget(nil, words...)(a)
}

func typeText(a browserArgs) (contract.Params, error) {
	words := []string{"type"}
	if a.Clear {
		words = append(words, "--clear")
	}
	return onTarget(func(a browserArgs) []string { return []string{a.Text} }, words...)(a)
}

func screenshot(a browserArgs) (contract.Params, error) {
	words := []string{"screenshot"}
	if a.Full {
		words = append(words, "--full")
	}
	var operands []string
	for _, word := range []string{a.Selector, a.Path} {
		if word != "" {
			operands = append(operands, word)
		}
	}
	return line(words, operands...), nil
}

func get(a browserArgs) (contract.Params, error) {
	if a.Ref == "" && a.Selector == "" && (a.Attr == "url" || a.Attr == "title") {
		return line([]string{"get", a.Attr}), nil
	}
	switch a.Attr {
	case "", "text":
		return onTarget(nil, "get", "text")(a)
	case "value":
		return onTarget(nil, "get", "value")(a)
	}
	return onTarget(func(a browserArgs) []string { return []string{a.Attr} }, "get", "attr")(a)
}

func wait(a browserArgs) (contract.Params, error) {
	var rows [][]string
	if a.URL != "" {
		rows = append(rows, []string{"wait", "--url", a.URL})
	}
	if a.Selector != "" {
		rows = append(rows, []string{"wait", a.Selector})
	}
	if a.Text != "" {
		rows = append(rows, []string{"wait", "--text", a.Text})
	}
	timeout := strconv.Itoa(a.Timeout)
	switch {
	case len(rows) == 0 && a.Timeout > 0:
		return line([]string{"wait", timeout}), nil
	case len(rows) == 0:
		return refuse("give what to wait for: selector, text, url, or timeout for a pause")
	}
	for i := range rows {
		if a.Timeout > 0 {
			rows[i] = append(rows[i], "--timeout", timeout)
		}
	}
	return lines(rows...)
}

func route(a browserArgs) (contract.Params, error) {
	switch a.Action {
	case "abort":
		return line([]string{"network", "route", a.URL, "--abort"}), nil
	case "mock":
		return line([]string{"network", "route", a.URL, "--body", a.Body}), nil
	case "remove":
		return line([]string{"network", "unroute"}, a.URL), nil
	}
	return refuse("action %q is none of abort, mock, remove", a.Action)
}
