package pointer_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// What a command says of its effect is held against what the page shows.
func TestEffects(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		page    string
		command []string
		read    string // an expression, and what it must be in the page
		want    any
		says    string // in the line of text
		key     string // a member of effect, and what it must be; nil: not there
		value   any
	}{
		{
			"text that changes beside it", "shop",
			[]string{"click", "#add"},
			`document.getElementById('cart').textContent`, "1 items",
			`appeared: status "Kettle is in your cart"`, "appeared",
			[]any{`status "Kettle is in your cart"`},
		},
		{
			"a toggle", "shop",
			[]string{"click", "#like"},
			`document.getElementById('like').getAttribute('aria-pressed')`, "true",
			"✓ Done · pressed: false → true", "state",
			object{"pressed": object{"from": "false", "to": "true"}},
		},
		{"a request", "shop", []string{"click", "#save"}, `log.join()`, "save", "1 request (POST http", "dom", nil},

		{
			"a modal dialog", "dialogs",
			[]string{"click", "#modal"},
			`document.getElementById('confirm').open`, true,
			`appeared: dialog "Delete project?"`, "appeared",
			[]any{`dialog "Delete project?"`},
		},
		{
			"a dialog by a class", "dialogs",
			[]string{"click", "#sheet"},
			`document.getElementById('shared').className`, "sheet open",
			`appeared: dialog "Share project"`, "appeared",
			[]any{`dialog "Share project"`},
		},
		{
			"a popover", "dialogs",
			[]string{"click", "#pop"},
			`document.getElementById('tips').matches(':popover-open')`, true,
			`appeared: `, "closed", nil,
		},
		{
			"a menu", "dialogs",
			[]string{"click", "#menu"},
			`document.querySelectorAll('[role=menu]').length`, float64(1),
			`expanded: false → true; appeared: menu "More actions"`, "state",
			object{"expanded": object{"from": "false", "to": "true"}},
		},

		{
			"an accordion", "disclosures",
			[]string{"click", "#accordion"},
			`document.getElementById('answer').hidden`, false,
			"expanded: false → true", "state",
			object{"expanded": object{"from": "false", "to": "true"}},
		},
		{
			"details", "disclosures",
			[]string{"click", "#summary"},
			`document.getElementById('details').open`, true,
			"expanded: false → true", "none", nil,
		},
		{
			"a tab", "disclosures",
			[]string{"click", "#two"},
			`document.getElementById('p2').hidden`, false,
			`selected: false → true; appeared: tabpanel "History"; closed: tabpanel "Overview"`, "closed",
			[]any{`tabpanel "Overview"`},
		},
		{
			"a checkbox", "disclosures",
			[]string{"check", "#box"},
			`document.getElementById('box').checked`, true,
			"✓ Done · checked: false → true", "state",
			object{"checked": object{"from": "false", "to": "true"}},
		},
		{
			"a radio button", "disclosures",
			[]string{"check", "#l"},
			`document.getElementById('s').checked`, false,
			"✓ Done · checked: false → true", "none", nil,
		},
		{
			"a radio button that is chosen", "disclosures",
			[]string{"click", "#s"},
			`document.getElementById('s').checked`, true,
			"✓ Done · no effect seen yet", "none", true,
		},

		{
			"in a microtask", "later",
			[]string{"click", "#micro"},
			`document.getElementById('list').innerText`, "micro",
			`appeared: listitem "micro"`, "none", nil,
		},
		{
			"of a click that the page swallows", "later",
			[]string{"click", "#capture"},
			`document.getElementById('list').innerText`, "capture", `"capture"`, "none", nil,
		},
		{
			"of the press", "later",
			[]string{"click", "#press"},
			`document.getElementById('list').innerText`, "press",
			`"press"`, "none", nil,
		},

		{
			"a value", "signup",
			[]string{"fill", "#name", "Ada"},
			`document.getElementById('name').value`, "Ada",
			`✓ Done · value: "" → "Ada"`, "state",
			object{"value": object{"from": "", "to": "Ada"}},
		},
		{
			"a password", "signup",
			[]string{"fill", "#password", "hunter2"},
			`document.getElementById('password').value`, "hunter2",
			"value changed", "secret",
			[]any{"value"},
		},
		{
			"a focus that moves on", "signup",
			[]string{"fill", "#code", "1234"},
			`document.activeElement.id`, "submit",
			`focus on button "Create account" @e`, "none", nil,
		},
		{
			"a text in place of another", "article",
			[]string{"type", "#note", "new", "--clear"},
			`document.getElementById('note').value`, "new",
			`→ "new"`, "none", nil,
		},
		{
			"an error that is announced", "signup",
			[]string{"click", "#submit"},
			`document.getElementById('error').textContent`, "A mail address has an @",
			`appeared: alert "A mail address has an @"`, "focus",
			object{"name": "Mail", "ref": "@e1", "role": "textbox"},
		},
		{
			"the value that it had", "signup",
			[]string{"fill", "#name", ""},
			`document.getElementById('name').value`, "",
			"✓ Done", "state", nil,
		},

		{
			"its row goes", "rows",
			[]string{"click", ".drop"},
			`document.querySelectorAll('#rows tr').length`, float64(1),
			`gone: row "2041 3 May Pay Delete"`, "dom",
			object{"added": 0.0, "removed": 1.0, "changed": 0.0, "near": true, "targetRemoved": true},
		},
		{
			"it is disabled", "rows",
			[]string{"click", ".pay"},
			`document.querySelector('.pay').disabled`, true,
			"disabled: false → true", "state",
			object{"disabled": object{"from": "false", "to": "true"}},
		},
		{
			"a row comes elsewhere", "rows",
			[]string{"click", "#more"},
			`document.querySelectorAll('#rows tr').length`, float64(3),
			`appeared: row "2043 12 May Delete"`, "none", nil,
		},
		{
			"the title alone", "rows",
			[]string{"click", "#read"},
			`document.title`, "Invoices (0)",
			`✓ Done · title: "Invoices" → "Invoices (0)"`, "title",
			object{"from": "Invoices", "to": "Invoices (0)"},
		},
		{"nothing", "rows", []string{"click", "#dead"}, `log.join()`, "dead", "✓ Done · no effect seen yet", "none", true},

		{
			"in a shadow tree", "components",
			[]string{"click", "#add"},
			`document.querySelector('app-shell').shadowRoot.querySelectorAll('li').length`, float64(1),
			`appeared: listitem "Entry"`, "none", nil,
		},
		{
			"in a shadow tree in another", "components",
			[]string{"find", "text", "Count"},
			`document.querySelector('app-shell').shadowRoot.querySelector('app-counter').shadowRoot.querySelector('output').textContent`, "1",
			`✓ Done · appeared: text "1"`, "none", nil,
		},

		{
			"the focus", "shop",
			[]string{"focus", "#like"},
			`document.activeElement.id`, "like", "✓ Done · focused", "none",
			nil,
		},
		{
			"the focus that it had", "shop",
			[]string{"batch", "focus #like", "focus #like"},
			`document.activeElement.id`,
			"like", "✓ Done · no effect seen yet", "", nil,
		},
		{"a scroll by a script", "article", []string{"click", "#top"}, `scrollY > 500`, true, "scrolled", "none", nil},

		{
			"in a frame's document", "frames",
			[]string{"click", "#pay"},
			`document.querySelector('iframe').contentDocument.getElementById('paid').textContent`, "Paid",
			`✓ Done · appeared: text "Paid"`, "none", nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.OpenedFresh(t, "/pages/acting-effect-"+tt.page+".html")
			if tt.page == "frames" {
				c.Do("frame", "iframe")
			}
			reply := c.Do(tt.command...)
			require.Equal(t, tt.want, c.Page(tt.read))
			require.Contains(t, reply.Result.Text, tt.says)
			if tt.key != "" {
				effect := sessiontest.Decode[object](t, reply.Result.Data)["effect"].(object)
				require.Equal(t, tt.value, effect[tt.key], "%v", effect)
			}
		})
	}
}

