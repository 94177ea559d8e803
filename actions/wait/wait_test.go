package wait_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// waiting runs a wait on a page that changes when the server lets it, and lets it once the wait is active.
func pendingCommands(t *testing.T, html, change string, args ...string) (*sessiontest.Client, session.Reply) {
	t.Helper()
	g := site.Gate(t, "")
	c := host.Showing(t, html+`<script>fetch('`+g.Path+`').then(() => { `+change+` })</script>`)
	reply := c.Start(append([]string{"wait"}, args...)...)
	g.WaitAsked(t)
	c.Do("tab", "list") // a round trip through the page, behind the first look of the wait
	require.Empty(t, reply, "the wait was over before anything happened")
	g.Open()
	return c, c.Await(reply)
}

func TestWaitForElements(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		html   string
		change string
		args   []string
	}{
		{"to appear", ``, `document.body.insertAdjacentHTML('beforeend', '<p id=p>Here</p>')`, []string{"#p"}},
		{"to be visible", `<p id=p hidden>Here</p>`, `p.hidden = false`, []string{"#p"}},
		{
			"to be visible by a class", `<style>.on { display: block !important } #p { display: none }</style><p id=p>Here</p>`,
			`p.className = 'on'`,
			[]string{"#p", "--state", "visible"},
		},
		{
			"to be visible by a style sheet", `<style>#p { visibility: hidden }</style><p id=p>Here</p>`,
			`document.styleSheets[0].deleteRule(0)`,
			[]string{"#p"},
		},
		{"to be hidden", `<p id=p>Here</p>`, `p.style.display = 'none'`, []string{"#p", "--state", "hidden"}},
		{"to be hidden by removal", `<p id=p>Here</p>`, `p.remove()`, []string{"#p", "--state", "hidden"}},
		{
			"to be attached", ``, `document.body.insertAdjacentHTML('beforeend', '<p id=p hidden>Here</p>')`,
			[]string{"#p", "--state", "attached"},
		},
		{"to be detached", `<p id=p hidden>Here</p>`, `p.remove()`, []string{"#p", "--state", "detached"}},
		{"to be enabled", `<button id=p disabled>Go</button>`, `p.disabled = false`, []string{"#p", "--state", "enabled"}},
		{
			"in a shadow tree", `<div id=h></div><script>h.attachShadow({ mode: 'open' })</script>`,
			`h.shadowRoot.innerHTML = '<p id=p>Here</p>'`,
			[]string{"#p"},
		},
		{
			"in a late shadow tree", `<div id=h></div>`,
			`h.attachShadow({ mode: 'open' }).innerHTML = '<p id=p>Here</p>'; h.title = 'x'`,
			[]string{"#p"},
		},
		{"by xpath", ``, `document.body.insertAdjacentHTML('beforeend', '<p>Here</p>')`, []string{"xpath=//p[.='Here']"}},
		{
			"by role", ``, `document.body.insertAdjacentHTML('beforeend', '<button>Go</button>')`,
			[]string{`role=button[name="Go"]`},
		},
		{
			"text", ``, `document.body.insertAdjacentHTML('beforeend', '<p>All is <b>saved</b> now</p>')`,
			[]string{"--text", "is saved"},
		},
		{"text that was hidden", `<p id=p hidden>Saved</p>`, `p.hidden = false`, []string{"--text", "Saved"}},
		{"text of a node", `<p id=p>Saving</p>`, `p.firstChild.data = 'Saved'`, []string{"--text", "Saved"}},
		{
			"text in a frame", `<iframe srcdoc="<p id=p>Saving</p>"></iframe>`, `frames[0].document.body.textContent = 'Saved'`,
			[]string{"--text", "Saved"},
		},
		{
			"text in a shadow tree", `<div id=h></div><script>h.attachShadow({ mode: 'open' })</script>`,
			`h.shadowRoot.innerHTML = '<p>Saved</p>'`,
			[]string{"--text", "Saved"},
		},
		{"address", ``, `history.pushState(0, '', '?done')`, []string{"--url", "?done"}},
		{"address by pattern", ``, `history.pushState(0, '', '/a/b?done')`, []string{"--url", "*/a/*done"}},
		{"address by fragment", ``, `location.hash = 'done'`, []string{"--url", "#done"}},
		{"script", ``, `done = { n: 3 }`, []string{"--fn", "window.done"}},
		{"script that throws at first", ``, `done = { n: 3 }`, []string{"--fn", "done.n === 3"}},
		{"script that is a function", ``, `done = 3`, []string{"--fn", "() => window.done > 2"}},
		{"script with await", ``, `done = 3`, []string{"--fn", "await window.done"}},
		{"script of several statements", ``, `done = 3`, []string{"--fn", "var d = window.done; d === 3"}},
		{"script with a comment", ``, `done = 3`, []string{"--fn", "window.done // yes"}},
		{
			"script where the page forbids eval",
			`<meta http-equiv=Content-Security-Policy content="script-src 'unsafe-inline'">`, `done = 3`,
			[]string{"--fn", "window.done"},
		},
		{"script with a promise", ``, `done = 3`, []string{"--fn", "Promise.resolve(window.done)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, reply := pendingCommands(t, tt.html, tt.change, tt.args...)
			require.NotEmpty(t, reply.Result.Text)
		})
	}
}

