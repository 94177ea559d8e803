package forms_test

import (
	"net/http"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
)

// elementPlus serves the files of Element Plus and of Vue and returns where.
func elementPlus(t *testing.T) string {
	t.Helper()
	files := map[string]string{}
	for name, from := range map[string][2]string{
		"vue.js": {"vue@3.5.22", "dist/vue.global.prod.js"},
		"ep.js":  {"element-plus@2.14.8", "dist/index.full.min.js"},
		"ep.css": {"element-plus@2.14.8", "dist/index.css"},
	} {
		folder := sessiontest.FromNPM(t, func() (string, error) {
			out, err := exec.Command("../../scripts/npm-cached", from[0]).Output()
			return strings.TrimSpace(string(out)), err
		})
		files[name] = filepath.Join(folder, from[1])
	}
	return site.Answering(func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, files[path.Base(r.URL.Path)])
	})
}

// Element Plus keeps the state of a switch itself, and resets the native box that the click has changed.
func TestCheckElementPlusSwitches(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("deep tier: the library comes from npm")
	}
	at := elementPlus(t)
	c := host.Showing(t, `<!doctype html><link rel=stylesheet href=`+at+`ep.css><div id=app><el-form label-width=120px>
		<el-form-item label=Plain><el-switch v-model=plain aria-label=Plain /></el-form-item>
		<el-form-item label=Slow><el-switch v-model=slow :loading=loading :before-change=ask aria-label=Slow /></el-form-item>
		<el-form-item label=Refused><el-switch v-model=refused :before-change="() => false" aria-label=Refused /></el-form-item>
		<el-form-item label=Box><el-checkbox v-model=box>Box</el-checkbox></el-form-item></el-form></div>
		<script src=`+at+`vue.js></script><script src=`+at+`ep.js></script><script>
		vm = Vue.createApp({
			data: () => ({ plain: false, slow: false, refused: false, box: false, loading: false }),
			methods: { ask() { this.loading = true; return new Promise((done) => setTimeout(() => { this.loading = false; done(true); }, 1500)); } },
		}).use(ElementPlus).mount('#app');
	</script>`)
	for _, name := range []string{"Plain", "Slow"} {
		target := `role=switch[name="` + name + `"]`
		state := "vm." + strings.ToLower(name)
		require.Contains(t, c.Do("check", target).Result.Text, "checked: false → true", name)
		require.Equal(t, true, c.Page(state))
		require.Contains(t, c.Do("check", target).Result.Text, "it was checked already")
		require.Contains(t, c.Do("uncheck", target).Result.Text, "checked: true → false", name)
		require.Equal(t, false, c.Page(state))
		require.Contains(t, c.Do("uncheck", target).Result.Text, "it was unchecked already")
	}
	require.Contains(t, c.Fails(fault.ValueNotKept, "check", `role=switch[name="Refused"]`).Error(),
		"the page left it unchecked")
	c.Do("check", "role=checkbox[name=Box]")
	require.Equal(t, true, c.Page("vm.box"))
	// What another click has left behind.
	c.Do("click", "text=Plain")
	require.Equal(t, true, c.Page("vm.plain"))
	require.Contains(t, c.Do("check", `role=switch[name="Plain"]`).Result.Text, "it was checked already")
}

