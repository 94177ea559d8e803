package toolbox

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/plainjson"
)

// Tool is something that a planner may do. Its parameters are those of plans and not those of commands: an element can
// be an object, what is waited for is an event, and a parameter may choose the command. [args] has once what each of
// them takes; a test of the server compares the lines that they make with the definitions of the commands.
type Tool struct {
	Name     string // as plans have it: "dom.click"
	MCP      string // as tools are called where names have no dots: "dom_click"
	Title    string
	About    string // what it does, for a model
	ReadOnly bool   // it changes neither the page nor which tab is shown
	Params   []Param
	does     []string // the commands whose work it does
	argv     func(a *args) ([]string, error)
}

// Param is a parameter of a tool.
type Param struct {
	Name     string
	About    string // what is not clear from its name; may be empty
	Required bool
}

// optional returns the parameter as one that may be left out.
func (p Param) optional() Param {
	p.Required = false
	return p
}

// Parameters that several tools have.
var (
	paramTab      = Param{Name: "tabId", About: "t2 or 2; the active tab without it"}
	paramTheTab   = Param{Name: "tabId", About: "t2 or 2", Required: true}
	paramSelector = Param{
		Name:     "selector",
		Required: true,
		About: `an id or ref (e12, @e12), CSS, or an object: {"kind":"role","role":"button",` +
			`"name":"Save","nameMode":"exact|includes|regex","pressed":true,"disabled":false,"withinLandmark":"main","nth":0,"framePath":[]}, ` +
			`{"kind":"text","text":"Save"} or {"kind":"css","css":".save"}`,
	}
	paramIDs = Param{Name: "ids", Required: true, About: "ids from a summary or a query"}
)

// Properties are the parameters as the properties of a JSON schema, without the braces around them.
func (t Tool) Properties() string {
	fields := (&args{tool: t.Name}).fields()
	list := make([]string, len(t.Params))
	for i, p := range t.Params {
		shape := fields[p.Name].shape
		if shape == "" { // what plans have beside the arguments
			shape = shapeText
		}
		if p.About != "" {
			about, _ := plainjson.Marshal(p.About) // a string
			shape += `,"description":` + string(about)
		}
		list[i] = strconv.Quote(p.Name) + ":{" + shape + "}"
	}
	return strings.Join(list, ",")
}

// WithSecret returns a tool that types, as plans have it when secrets are granted: one of them may take the place of
// the text.
func (t Tool) WithSecret() Tool {
	t.Params = append(slices.Clone(t.Params), Param{
		Name:  "secret",
		About: "the name of a granted secret, in place of text",
	})
	for i := range t.Params {
		if t.Params[i].Name == "text" {
			t.Params[i] = t.Params[i].optional()
		}
	}
	return t
}

// Required are the names of the parameters that a call must have.
func (t Tool) Required() []string {
	var names []string
	for _, p := range t.Params {
		if p.Required {
			names = append(names, p.Name)
		}
	}
	return names
}

// The names of tools that act on elements, and of which a task knows more than that they act.
const (
	ClickTool  = "dom.click"
	TypeTool   = "dom.type"
	SubmitTool = "dom.submit"
	UploadTool = "dom.upload"
)

// Tools returns all tools, those that look first.
func Tools() []Tool { return slices.Concat(readTools(), actionTools(), tabTools(), captureTools()) }

// For returns the tool that does the work of a command.
func For(command string) (Tool, bool) {
	for _, t := range Tools() {
		if slices.Contains(t.does, command) {
			return t, true
		}
	}
	return Tool{}, false
}

