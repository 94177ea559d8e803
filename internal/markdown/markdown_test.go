package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const words = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore " +
	"et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea " +
	"commodo consequat."

const article = `<html lang=en><head><title>How bridges stand | The Daily</title><meta name=author content="Ada Bauer">
	<meta property="og:title" content="How bridges stand"><meta name=description content="On arches."></head><body>
	<header><a href="/">The Daily</a></header><nav><ul><li><a href="/sport">Sport</a></li><li><a href="/weather">Weather</a></li></ul></nav>
	<aside class=sidebar><p>Subscribe to our newsletter for more of this, every single day of the week.</p></aside>
	<main><article><h1>How bridges stand</h1><p>` + words +
	`</p><h2>Arches</h2><p>See <a href="../arch.html">the arch</a>. ` + words + `</p>
	<ul><li>one</li><li>two <b>bold</b></li></ul><table><thead><tr><th>Kind<th>Span</thead><tr><td>Arch<td>550 m</table>
	<pre><code class="language-go">func main() {
	println(1)
}</code></pre><p>` + words + `</p></article></main>
	<footer><p>Imprint and terms of use, all rights reserved</p></footer></body></html>`

func TestFromHTML(t *testing.T) {
	t.Parallel()
	page, err := FromHTML(article, Options{URL: "https://daily.example/a/b/bridges"})
	require.NoError(t, err)
	require.True(t, page.Main)
	require.Equal(t, "How bridges stand", page.Title)
	require.Equal(t, "Ada Bauer", page.Byline)
	require.Equal(t, "On arches.", page.Excerpt)
	require.Equal(t, "en", page.Lang)
	for _, part := range []string{
		"## Arches", "[the arch](https://daily.example/a/arch.html)", "- one\n- two **bold**", "| Kind | Span |",
		"| Arch | 550 m |",
		"```go\nfunc main() {\n\tprintln(1)\n}\n```",
	} {
		require.Contains(t, page.Markdown, part)
	}
	for _, part := range []string{"Sport", "newsletter", "Imprint", "The Daily"} {
		require.NotContains(t, page.Markdown, part)
	}
	whole, err := FromHTML(article, Options{URL: "https://daily.example/a/b/bridges", Whole: true})
	require.NoError(t, err)
	require.False(t, whole.Main)
	for _, part := range []string{
		"# How bridges stand", "[Sport](https://daily.example/sport)", "newsletter", "Imprint",
		"## Arches",
	} {
		require.Contains(t, whole.Markdown, part)
	}
}

func TestFromHTMLParts(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, html, want string }{
		{"nothing", "", ""},
		{"blocks", "<p>a</p><div>b</div>c", "a\n\nb\n\nc"},
		{
			"task list", "<ul><li><input type=checkbox checked> done</li><li><input type=checkbox>to do</li></ul>",
			"- [x] done\n- [ ] to do",
		},
		{"text that looks like a mark", "<p>a\ufdd0b&#xfdd1;c</p>", "abc"},
		{"radio", "<label><input type=radio checked>A</label> <label><input type=radio>B</label>", "[x] A [ ] B"},
		{
			"fields",
			"<label>Name <input value='Ada L'></label> <textarea>more\nof it</textarea><input type=password " +
				"value=secret><input type=hidden value=x>",
			"Name Ada L more of it",
		},
		{"select", "<select><option>Red<option selected>Green</select><select><option>One<option>Two</select>", "Green One"},
		{
			"list box",
			"<select multiple><option selected>A<option>B<option selected>C</select><select multiple><option>D</select>",
			"A, C",
		},
		{"buttons", "<button>Save</button><button>Cancel</button>", "Save Cancel"},
		{
			"hidden",
			"<p hidden>a</p><p style='display: none'>b</p><p " +
				"style='visibility:hidden'>c</p><noscript>d</noscript><template>e</template>f", "f",
		},
		{"struck", "<p>a <s>b</s> <del>c</del></p>", "a ~~b~~ ~~c~~"},
		{"link to a script", `<a href="javascript:x()">go</a>`, "go"},
		{"relative link", `<a href="?q=1#x">go</a>`, "[go](https://example.org/dir/page?q=1#x)"},
		{"base", `<base href="/other/"><a href="x">go</a>`, "[go](https://example.org/other/x)"},
		{"empty link", `<p>a<a href="/x"></a>b</p>`, "ab"},
		{
			"pictures", `<img src="a.png" alt="A cat"><img src="b.png" alt=""><img src="data:image/png;base64,AAAA" alt="Dot">`,
			"![A cat](https://example.org/dir/a.png) Dot",
		},
		{
			"frame", `<iframe src="/inner" title="Map"></iframe><iframe src="about:blank"></iframe>`,
			"[Map](https://example.org/inner)",
		},
		{"definitions", "<dl><dt>CPU<dd>Thinks<dt>RAM<dd>Remembers</dl>", "**CPU**\n\nThinks\n\n**RAM**\n\nRemembers"},
		{"quote", "<p>He said <q>no</q>.</p>", "He said “no”."},
		{"table without head", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "| a | b |\n|---|---|\n| c | d |"},
		{"spans", "<table><tr><th colspan=2>a<tr><td>b<td>c</table>", "| a |  |\n|---|---|\n| b | c |"},
		{
			"spans that are too large",
			"<table><tr><th colspan=99999999999 rowspan=7>a<th rowspan=99999999999999999999>b<tr><td>c<td>d</table>",
			"| a | b |\n|---|---|\n| c | d |",
		},
		{"layout table", "<table><tr><td><ul><li>a</ul><td><p>b</table>", "- a\n\nb"},
		{"nested tables", "<table><tr><td>x<td><table><tr><th>A<tr><td>1</table></table>", "x\n\n| A |\n|---|\n| 1 |"},
		{"cell over two lines", "<table><tr><th>A<tr><td>x<br>y</table>", "| A |\n|---|\n| x<br>y |"},
		{"code", "<p>Run <code>a`b</code></p><pre>one\n  two\n</pre>", "Run ``a`b``\n\n```\none\n  two\n```"},
		{"bold", "<p><b>a</b><b>b</b></p>", "**ab**"},
		{"ordered", "<ol start=3><li>a<li>b</ol>", "3. a\n4. b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			page, err := FromHTML(tt.html, Options{URL: "https://example.org/dir/page", Whole: true})
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(tt.want, page.Markdown))
		})
	}
}

