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
			require.Nil(t, c.Page("document.querySelector('.open:not([hidden])')"), "what was opened is closed")
		})
	}
}

// Fields that libraries draw, whose list is rendered while it is closed: faded out, folded up or behind the field, with
// a search field in it.
func TestSelectDrawnField(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, closed, open string }{
		{"faded out", "opacity:0; pointer-events:none", "opacity:1; pointer-events:auto"},
		{"faded out slowly", "opacity:0; pointer-events:none; transition:opacity .2s", "opacity:1; pointer-events:auto"},
		{"folded up", "max-height:0; overflow:hidden", "max-height:300px"},
		{"behind the pointer", "pointer-events:none; transform:scale(.75)", "pointer-events:auto; transform:none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<style>.drop { `+tt.closed+` } .open .drop { `+tt.open+` }</style>
<h1>Order</h1><div id=field tabindex=0 style="width:200px; cursor:pointer"><span id=current>Choose</span>
<div class=drop><input placeholder="Search..."><ul><li data-value=l>Lamps<li data-value=c>Chairs</ul></div></div>
<script>
field.onclick = () => { if (!field.classList.toggle('open')) return; search.focus(); for (const item of field.querySelectorAll('li')) item.hidden = false }
const search = field.querySelector('input')
search.onclick = e => e.stopPropagation()
search.onkeyup = search.oninput = e => { if (e.isTrusted) for (const item of field.querySelectorAll('li')) item.hidden = !item.textContent.includes(search.value) }
for (const item of field.querySelectorAll('li')) item.onclick = () => { current.textContent = item.textContent; log.push(item.dataset.value) }
</script>`)
			require.Contains(t, c.Fails(fault.OptionNotFound, "select", "#field", "Sofas").Error(), `l ("Lamps"), c ("Chairs")`)
			require.Empty(t, c.Log())
			require.Equal(t, false, c.Page("field.classList.contains('open')"), "what was opened is closed")
			c.Do("select", "#field", "Chairs")
			require.Equal(t, "c", c.Log())
			require.Equal(t, "Chairs", c.Page("current.textContent.trim()"))
		})
	}
}