// A page that is left, a tab that comes, a dialog, a file: what the caller meets next is another thing.
func TestEffectsOfLeaving(t *testing.T) {
	t.Parallel()
	const page = "/pages/acting-effect-leaving.html"
	here := site.URL(page)
	tests := []struct {
		name    string
		command []string
		says    string
		key     string
		value   any
	}{
		{
			"link",
			[]string{"click", "#link"},
			"the page is now " + site.URL("/echo?link"), "navigation",
			object{"from": here, "to": site.URL("/echo?link"), "status": 200.0},
		},
		{
			"page that is missing",
			[]string{"click", "#missing"},
			"the page is now " + site.URL("/status/404") + " (HTTP 404)", "navigation",
			object{"from": here, "to": site.URL("/status/404"), "status": 404.0},
		},
		{
			"part of the page",
			[]string{"click", "#part"},
			"the page is now " + here + "#end", "navigation",
			object{"from": here, "to": here + "#end", "sameDocument": true},
		},
		{
			"history entry",
			[]string{"click", "#push"},
			"the page is now " + here + "?step=2", "navigation",
			object{"from": here, "to": here + "?step=2", "sameDocument": true},
		},
		{
			"reload",
			[]string{"click", "#reload"},
			"the page was reloaded", "navigation",
			object{"from": here, "to": here, "status": 200.0},
		},
		{
			"form",
			[]string{"press", "Enter"},
			"the page is now " + site.URL("/echo?q=1"), "navigation",
			object{"from": here, "to": site.URL("/echo?q=1"), "status": 200.0},
		},
		{
			"tab",
			[]string{"click", "#tab"},
			"a new tab was opened: t2 " + site.URL("/echo?tab") + "; the active tab is still t1", "tabs",
			[]any{object{"id": "t2", "url": site.URL("/echo?tab"), "opener": "t1"}},
		},
		{
			"window",
			[]string{"click", "#popup"},
			"a new tab was opened: t2 " + site.URL("/echo?popup"), "tabs",
			[]any{object{"id": "t2", "url": site.URL("/echo?popup"), "opener": "t1"}},
		},
		{
			"download",
			[]string{"click", "#file"},
			`download started: "thing.bin"`, "downloads",
			[]any{object{"name": "thing.bin", "url": site.URL("/download")}},
		},
		{
			"dialog that waits",
			[]string{"click", "#ask"},
			"confirm dialog opened", "dialog",
			object{"type": "confirm", "message": "Really?", "open": true},
		},
		{
			"dialog that was answered",
			[]string{"click", "#tell"},
			"✓ Done", "answered",
			[]any{object{"type": "alert", "message": "Done", "answer": "accepted"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.OpenedFresh(t, page)
			if tt.command[0] == "press" {
				c.Do("focus", "[name=q]")
			}
			reply := c.Do(tt.command...)
			require.Contains(t, reply.Result.Text, tt.says)
			effect := sessiontest.Decode[object](t, reply.Result.Data)["effect"].(object)
			require.Equal(t, tt.value, effect[tt.key], "%v", effect)
			if tabs, ok := tt.value.([]any); ok && tt.key == "tabs" {
				listed := c.Data("tab", "list")["tabs"].([]any)
				require.Len(t, listed, 2)
				require.Equal(t, tabs[0].(object)["url"], listed[1].(object)["url"])
				require.True(t, listed[0].(object)["active"].(bool), "the active tab does not change by itself")
			}
		})
	}
}

// The effect of a drag is that of all of it, not of the press.
// A page may have no element left after a click.
func TestEffectsOfAnEmptiedDocument(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<!doctype html><title>Page</title><!-- note --><button onclick="document.open()">Clear</button>`)
	c.Do("click", "button")
	require.Equal(t, 0.0, c.Page("document.querySelectorAll('*').length"))
}

func TestEffectsOfADrag(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-sliders.html")
	effect := c.Effect("drag", "#volume", "--by", "80,0")
	value := c.Page("document.getElementById('volume').value")
	require.NotEqual(t, "20", value)
	require.Equal(t, object{"value": object{"from": "20", "to": value}}, effect["state"])
}

// What a page does by itself before an action does not count as an effect of it.
func TestEffectsBegunBefore(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<button id=wait disabled>Save</button><ol id=list></ol><script>
		const timer = setInterval(() => {
			if (list.childElementCount < 5) { list.append(document.createElement('li')); return; }
			clearInterval(timer);
			document.getElementById('wait').disabled = false;
		}, 10);
		document.getElementById('wait').onclick = () => { document.title = 'Saved'; };
	</script>`)
	effect := c.Effect("click", "#wait")
	require.Equal(t, "Saved", c.Page("document.title"))
	require.Nil(t, effect["dom"], "%v", effect)
	require.Nil(t, effect["state"], "%v", effect)
}

