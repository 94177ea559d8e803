package forms

import (
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
)

// heldFocus is the field of a tab that `focus` chose, and that nothing but typed text has come to since. A page may
// take the focus from it meanwhile, or put another field in its place. The text that comes next belongs in that field,
// not in the page.
type heldFocus struct {
	target *element.Target
	acts   int // how often the page had been acted on then
}

// remountPatience is how long the field may take to be there again.
const remountPatience = 250 * time.Millisecond

// holdFocus keeps the field that has the focus as the one that the next text is for; nil means that none is.
func holdFocus(tab *actions.Tab, field *element.Target) {
	*actions.StateOf[heldFocus](&tab.States) = heldFocus{target: field, acts: tab.Page.Acts()}
}

// heldField returns the field that `focus` chose, if nothing else has been done in the tab since; else nil.
func heldField(tab *actions.Tab) *element.Target {
	held := actions.StateOf[heldFocus](&tab.States)
	if held.target == nil || held.acts != tab.Page.Acts() {
		return nil
	}
	return held.target
}

// leavesField reports whether a text has keys that lead out of a field.
func leavesField(text string) bool { return strings.ContainsAny(text, "\n\t") }

// focusAgain gives the focus back to the field that `focus` chose and the page took it from. Nil means that it is not
// there any longer, so that the text is for the page.
func focusAgain(
	ctx context.Context, c *actions.Call, tab *actions.Tab, field *element.Target, text string,
) (*typingAt, error) {
	res, err := focusToType(ctx, c, tab, field, text, 0, remountPatience)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, nil
	case res.Passed != nil && res.Passed.Token == 0:
		return nil, replacedAtFocus(field.Label)
	}
	return &typingAt{
		frame:     field.Frame,
		label:     field.Label,
		target:    field,
		checked:   res.Editable,
		keys:      true,
		typedInto: res.typedInto,
	}, nil
}
