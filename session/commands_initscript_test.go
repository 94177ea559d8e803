package session_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestInitScript(t *testing.T) {
	t.Parallel()
	frame := site.write(`<script>parent.postMessage(window.injected + " in frame", "*")</script>`)
	page := `<script>log.push(window.injected + " in page"); onmessage = e => log.push(e.data); window.injected = "changed"</script>` +
		`<iframe src="` + site.elsewhere(frame) + `"></iframe><button onclick="window.open('` + frame + `')">Popup</button>`
	c := newClient(t)
	c.write("a.js", `window.injected = "first"`)
	c.write("b.js", `window.injected += " second"`)
	reply := c.do("open", site.url(site.write(page)), "--init-script", "a.js", "--init-script", "b.js")
	require.True(t, strings.HasSuffix(reply.Result.Text, "\n  init script 1: "+filepath.Join(c.dir, "a.js")+"\n  init script 2: "+filepath.Join(c.dir, "b.js")),
		reply.Result.Text)
	scripts := decode[object](t, reply.Result.Data)["initScripts"].([]any)
	require.Equal(t, object{"id": "1", "name": filepath.Join(c.dir, "a.js"), "size": 25.0}, scripts[0])
	c.do("wait", "--fn", "log.length == 2")
	require.Equal(t, "first second in page\nfirst second in frame", c.log(), "before the page's own, also in frames of other processes")

	c.do("tab", "new", site.url(site.write(`<script>log.push(injected)</script>`)))
	require.Equal(t, "first second", c.log(), "in new tabs")
	c.do("tab", "t1")
	c.do("click", "button")
	c.until("the popup", func() bool { return len(c.data("tab")["tabs"].([]any)) == 3 })
	c.do("reload")
	c.do("wait", "--fn", "log.length == 2")
	require.Equal(t, "first second in page\nfirst second in frame", c.log())

	require.Equal(t, "1  "+filepath.Join(c.dir, "a.js")+"\n2  "+filepath.Join(c.dir, "b.js"), c.do("initscripts").Result.Text)
	require.Equal(t, "✓ Done", c.do("removeinitscript", "2").Result.Text)
	c.do("reload")
	c.do("wait", "--fn", "log.length == 2")
	require.Equal(t, "first in page\nfirst in frame", c.log())
	c.do("tab", "t2")
	c.do("reload")
	require.Equal(t, "first", c.log(), "taken back in all tabs")
	c.do("removeinitscript", "1")
	c.do("reload")
	require.Equal(t, "undefined", c.page("typeof injected"))
	require.Equal(t, "No init scripts", c.do("initscripts").Result.Text)
	require.Contains(t, c.fails(fault.Usage, "removeinitscript", "1").Error(), "Script not found")
}

// The same scripts on each call, as from the environment, are there once; one whose file has changed takes the place of what it was.
func TestInitScriptFromTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"SKUA_INIT_SCRIPTS", "AGENT_BROWSER_INIT_SCRIPTS"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t)
			c.write("a.js", `window.runs = (window.runs ?? 0) + 1`)
			c.write("b.js", `window.b = 1`)
			c.env[name] = "a.js,b.js"
			c.do("open", site.url(site.write(`<p>x`)))
			c.do("get", "title")
			c.do("reload")
			require.Equal(t, []any{1.0, 1.0}, c.page("[runs, b]"))
			require.Len(t, c.data("initscripts")["initScripts"], 2)
			c.write("b.js", `window.b = 2`)
			c.do("reload")
			require.Equal(t, []any{1.0, 2.0}, c.page("[runs, b]"))
			require.Len(t, c.data("initscripts")["initScripts"], 2)
		})
	}
}

func TestInitScriptMistakes(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	require.Contains(t, c.fails(fault.File, "open", "about:blank", "--init-script", "missing.js").Error(),
		"Failed to read init script missing.js: no such file or directory")
	require.Contains(t, c.fails(fault.File, "open", "about:blank", "--init-script", ".").Error(), "is a directory")
	require.Contains(t, c.fails(fault.Usage, "open", "about:blank", "--enable", "bogus").Error(), "--enable does not know 'bogus'")
	require.Contains(t, c.fails(fault.Usage, "removeinitscript").Error(), "Missing arguments for: removeinitscript")
}

func TestInitScriptOfABatch(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.write("a.js", `window.a = 1`)
	c.do("batch", "--init-script", "a.js", "open "+site.url(site.write(`<p>x`)), "get title")
	require.Equal(t, 1.0, c.page("a"))
	require.Len(t, c.data("initscripts")["initScripts"], 1)
}
