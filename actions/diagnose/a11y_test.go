package diagnose_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// auditing makes a caller that shows a page and has axe-core.
func auditing(t *testing.T, html string) *sessiontest.Client {
	t.Helper()
	path := sessiontest.Axe(t)
	c := host.Showing(t, html)
	c.Env["SKUA_AXE"] = path
	return c
}

const auditPage = `<!doctype html><html lang=en><title>I</title><script>log = []</script><main><h1>x</h1>
	<div style="background: linear-gradient(red, blue); color: #888">grad text</div><img src=data:,x>
	<iframe title=f srcdoc="<html lang=en><img src=data:,y><button></button>"></iframe><div id=host></div><button></button>
	<iframe title=g id=remote src="%s"></iframe></main>
	<script>host.attachShadow({mode: 'open'}).innerHTML = '<img src=data:,z>'</script>`

func TestA11y(t *testing.T) {
	t.Parallel()
	remote := site.Write(`<!doctype html><html lang=en><title>R</title><img src=data:,r>`)
	c := auditing(t, fmt.Sprintf(auditPage, site.Elsewhere(remote)))
	c.Page(
		`new MutationObserver(() => log.push("changed")).observe(document, {subtree: true, childList: true, attributes: true}), 0`)
	before := c.Page("document.documentElement.outerHTML")
	reply := c.Do("a11y")
	text := reply.Result.Text
	require.True(t,
		strings.HasPrefix(text, "url: "+c.Page("location.href").(string)+"\naxe-core: 4.12.1  violations: 2  incomplete: "),
		text)
	require.Contains(t, text, "\n\n[critical] button-name: Buttons must have discernible text (2 nodes)\n"+
		"  https://dequeuniversity.com/rules/axe/4.12/button-name?application=axeAPI\n  - iframe[title=\"f\"] -> button\n "+
		" - button\n")
	images := text[strings.Index(text, "[critical] image-alt: Images must have alternative text (4 nodes)\n"):]
	for _, where := range []string{`  - img`, `  - iframe[title="f"] -> img`, `  - #host >>> img`, `  - #remote -> img`} {
		require.Contains(t, images, where)
	}
	require.Contains(t, text, "\n\nincomplete (needs manual review):\n")
	require.Contains(t, text, "[serious] color-contrast: ")
	require.False(t, reply.Result.Failed)

	data := sessiontest.WithoutEffect(t, reply)
	require.Equal(t, "4.12.1", data["axeVersion"])
	require.Equal(t, 2.0, data["counts"].(object)["violations"])
	require.Greater(t, data["counts"].(object)["passes"], 10.0)
	rule := data["violations"].([]any)[0].(object)
	require.Equal(t, []any{"button-name", "critical", 2.0}, []any{rule["id"], rule["impact"], rule["nodeCount"]})
	require.Contains(t, rule["tags"], "wcag2a")
	node := rule["nodes"].([]any)[0].(object)
	require.Equal(t, []any{`iframe[title="f"]`, "button"}, node["target"])
	require.Equal(t, "<button></button>", node["html"])
	require.True(t, strings.HasPrefix(node["failureSummary"].(string), "Fix any of the following:\n"))

	require.Equal(t, before, c.Page("document.documentElement.outerHTML"), "the page is as it was")
	require.Empty(t, c.Log())
	require.Equal(t, "undefined", c.Page("typeof axe"), "the page does not see it")
}

func TestA11yOptions(t *testing.T) {
	t.Parallel()
	c := auditing(t, fmt.Sprintf(auditPage, "about:blank"))
	ids := func(args ...string) (ids []any) {
		for _, v := range c.Data(append([]string{"a11y"}, args...)...)["violations"].([]any) {
			ids = append(ids, v.(object)["id"])
		}
		return ids
	}
	require.Equal(t, []any{"image-alt"}, ids("-s", "#host"))
	require.Equal(t, []any{"button-name", "image-alt"}, ids("--selector", "main", "--tags", "wcag2a"))
	require.Empty(t, ids("--tags", "wcag2aa,best-practice", "-s", "#host"))

	other := site.URL(site.Write(`<!doctype html><title>T</title><main><h1>No language</h1></main>`))
	reply := c.Do("a11y", other)
	require.Contains(t, reply.Result.Text, "[serious] html-has-lang: <html> element must have a lang attribute (1 node)")
	require.Equal(t, other, c.Page("location.href"))

	c.Page(
		`document.documentElement.lang = "en", document.querySelector("main").innerHTML = "<h1>x</h1>" + "<img src=data:,x>".repeat(25), 0`)
	reply = c.Do("a11y")
	rule := sessiontest.Decode[object](t, reply.Result.Data)["violations"].([]any)[0].(object)
	require.Equal(t, 25.0, rule["nodeCount"])
	require.Len(t, rule["nodes"], 10)
	require.Contains(t, reply.Result.Text, "(25 nodes)")
	require.Contains(t, reply.Result.Text, "\n  and 15 more")
}

func TestA11yMistakes(t *testing.T) {
	t.Parallel()
	c := auditing(t, `<p>x`)
	require.Equal(t, "No element matches selector: #nope", c.Fails(fault.SelectorNotFound, "a11y", "-s", "#nope").Message)
	require.Equal(t, "Invalid selector: #[", c.Fails(fault.SelectorInvalid, "a11y", "-s", "#[").Message)
	require.Equal(t, "Invalid selector: @e1", c.Fails(fault.SelectorInvalid, "a11y", "-s", "@e1").Message)
	require.Contains(t, c.Fails(fault.Usage, "a11y", "--tags", "bogus").Error(),
		"no rule of axe-core has the tag 'bogus'. Tags are: ACT, ")
	c.Fails(fault.NavigationFailed, "a11y", "http://127.0.0.1:1/")
	require.Contains(t, c.Fails(fault.Usage, "a11y", "--bogus").Error(), "--bogus")
}

func TestA11yFindsAxe(t *testing.T) {
	t.Parallel()
	c := auditing(t, `<!doctype html><html lang=en><title>T</title><main><h1>x</h1></main>`)
	installed := c.Env["SKUA_AXE"]
	c.Env["SKUA_AXE"] = filepath.Dir(installed)
	c.Do("a11y")
	c.Env["SKUA_AXE"] = "missing.js"
	require.Contains(t, c.Fails(fault.File, "a11y").Error(), "SKUA_AXE does not name axe-core")
	delete(c.Env, "SKUA_AXE")
	c.Env["SKUA_CACHE_DIR"] = c.Dir
	err := c.Fails(fault.File, "a11y")
	require.Equal(t, "a11y needs axe-core, which is not installed.", err.Message)
	require.Contains(t, err.Hint, "npm install axe-core")
	raw, readErr := os.ReadFile(installed)
	require.NoError(t, readErr)
	require.NoError(t, os.MkdirAll(filepath.Join(c.Dir, "node_modules/axe-core"), 0o700))
	c.WriteFile("node_modules/axe-core/axe.min.js", string(raw))
	require.Contains(t, c.Do("a11y").Result.Text, "axe-core: 4.12.1  violations: 0")
}
