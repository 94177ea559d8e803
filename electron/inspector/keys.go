package inspector

import (
	"context"
	_ "embed"
)

//go:embed js/keys.js
var keysScript string

// Keys are a key with its modifiers.
type Keys struct {
	Key     string `json:"key"` // as the DOM names it
	Control bool   `json:"control"`
	Alt     bool   `json:"alt"`
	Shift   bool   `json:"shift"`
	Meta    bool   `json:"meta"`
}

// KeysPressed is the result of keys that an item of the application menu may have.
type KeysPressed struct {
	Item    string `json:"item"`    // its path, as "File > New"; empty if nothing was pressed
	Enabled bool   `json:"enabled"` // the item can be chosen
	Chosen  bool   `json:"chosen"`  // the item was chosen; otherwise only the page got the keys
}

// PressMenuKeys presses keys in the page of a target if an item of the application menu has them, as a keyboard does:
// the page gets them first. Keys that the DevTools protocol sends never reach a menu. A page whose window is not shown
// gets none.
func (p *Process) PressMenuKeys(ctx context.Context, targetID string, keys Keys) (KeysPressed, error) {
	var pressed KeysPressed
	err := p.call(ctx, keysScript, struct {
		TargetID string `json:"targetId"`
		Keys
	}{targetID, keys}, &pressed)
	return pressed, err
}
