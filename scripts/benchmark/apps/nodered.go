//go:build linux

package apps

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// nodeRED wires what comes from devices to what is done with it, in an editor.
func nodeRED(a *App, folder string, port int) (launch, error) {
	settings := fmt.Sprintf(
		"module.exports = {uiPort: %d, uiHost: '127.0.0.1', flowFile: 'flows.json', telemetry: {enabled: false, "+
			"updateNotification: false}, editorTheme: {tours: false}, externalModules: {palette: {allowInstall: false}}};\n",
		port)
	err := os.WriteFile(filepath.Join(a.Dir, "settings.js"), []byte(settings), 0o600)
	return launch{argv: []string{"node", filepath.Join(folder, "red.js"), "--userDir", a.Dir}, ready: "/flows"}, err
}

// Node is a node of Node-RED's flows, or a flow itself.
type Node struct {
	ID       string     `json:"id"`
	Type     string     `json:"type"`
	Label    string     `json:"label,omitempty"` // of a flow
	Z        string     `json:"z,omitempty"`     // its flow
	Name     string     `json:"name,omitempty"`
	X        int        `json:"x,omitempty"`
	Y        int        `json:"y,omitempty"`
	Wires    [][]string `json:"wires,omitempty"`
	Disabled bool       `json:"disabled,omitempty"`
}

// SetFlows has Node-RED run these flows and no others.
func (a *App) SetFlows(ctx context.Context, nodes ...Node) error {
	text, err := json.Marshal(nodes)
	if err == nil {
		_, err = a.ask(ctx, "POST", "/flows", string(text))
	}
	return err
}

// Flows returns what Node-RED runs.
func (a *App) Flows(ctx context.Context) (nodes []Node, err error) {
	text, err := a.Get(ctx, "/flows")
	if err == nil {
		err = json.Unmarshal([]byte(text), &nodes)
	}
	return nodes, err
}