// An application has no main content: all of it is read.
func TestFromHTMLWithoutMainContent(t *testing.T) {
	t.Parallel()
	list := "<h1>Inbox</h1>" +
		strings.Repeat("<div class=row><a href=/m>A mail about something</a> <span>Ada</span> <button>Delete</button></div>",
			60)
	for _, page := range []string{list, "<p>Short.</p>", "<h1>Mixed</h1>" + list + "<div><p>" + words + "</p></div>"} {
		got, err := FromHTML(page, Options{URL: "https://example.org/"})
		require.NoError(t, err)
		require.False(t, got.Main)
		if strings.Contains(page, "Inbox") {
			require.Contains(t, got.Markdown, "# Inbox")
			require.Equal(t, 60, strings.Count(got.Markdown, "A mail"))
		}
	}
}

// What a document itself calls its main content is that; where nothing is, menus do not stand before the text.
func TestFromHTMLBetweenMenus(t *testing.T) {
	t.Parallel()
	menu := `<a class="skip-link" href="#content">Skip to content</a><header><nav><ul>` +
		strings.Repeat("<li><a href=/x>A menu entry</a>", 40) + `</ul></nav></header>`
	rows := strings.Repeat("<div class=row><a href=/m>A mail about something</a> <span>Ada</span></div>", 20)
	for name, tt := range map[string]struct {
		page       string
		whole      bool
		main, cut  bool
		menu, skip bool
	}{
		"a list in main": {
			menu + "<main id=content><h1>Inbox</h1>" + rows + "</main><footer>Imprint</footer>",
			false, true, false, false, false,
		},
		"a short main": {
			menu + "<div role=main id=content><h1>Inbox</h1><p>No mail.</p></div>", false, true,
			false, false, false,
		},
		"two of them": {
			menu + "<main><h1>Inbox</h1>" + rows + "</main><main>Another</main>", false, false,
			true, false, false,
		},
		"none":         {menu + "<h1>Inbox</h1>" + rows, false, false, true, false, false},
		"an empty one": {menu + "<main></main><h1>Inbox</h1>" + rows, false, false, true, false, false},
		"all of it, if wanted": {
			menu + "<main id=content><h1>Inbox</h1>" + rows + "</main>", true, false, false, true,
			true,
		},
		"a link that skips nothing": {
			`<h1>Inbox</h1><p><a href="#end">Skip the details</a></p>` + rows, false, false, false,
			false, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := FromHTML(tt.page, Options{URL: "https://example.org/", Whole: tt.whole})
			require.NoError(t, err)
			require.Equal(t, tt.main, got.Main)
			require.Equal(t, tt.cut, got.NoMenus)
			require.Contains(t, got.Markdown, "# Inbox")
			require.Equal(t, tt.menu, strings.Contains(got.Markdown, "A menu entry"))
			require.Equal(t, tt.skip, strings.Contains(got.Markdown, "Skip"))
		})
	}
}

