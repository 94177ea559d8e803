package inpage_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/inpage"
)

// The parts of dates and players are in the walk as Chrome's tree has them.
func TestPartsAgree(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, html string }{
		{"date", `<input type=date aria-label=A value=2024-02-03>`},
		{"empty date", `<input type=date aria-label=A>`},
		{"date with bounds", `<input type=date aria-label=A value=2024-02-03 min=2020-01-01 max=2029-12-31>`},
		{"disabled date", `<input type=date aria-label=A disabled value=2024-02-03>`},
		{"date in a disabled fieldset", `<fieldset disabled><input type=date aria-label=A></fieldset>`},
		{"read-only date", `<input type=date aria-label=A readonly value=2024-02-03>`},
		{"required date", `<input type=date aria-label=A required>`},
		{"focused date", `<input type=date aria-label=A autofocus value=2024-02-03>`},
		{"time", `<input type=time aria-label=A value=13:05>`},
		{"time with seconds", `<input type=time aria-label=A step=1 value=13:05:09>`},
		{"datetime-local", `<input type=datetime-local aria-label=A value=2024-02-03T04:05>`},
		{"month", `<input type=month aria-label=A value=2024-02>`},
		{"week", `<input type=week aria-label=A value=2024-W09>`},
		{
			"date without a picker",
			`<style>::-webkit-calendar-picker-indicator { display: none }</style><input type=date aria-label=A>`,
		},
		{"date that CSS hides", `<input type=date aria-label=A style="display: none">`},
		{
			"date in a closed root",
			`<div id=h></div><script>h.attachShadow({mode: 'closed'}).innerHTML = '<input type=date aria-label=A>'</script>`,
		},
		{"audio", `<audio controls></audio>`},
		{"video", `<video controls width=400 height=200></video>`},
		{"video without controls", `<video width=400 height=200></video>`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			p.walk(t, object{})
			for p.pierce(t) > 0 {
				p.walk(t, object{})
			}
			walk, chrome := partRows(rows(p.walk(t, object{}))), partRows(p.everyRow(t))
			same, diff := agreement(walk, chrome)
			require.Empty(t, diff, "%d agree", same)
			interactive := rows(p.walk(t, object{"interactive": true}))
			for _, r := range walk {
				if r.role != "Video" && r.role != "Audio" {
					require.Contains(t, interactive, r, "each part has a ref")
				}
			}
		})
	}
}

// partRows are the rows of controls and their parts.
func partRows(all []row) []row {
	roles := []string{"Date", "DateTime", "InputTime", "Video", "Audio", "spinbutton", "button", "slider"}
	var parts []row
	for _, r := range all {
		if slices.Contains(roles, r.role) {
			r.name = once(r.name)
			parts = append(parts, r)
		}
	}
	return parts
}

// once takes back that Chrome says the names of parts twice ("Month Month") where the field has a name: it wants to say
// that one, too, and takes the part for the field.
func once(name string) string {
	if half := len(name) / 2; len(name)%2 == 1 && name[half] == ' ' && name[:half] == name[half+1:] {
		return name[:half]
	}
	return name
}

// everyRow is Chrome's tree with what is in the browser's own shadow trees.
func (p *testPage) everyRow(t testing.TB) []row {
	t.Helper()
	var res struct {
		Nodes []axNode `json:"nodes"`
	}
	call(t, p.sess, "Accessibility.getFullAXTree", object{"frameId": p.frame}, &res)
	byID := map[string]*axNode{}
	for i := range res.Nodes {
		byID[res.Nodes[i].NodeID] = &res.Nodes[i]
	}
	var out []row
	var add func(n *axNode)
	add = func(n *axNode) {
		if n == nil {
			return
		}
		if !n.Ignored {
			out = append(out, n.row(fmt.Sprint(n.Role.Value), p.tokenOfNode(t)))
		}
		for _, child := range n.ChildIDs {
			add(byID[child])
		}
	}
	add(&res.Nodes[0])
	return out
}

// pierce does what the engine does after a walk: it asks the browser about the elements that may have hidden roots.
func (p *testPage) pierce(t testing.TB) (found int) {
	t.Helper()
	type remote struct {
		ObjectID string `json:"objectId"`
	}
	var list struct {
		Result remote `json:"result"`
	}
	call(t, p.sess, "Runtime.evaluate", object{"expression": inpage.Call("suspects", nil), "contextId": p.world}, &list)
	if list.Result.ObjectID == "" {
		return 0
	}
	var hosts struct {
		Result []struct {
			Value *remote `json:"value"`
		} `json:"result"`
	}
	call(t, p.sess, "Runtime.getProperties", object{"objectId": list.Result.ObjectID, "ownProperties": true}, &hosts)
	var roots []remote
	for _, host := range hosts.Result {
		if host.Value == nil || host.Value.ObjectID == "" {
			continue
		}
		var described struct {
			Node struct {
				ShadowRoots []struct {
					BackendNodeID int64 `json:"backendNodeId"`
				} `json:"shadowRoots"`
			} `json:"node"`
		}
		call(t, p.sess, "DOM.describeNode", object{"objectId": host.Value.ObjectID, "depth": 1, "pierce": true}, &described)
		for _, root := range described.Node.ShadowRoots {
			var resolved struct {
				Object remote `json:"object"`
			}
			call(t, p.sess, "DOM.resolveNode", object{"backendNodeId": root.BackendNodeID, "executionContextId": p.world},
				&resolved)
			roots = append(roots, resolved.Object)
		}
	}
	var made struct {
		Result struct {
			Value int `json:"value"`
		} `json:"result"`
	}
	call(t, p.sess, "Runtime.callFunctionOn", object{
		"functionDeclaration": inpage.PierceFunction, "executionContextId": p.world, "arguments": roots,
		"returnByValue": true,
	}, &made)
	return made.Result.Value
}
