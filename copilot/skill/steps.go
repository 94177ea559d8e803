package skill

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/wording"
)

// step is a call of a tool on an element: by its ref, which is the element that was seen, and where that is gone by the
// selectors of its details.
func step(tool string, d pcd.Detail, args toolArgs, risk toolbox.Risk, about string) toolbox.Step {
	if args.Selector == nil {
		args.Selector = d.ID
	}
	s := toolbox.Step{Kind: toolbox.ToolStep, Call: call(tool, args), Description: about, Risk: risk}
	for _, alt := range append([]pcd.Selector{d.Selector}, d.AltSelectors...) {
		if alt.Kind != "" {
			s.AltSelectors = append(s.AltSelectors, alt.String())
		}
	}
	return s
}

// toolArgs are the arguments of the tools that skills call. Each has a part of them.
type toolArgs struct {
	Checked    *bool    `json:"checked,omitempty"`
	Collection string   `json:"collectionId,omitempty"`
	Event      string   `json:"event,omitempty"`
	Files      []string `json:"files,omitempty"`
	Replace    bool     `json:"replace,omitempty"`
	Selector   any      `json:"selector,omitempty"` // a ref, or a [pcd.Selector]
	Text       *string  `json:"text,omitempty"`
	Timeout    int      `json:"timeoutMs,omitempty"`
	Value      *string  `json:"value,omitempty"`
	Y          int      `json:"y,omitempty"`
}

func call(tool string, args toolArgs) *toolbox.Call {
	b, err := json.Marshal(args)
	if err != nil {
		b = nil // texts, numbers and truths only
	}
	return &toolbox.Call{Name: tool, Args: b}
}

func click(d pcd.Detail, label string, risk toolbox.Risk) toolbox.Step {
	what := "what has no name"
	if label != "" {
		what = strconv.Quote(short(label))
	}
	return step("dom.click", d, toolArgs{}, risk, "Click "+what)
}

func typing(d pcd.Detail, label, text string) toolbox.Step {
	return step("dom.type", d, toolArgs{
		Text:    &text,
		Replace: true,
	}, toolbox.Medium, fmt.Sprintf("Fill in %q", short(label)))
}

// secretly types what a grant holds. The element has to be the one that was seen: what merely has the same name gets no
// secret.
func secretly(d pcd.Detail, label, grant string) toolbox.Step {
	s := step("dom.type", d, toolArgs{
		Text:    new(string),
		Replace: true,
	}, toolbox.High, fmt.Sprintf("Fill in %q with the secret %s", short(label), grant))
	s.Secret, s.AltSelectors = grant, nil
	return s
}

// settle waits until no request is under way: what a page sends by itself is done then. A page that is never at rest is
// taken as it is.
func settle() toolbox.Step {
	return toolbox.Step{
		Kind: toolbox.BranchStep, Risk: toolbox.Low, Description: "Wait for the page",
		Options: []toolbox.Option{
			{Label: "the page has settled", Call: *call("dom.waitFor", toolArgs{Event: "networkIdle", Timeout: 8000})},
			{Label: "the page as it is", Call: *call("getMiniPCD", toolArgs{})},
		},
	}
}

// short is a label that a person can be shown: a page may have put pages of text there.
func short(label string) string {
	const most = 60
	return wording.Clip(label, most)
}

// matched makes a match of elements by slot.
func matched(stage string, confidence float64, why string, slots map[string]string) Match {
	m := Match{Slots: slots, Confidence: confidence, Why: why, stage: stage}
	for _, id := range slots {
		if !slices.Contains(m.IDs, id) {
			m.IDs = append(m.IDs, id)
		}
	}
	slices.Sort(m.IDs)
	return m
}