func readTools() []Tool {
	return []Tool{
		{
			Name: "getMiniPCD", MCP: "get_mini_pcd", does: []string{"snapshot"}, Title: "Summary of the page", ReadOnly: true,
			About:  "What the page offers: its actions, forms and collections, with ids that other tools take.",
			Params: []Param{paramTab}, argv: fixed("capabilities"),
		},
		{
			Name:     "pcd.query",
			MCP:      "pcd_query",
			Title:    "Search the page",
			ReadOnly: true,
			About: "Actions, forms and collections of the page that fit a text, the best first; also those that the " +
				"summary has no room for.",
			Params: []Param{
				paramTab,
				{Name: "kind", About: "action, form, collection or field; several with |; fields only when named"},
				{Name: "text", About: "words that may stand in its label, address or fields"},
				{Name: "topK"},
			},
			argv: query,
		},
		{
			Name:     "getDetails",
			MCP:      "get_details",
			Title:    "Selectors of what the page offers",
			ReadOnly: true,
			About: "How actions, forms, fields and collections are found again: a selector for each, and others to " +
				"try after it.",
			Params: []Param{paramTab, paramIDs},
			argv:   func(a *args) ([]string, error) { return line([]string{"capabilities", "details"}, a.refs()...), nil },
		},
	}
}

func actionTools() []Tool {
	return []Tool{
		{
			Name:   ClickTool,
			MCP:    "dom_click",
			does:   []string{"click"},
			Title:  "Click",
			About:  "Click an element.",
			Params: []Param{paramTab, paramSelector},
			argv:   func(a *args) ([]string, error) { return line([]string{"click"}, string(a.Selector)), nil },
		},
		{
			Name:  TypeTool,
			MCP:   "dom_type",
			does:  []string{"type", "fill"},
			Title: "Type",
			About: "Type text into a field, after its content or instead of it.",
			Params: []Param{paramTab, paramSelector, {Name: "text", Required: true}, {
				Name:  "replace",
				About: "replace what the field holds",
			}},
			argv: typeText,
		},
		{
			Name:   "dom.select",
			MCP:    "dom_select",
			does:   []string{"select"},
			Title:  "Select",
			About:  "Choose an option of a select box or a list, by its value or label.",
			Params: []Param{paramTab, paramSelector, {Name: "value", Required: true}},
			argv:   func(a *args) ([]string, error) { return line([]string{"select"}, string(a.Selector), a.Value), nil },
		},
		{
			Name:   "dom.check",
			MCP:    "dom_check",
			does:   []string{"check"},
			Title:  "Check",
			About:  "Check or uncheck a box, a switch or a choice; nothing is done when it already has that state.",
			Params: []Param{paramTab, paramSelector, {Name: "checked", About: "false unchecks; true without it"}},
			argv:   check,
		},
		{
			Name:   "dom.hover",
			MCP:    "dom_hover",
			does:   []string{"hover"},
			Title:  "Point at",
			About:  "Move the pointer over an element, which may show a menu or a hint.",
			Params: []Param{paramTab, paramSelector},
			argv:   func(a *args) ([]string, error) { return line([]string{"hover"}, string(a.Selector)), nil },
		},
		{
			Name:   SubmitTool,
			MCP:    "dom_submit",
			does:   []string{"submit"},
			Title:  "Submit",
			About:  "Submit a form, or the form of a field, as a person does.",
			Params: []Param{paramTab, paramSelector},
			argv:   func(a *args) ([]string, error) { return line([]string{"submit"}, string(a.Selector)), nil },
		},
		{
			Name:   "dom.scroll",
			MCP:    "dom_scroll",
			does:   []string{"scroll", "scroll to"},
			Title:  "Scroll",
			About:  "Scroll the page by y pixels, or until an element is in view.",
			Params: []Param{paramTab, paramSelector.optional(), {Name: "y", About: "pixels down; up when negative"}},
			argv:   scroll,
		},
		{
			Name:     "dom.waitFor",
			MCP:      "dom_wait_for",
			does:     []string{"wait"},
			Title:    "Wait",
			ReadOnly: true,
			About:    "Wait until the address changes, no request is under way, an element is visible, or a text is shown.",
			Params: []Param{
				paramTab,
				{Name: "event", Required: true},
				{
					Name:  "value",
					About: "the selector, the text, or for urlChange the address that it changes from, the present one without it",
				},
				{Name: "timeoutMs"},
			},
			argv: waitFor,
		},
		{
			Name:     "dom.extract",
			MCP:      "dom_extract",
			does:     []string{"extract"},
			Title:    "Read a collection",
			ReadOnly: true,
			About: "The items of a collection, with the fields that are asked for, and with the ids of what can be " +
				"done with each.",
			Params: []Param{paramTab, {Name: "collectionId", Required: true}, {
				Name:  "fields",
				About: "of its itemFields; all without it",
			}},
			argv: extract,
		},
	}
}

