//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/skua-browser/skua/scripts/benchmark/apps"
)

// editorFlows returns the flows in Node-RED, whose editor shows nothing to people before it has fetched all of its
// parts.
func editorFlows() []flow {
	return []flow{
		{
			name:    "import",
			title:   "Node-RED: import nodes, deploy",
			app:     "node-red",
			prepare: oneFlow,
			run:     importNodes,
			check:   hasNode("comment", "Rain"),
		},
		{
			name:    "rename",
			title:   "Node-RED: rename a flow in its dialog, deploy",
			app:     "node-red",
			prepare: oneFlow,
			run:     renameFlow,
			check:   flowIsNamed,
		},
		{
			name:    "disable",
			title:   "Node-RED: disable a flow by its menu, deploy",
			app:     "node-red",
			prepare: oneFlow,
			run:     disableFlow,
			check:   flowIsDisabled,
		},
	}
}

// oneFlow has Node-RED run one flow with one node.
func oneFlow(ctx context.Context, a *agent) error {
	return a.app.SetFlows(ctx, apps.Node{ID: "f1", Type: "tab", Label: "Garden"}, apps.Node{
		ID:    "n1",
		Type:  "comment",
		Z:     "f1",
		Name:  "Motion",
		X:     200,
		Y:     100,
		Wires: [][]string{},
	})
}

// openEditor opens Node-RED's editor and sees it once it shows the flow.
func (a *agent) openEditor(ctx context.Context) error {
	return inTurn(
		func() error { return a.see(ctx, "open", a.app.Base+"/?"+a.token) },
		func() error { return a.until(ctx, "Garden") },
	)
}

// deploy has Node-RED run what is in the editor.
func (a *agent) deploy(ctx context.Context) error {
	return inTurn(
		func() error { return a.onWish(ctx, "click", wish{roles: "link|button", name: "^Deploy$"}) },
		func() error { return a.do(ctx, "wait", "--text", "Successfully deployed") },
	)
}

func importNodes(ctx context.Context, a *agent) error {
	// With a flow around it: a node alone would hang on the mouse until it is put down.
	nodes := `[{"id":"f7","type":"tab","label":"Roof"},{"id":"n7","type":"comment","z":"f7","name":"Rain","info":"","x":200,"y":200,"wires":[]}]`
	return inTurn(
		func() error { return a.openEditor(ctx) },
		func() error { return a.see(ctx, "press", "Control+i") },
		func() error { return a.onWish(ctx, "type", wish{roles: "textbox", name: "^$"}, nodes) },
		func() error { return a.seeOnWish(ctx, "click", wish{roles: "button", name: "^Import$"}) },
		func() error { return a.deploy(ctx) },
	)
}

// editFlow opens the dialog of the flow.
func (a *agent) editFlow(ctx context.Context) error {
	return inTurn(
		func() error { return a.openEditor(ctx) },
		func() error { return a.seeOnWish(ctx, "dblclick", wish{roles: "link", name: "^Garden$"}) },
	)
}

func renameFlow(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.editFlow(ctx) },
		func() error { return a.onWish(ctx, "fill", wish{roles: "textbox", rest: ": Garden"}, "Roof") },
		func() error { return a.onWish(ctx, "click", wish{roles: "button", name: "^Done$"}) },
		func() error { return a.deploy(ctx) },
	)
}

func disableFlow(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.editFlow(ctx) },
		func() error { return a.onWish(ctx, "click", wish{roles: "button", name: "Enabled"}) },
		func() error { return a.onWish(ctx, "click", wish{roles: "button", name: "^Done$"}) },
		func() error { return a.deploy(ctx) },
	)
}

// deployed waits until Node-RED runs a node that fits.
func deployed(ctx context.Context, a *agent, what string, fits func(apps.Node) bool) error {
	return eventually(ctx, func() error {
		nodes, err := a.app.Flows(ctx)
		if err == nil && !slices.ContainsFunc(nodes, fits) {
			err = fmt.Errorf("no %s in %v", what, nodes)
		}
		return err
	})
}

func hasNode(kind, name string) func(context.Context, *agent) error {
	return func(ctx context.Context, a *agent) error {
		return deployed(ctx, a, kind+" "+name, func(n apps.Node) bool { return n.Type == kind && n.Name == name })
	}
}

func flowIsNamed(ctx context.Context, a *agent) error {
	return errors.Join(
		deployed(ctx, a, "flow Roof", func(n apps.Node) bool { return n.ID == "f1" && n.Label == "Roof" }),
		hasNode("comment", "Motion")(ctx, a),
	)
}

func flowIsDisabled(ctx context.Context, a *agent) error {
	return deployed(ctx, a, "disabled flow", func(n apps.Node) bool {
		return n.ID == "f1" && n.Label == "Garden" && n.Disabled
	})
}
