package inpage_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomPage is a page of valid and less valid markup, always the same for a seed.
func randomPage(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	g.b.WriteString(
		`<!doctype html><title>Random</title><style>.up{text-transform:uppercase}.ib{display:inline-block}.bl{display:block}.fl{display:flex}.dc{display:contents}.inv{visibility:hidden}.vis{visibility:visible}.no{display:none}.bef::before{content:"«"}.aft::after{content:" »"}</style>`)
	for range 5 {
		g.block(4)
	}
	return g.b.String()
}

type generator struct {
	*rand.Rand
	b  strings.Builder
	id int
}

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

// attributes writes some of the attributes that change what an element is or is called.
func (g *generator) attributes() string {
	var a strings.Builder
	for range g.IntN(3) {
		switch g.IntN(13) {
		case 0:
			fmt.Fprintf(&a, ` aria-label="%s"`, g.words(2))
		case 1:
			fmt.Fprintf(&a, ` title="%s"`, g.words(2))
		case 2:
			if g.id > 0 && g.IntN(3) == 0 {
				fmt.Fprintf(&a, ` aria-labelledby="i%d"`, g.IntN(g.id))
			}
		case 3:
			fmt.Fprintf(&a, ` role=%s`,
				g.pick("button", "link", "group", "list", "listitem", "none", "img", "heading", "region", "checkbox", "tab",
					"navigation", "textbox", "row", "cell", "menuitem", "option", "paragraph", "note"))
		case 4, 5, 6:
			fmt.Fprintf(&a, ` class="%s"`,
				g.pick("up", "ib", "bl", "fl", "dc", "inv", "vis", "no", "bef", "aft", "bef aft", "ib up"))
		case 7:
			a.WriteString(g.pick(` aria-hidden=true`, ` hidden`, ` inert`, ` aria-hidden=false`))
		case 8:
			a.WriteString(g.pick(` aria-disabled=true`, ` aria-expanded=false`, ` aria-checked=true`, ` aria-pressed=mixed`,
				` aria-level=3`, ` aria-selected=true`))
		case 9:
			a.WriteString(` tabindex=0`)
		case 10:
			fmt.Fprintf(&a, ` id=i%d`, g.id)
			g.id++
		}
	}
	return a.String()
}

func (g *generator) words(n int) string {
	out := make([]string, 0, n)
	for range 1 + g.IntN(n) {
		out = append(out, g.pick("alpha", "beta", "gamma", "delta", "ein", "two", "3", "Ünï", "日本", "x-y"))
	}
	return strings.Join(out, " ")
}

func (g *generator) element(tag string, inside func()) {
	fmt.Fprintf(&g.b, "<%s%s>", tag, g.attributes())
	inside()
	fmt.Fprintf(&g.b, "</%s>", tag)
	if g.IntN(3) == 0 {
		g.b.WriteString(g.pick(" ", "\n"))
	}
}

func (g *generator) blocks(depth int) func() {
	return func() {
		for range 1 + g.IntN(3) {
			g.block(depth - 1)
		}
	}
}

func (g *generator) inlines(depth int) func() {
	return func() {
		for range 1 + g.IntN(3) {
			g.inline(depth - 1)
		}
	}
}

func (g *generator) block(depth int) {
	if depth <= 0 {
		g.inline(2)
		return
	}
	switch g.IntN(12) {
	case 0, 1:
		g.element("div", g.blocks(depth))
	case 2:
		g.element(g.pick("section", "article", "nav", "main", "aside", "header", "footer", "form", "fieldset", "figure",
			"address"), g.blocks(depth))
	case 3:
		g.element(g.pick("h1", "h2", "h6", "p", "p", "blockquote", "legend", "figcaption"), g.inlines(3))
	case 4:
		g.element(g.pick("ul", "ol", "menu"), func() {
			for range 1 + g.IntN(3) {
				g.element("li", g.blocks(depth-1))
			}
		})
	case 5:
		g.element("dl", func() {
			g.element("dt", g.inlines(2))
			g.element("dd", g.blocks(depth-1))
		})
	case 6:
		g.table(depth)
	case 7:
		g.element(g.pick("details", "details open"), func() {
			g.element("summary", g.inlines(2))
			g.block(depth - 1)
		})
	default:
		g.element("div", g.inlines(3))
	}
}

