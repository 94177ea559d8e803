package pointer_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Wherever the element is, the click and the pointer get there.
func TestPointerReaches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		selector string
		on       string // id of the element that has the event
	}{
		{"plain", "#plain", "plain"},
		{"below the fold", "#far", "far"},
		{"right of the window", "#right", "right"},
		{"nested scrolling boxes", "#deep", "deep"},
		{"half covered", "#half", "half"},
		{"link over several lines", "#wrapped", "wrapped"},
		{"icon in a button", "#icon svg", "icon"},
		{"turned and scaled", "#inturned", "inturned"},
		{"in a sticky header", "#inheader", "inheader"},
		{"in a fixed footer", "#infooter", "infooter"},
		{"shadow tree", "#inshadow", "inshadow"},
		{"shadow tree in a shadow tree", "#deepshadow", "deepshadow"},
		{"through the host", "#widget #inshadow", "inshadow"},
		{"image map", "#area", "area"},
		{"xpath", "xpath=//button[.='Plain']", "plain"},
		{"bare xpath", "//button[.='Far below']", "far"},
		{"text", "text=Far below", "far"},
		{"role", `role=button[name="In the footer"]`, "infooter"},
	}
	page := host.Opened(t, "/pages/acting-places.html")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Page(`scrollTo(0, 0); outer.scrollTo(0, 0); inner.scrollTo(0, 0); log = []; 0`)
			reply := c.Do("click", tt.selector)
			require.Contains(t, reply.Result.Text, "✓ Done")
			require.Equal(t, "click "+tt.on, c.LastEvent("click"))
			require.Equal(t, tt.selector, sessiontest.Decode[object](t, reply.Result.Data)["clicked"])

			c.Do("hover", "#banner")
			c.Page("log = []")
			c.Do("hover", tt.selector)
			require.Equal(t, "mouseover "+tt.on, c.LastEvent("mouseover"))

			c.Do("dblclick", tt.selector)
			require.Equal(t, "dblclick "+tt.on, c.LastEvent("dblclick"))
		})
	}
}

// A header that stays over the page is not clicked in place of what lies below it, from wherever the page was scrolled
// to.
func TestClickBesideStickyHeader(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-places.html")
	for _, y := range []string{"0", "350", "700", "3000", "100000"} {
		c.Page("log = []; scrollTo(0, " + y + ")")
		c.Do("click", "#plain")
		require.Equal(t, "click plain", c.LastEvent("click"), "scrolled to %s", y)
	}
}

func TestClickLabels(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-places.html")
	c.Do("click", "#label")
	require.Equal(t, true, c.Page("document.getElementById('box').checked"))
	c.Do("click", "#box")
	require.Equal(t, false, c.Page("document.getElementById('box').checked"))
	c.Do("click", "#forlabel")
	require.Equal(t, true, c.Page("document.getElementById('forbox').checked"))
}

func TestClickByRef(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-places.html")
	refs := c.Refs()
	for name, on := range map[string]string{
		`button "Plain"`: "plain", `button "Far below"`: "far", `button "Deep"`: "deep",
		`button "In a shadow tree"`: "inshadow",
		`button "Deeper"`:           "deepshadow", `link "Area"`: "area",
	} {
		require.Contains(t, refs, name)
		c.Page("log = []")
		c.Do("click", refs[name])
		require.Equal(t, "click "+on, c.LastEvent("click"))
	}
}

func TestPointerRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		selector string
		code     fault.Code
		says     string
		hover    fault.Code // empty: hovering works
	}{
		{"#covered", fault.TargetCovered, "covered by <div#cover>", fault.TargetCovered},
		{"#none", fault.TargetHidden, "is not visible", fault.TargetHidden},
		{"#invisible", fault.TargetHidden, "is not visible", fault.TargetHidden},
		{"#nosize", fault.TargetHidden, "is not visible", fault.TargetHidden},
		{"#disabled", fault.TargetDisabled, "is disabled", ""},
		{"#infieldset", fault.TargetDisabled, "is disabled", ""},
		{"#untouchable", fault.TargetCovered, "covered by <div>", fault.TargetCovered},
		{"#outside", fault.TargetOutside, "outside the viewport", fault.TargetOutside},
		{"#clipped", fault.TargetOutside, "<div#clip> (@e", fault.TargetOutside},
		{"#indetails", fault.TargetHidden, "is not visible", fault.TargetHidden},
		{"#inhidden", fault.TargetHidden, "is not visible", fault.TargetHidden},
		{"#inert", fault.TargetCovered, "covered by", fault.TargetCovered},
		{"#nosuch", fault.SelectorNotFound, "Element not found: #nosuch.", fault.SelectorNotFound},
		{"#[", fault.SelectorInvalid, "Invalid selector '#['", fault.SelectorInvalid},
		{"xpath=//[", fault.SelectorInvalid, "Invalid selector 'xpath=//['", fault.SelectorInvalid},
		{"@x1", fault.SelectorInvalid, "neither a ref nor a selector", fault.SelectorInvalid},
		{"@e999999", fault.RefUnknown, "Unknown ref: e999999", fault.RefUnknown},
		{"", fault.SelectorInvalid, "The selector is empty", fault.SelectorInvalid},
	}
	for _, tt := range tests {
		t.Run(tt.selector, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-refused.html")
			err := c.Fails(tt.code, "click", tt.selector)
			require.Contains(t, err.Error(), tt.says)
			require.Equal(t, tt.selector, err.Subject)
			require.Empty(t, c.Log(), "nothing was clicked")
			if tt.hover != "" {
				c.Fails(tt.hover, "hover", tt.selector)
				return
			}
			c.Do("hover", tt.selector)
			require.Equal(t, true, c.Page("document.querySelector('"+tt.selector+"').matches(':hover')"))
		})
	}
}

