package capture

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/engine"
)

// ShiftedElements names elements of a page's main frame that a trace has the backend ids of, as selectors do. At is
// when they were there, in microseconds of the browser's clock. It returns nothing if the page shows another document
// by now: the ids would be of other elements.
func ShiftedElements(ctx context.Context, p *engine.Page, at float64, ids []int64) []string {
	began, ok := navigationStart(ctx, p)
	if !ok || began > at {
		return nil
	}
	var names []string
	for _, id := range ids {
		var res struct {
			Node struct {
				Name       string   `json:"nodeName"`
				Attributes []string `json:"attributes"`
			} `json:"node"`
		}
		if p.Session().Call(ctx, "DOM.describeNode", map[string]int64{"backendNodeId": id}, &res) != nil {
			continue // it has left the page
		}
		names = append(names, selectorOf(res.Node.Name, res.Node.Attributes))
	}
	return names
}

// navigationStart returns when the page's document began, in microseconds of the browser's clock.
func navigationStart(ctx context.Context, p *engine.Page) (at float64, ok bool) {
	if _, err := p.Session().CallRaw(ctx, "Performance.enable", nil); err != nil {
		return 0, false
	}
	defer p.Session().Start("Performance.disable", nil)
	var res struct {
		Metrics []struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
		} `json:"metrics"`
	}
	if p.Session().Call(ctx, "Performance.getMetrics", nil, &res) != nil {
		return 0, false
	}
	for _, m := range res.Metrics {
		if m.Name == "NavigationStart" && m.Value > 0 {
			return m.Value * 1e6, true
		}
	}
	return 0, false
}

func selectorOf(tag string, attributes []string) string {
	var said strings.Builder
	said.WriteString(strings.ToLower(tag))
	for i := 0; i+1 < len(attributes); i += 2 {
		switch value := attributes[i+1]; attributes[i] {
		case "id":
			said.WriteString("#" + value)
		case "class":
			for class := range strings.FieldsSeq(value) {
				said.WriteString("." + class)
			}
		}
	}
	return said.String()
}
