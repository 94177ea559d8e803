package read_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const prose = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore " +
	"et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea " +
	"commodo consequat."

const articlePage = `<!doctype html><html lang=en><title>How bridges stand</title><meta name=author content="Ada Bauer">
	<style>.gone { display: none } .ghost { visibility: hidden }</style>
	<header><a href="/">The Daily</a></header><nav><ul><li><a href="/sport">Sport</a></li><li><a href="/weather">Weather</a></li></ul></nav>
	<aside class=sidebar><p>Subscribe to our newsletter for more of this.</p></aside>
	<main><article><h1>How bridges stand</h1><p>` + prose +
	`</p><h2>Arches</h2><p>See <a href="../arch.html">the arch</a>. ` + prose + `</p>
	<p class=gone>Not rendered</p><p class=ghost>Not visible</p><p hidden>Not shown</p><details><summary>More</summary>Closed up</details><p style="content-visibility: hidden">Not painted</p>
	<ul><li>one</li><li>two <b>bold</b></li></ul>
	<h2>Figures</h2><table><thead><tr><th>Kind<th>Span</thead><tr><td>Arch<td>550 m</table>
	<pre><code class="language-go">func main() {
	println(1)
}</code></pre><p id=last>` + prose + `</p></article></main><footer><p>Imprint and terms of use</p></footer>`

func TestReadArticle(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, site.Write(articlePage))
	c.Page("document.getElementById('last').insertAdjacentHTML('afterend', '<h2>Added</h2><p>By a script.</p>')")
	reply := c.Do("read")
	data := sessiontest.Decode[object](t, reply.Result.Data)
	url := c.Page("location.href").(string)
	content := data["content"].(string)
	require.Equal(t, "# How bridges stand\n\nSource: "+url+"\nBy: Ada Bauer\n\n"+content, reply.Result.Text)
	delete(data, "content")
	require.Empty(t, cmp.Diff(object{
		"contentType": "text/html", "finalUrl": url, "url": url, "source": "active-tab-html", "truncated": false,
		"title":  "How bridges stand",
		"byline": "Ada Bauer", "lang": "en", "mainContent": true, "excerpt": prose,
	}, data))
	for _, part := range []string{
		"## Arches", "[the arch](" + site.URL("/arch.html") + ")", "- one\n- two **bold**",
		"| Kind | Span |\n|---|---|\n| Arch | 550 m |",
		"```go\nfunc main() {\n\tprintln(1)\n}\n```", "## Added\n\nBy a script.",
	} {
		require.Contains(t, content, part)
	}
	for _, part := range []string{"Sport", "newsletter", "Imprint", "Not ", "Closed"} {
		require.NotContains(t, content, part)
	}

	whole := c.Data("read", "--full")["content"].(string)
	for _, part := range []string{
		"# How bridges stand", "[Sport](" + site.URL("/sport") + ")", "newsletter", "Imprint",
		"## Arches",
	} {
		require.Contains(t, whole, part)
	}
	require.NotContains(t, whole, "Not ")
	require.NotContains(t, c.Data("read", "--full"), "mainContent")

	raw := c.Data("read", "--raw")
	require.Equal(t, "active-tab-raw", raw["source"])
	require.Contains(t, raw["content"], "<h2>Added</h2><p>By a script.</p>")
	require.Contains(t, raw["content"], `<a href="`+site.URL("/arch.html")+`">`)
	require.NotContains(t, raw["content"], "Not ")

	reply = c.Do("read", "--outline")
	require.Equal(t, "# Outline\n\nSource: "+url+"\n\n- Arches\n- Figures\n- Added", reply.Result.Text)
	require.Equal(t, "active-tab-html-outline", sessiontest.Decode[object](t, reply.Result.Data)["source"])
	require.Contains(t, c.Do("read", "--full", "--outline").Result.Text, "\n- How bridges stand\n  - Arches\n  - Figures")
	require.Contains(t, c.Do("read", "--outline", "--filter", "figur").Result.Text, "\n\n- Figures")

	require.Equal(t, "## Added\n\nBy a script.", c.Do("read", "--filter", "added").Result.Text)
	require.Contains(t, c.Data("read", "--filter", "ARCHES")["content"], "[the arch]")
	reply = c.Do("read", "--filter", "nosuch")
	require.Empty(t, reply.Result.Text)
	require.Contains(t, sessiontest.Notes(reply), `nothing in it contains "nosuch"`)
}

