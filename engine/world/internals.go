package world

import (
	"context"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
)

// A custom element may say its role, states and name by ElementInternals, which only the class that made it can read.
// Chrome's accessibility tree has them. The in-page script knows which elements may say something
// (engine/inpage/js/ax/internals.js); only the nodes of these are requested, and none on a page without custom
// elements. A node is made without the rest of the tree, in some 0.7 ms.

// axValue is Accessibility.AXValue of the protocol, the parts that we use.
type axValue struct {
	Value jsonv2.Value `json:"value"`
}

// axNode is Accessibility.AXNode of the protocol, the parts that we use.
type axNode struct {
	Ignored bool    `json:"ignored"`
	Role    axValue `json:"role"`
	Name    struct {
		axValue
		Sources []axSource `json:"sources"`
	} `json:"name"`
	Description axValue `json:"description"`
	Value       axValue `json:"value"`
	Properties  []struct {
		Name  string  `json:"name"`
		Value axValue `json:"value"`
	} `json:"properties"`
}

// axSource is Accessibility.AXValueSource: where a name may come from, the first that has a value being the one that
// counts.
type axSource struct {
	Attribute  string   `json:"attribute"`
	Superseded bool     `json:"superseded"`
	Value      *axValue `json:"value"`
}

type partialTreeParams struct {
	ObjectID       string `json:"objectId"`
	FetchRelatives bool   `json:"fetchRelatives"`
}

// tellInternals asks the browser what the elements say, tells the page, and returns of how many it did not know that.
func (w World) tellInternals(ctx context.Context, sess *cdp.Session, elements []string) (news int, err error) {
	calls := make([]cdp.Call, len(elements))
	for i, element := range elements {
		calls[i] = cdp.Call{Method: "Accessibility.getPartialAXTree", Params: partialTreeParams{ObjectID: element}}
	}
	told := make([]map[string]string, len(elements)) // nil means nothing; so also of an element that has gone
	for i, pending := range sess.Batch(calls...) {
		raw, err := pending.Wait(ctx)
		if ctx.Err() != nil {
			return 0, err
		}
		if err != nil {
			continue
		}
		var res struct {
			Nodes []axNode `json:"nodes"`
		}
		if err := cdp.Unmarshal(raw, &res); err != nil {
			return 0, err
		}
		if len(res.Nodes) > 0 && !res.Nodes[0].Ignored {
			told[i] = res.Nodes[0].attributes()
		}
	}
	args := make([]any, 1, 1+len(elements))
	args[0] = valueRef{told}
	for _, element := range elements {
		args = append(args, objectRef{element})
	}
	return w.count(ctx, sess, inpage.InternalsFunction, args)
}

// axAttributes are the attributes that say what a property of Chrome's tree does.
var axAttributes = map[string]string{
	"busy": "aria-busy", "checked": "aria-checked", "disabled": "aria-disabled", "expanded": "aria-expanded",
	"hasPopup": "aria-haspopup",
	"invalid":  "aria-invalid", "level": "aria-level", "live": "aria-live", "modal": "aria-modal",
	"multiselectable": "aria-multiselectable",
	"orientation":     "aria-orientation", "pressed": "aria-pressed", "readonly": "aria-readonly",
	"required": "aria-required",
	"selected": "aria-selected", "valuemax": "aria-valuemax", "valuemin": "aria-valuemin", "valuetext": "aria-valuetext",
}

// axRanges are the roles whose value is a number.
var axRanges = map[string]bool{
	"slider": true, "spinbutton": true, "scrollbar": true, "progressbar": true,
	"meter": true, "separator": true,
}

// attributes returns the attributes by which an element would say what the node has.
func (n *axNode) attributes() map[string]string {
	states := map[string]string{}
	role := cdp.Words(n.Role.Value)
	if role != "" && role != "generic" && role != "none" {
		states["role"] = role
	}
	for _, source := range n.Name.Sources {
		if source.Value == nil || source.Superseded {
			continue
		}
		if source.Attribute == "aria-label" || source.Attribute == "aria-labelledby" {
			states["aria-label"] = cdp.Words(source.Value.Value)
		}
		break
	}
	if description := cdp.Words(n.Description.Value); description != "" {
		states["aria-description"] = description
	}
	for _, p := range n.Properties {
		value := cdp.Words(p.Value.Value)
		name := axAttributes[p.Name]
		switch {
		case name == "" || value == "":
		case value == "false" &&
			(p.Name == "disabled" || p.Name == "hasPopup" || p.Name == "invalid" || p.Name == "required" ||
				p.Name == "readonly"):
		case role == "spinbutton" && value == "0" && (p.Name == "valuemin" || p.Name == "valuemax"):
			// it has none, of which the tree says 0
		default:
			states[name] = value
		}
	}
	if value := cdp.Words(n.Value.Value); value != "" && axRanges[role] {
		states["aria-valuenow"] = value
	}
	return states
}
