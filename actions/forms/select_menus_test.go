package forms_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// Buttons that open something to choose from, whether or not they say so. What was chosen there, and as what, is told.
func TestSelectFromMenu(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ id, as string }{
		{"menu", "menuitem"},
		{"bare", "listitem"},
		{"expands", "link"},
		{"boxes", "div"},
		{"far", "div"},
		{"late", "listitem"},
		{"tree", "treeitem"},
		{"field", "div"},
		{"drawn", "listitem"},
		{"pointed", "div"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-choose-menus.html")
			reply := c.Do("select", "#"+tt.id, "Lamps")
			require.Equal(t, tt.id+" Lamps", c.Log())
			require.Equal(t, []string{"Lamps"}, sessiontest.Decode[struct{ Selected []string }](t, reply.Result.Data).Selected)
			require.Contains(t, sessiontest.Notes(reply), `"Lamps" was clicked, a `+tt.as+" of what #"+tt.id+" opens")
			require.Nil(t, c.Page("document.querySelector('.open:not([hidden])')"))
		})
	}
}

// What is not in the list is not chosen elsewhere, and what sends a form is not tried.
func TestSelectFromMenuRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		id, value string
		code      fault.Code
		says      string
		log       string
	}{
		{"menu", "Sofas", fault.OptionNotFound, `Chairs ("Chairs"), Lamps ("Lamps")`, ""},
		{"bare", "Sofas", fault.OptionNotFound, `Lamps ("Lamps")`, ""},
		{"nothing", "Lamps", fault.TargetUnsuitable, "It was clicked, and no list of options came", "help"},
		{"holder", "Lamps", fault.TargetUnsuitable, "opens no list of options", ""},
		{"sends", "Lamps", fault.TargetUnsuitable, "opens no list of options", ""},
	} {
		t.Run(tt.id, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-choose-menus.html")
			require.Contains(t, c.Fails(tt.code, "select", "#"+tt.id, tt.value).Error(), tt.says)
			require.Equal(t, tt.log, c.Log())
		})
	}
}
