package engine_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
)

// A document keeps its id as long as it lives, and no other document has it.
func TestDocumentIDs(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "<title>Main</title><h1>Main</h1>"})
	p := newPage(t)
	seen := map[string]string{}
	for _, tc := range []struct {
		name string
		do   func()
		same bool
	}{
		{"first document", func() { open(t, p, s.URL+"/") }, false},
		{"nothing", func() {}, true},
		{"fragment", func() { open(t, p, s.URL+"/#there") }, true},
		{"pushState", func() { eval(t, p, `history.pushState(0, "", "/pushed")`) }, true},
		{"back within the document", func() {
			eval(t, p, `new Promise(done => { onpopstate = () => done(0); history.back() })`)
		}, true},
		{"new content", func() { eval(t, p, `document.body.innerHTML = "<h1>Main</h1>"; 0`) }, true},
		{"document.write", func() {
			eval(t, p, `document.open(); document.write("<h1>Main</h1>"); document.close(); 0`)
		}, true},
		{"same address", func() { open(t, p, s.URL+"/") }, false},
		{"reload", func() { _, err := p.Reload(timed(t, limit), engine.WaitLoad); require.NoError(t, err) }, false},
		{"another site", func() { open(t, p, s.At("a")+"/") }, false},
		{"back", func() { _, err := p.History(timed(t, limit), -1, engine.WaitLoad); require.NoError(t, err) }, false},
		{"crash and reload", func() {
			crash(t, p)
			_, err := p.Reload(timed(t, limit), engine.WaitLoad)
			require.NoError(t, err)
		}, false},
	} {
		before := ""
		if len(seen) > 0 {
			var err error
			before, err = p.Main().Document(t.Context())
			require.NoError(t, err)
		}
		tc.do()
		doc, err := p.Main().Document(timed(t, limit))
		require.NoError(t, err, tc.name)
		require.Equal(t, "Main", textIn(t, p.Main(), "h1"), tc.name)
		if tc.same {
			require.Equal(t, before, doc, tc.name)
		} else {
			require.Empty(t, seen[doc], tc.name)
		}
		seen[doc] = tc.name
	}
}

// However many callers come at once, a document gets one id. The script is sent for the first document of a page, and
// for the second one with all that come later. Those without scripts of their own get it when it is needed.
func TestScriptComesWithLaterDocuments(t *testing.T) {
	t.Parallel()
	s := newSite(t,
		map[string]string{"/": `<title>Main</title><script>0</script><iframe srcdoc="<script>0</script>"></iframe>`})
	p := newPage(t)
	brought := func(f *engine.Frame) bool {
		var made struct {
			ExecutionContextID int64 `json:"executionContextId"`
		}
		require.NoError(t,
			f.Session().Call(t.Context(), "Page.createIsolatedWorld",
				map[string]any{"frameId": f.ID(), "worldName": inpage.World}, &made))
		var res struct {
			Result struct {
				Value any `json:"value"`
			} `json:"result"`
		}
		require.NoError(t, f.Session().Call(t.Context(), "Runtime.evaluate",
			map[string]any{"expression": inpage.Install("d"), "contextId": made.ExecutionContextID, "returnByValue": true},
			&res))
		return res.Result.Value != nil
	}
	for range 2 {
		open(t, p, s.URL+"/")
		_, err := p.Main().Document(timed(t, limit))
		require.NoError(t, err)
	}
	for _, at := range []string{s.URL, s.At("a"), s.At("a")} { // the last two in another process
		open(t, p, at+"/")
		require.True(t, brought(p.Main()))
		children, err := p.Main().Children(timed(t, limit))
		require.NoError(t, err)
		require.True(t, brought(children[0]))
		require.Equal(t, `"undefined"`, eval(t, p, "typeof __skuaInstall"))
	}
}

func TestDocumentOfManyCallers(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "<title>Main</title>"})
	p := newPage(t)
	for range 5 {
		_, err := p.Navigate(timed(t, limit), s.URL+"/", engine.WaitNone)
		require.NoError(t, err)
		var wg sync.WaitGroup
		docs := make([]string, 8)
		for i := range docs {
			wg.Go(func() {
				var info struct {
					Doc string `json:"doc"`
				}
				if err := p.Main().Call(timed(t, limit), "info", nil, &info); err != nil {
					info.Doc = err.Error()
				}
				docs[i] = info.Doc
			})
		}
		wg.Wait()
		doc, err := p.Main().Document(t.Context())
		require.NoError(t, err)
		for _, got := range docs {
			require.Equal(t, doc, got)
		}
	}
}

