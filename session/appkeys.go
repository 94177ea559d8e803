package session

import (
	"context"

	"github.com/skua-browser/skua/electron/inspector"
	"github.com/skua-browser/skua/engine/input"
)

// PressInApp presses a key in a page of the app that the session works in, if an item of the app's menu bar has it.
func (a sessionHost) PressInApp(
	ctx context.Context, targetID, key string, held input.Modifiers,
) (item string, chosen bool, err error) {
	app, _ := a.browser.App()
	if app == nil || app.InspectorURL == "" {
		return "", false, nil
	}
	p, err := inspector.Dial(ctx, app.InspectorURL)
	if err != nil {
		return "", false, err
	}
	defer p.Close()
	pressed, err := p.PressMenuKeys(ctx, targetID, inspector.Keys{
		Key:     key,
		Control: held&input.Control != 0,
		Alt:     held&input.Alt != 0,
		Shift:   held&input.Shift != 0,
		Meta:    held&input.Meta != 0,
	})
	if pressed.Item != "" && !pressed.Enabled {
		pressed.Item += " (disabled)"
	}
	return pressed.Item, pressed.Chosen, err
}
