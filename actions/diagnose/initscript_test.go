package diagnose_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestInitScript(t *testing.T) {
	t.Parallel()
	frame := site.Write(`<script>parent.postMessage(window.injected + " in frame", "*")</script>`)
	page := `<script>log.push(window.injected + " in page"); onmessage = e => log.push(e.data); window.injected = "changed"</script>` +
		`<iframe src="` + site.Elsewhere(frame) + `"></iframe><button onclick="window.open('` + frame + `')">Popup</button>`
	c := host.NewClient(t)
	c.WriteFile("a.js", `window.injected = "first"`)
	c.WriteFile("b.js", `window.injected += " second"`)
	reply := c.Do("open", site.URL(site.Write(page)), "--init-script", "a.js", "--init-script", "b.js")
	require.True(t,
		strings.HasSuffix(reply.Result.Text,
			"\n  init script 1: "+filepath.Join(c.Dir, "a.js")+"\n  init script 2: "+filepath.Join(c.Dir, "b.js")),
		reply.Result.Text)
	scripts := sessiontest.Decode[object](t, reply.Result.Data)["initScripts"].([]any)
	require.Equal(t, object{"id": "1", "name": filepath.Join(c.Dir, "a.js"), "size": 25.0}, scripts[0])
	c.Do("wait", "--fn", "log.length == 2")
	require.Equal(t, "first second in page\nfirst second in frame", c.Log(),
		"before the page's own, also in frames of other processes")

	c.Do("tab", "new", site.URL(site.Write(`<script>log.push(injected)</script>`)))
	require.Equal(t, "first second", c.Log(), "in new tabs")
	c.Do("tab", "t1")
	c.Do("click", "button")
	c.Until("the popup", func() bool { return len(c.Data("tab")["tabs"].([]any)) == 3 })
	c.Do("reload")
	c.Do("wait", "--fn", "log.length == 2")
	require.Equal(t, "first second in page\nfirst second in frame", c.Log())

	require.Equal(t, "1  "+filepath.Join(c.Dir, "a.js")+"\n2  "+filepath.Join(c.Dir, "b.js"),
		c.Do("initscripts").Result.Text)
	require.Equal(t, "✓ Done", c.Do("removeinitscript", "2").Result.Text)
	c.Do("reload")
	c.Do("wait", "--fn", "log.length == 2")
	require.Equal(t, "first in page\nfirst in frame", c.Log())
	c.Do("tab", "t2")
	c.Do("reload")
	require.Equal(t, "first", c.Log(), "taken back in all tabs")
	c.Do("removeinitscript", "1")
	c.Do("reload")
	require.Equal(t, "undefined", c.Page("typeof injected"))
	require.Equal(t, "No init scripts", c.Do("initscripts").Result.Text)
	require.Contains(t, c.Fails(fault.Usage, "removeinitscript", "1").Error(), "Script not found")
}

// The same scripts on each call, as from the environment, are there once; one whose file has changed takes the place of
// what it was.
func TestInitScriptFromTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"SKUA_INIT_SCRIPTS", "AGENT_BROWSER_INIT_SCRIPTS"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.WriteFile("a.js", `window.runs = (window.runs ?? 0) + 1`)
			c.WriteFile("b.js", `window.b = 1`)
			c.Env[name] = "a.js,b.js"
			c.Do("open", site.URL(site.Write(`<p>x`)))
			c.Do("get", "title")
			c.Do("reload")
			require.Equal(t, []any{1.0, 1.0}, c.Page("[runs, b]"))
			require.Len(t, c.Data("initscripts")["initScripts"], 2)
			c.WriteFile("b.js", `window.b = 2`)
			c.Do("reload")
			require.Equal(t, []any{1.0, 2.0}, c.Page("[runs, b]"))
			require.Len(t, c.Data("initscripts")["initScripts"], 2)
		})
	}
}

func TestInitScriptMistakes(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	require.Contains(t, c.Fails(fault.File, "open", "about:blank", "--init-script", "missing.js").Error(),
		"Failed to read init script missing.js: no such file or directory")
	require.Contains(t, c.Fails(fault.File, "open", "about:blank", "--init-script", ".").Error(), "is a directory")
	require.Contains(t, c.Fails(fault.Usage, "open", "about:blank", "--enable", "bogus").Error(),
		"--enable does not know 'bogus'")
	require.Contains(t, c.Fails(fault.Usage, "removeinitscript").Error(), "Missing arguments for: removeinitscript")
}

func TestInitScriptOfABatch(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.WriteFile("a.js", `window.a = 1`)
	c.Do("batch", "--init-script", "a.js", "open "+site.URL(site.Write(`<p>x`)), "get title")
	require.Equal(t, 1.0, c.Page("a"))
	require.Len(t, c.Data("initscripts")["initScripts"], 1)
}
