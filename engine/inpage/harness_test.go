package inpage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/inpage"
)

// The tests of this package run in one real browser; each has a document of its own.

// browser is the connection to it, made by TestMain.
var browser *cdp.Conn

func TestMain(m *testing.M) {
	os.Exit(withBrowser(m.Run))
}

func withBrowser(run func() int) int {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	proc, err := chrome.Launch(ctx, chrome.Options{Headless: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer proc.Kill()
	browser = cdp.NewConn(cdp.NewPipe(proc.Pipe()))
	defer browser.Close()
	return run()
}

// testPage is a page with the script installed.
type testPage struct {
	sess    *cdp.Session
	frame   string // frame id; the target's id is that of its main frame
	world   int64  // execution context of the isolated world
	pointed bool   // whether the pointer was in it
	still   bool   // whether its animations stand still
}

// object is a decoded JSON object.
type object = map[string]any

// callLimit bounds each command of a test, so that a hang names its command.
const callLimit = time.Minute

// newPage opens a page with the HTML of a document, in a tab that may have served a test that is over.
func newPage(t testing.TB, html string) *testPage {
	t.Helper()
	if !strings.HasPrefix(strings.ToLower(html), "<!doctype") && !strings.HasPrefix(html, "<!--quirks-->") {
		html = "<!doctype html>" + html
	}
	p := takeTab(t)
	t.Cleanup(func() { p.leave(t) })
	call(t, p.sess, "Page.setDocumentContent", object{"frameId": p.frame, "html": html}, nil)
	p.install(t)
	return p
}

// idle are the tabs of tests that are over. A tab of its own, whose process knows nothing of the script yet, costs more
// than most tests do in it.
var idle struct {
	sync.Mutex
	tabs []*testPage
}

func takeTab(t testing.TB) *testPage {
	t.Helper()
	idle.Lock()
	if n := len(idle.tabs); n > 0 {
		defer idle.Unlock()
		p := idle.tabs[n-1]
		idle.tabs = idle.tabs[:n-1]
		return p
	}
	idle.Unlock()
	var target struct {
		TargetID string `json:"targetId"`
	}
	call(t, browser.Root(), "Target.createTarget", object{"url": "about:blank", "width": 1280, "height": 720}, &target)
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	call(t, browser.Root(), "Target.attachToTarget", object{"targetId": target.TargetID, "flatten": true}, &attached)
	p := &testPage{sess: browser.Session(attached.SessionID), frame: target.TargetID}
	call(t, p.sess, "Emulation.setFocusEmulationEnabled", object{"enabled": true}, nil)
	return p
}

// holdStill stops the animations of the page, marquees included, and waits until it has painted twice. Two looks at it
// are then looks at the same page.
func (p *testPage) holdStill(t testing.TB) {
	t.Helper()
	call(t, p.sess, "Animation.enable", nil, nil)
	call(t, p.sess, "Animation.setPlaybackRate", object{"playbackRate": 0}, nil)
	p.still = true
	const twoFrames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
	var painted bool
	p.evaluate(t, p.world, twoFrames, &painted)
	require.True(t, painted)
}

// leave empties the tab for the next test.
func (p *testPage) leave(t testing.TB) {
	if t.Failed() {
		call(t, browser.Root(), "Target.closeTarget", object{"targetId": p.frame}, nil)
		return
	}
	if p.still {
		call(t, p.sess, "Animation.setPlaybackRate", object{"playbackRate": 1}, nil)
		call(t, p.sess, "Animation.disable", nil, nil)
	}
	if p.pointed {
		p.mouse(t, "mouseMoved", -9, -9)
	}
	var came struct {
		LoaderID string `json:"loaderId"`
	}
	call(t, p.sess, "Page.navigate", object{"url": "about:blank"}, &came)
	var res struct {
		FrameTree struct {
			Frame struct {
				LoaderID string `json:"loaderId"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	call(t, p.sess, "Page.getFrameTree", nil, &res)
	require.Equal(t, came.LoaderID, res.FrameTree.Frame.LoaderID, "the page that the tab shows")
	idle.Lock()
	defer idle.Unlock()
	idle.tabs = append(idle.tabs, &testPage{sess: p.sess, frame: p.frame})
}

// pageFile opens the page of a file in testdata/pages.
func pageFile(t testing.TB, name string) *testPage {
	t.Helper()
	html, err := os.ReadFile("testdata/pages/" + name)
	require.NoError(t, err)
	return newPage(t, string(html))
}

// install makes the isolated world and puts the script there; call it again after a navigation.
func (p *testPage) install(t testing.TB) {
	t.Helper()
	var made struct {
		ExecutionContextID int64 `json:"executionContextId"`
	}
	call(t, p.sess, "Page.createIsolatedWorld", object{"frameId": p.frame, "worldName": inpage.World}, &made)
	p.world = made.ExecutionContextID
	var doc string
	p.evaluate(t, p.world, inpage.Install("doc-"+p.frame), &doc)
	if doc == "" {
		p.evaluate(t, p.world, inpage.Bring(), nil)
		p.evaluate(t, p.world, inpage.Install("doc-"+p.frame), nil)
	}
}

// child is the frame with this name in the page's frame tree, with the script installed.
func (p *testPage) child(t testing.TB, name string) *testPage {
	t.Helper()
	type tree struct {
		Frame struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		} `json:"frame"`
		ChildFrames []tree `json:"childFrames"`
	}
	var res struct {
		FrameTree tree `json:"frameTree"`
	}
	call(t, p.sess, "Page.getFrameTree", nil, &res)
	var find func(tree) string
	find = func(n tree) string {
		if n.Frame.Name == name {
			return n.Frame.ID
		}
		for _, c := range n.ChildFrames {
			if id := find(c); id != "" {
				return id
			}
		}
		return ""
	}
	id := find(res.FrameTree)
	require.NotEmpty(t, id, "no frame is named %q", name)
	c := &testPage{sess: p.sess, frame: id}
	c.install(t)
	return c
}

// op calls an op and decodes its result.
func (p *testPage) op(t testing.TB, name string, arg, result any) {
	t.Helper()
	raw, err := json.Marshal(arg)
	require.NoError(t, err)
	p.evaluate(t, p.world, inpage.Call(name, raw), result)
}

// result calls an op that must succeed.
func (p *testPage) result(t testing.TB, name string, arg any) object {
	t.Helper()
	var res object
	p.op(t, name, arg, &res)
	require.NotContains(t, res, "error", "%s failed", name)
	return res
}

// failure calls an op that must fail and returns the code and the facts of the failure.
func (p *testPage) failure(t testing.TB, name string, arg any) (code string, facts object) {
	t.Helper()
	var res struct {
		Error *struct {
			Code  string `json:"code"`
			Facts object `json:"facts"`
		} `json:"error"`
	}
	p.op(t, name, arg, &res)
	require.NotNil(t, res.Error, "%s succeeded", name)
	return res.Error.Code, res.Error.Facts
}

// js evaluates an expression in the page's own world and waits for its promise.
func (p *testPage) js(t testing.TB, expression string) any {
	t.Helper()
	var v any
	p.evaluate(t, 0, expression, &v)
	return v
}

// unanswered is for the questions that the engine would ask the browser now: pages here have no closed roots, and no
// internals that a test wants.
const unanswered = `() => {
	const { suspects, internals } = globalThis.__skua.ops;
	const asked = suspects({});
	const els = asked ? asked.slice(asked.indexOf(null) + 1) : [];
	return internals({ told: els.map(() => null), els });
}`

func (p *testPage) evaluate(t testing.TB, world int64, expression string, result any) {
	t.Helper()
	params := object{"expression": expression, "awaitPromise": true, "returnByValue": true}
	if world != 0 {
		params["contextId"] = world
	}
	var res struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
				Value       any    `json:"value"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	call(t, p.sess, "Runtime.evaluate", params, &res)
	if e := res.ExceptionDetails; e != nil && e.Exception.Value == "unpierced" {
		p.evaluate(t, world, "("+unanswered+")()", nil)
		p.evaluate(t, world, expression, result)
		return
	} else if e != nil {
		require.FailNow(t, "the script threw", "%s %s", e.Text, e.Exception.Description)
	}
	if result != nil && res.Result.Value != nil {
		require.NoError(t, json.Unmarshal(res.Result.Value, result))
	}
}

// start calls an op and hands its result out when there is one, so that the test can act while the op waits.
func (p *testPage) start(t testing.TB, name string, arg any) (result func() object) {
	t.Helper()
	raw, err := json.Marshal(arg)
	require.NoError(t, err)
	pending := p.sess.Start("Runtime.evaluate", object{
		"expression": inpage.Call(name, raw), "contextId": p.world, "awaitPromise": true, "returnByValue": true,
	})
	return func() object {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), callLimit)
		defer cancel()
		var res struct {
			Result struct {
				Value object `json:"value"`
			} `json:"result"`
		}
		require.NoError(t, pending.Decode(ctx, &res))
		return res.Result.Value
	}
}

// click sends the three mouse events of a click at a point of the page's viewport.
func (p *testPage) click(t testing.TB, x, y any) {
	t.Helper()
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		p.mouse(t, kind, x, y)
	}
}

func (p *testPage) mouse(t testing.TB, kind string, x, y any) {
	t.Helper()
	p.pointed = true
	call(t, p.sess, "Input.dispatchMouseEvent",
		object{"type": kind, "x": x, "y": y, "button": button(kind), "clickCount": 1}, nil)
}

func button(kind string) string {
	if kind == "mouseMoved" {
		return "none"
	}
	return "left"
}

// insert types a text where the focus is.
func (p *testPage) insert(t testing.TB, text string) {
	t.Helper()
	call(t, p.sess, "Input.insertText", object{"text": text}, nil)
}

func call(t testing.TB, s *cdp.Session, method string, params, result any) {
	t.Helper()
	// Cleanup functions run when the test's own context is over.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), callLimit)
	defer cancel()
	require.NoError(t, s.Call(ctx, method, params, result), method)
}

// number writes a decoded number as JavaScript.
func number(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "NaN"
	}
	return string(raw)
}