// A switch that a library keeps: its label is bound to a native box that is not drawn, what is around both takes each
// click, and cancels it.
func TestCheckWhatCancelsTheClickOnItsBox(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<label for=box>Notify</label> <div id=around class=toggle style="width:40px;height:20px;background:gray">
		<input id=box type=checkbox role=switch aria-checked=false style="position:absolute;width:0;height:0;opacity:0;margin:0"></div><script>
		on = false;
		around.onclick = (event) => {
			event.preventDefault();
			on = !on;
			Promise.resolve().then(() => { box.checked = on; box.setAttribute('aria-checked', on); around.classList.toggle('is-checked', on); });
		};
	</script>`)
	for range 2 {
		require.Contains(t, c.Do("check", "#box").Result.Text, "checked: false → true")
		require.Equal(t, true, c.Page("on"))
		require.Contains(t, c.Do("check", "label=Notify").Result.Text, "it was checked already")
		require.Contains(t, c.Do("uncheck", "#box").Result.Text, "checked: true → false")
		require.Equal(t, false, c.Page("on"))
		require.Contains(t, c.Do("uncheck", "#box").Result.Text, "it was unchecked already")
	}
}

// What has the role is not checked as long as the page says nothing.
func TestCheckRolesWithoutAState(t *testing.T) {
	t.Parallel()
	for _, role := range []string{
		"checkbox", "switch", "radio", "option", "treeitem", "menuitemcheckbox",
		"menuitemradio",
	} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			around := map[string]string{
				"option": "listbox", "treeitem": "tree", "menuitemcheckbox": "menu",
				"menuitemradio": "menu", "radio": "radiogroup",
			}[role]
			c := host.Showing(t, `<div role=`+around+`><div id=x role=`+role+` tabindex=0>Item</div></div><script>
				x.onclick = () => { log.push('click'); x.setAttribute('aria-checked', x.getAttribute('aria-checked') === 'true' ? 'false' : 'true'); };
			</script>`)
			require.Contains(t, c.Do("uncheck", "#x").Result.Text, "it was unchecked already")
			require.Empty(t, c.Log())
			require.Contains(t, c.Do("check", "#x").Result.Text, "checked: false → true")
			require.Equal(t, "true", c.Page("x.getAttribute('aria-checked')"))
			require.Contains(t, c.Do("check", "#x").Result.Text, "it was checked already")
			require.Equal(t, "click", c.Log())
		})
	}
	c := host.Showing(t, `<div role=listbox><div id=x role=option>Item</div></div><div id=plain>Plain</div>`)
	require.Contains(t, c.Fails(fault.ValueNotKept, "check", "#x").Error(), "the page left it unchecked")
	c.Fails(fault.TargetUnsuitable, "check", "#plain")
}

// Boxes whose drawing follows the box itself, with ARIA that nothing keeps up to date; a state that comes with an
// answer of the server, or while the control is disabled.
func TestCheckStatesThatComeLate(t *testing.T) {
	t.Parallel()
	slow := site.Answering(func(_ http.ResponseWriter, r *http.Request) {
		_ = pause.For(r.Context(), 1500*time.Millisecond)
	})
	c := host.Showing(t, `<style>.o { position: absolute; opacity: 0 }</style>
		<label><input id=stale class=o type=checkbox role=switch aria-checked=false><span>Stale</span></label>
		<button id=server role=switch aria-checked=false>Server</button>
		<button id=busy role=switch aria-checked=false>Busy</button>
		<button id=never role=switch aria-checked=false>Never</button><script>
		server.onclick = async () => { await fetch('`+slow+`'); server.setAttribute('aria-checked', 'true'); };
		busy.onclick = () => { busy.setAttribute('aria-busy', 'true'); setTimeout(() => { busy.setAttribute('aria-checked', 'true'); busy.removeAttribute('aria-busy'); }, 1500); };
	</script>`)
	c.Do("check", "#stale")
	require.Equal(t, true, c.Page("stale.checked"))
	require.Contains(t, c.Do("check", "#stale").Result.Text, "it was checked already")
	for _, id := range []string{"server", "busy"} {
		require.Contains(t, c.Do("check", "#"+id).Result.Text, "checked: false → true", id)
		require.Equal(t, "true", c.Page(id+".getAttribute('aria-checked')"))
	}
	require.Contains(t, c.Fails(fault.ValueNotKept, "check", "#never").Error(), "the page left it unchecked")
}

// An animation with an end that brings an element in is awaited, however long that takes within the time-out.
func TestActOnWhatAnAnimationBringsIn(t *testing.T) {
	t.Parallel()
	for name, style := range map[string]string{
		"flies in": "@keyframes in { from { transform: translateX(-900px) } } .x { animation: in 3s linear both }",
		"flies in later": "@keyframes in { from { transform: translateX(-900px) } } .x { animation: in 500ms 2500ms " +
			"linear both }",
		"is shown":        "@keyframes in { from { visibility: hidden } } .x { animation: in 3s step-end both }",
		"what it is in":   "@keyframes in { from { margin-left: -900px } } div { animation: in 3s linear both }",
		"by a transition": "div { position: relative; left: -900px; transition: left 3s linear } .go { left: 0 }",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			html := `<style>` + style +
				`</style><div id=box><button id=x class=x>Go</button><input id=f class=x aria-label=Field></div><script>
				x.onclick = () => log.push('go'); requestAnimationFrame(() => requestAnimationFrame(() => box.classList.add('go')));
			</script>`
			c := host.Showing(t, html)
			c.Do("click", "#x")
			require.Equal(t, "go", c.Log())
			c = host.Showing(t, html)
			c.Do("fill", "#f", "text")
			require.Equal(t, "text", c.Page("f.value"))
		})
	}
	c := host.Showing(t,
		`<style>@keyframes in { from { transform: translateX(-900px) } to { transform: translateX(-900px) } } .x { animation: in 60s linear both }</style>
		<button id=x class=x>Go</button>`)
	require.Contains(t, c.Fails(fault.TargetOutside, "click", "#x").Error(), "outside the viewport")
}

// A button behind a sentence about it, in document order, is what its text means.
func TestTextPrefersWhatSaysNothingElse(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<p id=about>Choose Basic or Pro.</p><div id=box>Save your work <div><button id=save>Save</button></div></div><button id=basic>Basic</button>
		<p id=one>Only here</p><script>addEventListener('click', (event) => log.push(event.target.id));</script>`)
	require.Contains(t, sessiontest.Notes(c.Do("find", "text", "Basic", "click")),
		"the first visible one with only that text was used: button \"Basic\" (number 2)")
	c.Do("click", "text=save")
	c.Do("click", "text=Only")
	require.Equal(t, "basic\nsave\none", c.Log())
}