// An op that was under way when its document was replaced says so; one that comes later runs in the new document.
func TestCallWhileTheDocumentIsReplaced(t *testing.T) {
	t.Parallel()
	p, s := openHTML(t, "<title>Main</title><h1>Main</h1>")
	waiting := make(chan error, 1)
	go func() { // ends with the document
		arg := map[string]any{"target": map[string]any{"css": "#never"}, "state": "visible", "patience": limit.Milliseconds()}
		waiting <- p.Main().Call(timed(t, limit), "wait", arg, nil)
	}()
	require.Equal(t, "Main", textIn(t, p.Main(), "h1"))
	open(t, p, s.At("a")+"/")
	err := receive(t, waiting)
	require.True(t, engine.IsNavigated(err), "%v", err)
	require.Equal(t, "Main", textIn(t, p.Main(), "h1"))
}

// What the page does to its own world does not reach ours.
func TestWorldIsIsolated(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, `<title>Main</title><h1>Main</h1><form><input name=tagName></form><script>
		Element.prototype.matches = Document.prototype.querySelectorAll = () => { throw "patched" };
		window.Promise = JSON.stringify = undefined;
	</script>`)
	require.Equal(t, "Main", textIn(t, p.Main(), "h1"))
	require.Equal(t, "0",
		eval(t, p, `Object.getOwnPropertyNames(globalThis).filter(name => name.includes("skua")).length`))
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, "<title>Main</title>")
	for _, tc := range []struct{ script, want string }{
		{"1 + 1", "2"},
		{`"é\n"`, `"é\n"`},
		{"({a: [1, null, true]})", `{"a":[1,null,true]}`},
		{"new Promise(done => setTimeout(() => done(5), 1))", "5"},
		{"await new Promise(done => setTimeout(() => done(6), 1))", "6"},
		{"undefined", "null"},
		{"document.title", `"Main"`},
		{"() => 1", "{}"},
	} {
		require.JSONEq(t, tc.want, eval(t, p, tc.script), tc.script)
	}
	for script, want := range map[string]string{"NaN": "NaN", "-0": "-0", "1/0": "Infinity", "10n": "10n"} {
		v, err := p.Evaluate(timed(t, limit), script)
		require.NoError(t, err)
		require.Equal(t, want, v.Unserializable)
	}
	for script, want := range map[string]string{
		"throw new TypeError('no')": "TypeError: no", "throw 'text'": "text", "1 +": "SyntaxError",
		"Promise.reject(new Error('late'))":              "Error: late",
		"const a = {}; a.a = a; a":                       "cannot be turned into JSON",
		"location.href = '/next'; new Promise(() => {})": "the page navigated away",
	} {
		_, err := p.Evaluate(timed(t, limit), script)
		require.Equal(t, fault.EvalFailed, fault.CodeOf(err), "%s: %v", script, err)
		require.ErrorContains(t, err, "Evaluation error: ")
		require.ErrorContains(t, err, want, script)
		_, err = p.Loading().Settle(timed(t, limit), limit)
		require.NoError(t, err)
	}
}

// A script that was on its way when its document was replaced says what the new one has.
func TestStartScript(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "<title>One</title><h1>One</h1>", "/two": "<title>Two</title><h1>Two</h1>"})
	for _, tc := range []struct {
		name    string
		entered bool
		do      func(p *engine.Page)
		says    string
	}{
		{"in a document that was worked in", true, func(*engine.Page) {}, "One!"},
		{"in a document that is new", false, func(*engine.Page) {}, "One!"},
		{"of a document that is replaced", true, func(p *engine.Page) { open(t, p, s.URL+"/two") }, "Two!"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t)
			open(t, p, s.URL+"/")
			if tc.entered {
				require.Equal(t, "One", textIn(t, p.Main(), "h1"))
			}
			wait := p.Main().StartScript(timed(t, limit), `mark => document.title + mark`, "!")
			tc.do(p)
			var said string
			require.NoError(t, wait(&said))
			require.Equal(t, tc.says, said)
		})
	}
}
