package toolbox

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

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
	argv     func(a *args) ([]string, error)
}

// Properties of schemas.
const (
	tabSchema      = `"tabId":{"type":["string","integer"],"description":"t2 or 2; the active tab without it"}`
	theTabSchema   = `"tabId":{"type":["string","integer"],"description":"t2 or 2"}`
	selectorSchema = `,"selector":{"type":["string","object"],"description":"an id or ref (e12, @e12), CSS, or an object: {\"kind\":\"role\",\"role\":\"button\",` +
		`\"name\":\"Save\",\"nameMode\":\"exact|includes|regex\",\"pressed\":true,\"disabled\":false,\"withinLandmark\":\"main\",\"nth\":0,\"framePath\":[]}, ` +
		`{\"kind\":\"text\",\"text\":\"Save\"} or {\"kind\":\"css\",\"css\":\".save\"}"}`
	idsSchema = `,"ids":{"type":"array","items":{"type":"string"},"minItems":1,"description":"ids from a summary or a query"}`
)

// Tools returns all tools, those that look first.
func Tools() []Tool { return slices.Concat(readTools(), actionTools(), tabTools(), captureTools()) }

func readTools() []Tool {
	return []Tool{
		{
			Name: "getMiniPCD", MCP: "get_mini_pcd", Title: "Summary of the page", ReadOnly: true,
			About:  "What the page offers: its actions, forms and collections, with ids that other tools take.",
			Schema: tabSchema, argv: fixed("capabilities"),
		},
		{
			Name: "pcd.query", MCP: "pcd_query", Title: "Search the page", ReadOnly: true,
			About: "Actions, forms and collections of the page that fit a text, the best first; also those that the summary has no room for.",
			Schema: tabSchema + `,"kind":{"type":"string","description":"action, form or collection; several with |"},"text":{"type":"string","description":` +
				`"words that may stand in its label, address or fields"},"topK":{"type":"integer","minimum":1}`,
			argv: query,
		},
		{
			Name: "getDetails", MCP: "get_details", Title: "Selectors of what the page offers", ReadOnly: true,
			About:  "How actions, forms, fields and collections are found again: a selector for each, and others to try after it.",
			Schema: tabSchema + idsSchema, Required: []string{"ids"},
			argv: func(a *args) ([]string, error) { return line([]string{"capabilities", "details"}, a.refs()...), nil },
		},
	}
}

func actionTools() []Tool {
	selected := []string{"selector"}
	return []Tool{
		{
			Name: "dom.click", MCP: "dom_click", Title: "Click", About: "Click an element.", Schema: tabSchema + selectorSchema, Required: selected,
			argv: func(a *args) ([]string, error) { return line([]string{"click"}, string(a.Selector)), nil },
		},
		{
			Name: "dom.type", MCP: "dom_type", Title: "Type", About: "Type text into a field behind what it holds, or in its place.",
			Schema:   tabSchema + selectorSchema + `,"text":{"type":"string"},"replace":{"type":"boolean","description":"replace what the field holds"}`,
			Required: []string{"selector", "text"}, argv: typeText,
		},
		{
			Name: "dom.select", MCP: "dom_select", Title: "Select", About: "Choose an option of a select box or a list, by its value or label.",
			Schema: tabSchema + selectorSchema + `,"value":{"type":"string"}`, Required: []string{"selector", "value"},
			argv: func(a *args) ([]string, error) { return line([]string{"select"}, string(a.Selector), a.Value), nil },
		},
		{
			Name: "dom.check", MCP: "dom_check", Title: "Check", About: "Check a box, a switch or a choice, or uncheck it; nothing is done when it is so already.",
			Schema:   tabSchema + selectorSchema + `,"checked":{"type":"boolean","description":"false unchecks; true without it"}`,
			Required: selected, argv: check,
		},
		{
			Name: "dom.hover", MCP: "dom_hover", Title: "Point at", About: "Move the pointer over an element, which may show a menu or a hint.",
			Schema: tabSchema + selectorSchema, Required: selected,
			argv: func(a *args) ([]string, error) { return line([]string{"hover"}, string(a.Selector)), nil },
		},
		{
			Name: "dom.submit", MCP: "dom_submit", Title: "Submit", About: "Submit a form, or the form of a field, as a person does.",
			Schema: tabSchema + selectorSchema, Required: selected,
			argv: func(a *args) ([]string, error) { return line([]string{"submit"}, string(a.Selector)), nil },
		},
		{
			Name: "dom.scroll", MCP: "dom_scroll", Title: "Scroll", About: "Scroll the page by y pixels, or until an element is in view.",
			Schema: tabSchema + selectorSchema + `,"y":{"type":"number","description":"pixels down; up when negative"}`, argv: scroll,
		},
		{
			Name: "dom.waitFor", MCP: "dom_wait_for", Title: "Wait", ReadOnly: true,
			About: "Wait until the address changes, no request is under way, an element is visible, or a text is shown.",
			Schema: tabSchema + `,"event":{"enum":["urlChange","networkIdle","selector","text"]},"value":{"type":["string","object"],"description":` +
				`"the selector, the text, or for urlChange the address that it changes from, the present one without it"},` +
				`"timeoutMs":{"type":"integer","minimum":1}`,
			Required: []string{"event"}, argv: waitFor,
		},
		{
			Name: "dom.extract", MCP: "dom_extract", Title: "Read a collection", ReadOnly: true,
			About: "The items of a collection, with the fields that are asked for, and with the ids of what can be done with each.",
			Schema: tabSchema + `,"collectionId":{"type":"string"},"fields":{"type":"array","items":{"type":"string"},"description":"of its itemFields; ` +
				`all without it"}`,
			Required: []string{"collectionId"}, argv: extract,
		},
	}
}