func TestWaitReplies(t *testing.T) {
	t.Parallel()
	path := site.Write(`<title>Ready</title><p id=p>Saved</p>`)
	c := host.Opened(t, path)
	url := site.URL(path)
	tests := []struct {
		args []string
		text string
		data object
	}{
		{[]string{"#p"}, "✓ Done · it was so already", object{"selector": "#p", "waited": "selector", "already": true}},
		{
			[]string{"#q", "--state", "detached"},
			"✓ Done · it was so already",
			object{"selector": "#q", "waited": "selector", "already": true},
		},
		{
			[]string{"--text", "Saved"},
			"Saved\n✓ it was so already",
			object{"text": "Saved", "waited": "text", "already": true},
		},
		{[]string{"--url", "*/written/*"}, url + "\n✓ it was so already", object{"url": url, "already": true}},
		{
			[]string{"--url-change", "about:blank"},
			url + "\n✓ it was so already",
			object{"from": "about:blank", "url": url, "waited": "url-change", "already": true},
		},
		{[]string{"--load", "load"}, "✓ Done · it was so already", object{"state": "load", "already": true}},
		{
			[]string{"--load", "domcontentloaded"},
			"✓ Done · it was so already",
			object{"state": "domcontentloaded", "already": true},
		},
		{[]string{"--load", "networkidle"}, "✓ Done", object{"state": "networkidle"}},
		{[]string{"--fn", "document.title"}, `"Ready"`, object{"result": "Ready"}},
		{[]string{"--fn", "({ n: 3 })"}, "{\n  \"n\": 3\n}", object{"result": object{"n": 3.0}}},
		{[]string{"0"}, "✓ Done", object{"ms": 0.0, "waited": "timeout"}},
		{[]string{"20"}, "✓ Done", object{"ms": 20.0, "waited": "timeout"}},
	}
	for _, tt := range tests {
		reply := c.Do(append([]string{"wait"}, tt.args...)...)
		require.Equal(t, tt.text, reply.Result.Text, "%v", tt.args)
		require.Equal(t, tt.data, sessiontest.Decode[object](t, reply.Result.Data), "%v", tt.args)
	}
	for _, args := range [][]string{{"#p"}, {"--text", "Saved"}, {"--url", "*/written/*"}, {"--load", "load"}} {
		reply := c.RunAs("agent-browser", false, append([]string{"wait"}, args...)...)
		require.NotContains(t, reply.Text, "already", "agent-browser's text, %v", args)
		require.NotContains(t, sessiontest.Decode[object](t, reply.Data), "already", args)
	}
}

// A wait for a time lasts that long by the page's clock.
func TestWaitForATime(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "")
	start := c.Page("performance.now()").(float64)
	c.Do("wait", "150")
	require.GreaterOrEqual(t, c.Page("performance.now()").(float64)-start, 150.0)
	c.Do("wait", "100", "--timeout", "10") // the time that was asked for is waited, whatever the limit
}

