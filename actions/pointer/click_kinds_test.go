package pointer_test

import (
	"fmt"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Whatever is to be clicked gets the click, and the page sees it.
func TestClickKinds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		selector string
		log      string
		read     string
		want     any
		note     string
	}{
		{selector: "#faint", log: "faint"},
		{selector: "#empty", log: "empty"},
		{selector: "#lines", log: "lines"},
		{selector: "#agree", read: "agree.checked", want: true},
		{selector: "#styled", read: "agree.checked", want: true},
		{selector: "#hiddenbox", read: "hiddenbox.checked", want: true},
		{selector: "#forhidden", read: "hiddenbox.checked", want: true},
		{selector: "#medium", read: "sizes.value", want: "Medium"},
		{selector: "#blue", log: "blue", read: "blue.ariaSelected", want: "true"},
		{selector: "#sum", log: "sum", read: "more.open", want: true},
		{selector: "#land", log: "land"},
		{selector: "#land path", log: "land"},
		{selector: "#svglink", log: "svglink"},
		{selector: "#icon span", log: "icon"},
		{selector: "#inopen", log: "inopen"},
		{selector: "#inclosed", log: "inclosed"},
		{selector: "#inring", log: "inring"},
		{selector: "#incorner", log: "incorner"},
		{selector: "#soft", log: "soft"},
		{selector: "#aria", log: "aria", note: "#aria is marked as disabled (aria-disabled)"},
		{selector: "#edit", log: "edit", read: "document.activeElement.id", want: "edit"},
		{selector: "#row", log: "row"},
	}
	page := host.Opened(t, "/pages/acting-click-kinds.html")
	for _, tt := range tests {
		t.Run(tt.selector, func(t *testing.T) {
			c := page.In(t)
			c.Page("log = []; agree.checked = hiddenbox.checked = false; 0")
			reply := c.Do("click", tt.selector)
			if tt.log != "" {
				require.Equal(t, tt.log, c.Log())
			}
			if tt.read != "" {
				require.Equal(t, tt.want, c.Page(tt.read))
			}
			if tt.note == "" {
				require.NotContains(t, sessiontest.Notes(reply), "disabled")
			}
			require.Contains(t, sessiontest.Notes(reply), tt.note)
		})
	}
}

// The same by the refs that a snapshot gives.
func TestClickKindsByRef(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-click-kinds.html")
	refs := c.Refs()
	for _, tt := range []struct{ name, log string }{
		{`button "In open tree"`, "inopen"},
		{`button "In closed tree"`, "inclosed"},
		{`button "Land"`, "land"},
		{`option "Red"`, "red"},
		{`button "Under a badge"`, "inring"},
		{`button "One corner"`, "incorner"},
	} {
		require.Contains(t, refs, tt.name, "in\n%s", c.Seen)
		c.Page("log = []")
		c.Do("click", refs[tt.name])
		require.Equal(t, tt.log, c.Log())
	}
}

// The page is scrolled until the element can be clicked, whatever scrolls, snaps and sticks on the way.
func TestClickScrolls(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"slide4", "slide2", "cell-d11", "cell-a0", "cell-b7", "inpane", "instrip", "reply14",
		"reply0", "last", "inbar", "infoot",
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-click-scrolling.html")
			c.Do("click", "#"+id)
			require.Equal(t, id, c.Log())
			if id == "inbar" {
				return // that header hides itself when the page is scrolled
			}
			c.Do("click", "#last") // and from wherever that has left the page
			c.Do("click", "#"+id)
			require.Equal(t, id+"\nlast\n"+id, c.Log())
		})
	}
}

