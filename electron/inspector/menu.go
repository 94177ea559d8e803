package inspector

import (
	"context"
	_ "embed"
)

//go:embed js/menu.js
var menuScript string

// MenuItem is an item of the application menu.
type MenuItem struct {
	Label       string     `json:"label"`
	Type        string     `json:"type"` // normal, separator, submenu, checkbox or radio
	Accelerator string     `json:"accelerator,omitempty"`
	Role        string     `json:"role,omitempty"`
	Enabled     bool       `json:"enabled"`
	Visible     bool       `json:"visible"`
	Checked     bool       `json:"checked,omitempty"`
	Items       []MenuItem `json:"items,omitempty"`
}

// MenuClick is the outcome of a click on an item of the menu. An item that is disabled, or opens a submenu, is found
// and not clicked.
type MenuClick struct {
	Item    *MenuItem `json:"clicked"` // as it is after the click; nil means that there is no such item
	Missing string    `json:"missing"` // the label of the path that was not found
	Among   []string  `json:"among"`   // the labels where it was looked for
}

// Menu describes the application menu. It is empty for an app without one.
func (p *Process) Menu(ctx context.Context) ([]MenuItem, error) {
	var menu struct {
		Items []MenuItem `json:"items"`
	}
	err := p.call(ctx, menuScript, struct{}{}, &menu)
	return menu.Items, err
}

// ClickMenu clicks the item of the application menu at a path of labels. Case, an ampersand for the key and three dots
// at the end of a label do not matter.
func (p *Process) ClickMenu(ctx context.Context, path []string) (MenuClick, error) {
	var done MenuClick
	err := p.call(ctx, menuScript, map[string][]string{"path": path}, &done)
	return done, err
}