func tabTools() []Tool {
	return []Tool{
		{
			Name:   "tabs.open",
			MCP:    "tabs_open",
			does:   []string{"tab new"},
			Title:  "Open a tab",
			About:  "Open an address in a new tab, which becomes the active one.",
			Params: []Param{{Name: "url", Required: true}},
			argv:   func(a *args) ([]string, error) { return line([]string{"tab", "new"}, string(a.URL)), nil },
		},
		{
			Name:   "tabs.switch",
			MCP:    "tabs_switch",
			does:   []string{"tab switch"},
			Title:  "Switch to a tab",
			About:  "Make a tab the active one.",
			Params: []Param{paramTheTab},
			argv:   ofTab("switch"),
		},
		{
			Name:   "tabs.close",
			MCP:    "tabs_close",
			does:   []string{"tab close"},
			Title:  "Close a tab",
			About:  "Close a tab.",
			Params: []Param{paramTheTab},
			argv:   ofTab("close"),
		},
	}
}

func captureTools() []Tool {
	return []Tool{{
		Name:     "capture.candidates",
		MCP:      "capture_candidates",
		Title:    "Picture of candidates",
		ReadOnly: true,
		About: "One picture of the page in which the elements with these ids have numbered boxes, and where the boxes " +
			"are. For what words do not tell apart.",
		Params: []Param{paramTab, paramIDs},
		argv:   func(a *args) ([]string, error) { return line([]string{"capture", "candidates"}, a.refs()...), nil },
	}}
}

// planTools returns the tools that only the plans of skills have: what they do is named by who runs the skill, and by
// no model.
func planTools() []Tool {
	return []Tool{{
		Name:   UploadTool,
		MCP:    "dom_upload",
		Title:  "Upload",
		About:  "Put files into a field for files, or behind the button that asks for them.",
		Params: []Param{paramTab, paramSelector, {Name: "files", Required: true}},
		argv: func(a *args) ([]string, error) {
			return line([]string{"upload"}, append([]string{string(a.Selector)}, a.Files...)...), nil
		},
	}}
}

// Find returns the tool of a name, in either spelling.
func Find(name string) (Tool, error) {
	all := slices.Concat(Tools(), planTools())
	names := make([]string, len(all))
	for i, t := range all {
		if name == t.Name || name == t.MCP {
			return t, nil
		}
		names[i] = t.Name
	}
	return Tool{}, fault.New(fault.Usage, "There is no tool %q.", name).About(name).WithHint("The tools are %s.",
		strings.Join(names, ", "))
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
	var given map[string]json.RawMessage
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, fault.New(fault.Usage, "The arguments of %s are not a JSON object: %w", t.Name, err).About(t.Name)
		}
	}
	known := map[string]bool{}
	for _, p := range t.Params {
		known[p.Name] = true
	}
	a := &args{tool: t.Name}
	fields := a.fields()
	for _, name := range slices.Sorted(maps.Keys(given)) { // in one order, so that the same mistake has the same message
		switch value := given[name]; {
		case !known[name]:
			return nil, a.wrong(name,
				"is not one of its arguments, which are "+strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case string(value) == "null": // as if it were not given
			delete(given, name)
		default:
			if err := json.Unmarshal(value, fields[name].into); err != nil {
				return nil, a.wrong(name, "has to be "+fields[name].takes+fields[name].but(value))
			}
		}
	}
	for _, name := range t.Required() {
		if given[name] == nil {
			return nil, a.wrong(name, "is missing")
		}
	}
	return a, nil
}