func TestWaitForRefs(t *testing.T) {
	t.Parallel()
	g := site.Gate(t, "")
	c := host.Showing(t, `<button id=a disabled>Stays</button><button id=b>Goes</button><script>
		fetch('`+g.Path+`').then(() => { b.remove(); a.disabled = false })</script>`)
	refs := c.Refs()
	stays, goes := refs[`button "Stays"`], refs[`button "Goes"`]
	c.Do("wait", stays)
	c.Do("wait", goes, "--state", "attached")
	reply := c.Start("wait", goes, "--state", "hidden")
	c.Do("tab", "list")
	require.Empty(t, reply)
	g.Open()
	c.Await(reply)
	c.Do("wait", stays, "--state", "enabled")
	c.Do("wait", goes, "--state", "detached")
	err := c.Fails(fault.Timeout, "wait", goes, "--timeout", "100")
	require.Contains(t, err.Error(), "did not become visible; last seen: nothing")
}

// Whatever is not met in time is told, with what was seen in its place.
func TestWaitTimesOut(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args []string
		says string
	}{
		{[]string{"#nosuch"}, "#nosuch did not become visible; last seen: nothing"},
		{[]string{"#hidden"}, "#hidden did not become visible; last seen: hidden"},
		{[]string{"#p", "--state", "hidden"}, "#p did not become hidden; last seen: visible"},
		{[]string{"#p", "--state", "detached"}, "#p did not become detached; last seen: visible"},
		{[]string{"#nosuch", "--state", "attached"}, "#nosuch did not become attached; last seen: nothing"},
		{[]string{"#dis", "--state", "enabled"}, "#dis did not become enabled; last seen: disabled"},
		{[]string{"--text", "Absent"}, `the page does not show the text "Absent"`},
		{[]string{"--text", "Hidden"}, `the page does not show the text "Hidden"`},
		{[]string{"--url", "/nosuch"}, `, which does not match "/nosuch"`},
		{[]string{"--fn", "window.nosuch"}, "the script's value is undefined"},
		{[]string{"--fn", "nosuch.n"}, "the script threw ReferenceError: nosuch is not defined"},
		{[]string{"--fn", "JSON.parse('no')"}, "the script threw SyntaxError"},
		{[]string{"--fn", "0"}, "the script's value is"},
	}
	page := host.Showing(t,
		`<p id=p>Shown</p><p id=hidden hidden>Hidden</p><button id=dis disabled>No</button><script>Hidden = 1</script>`)
	for _, tt := range tests {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			c := page.In(t)
			err := c.Fails(fault.Timeout, append([]string{"wait", "--timeout", "100"}, tt.args...)...)
			require.Contains(t, err.Error(), "Wait timed out after 100ms: ")
			require.Contains(t, err.Error(), tt.says)
			require.Equal(t, "Shown", c.Do("get", "text", "#p").Result.Text, "the session goes on")
		})
	}
}

// What can never be met fails at once, not after the timeout.
func TestWaitRefused(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, `<button>Go</button>`)
	tests := []struct {
		args []string
		code fault.Code
		says string
	}{
		{nil, fault.Usage, "Missing arguments for: wait"},
		{[]string{""}, fault.SelectorInvalid, "The selector is empty"},
		{[]string{"#["}, fault.SelectorInvalid, "Invalid selector '#['"},
		{[]string{"@e99"}, fault.RefUnknown, "Unknown ref: e99"},
		{[]string{"-5"}, fault.Usage, "-5"},
		{[]string{"1.5"}, fault.Usage, "wait takes whole milliseconds, got '1.5'"},
		{[]string{"--bogus"}, fault.Usage, "Unknown flag: --bogus"},
		{[]string{"p", "--text", "x"}, fault.Usage, "wait takes one thing to wait for, but got selector and text."},
		{[]string{"--text", "x", "--state", "enabled"}, fault.Usage, "--state can only be used with a selector wait"},
		{[]string{"p", "--state", "bogus"}, fault.Usage, "bogus"},
		{[]string{"--load", "bogus"}, fault.Usage, "bogus"},
		{[]string{"p", "--timeout", "soon"}, fault.Usage, "soon"},
		{[]string{"--fn", "1 +"}, fault.EvalFailed, "Evaluation error: SyntaxError"},
		{[]string{"--fn", "if ("}, fault.EvalFailed, "Evaluation error: SyntaxError"},
	}
	for _, tt := range tests {
		err := c.Fails(tt.code, append([]string{"wait"}, tt.args...)...)
		require.Contains(t, err.Error(), tt.says, "%v", tt.args)
	}
}