// What is in shadow trees is read where it is shown.
func TestReadShadowTrees(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<my-article><h2 slot=title>Slotted title</h2><p>`+prose+`</p><p>`+prose+
			`</p><i slot=nowhere>Unslotted</i></my-article><script>
		customElements.define('my-article', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML =
			'<style>:host { display: block } .no { display: none }</style><article><slot name=title></slot><p>Before the slot.</p>' +
			'<slot></slot><my-end></my-end><p class=no>Never</p></article>' } });
		customElements.define('my-end', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML =
			'<p>The <slot>fallback</slot> end: <b>bold</b></p>' } })</script>`)
	content := c.Data("read", "--full")["content"].(string)
	require.Equal(t, "## Slotted title\n\nBefore the slot.\n\n"+prose+"\n\n"+prose+"\n\nThe fallback end: **bold**",
		content)
}

// Closed ones are read the same way.
func TestReadClosedShadowTrees(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<p>Before</p><my-box><b>slotted</b></my-box><p>Behind</p><script>
		customElements.define('my-box', class extends HTMLElement { constructor() { super(); const root = this.attachShadow({ mode: 'closed' });
			root.innerHTML = '<div>In a closed tree: <slot></slot></div><my-inner></my-inner>' } });
		customElements.define('my-inner', class extends HTMLElement { constructor() { super();
			this.attachShadow({ mode: 'closed' }).innerHTML = '<div>And deeper</div>' } })</script>`)
	require.Equal(t, "Before\n\nIn a closed tree: **slotted**\n\nAnd deeper\n\nBehind", c.Data("read")["content"])
}

func TestReadFrames(t *testing.T) {
	t.Parallel()
	inner := site.Write(
		"<title>Inner</title><h3>Deep</h3><p>Text of the innermost document. <a href='/x'>link</a></p><input value=shown>")
	for _, tt := range []struct{ name, outer, inner string }{
		{"same site", site.URL(""), site.URL("")},
		{"other site", site.Elsewhere(""), site.Elsewhere("")},
		{"in turn", site.Elsewhere(""), site.URL("")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			middle := site.Write(`<h2>Middle</h2><iframe src="` + tt.inner + inner + `"></iframe><p>After the inner frame</p>`)
			c := host.Showing(t, `<h1>Outer</h1><p>Before</p><iframe src="`+tt.outer+middle+`"></iframe><p>Behind</p>
				<iframe style="display: none" srcdoc="Never shown"></iframe><iframe srcdoc="<p>Written here</p>"></iframe>`)
			c.Do("wait", "--text", "Written here")
			c.Do("wait", "--text", "innermost")
			require.Equal(t,
				"# Outer\n\nBefore\n\n## Middle\n\n### Deep\n\nText of the innermost document. [link]("+tt.inner+"/x)\n\nshown\n\n"+
					"After the inner frame\n\nBehind\n\nWritten here", c.Data("read", "--full")["content"])
		})
	}
}

// A frame that does not load takes nothing else with it.
func TestReadBesideSilentFrame(t *testing.T) {
	t.Parallel()
	silent := site.Gate(t, "")
	c := host.NewClient(t)
	c.Do("open", "--wait-until", "domcontentloaded",
		site.URL(site.Write(`<p>Here</p><iframe src="`+site.Elsewhere(silent.Path)+`"></iframe>`)))
	silent.WaitAsked(t)
	require.Contains(t, c.Data("read")["content"], "Here")
}

