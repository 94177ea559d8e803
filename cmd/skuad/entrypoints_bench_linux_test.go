package main

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/session"
)

// BenchmarkEntryPoints measures a click and a fill by ref on every entry point, each on a page of its own with the same
// content: the command line, MCP over pipes, the session's manager in this process, and the bare calls of the protocol
// that do the same. They take turns.
//
//	go test ./cmd/skuad -run '^$' -bench BenchmarkEntryPoints -benchtime 200x
func BenchmarkEntryPoints(b *testing.B) {
	const html = `<title>Entry points</title><button id=b onclick="this.dataset.n = (this.dataset.n || 0) - 0 + 1">Go</button><input id=f aria-label=Name>`
	u := newUser(b)
	address := u.page(b, "entrypoints.html", html)
	u.works(b, "open", address)
	u.works(b, "snapshot", "-i")
	server := u.mcp(b, "skua", "mcp")
	server.do("open", address)
	server.do("snapshot", "-i")
	manager, err := session.New(session.Options{Registry: catalog.Registry()})
	require.NoError(b, err)
	b.Cleanup(func() { manager.Close(b.Context()) })
	inProcess := func(args ...string) {
		reply := manager.Do(b.Context(),
			session.Request{Program: "skua", Args: args, Cwd: u.cwd, Getenv: func(string) string { return "" }})
		require.NoError(b, reply.Err)
	}
	inProcess("open", address)
	inProcess("snapshot", "-i")
	page := barePage(b, address)

	for _, command := range []struct {
		name string
		args []string
		bare func()
	}{
		{"click", []string{"click", "@e1"}, func() {
			var at struct{ X, Y float64 }
			evaluated(b, page,
				`(e => { e.scrollIntoViewIfNeeded(); const r = e.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2} })(document.querySelector('#b'))`, &at)
			require.NoError(b, input.Click(b.Context(), page, engine.Point(at), input.ClickOptions{}))
			evaluated(b, page, `document.querySelector('#b').dataset.n`, new(string))
		}},
		{"fill", []string{"fill", "@e2", "Ada"}, func() {
			evaluated(b, page,
				`(e => { e.scrollIntoViewIfNeeded(); e.focus(); e.select(); return 1 })(document.querySelector('#f'))`, new(int))
			require.NoError(b, input.InsertText(b.Context(), page, "Ada"))
			evaluated(b, page, `document.querySelector('#f').value`, new(string))
		}},
	} {
		b.Run(command.name, func(b *testing.B) {
			took := map[string][]time.Duration{}
			for b.Loop() {
				for name, do := range map[string]func(){
					"line":      func() { u.works(b, command.args...) },
					"none":      func() { u.works(b, "--version") },
					"mcp":       func() { server.do(command.args...) },
					"inprocess": func() { inProcess(command.args...) },
					"bare":      command.bare,
				} {
					began := time.Now()
					do()
					took[name] = append(took[name], time.Since(began))
				}
			}
			middle := func(name string) float64 {
				slices.Sort(took[name])
				return float64(took[name][len(took[name])/2].Microseconds()) / 1000
			}
			b.ReportMetric(0, "ns/op")
			for name := range took {
				b.ReportMetric(middle(name), name+"-ms")
			}
			b.ReportMetric(middle("line")-middle("inprocess"), "line-adds-ms")
			b.ReportMetric(middle("mcp")/middle("bare"), "mcp-to-bare")
			b.ReportMetric(middle("inprocess")/middle("bare"), "inprocess-to-bare")
		})
	}
}

func barePage(b *testing.B, address string) *engine.Page {
	browser, err := engine.Launch(b.Context(), chrome.Options{Headless: true})
	require.NoError(b, err)
	b.Cleanup(func() { browser.Close(b.Context()) })
	private, err := browser.NewContext(b.Context(),
		engine.ContextOptions{Width: chrome.DefaultWidth, Height: chrome.DefaultHeight})
	require.NoError(b, err)
	page, err := private.NewPage(b.Context())
	require.NoError(b, err)
	_, err = page.Navigate(b.Context(), address, engine.WaitLoad)
	require.NoError(b, err)
	return page
}

// evaluated runs a script and puts its value into a pointer.
func evaluated(b *testing.B, page *engine.Page, script string, into any) {
	v, err := page.Evaluate(b.Context(), script)
	require.NoError(b, err)
	require.NoError(b, json.Unmarshal(v.JSON, into))
}