// A page that reacts to the pointer before there is a click: what is said is what happened.
func TestClickReacting(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		selector string
		before   [][]string
		code     fault.Code // of the failure, if it is one
		note     string     // in the reply, when it is a success
		received string     // in the facts of the failure or the data, when it was less than a click
		log      string
	}{
		{
			name: "rendered again when the pointer comes", selector: "text=Render on hover",
			log: "Render on hover mouseenter\nRender on hover mouseenter\nRender on hover clicked",
		},
		{
			name: "rendered again when it is pressed", selector: "text=Render on press", note: "an equal element in its place",
			received: "mousedown", log: "Render on press mousedown",
		},
		{
			name: "rendered again when it gets the focus", selector: "text=Render on focus",
			note: "an equal element in its place", received: "mousedown", log: "Render on focus focus",
		},
		{name: "runs away", selector: "#shy", code: fault.TargetMissed, log: ""},
		{name: "runs away once", selector: "#twice", log: "twice clicked"},
		{name: "opens over itself", selector: "#combo", received: "mousedown", note: "the click went to", log: "beside"},
		{
			name: "acts on the press and is gone", selector: "#copy", before: [][]string{{"click", "#menubutton"}},
			received: "mousedown", log: "copied",
		},
		{
			name: "pushed away when a field loses the focus", selector: "#send", before: [][]string{{"focus", "#field"}},
			note: "#send moved away when the button was pressed, so that <section>", log: "beside\nsent",
		},
		{
			name: "moves away at the press and hides", selector: "#fleeting", code: fault.TargetMissed, received: "mousedown",
			log: "pressed\nbeside",
		},
		{
			name: "covered when it is pressed", selector: "#slow", received: "mousedown", note: "the click went to",
			log: "beside",
		},
		{
			name: "begins a selection by dragging", selector: "#day", received: "mousedown",
			note: "the release came to <div#layer>", log: "selecting\nselected",
		},
		{
			name: "replaces the form by a popup", selector: "#city", received: "mousedown", note: "and there was no click",
			log: "popup",
		},
		{name: "says something at the focus", selector: "#nervous", note: "This is for experts", log: "nervous"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-click-reacting.html")
			for _, line := range tt.before {
				c.Do(line...)
			}
			if tt.code == "" {
				reply := c.Do("click", tt.selector, "--timeout", "3000")
				require.Equal(t, tt.received, fmt.Sprint(orEmpty(sessiontest.Decode[object](t, reply.Result.Data)["received"])))
				require.Contains(t, sessiontest.Notes(reply), tt.note)
			} else {
				err := c.Fails(tt.code, "click", tt.selector)
				require.Equal(t, tt.received, fmt.Sprint(orEmpty(err.Facts["received"])))
				requireNoTokens(t, err)
			}
			require.Equal(t, tt.log, c.Log())
		})
	}
}

func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// By force nothing is checked, and the truth is told all the same.
func TestClickByForce(t *testing.T) {
	t.Parallel()
	tests := []struct {
		page, selector string
		code           fault.Code
		log            string
	}{
		{"acting-refused.html", "#covered", fault.TargetMissed, "click cover"},
		{"acting-refused.html", "#disabled", fault.TargetMissed, ""},
		{"acting-refused.html", "#untouchable", fault.TargetMissed, "click div"},
		{"acting-refused.html", "#none", fault.TargetHidden, ""},
		{"acting-refused.html", "#outside", fault.TargetOutside, ""},
		{"acting-click-kinds.html", "#faint", "", "faint"},
		{"acting-click-kinds.html", "#aria", "", "aria"},
		{"acting-click-kinds.html", "#inring", fault.TargetMissed, "badge"},
		{"acting-click-scrolling.html", "#last", "", "last"},
	}
	for _, tt := range tests {
		t.Run(tt.page+tt.selector, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/"+tt.page)
			if tt.code == "" {
				c.Do("click", tt.selector, "--force")
			} else {
				c.Fails(tt.code, "click", tt.selector, "--force")
			}
			require.Equal(t, tt.log, c.Log())
		})
	}
}

// Frames that are turned, skewed or mirrored in the page get their clicks where a person sees the button.
func TestClickInTurnedFrames(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there", "there,here"} {
		for _, style := range []string{
			"transform: rotate(28deg); margin: 250px 100px",
			"rotate: -15deg; margin: 100px; border: 9px solid", "transform: scaleX(-1)", "transform: skewY(12deg) scale(.7)",
		} {
			t.Run(frames+" "+style, func(t *testing.T) {
				t.Parallel()
				c, depth := host.Framed(t, frames, "style="+style)
				c.Do("click", c.Ref(fmt.Sprintf(`button "Button %d"`, depth)))
				c.Heard(depth, "click")
			})
		}
	}
}