// What runs around faster than its own size is followed. Where the browser draws too seldom for that it is missed,
// which is told, and nothing else gets the click. Where the runner gets the press and has left before the release, the
// browser clicks what contains both, and the runner is followed again.
func TestPointerAtARunner(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-refused.html")
	c.Page("runner.classList.add('runs')")
	if err := c.Try("click", "#runner", "--timeout", "3000").Err; err != nil {
		require.Contains(t, []fault.Code{fault.TargetUnstable, fault.TargetMissed}, fault.CodeOf(err), "%v", err)
		require.Empty(t, c.Log(), "nothing was clicked")
	} else {
		require.Equal(t, "click runner", strings.ReplaceAll(c.Log(), "click html\n", ""))
	}
	if err := c.Try("hover", "#runner", "--timeout", "3000").Err; err != nil {
		require.Contains(t, []fault.Code{fault.TargetUnstable, fault.TargetMissed}, fault.CodeOf(err), "%v", err)
	}
}

// The command waits until the element is ready. The page makes it so when the server answers, which it does while the
// command waits.
func TestClickWaitsForTheElement(t *testing.T) {
	t.Parallel()
	const button = `<button id=b onclick="log.push('clicked')">Go</button>`
	tests := []struct {
		name   string
		html   string
		change string // what the page does when the gate is open
		want   string
	}{
		{"to appear", ``, "document.body.insertAdjacentHTML('beforeend', `" + button + "`)", "clicked"},
		{"to be shown", `<div id=d style="display:none">` + button + `</div>`, "d.style.display = 'block'", "clicked"},
		{"to be enabled", `<button id=b disabled onclick="log.push('clicked')">Go</button>`, "b.disabled = false", "clicked"},
		{"to be uncovered", button + `<div id=d style="position:fixed;inset:0">Cover</div>`, "d.remove()", "clicked"},
		{
			"to come to rest",
			`<style>#b { transform-origin: 300px 0; animation: run .7s linear infinite } #b.rest { animation: none }
			@keyframes run { to { transform: rotate(360deg) } }</style>` + button, "b.className = 'rest'", "clicked",
		},
		{
			"and takes the one in its place", `<button id=b disabled onclick="log.push('old')">Go</button>`,
			"b.outerHTML = `<button id=b onclick=\"log.push('new')\">Go</button>`", "new",
		},
		{
			"and takes the one in its place after a while without",
			`<button id=b disabled onclick="log.push('old')">Go</button>`,
			"b.remove(); requestAnimationFrame(() => document.body.insertAdjacentHTML('beforeend', `<button id=b " +
				"onclick=\"log.push('new')\">Go</button>`))", "new",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := site.Gate(t, "")
			c := host.Showing(t, tt.html+`<script>fetch('`+g.Path+`').then(() => { `+tt.change+` })</script>`)
			reply := c.Start("click", "#b", "--timeout", "20000")
			g.WaitAsked(t)
			c.Do("tab", "list") // a round trip through the page, behind the first look of the click
			require.Empty(t, reply)
			g.Open()
			c.Await(reply)
			require.Equal(t, tt.want, c.Log())
		})
	}
}