// A secret is in no reply, also not in one of a failure.
func TestEffectsKeepSecrets(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-effect-signup.html")
	for _, command := range [][]string{
		{"fill", "#password", "hunter2"},
		{"click", "#password"},
		{"press", "Control+a"},
		{"click", "#name"},
	} {
		reply := c.Do(command...)
		require.NotContains(t, encoded(t, sessiontest.Decode[object](t, reply.Result.Data)["effect"])+sessiontest.Told(reply),
			"hunter2", "%q", command)
	}
	require.Equal(t, "hunter2", c.Page("document.getElementById('password').value"))
	short := host.Showing(t, `<input type=password id=pin maxlength=2>`)
	err := short.Fails(fault.ValueNotKept, "fill", "#pin", "1234")
	require.NotContains(t, err.Error()+encoded(t, err.Facts), "12")
}

func TestEffectsOfReading(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-effect-shop.html")
	require.NotContains(t, sessiontest.Decode[object](t, c.Do("get", "text", "#cart").Result.Data), "effect")
	require.NotContains(t, sessiontest.Decode[object](t, c.Do("find", "text", "Kettle", "text").Result.Data), "effect")
}

// What gets the focus and has neither a role nor a name is told by its tag.
func TestFocusOnAnElementWithoutARole(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<!doctype html><button onclick="panel.focus()">Open</button><div id=panel tabindex=-1><i></i></div>`)
	require.Contains(t, c.Do("click", "text=Open").Result.Text, "focus on <div>")
}