// Only a part of the frame is uncovered: elements in it are clicked there, and covered ones are scrolled out from under
// sticky elements.
func TestClickInPartlyCoveredFrames(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, _ := host.Framed(t, frames)
			ref := c.Ref(`button "Button 1"`)
			// The bar lies over the upper half of the button.
			c.Page(`(() => { const f = document.querySelector('iframe').getBoundingClientRect();
				document.body.insertAdjacentHTML('beforeend', '<div id=half style="position: absolute; left: 0; width: 100%; height: 16px; top: ' + f.top + 'px; background: red"></div>') })()`)
			c.Do("click", ref)
			c.Heard(1, "click")
			c.Page(
				`log = []; half.style.cssText = 'position: fixed; left: 0; top: 0; width: 100%; height: 300px; background: red';
				document.body.style.cssText = 'height: 4000px; padding-top: 800px'; scrollTo(0, 700)`)
			c.Do("click", ref)
			c.Heard(1, "click")
			c.Page(
				`log = []; half.style.cssText = 'position: fixed; left: 0; top: 0; width: 800px; height: 100%; background: red';
				document.body.style.cssText = 'width: 4000px; padding-left: 1400px'; scrollTo(1300, 0)`)
			c.Do("click", ref)
			c.Heard(1, "click")
		})
	}
}

// A tab that is not the one in front is clicked all the same, also where frames have to be seen.
func TestClickInBackgroundTab(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-click-scrolling.html")
	c.Do("tab", "new", site.URL("/pages/acting-click-kinds.html"))
	c.Do("tab", "t1")
	c.Do("click", "#last")
	c.Do("click", "#slide4")
	require.Equal(t, "last\nslide4", c.Log())
}

// The pointer has come to the element, or it is said that it has not.
func TestHoverReaches(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-click-reacting.html")
	c.Do("hover", "text=Render on hover")
	require.Contains(t, c.Log(), "Render on hover mouseenter")
	c.Do("hover", "#send")
	c.Do("hover", "#send")
	require.Equal(t, true, c.Page("send.matches(':hover')"), "also when it was there already")
	c.Do("hover", "#twice")
	require.Equal(t, "300px", c.Page("twice.style.marginLeft"), "it got the pointer, and moved then")

	c = host.Showing(t, `<button id=b>Go</button><div id=over style="position:fixed;inset:0"></div>`)
	c.Fails(fault.TargetMissed, "hover", "#b", "--force")
	require.Equal(t, false, c.Page("b.matches(':hover')"))
}

// What a page puts in the place of an element at the first click of two gets the second, as it would from a person.
func TestDoubleClickOnWhatIsRedrawn(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, site.Write(`<!doctype html><title>Redrawn</title>
<button id=b>Open</button>
<label style="display:inline-block"><span style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"><input id=i type=checkbox></span>Juniper</label>
<button id=once>Once</button>
<script>
const log = [];
for (const name of ['click', 'dblclick']) document.addEventListener(name, (event) => log.push(name + ' ' + event.target.id));
for (const id of ['b', 'i']) {
  const arm = (el) => el.addEventListener('click', () => {
    const fresh = el.cloneNode(true);
    if (el.checked) fresh.checked = true;
    el.replaceWith(fresh);
  });
  arm(document.getElementById(id));
}
once.onclick = () => once.replaceWith(Object.assign(document.createElement('button'), { id: 'other', textContent: 'Delete' }));
</script>`))
	require.Empty(t, sessiontest.Notes(c.Do("dblclick", "#b")))
	require.Equal(t, "click b,click b,dblclick b", c.Page("log.splice(0).join()"))
	require.Empty(t, sessiontest.Notes(c.Do("dblclick", "#i")))
	require.Equal(t, "click ,click i,click ,click i,dblclick ", c.Page("log.splice(0).join()"))
	require.Equal(t, false, c.Page("i.checked"))
	// Something else in its place gets nothing.
	require.Equal(t, "#once got one click, and the page acted on that: it is not there for a second one",
		sessiontest.Notes(c.Do("dblclick", "#once")))
	require.Equal(t, "click once", c.Page("log.splice(0).join()"))
}