// The parser refuses documents of more than 512 levels. Their text is read nevertheless.
func TestFromHTMLDeep(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{"div", "b", "span", "blockquote", "ul><li", "table><tr><td", "my-element", "font"} {
		for _, closed := range []bool{true, false} {
			source := "<h1>Top</h1><p>first</p>" + strings.Repeat("<"+tag+">", 800) + "<a href=/x>deep</a>"
			if closed {
				name, _, _ := strings.Cut(tag, ">")
				source += strings.Repeat("</"+name+">", 800) + "<h2>last</h2>"
			}
			page, err := FromHTML(source, Options{URL: "https://example.org/"})
			require.NoError(t, err, tag)
			require.Contains(t, page.Markdown, "# Top\n\nfirst", tag)
			require.Contains(t, page.Markdown, "deep", tag)
			require.Contains(t, page.Markdown, "](https://example.org/x)", tag)
			if closed {
				require.Contains(t, page.Markdown, "\n## last", tag)
			}
		}
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, body, contentType, want string }{
		{"utf-8", "é", "text/html", "é"},
		{"byte order mark", "\xef\xbb\xbfé", "text/html", "é"},
		{"said by the header", "\xe9", "text/html; charset=iso-8859-1", "é"},
		{"said by the page", "<meta charset=windows-1251>\xc4\xe0", "text/html", "<meta charset=windows-1251>Да"},
		{"utf-16", "\xff\xfeA\x00\xe9\x00", "text/plain", "Aé"},
		{"shift jis", "\x93\xfa\x96\x7b", "text/plain; charset=shift_jis", "日本"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Decode([]byte(tt.body), tt.contentType)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

const manual = `Intro text.

# Guide

Start here.

## Install

Run it.

` + "```sh\n# not a heading\nmake\n```" + `

### On Linux

apt

## Use *it* [now](x)

Go on, install nothing.

Setext
------

End.
`

func TestOutline(t *testing.T) {
	t.Parallel()
	require.Equal(t, []Heading{{1, "Guide"}, {2, "Install"}, {3, "On Linux"}, {2, "Use *it* now"}, {2, "Setext"}},
		Outline(manual, ""))
	require.Equal(t, []Heading{{2, "Install"}}, Outline(manual, "INSTALL"))
	require.Empty(t, Outline("no headings", ""))
}

func TestSections(t *testing.T) {
	t.Parallel()
	require.Equal(t,
		"## Install\n\nRun it.\n\n```sh\n# not a heading\nmake\n```\n\n### On Linux\n\napt\n\n## Use *it* [now](x)\n\nGo "+
			"on, install nothing.",
		Sections(manual, "install"))
	require.Equal(t, "Intro text.", Sections(manual, "intro"))
	require.Equal(t, "### On Linux\n\napt", Sections(manual, "apt"))
	require.Equal(t, "Setext\n------\n\nEnd.", Sections(manual, "setext"))
	require.Empty(t, Sections(manual, "nowhere"))
}

func TestLinks(t *testing.T) {
	t.Parallel()
	got := Links(
		"# Docs\n\n> Summary\n\n## API\n\n- [Auth](/auth.md): who may\n- [Keys](keys.md \"Title\")\n\nSee "+
			"[more](https://x.example/).\n", "https://docs.example/v1/llms.txt")
	require.Equal(t, []Link{
		{"API", "Auth", "https://docs.example/auth.md", "who may"},
		{"API", "Keys", "https://docs.example/v1/keys.md", ""},
		{"API", "more", "https://x.example/", ""},
	}, got)
}

func FuzzSections(f *testing.F) {
	f.Add(manual, "install")
	f.Add("===\n---\n```\n~~~", "")
	f.Fuzz(func(t *testing.T, text, only string) {
		Outline(text, only)
		Links(text, "https://example.org/")
		Sections(text, only)
	})
}

func FuzzFromHTML(f *testing.F) {
	f.Add(article)
	f.Add("<table><tr><td><table><dl><dt><select><option><input type=checkbox>")
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = FromHTML(text, Options{URL: "https://example.org/"})
	})
}

func BenchmarkFromHTML(b *testing.B) {
	var body strings.Builder
	for range 1000 {
		body.WriteString("<h2>Title</h2><p>" + words + " <a href=/x>link</a></p>")
	}
	for b.Loop() {
		if _, err := FromHTML(body.String(), Options{URL: "https://example.org/"}); err != nil {
			b.Fatal(err)
		}
	}
}