func (g *generator) table(depth int) {
	g.element("table border=1", func() {
		if g.IntN(3) == 0 {
			g.element("caption", g.inlines(1))
		}
		for range 1 + g.IntN(3) {
			g.element("tr", func() {
				for range 1 + g.IntN(3) {
					g.element(g.pick("td", "td", "th"), g.inlines(2))
				}
			})
		}
	})
}

func (g *generator) inline(depth int) {
	if depth <= 0 || g.IntN(3) == 0 {
		g.b.WriteString(g.words(3))
		if g.IntN(2) == 0 {
			g.b.WriteString(" ")
		}
		return
	}
	switch g.IntN(14) {
	case 0, 1, 2:
		g.element(g.pick("span", "b", "i", "em", "strong", "small", "code", "mark", "sub", "abbr", "time", "q", "cite",
			"del"), g.inlines(depth))
	case 3, 4:
		g.element(g.pick("a href=/x", "a", "a href=#y"), g.inlines(depth))
	case 5, 6:
		g.element("button", g.inlines(depth))
	case 7:
		fmt.Fprintf(&g.b, `<input%s%s>`,
			g.pick(` type=text value=v`, ` type=checkbox`, ` type=radio checked`, ` placeholder=ph`, ` type=submit`,
				` type=range`, ` type=button value=b`, ` type=search`, ` type=number value=4`), g.attributes())
	case 8:
		fmt.Fprintf(&g.b, `<img src="data:,"%s%s>`, g.pick(` alt="picture"`, ` alt=""`, ``), g.attributes())
	case 9:
		g.element("label", func() {
			g.inline(depth - 1)
			fmt.Fprintf(&g.b, `<input type=%s>`, g.pick("text", "checkbox", "radio"))
			g.inline(depth - 1)
		})
	case 10:
		g.element("select", func() { g.b.WriteString(`<option>o1<option selected>o2`) })
	case 11:
		fmt.Fprintf(&g.b, `<svg width=9 height=9%s>%s<path d="M0 0h5v5z"/></svg>`, g.attributes(),
			g.pick("", "<title>drawing</title>"))
	case 12:
		g.b.WriteString(g.pick("<br>", "<hr>", "<wbr>", "<textarea>ta</textarea>", "<progress value=.5></progress>",
			"<meter value=.5></meter>"))
	case 13:
		g.element(g.pick("div", "p"), g.inlines(depth))
	}
}

// leastAgreement is the share of nodes on which the walk and Chrome's tree have to agree where markup is put together
// by chance. What is left are chains of aria-labelledby through content that is closed, inert or already part of the
// name, and names of contents in which Chrome takes fewer elements than accname does (docs/agreement.md).
const leastAgreement = 0.99

func TestWalkAgreesOnRandomPages(t *testing.T) {
	pages := uint64(100)
	if testing.Short() {
		pages = 40
	}
	var agreed, all atomic.Int64
	t.Run("pages", func(t *testing.T) { // it ends when those in it have
		for seed := range pages {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				html := randomPage(seed)
				p := newPage(t, strings.Replace(html, "<title>", `<base href="https://base.test/dir/"><title>`, 1))
				walk, chrome := rows(p.walk(t, object{})), p.chromeRows(t)
				same, diff := agreement(walk, chrome)
				agreed.Add(int64(same))
				all.Add(int64(max(same, len(chrome))))
				if len(diff) > 0 {
					t.Logf("%s\n%s", strings.Join(diff, "\n"), html)
				}
			})
		}
	})
	share := float64(agreed.Load()) / float64(all.Load())
	t.Logf("%d of %d nodes agree, %.2f %%", agreed.Load(), all.Load(), 100*share)
	require.GreaterOrEqual(t, share, leastAgreement)
}