func TestReadForms(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<form><label>Name <input id=name></label><input type=password value=secret><label><input type=checkbox id=box>Agree</label>
		<select id=choice><option>Red<option>Green</select><textarea id=area>old</textarea><button>Send</button><button>Reset</button></form>
		<ul><li><input type=checkbox checked>done<li><input type=checkbox>to do</ul>`)
	c.Do("fill", "#name", "Ada <b>")
	c.Do("check", "#box")
	c.Do("select", "#choice", "Green")
	c.Do("fill", "#area", "new text")
	content := c.Data("read")["content"].(string)
	for _, part := range []string{
		"Name Ada &lt;b&gt;", "[x] Agree", "Green", "new text", "Send Reset",
		"- [x] done\n- [ ] to do",
	} {
		require.Contains(t, content, part)
	}
	for _, part := range []string{"secret", "Red", "old"} {
		require.NotContains(t, content, part)
	}
}

// What style sheets set apart does not run together.
func TestReadLayout(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<style>.b { display: block } .f { display: flex } .i { display: inline-block } b::after { content: 'x' }</style>
		<span class=b>One</span><span class=b>Two</span><div class=f><span>Three</span><span>Four</span></div><span class=i>Five</span><span class=i>Six</span>
		<div style="display: contents"><p>Seven</p></div><svg><text>Drawn</text><title>T</title></svg>
		<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math>`)
	require.Equal(t, "One\n\nTwo\n\nThree Four\n\nFive Six\n\nSeven\n\nDrawn `x^2`", c.Data("read")["content"])
	require.Equal(t, false, c.Data("read")["mainContent"], "and so all of it was read")
}

// Built-ins that the page redefines, and forms that shadow properties, change nothing.
func TestReadHostilePage(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<form id=f><input name=parentNode><input name=firstChild><input name=children><p>In a form</p></form><p>Behind</p><script>
		Element.prototype.getAttribute = () => 'fooled'; Array.prototype.join = () => 'fooled'; String.prototype.replace = () => 'fooled';
		document.title = 'A </title><script>x' + '<' + '/script>';
		Object.defineProperty(document, 'body', { get: () => null })</script>`)
	data := c.Data("read")
	require.Equal(t, "In a form\n\nBehind", data["content"])
	require.Equal(t, "A </title><script>x</script>", data["title"])
}

func TestReadTextDocuments(t *testing.T) {
	t.Parallel()
	folder := site.Answering(func(w http.ResponseWriter, r *http.Request) {
		media := strings.ReplaceAll(r.PathValue("rest"), "-", "/")
		w.Header().Set("Content-Type", media)
		body := map[string]string{
			"application/json": `{"a": [1, "<b>"]}`, "text/plain": "# No <b> markup\n  two", "text/xml": "<r><a x='1'>t</a></r>",
			"image/gif": "GIF89a\x01\x00\x01\x00\x00\xff\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x00;",
		}[media]
		_, _ = w.Write([]byte(body))
	})
	for media, want := range map[string]string{
		"application-json": `{"a": [1, "<b>"]}`,
		"text-plain":       "# No <b> markup\n  two", "text-xml": `<r><a x="1">t</a></r>`,
	} {
		t.Run(media, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, folder+media)
			require.Equal(t, want, c.Do("read").Result.Text)
			require.Equal(t, "active-tab-text", c.Data("read")["source"])
			fetched := c.Data("read", site.URL(folder+media))
			require.Equal(t, strings.ReplaceAll(want, `"1"`, `'1'`)[:5], fetched["content"].(string)[:5])
			require.Equal(t, "http-text", fetched["source"])
		})
	}
	c := host.Opened(t, folder+"image-gif")
	require.Contains(t, c.Fails(fault.TargetUnsuitable, "read").Error(), "is image/gif, which cannot be read as text")
	require.Contains(t, c.Fails(fault.TargetUnsuitable, "read", site.URL(folder+"image-gif")).Error(),
		"is image/gif, which cannot be read as text")
}

func TestReadWithoutPage(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	for _, args := range [][]string{{"read"}, {"read", "--require-md"}, {"read", "--llms", "index"}} {
		require.Contains(t, c.Fails(fault.TabNotFound, args...).Error(), "No page is open")
	}
	c.Do("read", site.URL("/echo"))
	require.NotContains(t, sessiontest.Decode[object](t, c.Do("session", "list").Result.Data)["sessions"], c.Session,
		"reading an address starts no browser")
	c.Do("open", "about:blank")
	require.Empty(t, c.Data("read")["content"])
	c.Fails(fault.Usage, "read", "--require-md")
	c.Fails(fault.Usage, "read", "file:///etc/hostname")
	c.Fails(fault.Usage, "read", "--llms", "zip")
}

// The browser's page for what could not be loaded is not read as if it were the site's.
func TestReadErrorPage(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	gone := sessiontest.UnusedAddress(t)
	c.Fails(fault.NavigationFailed, "open", gone)
	require.Contains(t, c.Fails(fault.NavigationFailed, "read").Error(), gone)
}