func tabTools() []Tool {
	return []Tool{
		{
			Name: "tabs.open", MCP: "tabs_open", Title: "Open a tab", About: "Open an address in a new tab, which becomes the active one.",
			Schema: `"url":{"type":"string"}`, Required: []string{"url"},
			argv: func(a *args) ([]string, error) { return line([]string{"tab", "new"}, string(a.URL)), nil },
		},
		{
			Name: "tabs.switch", MCP: "tabs_switch", Title: "Switch to a tab", About: "Make a tab the active one.", Schema: theTabSchema, Required: []string{"tabId"},
			argv: ofTab("switch"),
		},
		{
			Name: "tabs.close", MCP: "tabs_close", Title: "Close a tab", About: "Close a tab.", Schema: theTabSchema, Required: []string{"tabId"},
			argv: ofTab("close"),
		},
	}
}

func captureTools() []Tool {
	return []Tool{{
		Name: "capture.candidates", MCP: "capture_candidates", Title: "Picture of candidates", ReadOnly: true,
		About:  "One picture of the page in which the elements with these ids have numbered boxes, and where the boxes are. For what words do not tell apart.",
		Schema: tabSchema + idsSchema, Required: []string{"ids"},
		argv: func(a *args) ([]string, error) { return line([]string{"capture", "candidates"}, a.refs()...), nil },
	}}
}

// Find returns the tool of a name, in either spelling.
func Find(name string) (Tool, error) {
	all := Tools()
	names := make([]string, len(all))
	for i, t := range all {
		if name == t.Name || name == t.MCP {
			return t, nil
		}
		names[i] = t.Name
	}
	return Tool{}, fault.New(fault.Usage, "There is no tool %q.", name).About(name).WithHint("The tools are %s.", strings.Join(names, ", "))
}

// Argv returns the command line that a call of the tool stands for. The error names the argument that is wrong.
func (t Tool) Argv(raw json.RawMessage) ([]string, error) {
	a, err := t.read(raw)
	if err != nil {
		return nil, err
	}
	argv, err := t.argv(a)
	if err != nil {
		return nil, err
	}
	if a.Tab != "" && !a.tabNamed {
		argv = append([]string{"--tab=" + string(a.Tab)}, argv...)
	}
	return argv, nil
}

// read decodes the arguments of a call, each of which has to be one of the tool's.
func (t Tool) read(raw json.RawMessage) (*args, error) {
	var given, known map[string]json.RawMessage
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, fault.New(fault.Usage, "The arguments of %s are not a JSON object: %w", t.Name, err).About(t.Name)
		}
	}
	if err := json.Unmarshal([]byte("{"+t.Schema+"}"), &known); err != nil {
		return nil, fault.New(fault.Internal, "The schema of %s: %w", t.Name, err)
	}
	a := &args{tool: t.Name}
	fields := a.fields()
	for _, name := range slices.Sorted(maps.Keys(given)) { // in one order, so that the same mistake has the same message
		switch value := given[name]; {
		case known[name] == nil:
			return nil, a.wrong(name, "is not one of its arguments, which are "+strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case string(value) == "null": // as if it were not given
			delete(given, name)
		default:
			if err := json.Unmarshal(value, fields[name].into); err != nil {
				return nil, a.wrong(name, "has to be "+fields[name].takes+fields[name].but(value))
			}
		}
	}
	for _, name := range t.Required {
		if given[name] == nil {
			return nil, a.wrong(name, "is missing")
		}
	}
	return a, nil
}