func TestClickSeesWhatItLedTo(t *testing.T) {
	t.Parallel()
	there := site.Write("<title>There</title>")
	slow := site.Gate(t, "<!doctype html><title>Slow</title>")
	tests := []struct {
		name string
		html string
		read string // what the next command sees
		want any
		note string
	}{
		{
			"navigation", `<a id=x href="` + there + `">Go</a>`, "document.title", "There",
			"the page is now " + site.URL(there),
		},
		{
			"navigation by script", `<button id=x onclick="location = '` + there + `'">Go</button>`, "document.title", "There",
			"the page is now " + site.URL(there),
		},
		{
			"form", `<form action=/echo><input name=q value=1><button id=x>Send</button></form>`,
			"document.getElementById('query').textContent", "q=1",
			"the page is now " + site.URL("/echo?q=1"),
		},
		{"fragment", `<a id=x href="#part">Go</a>`, "location.hash", "#part", "#part"},
		{
			"history entry", `<button id=x onclick="history.pushState(0, '', '?pushed')">Go</button>`, "location.search",
			"?pushed", "?pushed",
		},
		{
			"alert", `<button id=x onclick="alert('Hello'); log.push('after')">Go</button>`, "log[0]", "after",
			`a JavaScript alert was accepted: "Hello"`,
		},
		{"its own removal", `<button id=x onclick="this.remove(); log.push('clicked')">Go</button>`, "log[0]", "clicked", ""},
		{
			"prevented", `<a id=x href="` + there + `" onclick="event.preventDefault(); log.push('clicked')">Go</a>`, "log[0]",
			"clicked", "",
		},
		{
			"stopped on its way",
			`<script>addEventListener('click', (e) => { e.stopImmediatePropagation(); log.push('stopped') }, true)</script>
			<button id=x>Go</button>`, "log[0]", "stopped", "",
		},
		{
			"slow page", `<a id=x href="` + slow.Path + `">Go</a>`, "document.title", "Slow",
			"the page is now " + site.URL(slow.Path),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, tt.html)
			if tt.name == "slow page" {
				go func() { slow.WaitAsked(t); slow.Open() }()
			}
			reply := c.Do("click", "#x")
			require.Equal(t, tt.want, c.Page(tt.read))
			if tt.note == "" {
				require.Empty(t, sessiontest.Notes(reply))
			}
			require.Contains(t, sessiontest.Told(reply), tt.note)
		})
	}
}

// The page changes between the aim and the click: the click is not said to have been done.
func TestClickThatMisses(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<style>#thief { display: none; position: fixed; inset: 0 }</style><button id=b>Go</button><div id=thief></div>
		<script>b.onmousemove = () => { thief.style.display = 'block' }; thief.onclick = () => log.push('thief')</script>`)
	err := c.Fails(fault.TargetCovered, "click", "#b")
	require.Equal(t, "div#thief", err.Facts["by"])
	require.Empty(t, c.Log(), "nothing was clicked in its place")
	c.Page("thief.style.display = 'none'")
	c.Do("hover", "body")
	err = c.Fails(fault.TargetMissed, "click", "#b", "--force")
	require.Contains(t, err.Error(), "<div#thief>")
	require.Equal(t, "thief", c.Log())
}

func TestClickOfSeveral(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<button style="display:none" onclick="log.push(1)">One</button><button onclick="log.push(2)">Two</button><button>Three</button>`)
	reply := c.Do("click", "button")
	require.Equal(t, "2", c.Log())
	require.Contains(t, sessiontest.Notes(reply), `matches 3 elements; the first visible one was used: button "Two"`)
}

func TestClickNewTab(t *testing.T) {
	t.Parallel()
	there := site.Write("<title>There</title>")
	c := host.Showing(t, `<title>Here</title><a id=a href="`+there+`"><b id=in>Go</b></a><button>No</button>`)
	reply := c.Do("click", "#in", "--new-tab")
	require.Equal(t, site.URL(there), reply.Result.Text)
	require.Equal(t, "There", c.Page("document.title"))
	require.Len(t, c.Data("tab")["tabs"], 2)
	c.Do("tab", "t1")
	require.Equal(t, "Here", c.Page("document.title"), "the first tab stayed where it was")
	err := c.Fails(fault.TargetUnsuitable, "click", "button", "--new-tab")
	require.Contains(t, err.Error(), "does not have an href attribute")
}

func TestDoubleClickRefused(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-refused.html")
	c.Fails(fault.TargetCovered, "dblclick", "#covered")
	c.Fails(fault.TargetDisabled, "dblclick", "#disabled")
	require.Empty(t, c.Log())
}

func TestDoubleClickEvents(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<p id=p>Word</p><script>for (const n of ['mousedown', 'mouseup', 'click', 'dblclick'])
		p.addEventListener(n, (e) => log.push(n + e.detail))</script>`)
	c.Do("dblclick", "#p")
	require.Equal(t, "mousedown1\nmouseup1\nclick1\nmousedown2\nmouseup2\nclick2\ndblclick2", c.Log())
	require.Equal(t, "Word", c.Page("getSelection().toString().trim()"))
}

func TestClickEvents(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<button id=b>Go</button><script>
		for (const n of ['pointerover', 'mouseover', 'mousemove', 'pointerdown', 'mousedown', 'focus', 'pointerup', 'mouseup', 'click'])
			b.addEventListener(n, (e) => log.push(n + (e.isTrusted ? '' : ' untrusted')))</script>`)
	c.Do("click", "#b")
	require.Equal(t, "pointerover\nmouseover\nmousemove\npointerdown\nmousedown\nfocus\npointerup\nmouseup\nclick",
		c.Log())
}