// A wait goes on when the page is replaced by another one.
func TestWaitAcrossPages(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"element": {"#there"}, "text": {"--text", "Arrived"}, "address": {"--url", "/written/*"},
		"script": {"--fn", "document.title === 'There'"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there := site.Write(`<title>There</title><p id=there>Arrived</p>`)
			if name == "address" {
				args = []string{"--url", there}
			}
			_, reply := pendingCommands(t, `<p>Here</p>`, fmt.Sprintf("location = %q", there), args...)
			require.NotEmpty(t, reply.Result.Text)
		})
	}
}

func TestWaitForLoad(t *testing.T) {
	t.Parallel()
	for _, until := range []string{"load", "networkidle"} {
		t.Run(until, func(t *testing.T) {
			t.Parallel()
			image := site.Gate(t, "")
			c := host.NewClient(t)
			c.Do("open", "--wait-until", "domcontentloaded", site.URL(site.Write(`<img src="`+image.Path+`">`)))
			reply := c.Start("wait", "--load", until)
			image.WaitAsked(t)
			c.Do("tab", "list")
			require.Empty(t, reply)
			image.Open()
			c.Await(reply)
			require.Equal(t, "complete", c.Page("document.readyState"))
		})
	}
}

// Chromium waits for ever for a body that a page leaves unread, and for an event stream.
func TestWaitForIdleNetwork(t *testing.T) {
	t.Parallel()
	large := site.Write("<p>" + strings.Repeat("x", 1<<20))
	for name, script := range map[string]string{
		"small body unread": `fetch('/echo', {cache: 'no-store'}).then((r) => { kept = r })`,
		"large body unread": `fetch('` + large + `', {cache: 'no-store'}).then((r) => { kept = r })`,
	} {
		for _, args := range [][]string{{"--load", "networkidle"}, {"--idle"}, {"--stable"}} {
			t.Run(name+" "+args[len(args)-1], func(t *testing.T) {
				t.Parallel()
				c := host.Opened(t, site.Write(`<script>var kept; `+script+`</script>`))
				c.Do("wait", "--fn", "kept")
				c.Do(append([]string{"wait"}, args...)...)
				require.Equal(t, false, c.Page("kept.bodyUsed"))
			})
		}
	}
	t.Run("a request that is not answered", func(t *testing.T) {
		t.Parallel()
		gate := site.Gate(t, "")
		c := host.NewClient(t)
		c.Do("open",
			site.URL(site.Write(`<script>var kept; fetch('/echo', {cache: 'no-store'}); fetch('`+gate.Path+
				`').then((r) => { kept = r })</script>`)))
		gate.WaitAsked(t)
		reply := c.Start("wait", "--load", "networkidle")
		c.Fails(fault.Timeout, "--timeout", "1500", "wait", "--load", "networkidle")
		require.Empty(t, reply)
		gate.Open()
		c.Await(reply)
		require.Equal(t, true, c.Page("kept !== undefined"))
	})
}

// A wait whose time is over sees nothing that comes after it.
func TestWaitEndsInTime(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		later string
		args  []string
	}{
		{"address", `location.hash = 'late'`, []string{"--url", "#late"}},
		{"change of the address", `location.hash = 'late'`, []string{"--url-change"}},
		{"response", `fetch('?late')`, []string{"--response", "*?late"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, "")
			_, got := c.Batch([][]string{
				cmd("eval", "setTimeout(() => { "+tt.later+" }, 1500); 0"),
				append(cmd("--timeout", "100", "wait"), tt.args...),
			})
			require.Contains(t, *got[1].Error, "Wait timed out after 100ms")
		})
	}
}

// A text is gone once no frame shows it. Frames that came during the wait count.
func TestWaitTextGone(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, `<p id=p>Loading</p><iframe id=f srcdoc="<p id=q>Loading</p>"></iframe>`)
	require.Contains(t,
		c.Fails(fault.Timeout, "wait", "--timeout", "100", "--text", "Loading", "--state", "hidden").Error(),
		`the page still shows the text "Loading"`)
	c.Page("p.remove()")
	require.Contains(t,
		c.Fails(fault.Timeout, "wait", "--timeout", "100", "--text", "Loading", "--state", "hidden").Error(), `still shows`,
		"the frame does")
	c.Page("setTimeout(() => f.contentDocument.getElementById('q').remove(), 50), 0")
	c.Do("wait", "--text", "Loading", "--state", "hidden")
	require.Equal(t, "✓ Done · it was so already", c.Do("wait", "--text", "Loading", "--state", "hidden").Result.Text)
}
