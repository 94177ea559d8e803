package forms

import (
	"context"
	"unicode/utf8"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/input"
)

// AppKeyboard presses keys in desktop apps, as a keyboard does. Keys of the DevTools protocol reach pages only, and not
// the menu bar of an app.
type AppKeyboard interface {
	// PressInApp presses a key in a page of the app that the session works in, if an item of the app's menu bar has it.
	// The item is its path, as "File > New". It is empty, and nothing was pressed, if there is no such app or item, or if
	// the app's main process is not inspected.
	PressInApp(ctx context.Context, targetID, key string, held input.Modifiers) (item string, chosen bool, err error)
}

// pressMenuKeys presses a chord if it is one of the menu bar of a desktop app, and notes whether it chose the item.
// Otherwise done is false, and the chord was not pressed.
func pressMenuKeys(
	ctx context.Context, c *actions.Call, tab *actions.Tab, stroke input.Stroke,
) (chosen string, done bool) {
	key, held := stroke.With(input.HeldModifiers(tab.Page))
	if utf8.RuneCountInString(key) == 1 && held&(input.Control|input.Alt|input.Meta) == 0 {
		return "", false // it types
	}
	item, ran, err := actions.Service[AppKeyboard](c).PressInApp(ctx, tab.Page.ID(), key, held)
	typed := c.String("key")
	switch {
	case err != nil || item == "": // an app that does not answer gets the keys in its page
		return "", false
	case !ran:
		c.Note(typed + " went to the page only, and did not choose " + item +
			" of the app's menu bar, which has these keys. " +
			"A page can take keys for itself; `electron menu click` chooses the item all the same")
		return "", true
	}
	c.Note(typed + " chose " + item + " of the app's menu bar")
	return item, true
}
