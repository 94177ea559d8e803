package forms_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// toggledIn is an expression for the state of a control of the page: true, false or "mixed".
func toggledIn(id string) string {
	return `(el => { const box = el.shadowRoot?.querySelector('input') ?? (el.localName === 'input' ? el : el.querySelector('input'));
		if (box) return box.checked;
		const state = el.getAttribute('aria-checked') ?? el.getAttribute('aria-pressed');
		return state === 'mixed' ? state : state === 'true' })(document.getElementById('` + id + `'))`
}

func TestCheckToggles(t *testing.T) {
	t.Parallel()
	page := host.Opened(t, "/pages/acting-choose-toggles.html")
	for _, tt := range []struct{ name, target, id string }{
		{"box in a drawn switch", "#slider", "slider"},
		{"drawn switch, by its label", "#slider-label", "slider"},
		{"drawn switch, by what is drawn", ".slider", "slider"},
		{"clipped box", "#clipped", "clipped"},
		{"see-through box", "#ripple", "ripple"},
		{"what is around a see-through box", "#mui", "ripple"},
		{"box under an overlay", "#under", "under"},
		{"toggle button", "#bold", "bold"},
		{"switch that takes its time", "#later", "later"},
		{"box that asks a server", "#asks", "asks"},
		{"box that is rendered again", "#fresh", "fresh"},
		{"custom element", "#custom", "custom"},
		{"box in a shadow tree", "#boxed", "boxed"},
		{"menu item", "#ruler", "ruler"},
		{"row with one box", "#row1", "row1"},
		{"cell with one box", "#cell2", "row2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Do("check", tt.target)
			require.Equal(t, true, c.Page(toggledIn(tt.id)))
			clicks := c.Log()
			reply := c.Do("check", tt.target)
			require.Contains(t, reply.Result.Text, "it was checked already")
			require.Equal(t, true, sessiontest.Decode[object](t, reply.Result.Data)["already"])
			require.Equal(t, clicks, c.Log(), "what is checked is not clicked")
			c.Do("uncheck", tt.target)
			require.Equal(t, false, c.Page(toggledIn(tt.id)))
			require.Contains(t, c.Do("uncheck", tt.target).Result.Text, "it was unchecked already")
			require.Equal(t, site.URL("/pages/acting-choose-toggles.html"), c.Page("location.href"))
		})
	}
}

func TestCheckNotRendered(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<input id=none type=checkbox style="display:none"><label for=none><span>Not rendered</span></label>`)
	for _, target := range []string{"#none", "label", "span"} {
		c.Do("check", target)
		require.Equal(t, true, c.Page(toggledIn("none")), target)
		c.Do("uncheck", target)
		require.Equal(t, false, c.Page(toggledIn("none")), target)
	}
}

// Controls of three states are clicked until they are as they should be.
func TestCheckThreeStates(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-choose-toggles.html")
	c.Do("check", "#tri")
	require.Equal(t, true, c.Page(toggledIn("tri")))
	c.Do("uncheck", "#cycle")
	require.Equal(t, false, c.Page(toggledIn("cycle")))
	require.Equal(t, "tri\ntri\ncycle\ncycle", c.Log())
}

func TestCheckTogglesRefused(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-choose-toggles.html")
	for _, tt := range []struct {
		name, command, target string
		code                  fault.Code
		says                  string
	}{
		{"state by class", "check", "#class-only", fault.TargetUnsuitable, "shows no state that can be read"},
		{"two in a row", "check", "#row3", fault.TargetUnsuitable, "There are 2 of that kind in it"},
		{"the page takes it back", "check", "#controlled", fault.ValueNotKept, "left it unchecked"},
		{"marked as disabled", "check", "#aria-off", fault.TargetDisabled, "is disabled"},
		{"radio item", "uncheck", "#small", fault.TargetUnsuitable, "cannot be unchecked"},
		{"heading", "check", "h1", fault.TargetUnsuitable, "cannot be checked: it shows no state"},
	} {
		err := c.In(t).Fails(tt.code, tt.command, tt.target)
		require.Contains(t, err.Error(), tt.says, tt.name)
	}
	require.Equal(t, "controlled", c.Log(), "nothing else was clicked")
	require.Contains(t, c.Do("check", "#aria-off-on").Result.Text, "already")
	c.Do("check", "#big")
	require.Equal(t, []any{false, true}, c.Page("["+toggledIn("small")+", "+toggledIn("big")+"]"))
}

func BenchmarkSelect(b *testing.B) {
	c := host.Opened(b, "/pages/acting-choices.html")
	ref := c.Ref(`combobox "Color"`)
	for n := 0; b.Loop(); n++ {
		c.Do("select", ref, []string{"r", "g"}[n%2])
	}
}

func BenchmarkSelectListbox(b *testing.B) {
	c := host.Opened(b, "/pages/acting-choose-aria.html")
	for n := 0; b.Loop(); n++ {
		c.Do("select", "#one", []string{"Helium", "Boron"}[n%2])
	}
}

func BenchmarkCheck(b *testing.B) {
	c := host.Opened(b, "/pages/acting-choices.html")
	ref := c.Ref(`checkbox "Check"`)
	for n := 0; b.Loop(); n++ {
		c.Do([]string{"check", "uncheck"}[n%2], ref)
	}
}

// Whatever says aria-checked is checked, and a native box by what is drawn for it.
func TestCheckWhateverSaysItsState(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<style>.clip { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) } .drawn { display: inline-block; width: 18px; height: 18px; background: #cde; cursor: pointer }</style>
		<div role=listbox aria-multiselectable=true aria-label=Toppings><div role=option id=option aria-checked=false>Ham</div></div>
		<div role=tree aria-label=Files><div role=treeitem id=treeitem aria-checked=mixed>Docs</div></div>
		<div role=menu><div role=menuitemcheckbox id=menuitem aria-checked=false>Ruler</div></div>
		<div role=grid><div role=row id=row aria-checked=false><span role=gridcell>Ada</span></div></div>
		<button id=button aria-checked=false>Plain button</button>
		<p><span class=clip><input type=checkbox id=clipped></span><i class=drawn></i> <input aria-label=Other></p>
		<p><input type=checkbox id=none style="display:none"><i class=drawn></i> <button>Beside</button></p><script>
		for (const el of document.querySelectorAll('[aria-checked]')) el.onclick = () => el.setAttribute('aria-checked', el.getAttribute('aria-checked') !== 'true');
		for (const el of document.querySelectorAll('.drawn')) el.onclick = () => { el.parentNode.querySelector('[type=checkbox]').click(); };
	</script>`)
	for _, id := range []string{"option", "treeitem", "menuitem", "row", "button", "clipped", "none"} {
		state := "(el => el.type === 'checkbox' ? el.checked : el.getAttribute('aria-checked') === " +
			"'true')(document.getElementById('" + id + "'))"
		c.Do("check", "#"+id)
		require.Equal(t, true, c.Page(state), id)
		c.Do("uncheck", "#"+id)
		require.Equal(t, false, c.Page(state), id)
	}
}
