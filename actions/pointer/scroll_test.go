package pointer_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const scrollPage = `<style>body { margin: 0; width: 3000px; height: 3000px } #box { width: 200px; height: 100px; overflow: auto }
	#room { width: 900px; height: 900px } #hidden { display: none } #far { position: absolute; top: 2000px; left: 2000px } html { scroll-behavior: smooth }</style>
	<div id=box><div id=room><p id=in style="margin-top: 700px">In the box</p></div></div><p id=hidden>Hidden</p><p id=still>Still</p><p id=far>Far</p>`

func TestScroll(t *testing.T) {
	t.Parallel()
	const page, box = "[scrollX, scrollY]", "[box.scrollLeft, box.scrollTop]"
	tests := []struct {
		name    string
		before  string
		command []string
		read    string
		want    []any
		moved   bool
	}{
		{"down", "", []string{"scroll"}, page, []any{0.0, 300.0}, true},
		{"how far", "", []string{"scroll", "down", "120"}, page, []any{0.0, 120.0}, true},
		{"up", "scrollTo({top: 500, behavior: 'instant'})", []string{"scroll", "up", "200"}, page, []any{0.0, 300.0}, true},
		{"right", "", []string{"scroll", "right", "50"}, page, []any{50.0, 0.0}, true},
		{
			"left", "scrollTo({left: 500, behavior: 'instant'})",
			[]string{"scroll", "left", "100"},
			page,
			[]any{400.0, 0.0},
			true,
		},
		{"at the top", "", []string{"scroll", "up"}, page, []any{0.0, 0.0}, false},
		{
			"further than there is", "scrollTo({top: 100, behavior: 'instant'})",
			[]string{"scroll", "up", "900"},
			page,
			[]any{0.0, 0.0},
			true,
		},
		{"a box", "", []string{"scroll", "down", "90", "-s", "#box"}, box, []any{0.0, 90.0}, true},
		{"half of what a box shows", "", []string{"scroll", "down", "50%", "-s", "#box"}, box, []any{0.0, 50.0}, true},
		{"a share back", "box.scrollTop = 200", []string{"scroll", "up", "150%", "-s", "#box"}, box, []any{0.0, 50.0}, true},
		{"a box to the right", "", []string{"scroll", "right", "90", "--selector", "#box"}, box, []any{90.0, 0.0}, true},
		{"what is in a box", "", []string{"scroll", "down", "90", "-s", "#in"}, box, []any{0.0, 90.0}, true},
		{
			"a box at its end", "box.scrollTop = 9999",
			[]string{"scroll", "down", "90", "-s", "#box"},
			page,
			[]any{0.0, 0.0},
			false,
		},
	}
	shared := host.Showing(t, scrollPage)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := shared.In(t)
			c.Page(`for (const el of [window, box]) el.scrollTo({top: 0, left: 0, behavior: 'instant'})`)
			c.Page(tt.before + ";0")
			reply := c.Do(tt.command...)
			require.Equal(t, tt.want, c.Page(tt.read))
			require.Equal(t, tt.moved, sessiontest.Decode[object](t, reply.Result.Data)["scrolled"])
			if tt.moved {
				require.Contains(t, reply.Result.Text, "✓ Done")
			} else {
				require.Contains(t, reply.Result.Text, "Nothing moved")
			}
		})
	}
}

// Where the document itself does not scroll, its largest scrolling part does.
func TestScrollAnAppLayout(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<style>html, body { margin: 0; height: 100%; overflow: hidden } #main { height: 100%; overflow-y: auto }</style>
		<div id=main><div style="height: 3000px">Content</div></div>`)
	c.Do("scroll", "down", "400")
	require.Equal(t, 400.0, c.Page("main.scrollTop"))
}

func TestScrollRefused(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, scrollPage)
	err := c.Fails(fault.Usage, "scroll", "sideways")
	require.Contains(t, err.Error(), "sideways")
	err = c.Fails(fault.Usage, "scroll", "down", "far")
	require.Contains(t, err.Error(), "far")
	c.Fails(fault.SelectorNotFound, "scroll", "down", "-s", "#nosuch")
	c.Fails(fault.SelectorInvalid, "scroll", "down", "-s", "#[")
	require.Equal(t, []any{0.0, 0.0}, c.Page("[scrollX, scrollY]"))
}

func TestScrollIntoView(t *testing.T) {
	t.Parallel()
	// boxes end between pixels
	const shown = `(b => b.top >= 0 && b.left >= 0 && b.bottom <= innerHeight + 1 && b.right <= innerWidth + 1)`
	for _, command := range []string{"scrollintoview", "scrollinto"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, scrollPage)
			reply := c.Do(command, "#far")
			require.Equal(t, true, c.Page(shown+"(far.getBoundingClientRect())"))
			data := sessiontest.Decode[object](t, reply.Result.Data)
			require.Equal(t, []any{"#far", true}, []any{data["scrolled"], data["moved"]})
			c.Do(command, "#in")
			require.Equal(t, true, c.Page(shown+"(document.getElementById('in').getBoundingClientRect())"))
			require.Equal(t, true, c.Page("box.scrollTop > 0"), "the box scrolled, too")
			c.Page("scrollTo({left: 0, top: 40, behavior: 'instant'})")
			require.Contains(t, c.Do(command, "#still").Result.Text, "in view already")
			require.Equal(t, []any{0.0, 40.0}, c.Page("[scrollX, scrollY]"), "what is in view stays where it is")
			c.Fails(fault.TargetHidden, command, "#hidden")
			c.Fails(fault.SelectorNotFound, command, "#nosuch")
		})
	}
}

// Wherever something scrolls, it scrolls by what was asked, and the next command finds it at rest.
func TestScrollEverywhere(t *testing.T) {
	t.Parallel()
	const app, feed, snap = "acting-move-app", "acting-move-feed", "acting-move-snap"
	tests := []struct {
		name string
		page string
		run  []string
		js   string
		want any
	}{
		{"the main part of an app", app, cmd("scroll", "down", "500"), "main.scrollTop", 500.0},
		{"its end", app, cmd("scroll", "to", "bottom"), "main.scrollTop + main.clientHeight", 4000.0},
		{
			"half of it", app, cmd("scroll", "to", "50%"),
			"Math.round(main.scrollTop) === Math.round((4000 - main.clientHeight) / 2)", true,
		},
		{
			"another part of it", app, cmd("scroll", "down", "120", "-s", "nav"),
			"[document.querySelector('nav').scrollTop, main.scrollTop].join()", "120,0",
		},
		{"a list that begins at its bottom", app, cmd("scroll", "up", "200", "-s", "#chat"), "chat.scrollTop", -200.0},
		{
			"its top", app, cmd("scroll", "to", "top", "-s", "#chat"),
			"chat.scrollTop === chat.clientHeight - chat.scrollHeight", true,
		},
		{
			"three quarters of it", app, cmd("scroll", "to", "75%", "-s", "#chat"),
			"Math.round(chat.scrollTop / (chat.clientHeight - chat.scrollHeight) * 100)", 25.0,
		},
		{"from right to left", app, cmd("scroll", "left", "150", "-s", "#wide"), "wide.scrollLeft", -150.0},
		{"its left end", app, cmd("scroll", "to", "left", "-s", "#wide"), "wide.scrollLeft", -1000.0},
		{"a quarter across", app, cmd("scroll", "to", "25%", "--across", "-s", "#wide"), "wide.scrollLeft", -750.0},
		{
			"the nearest box around an element", app, cmd("scroll", "down", "80", "-s", "#deep"),
			"[inner.scrollTop, outer.scrollTop, main.scrollTop].join()", "80,0,0",
		},
		{
			"an outer box", app, cmd("scroll", "down", "80", "-s", "#outer"), "[inner.scrollTop, outer.scrollTop].join()",
			"0,80",
		},
		{
			"what the box around scrolls when the inner one does not go sideways", app,
			cmd("scroll", "right", "80", "-s", "#inner"), "[inner.scrollLeft, main.scrollLeft].join()", "0,0",
		},
		{"a line of text", app, cmd("scroll", "down", "60", "-s", "#plain"), "main.scrollTop", 60.0},
		{
			"rows that are made when they come into view", feed, cmd("scroll", "down", "40000", "-s", "#rows"),
			"!!document.querySelector('#row2000')", true,
		},
		{"a feed that grows", feed, cmd("scroll", "to", "bottom"), "scrollY > 500", true},
		{"snapping to the next", snap, cmd("scroll", "down", "250", "-s", "#slides"), "slides.scrollTop", 400.0},
		{"snapping after less", snap, cmd("scroll", "down", "100", "-s", "#slides"), "slides.scrollTop", 400.0},
		{"smooth by style", snap, cmd("scroll", "down", "700"), "scrollY", 700.0},
		{"a script that takes it back", snap, cmd("scroll", "down", "100", "-s", "#held"), "held.scrollTop", 0.0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/"+tt.page+".html")
			reply := c.Do(tt.run...)
			c.Do("get", "url")
			require.Equal(t, tt.want, c.Page(tt.js), "%q %v", reply.Result.Text, reply.Result.Data)
		})
	}
}

func TestScrollSays(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		page string
		run  [][]string
		text string
		data object // some of it
	}{
		{
			"where it is", "acting-move-feed",
			[][]string{cmd("scroll", "down", "200")},
			"✓ Done",
			object{
				"from": object{"x": 0.0, "y": 0.0}, "to": object{"x": 0.0, "y": 200.0}, "atStart": false, "atEnd": false,
				"container": nil,
			},
		},
		{
			"which part of an app", "acting-move-app",
			[][]string{cmd("scroll", "to", "bottom")},
			`✓ Done (in main "Room" @e`,
			object{"atStart": false, "atEnd": true},
		},
		{
			"that it is at the end", "acting-move-app",
			[][]string{cmd("scroll", "to", "bottom"), cmd("scroll")},
			`Nothing moved: main "Room" @e`,
			object{"scrolled": false, "reason": "at-end", "atEnd": true},
		},
		{
			"that it is at the top", "acting-move-feed",
			[][]string{cmd("scroll", "up")},
			"Nothing moved: the page is at its top already",
			object{"scrolled": false, "reason": "at-end", "atStart": true},
		},
		{
			"that a list is at its bottom", "acting-move-app",
			[][]string{cmd("scroll", "down", "-s", "#chat")},
			"is at its bottom already",
			object{"reason": "at-end", "atEnd": true},
		},
		{
			"that nothing goes that way", "acting-move-feed",
			[][]string{cmd("scroll", "right")},
			"Nothing moved: there is nothing to scroll right",
			object{"scrolled": false, "reason": "not-scrollable", "scrollable": nil},
		},
		{
			"what else does", "acting-move-app",
			[][]string{cmd("scroll", "right", "-s", "nav")},
			`nothing to scroll right in nav; what scrolls that way: region "Dates" @e`,
			object{"scrolled": false, "reason": "not-scrollable"},
		},
		{
			"that a script took it back", "acting-move-snap",
			[][]string{cmd("scroll", "down", "-s", "#held", "--settle")},
			"put region \"Held\" @e",
			object{"scrolled": false, "reason": "taken-back"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/"+tt.page+".html")
			for _, words := range tt.run[:len(tt.run)-1] {
				c.Do(words...)
			}
			reply := c.Do(tt.run[len(tt.run)-1]...)
			require.Contains(t, reply.Result.Text, tt.text)
			data := sessiontest.Decode[object](t, reply.Result.Data)
			for key, want := range tt.data {
				require.Equal(t, want, data[key], key)
			}
		})
	}
}

// What comes with a scroll after its reply, the next one tells.
func TestScrollTellsLater(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, page string
		run        []string
		note       string
	}{
		{
			"a script takes it back", "acting-move-snap", cmd("scroll", "down", "-s", "#held"),
			"since `scroll`: a script of the page put region \"Held\" @e",
		},
		{
			"rows that are made", "acting-move-feed", cmd("scroll", "down", "40000", "-s", "#rows"),
			"appeared: div \"Row 2000\"",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/"+tt.page+".html")
			reply := c.Do(tt.run...)
			require.Contains(t, reply.Result.Text, "scrolled")
			require.Equal(t, true, sessiontest.Decode[object](t, reply.Result.Data)["scrolled"])
			// A frame may have come before the reply was made.
			require.Contains(t, reply.Result.Text+sessiontest.Notes(c.Do("get", "url")), tt.note)
			require.Empty(t, sessiontest.Notes(c.Do("get", "url")))
		})
	}
	t.Run("an element that is moved away", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t, `<body style="margin:0;height:9000px"><p id=far style="margin-top:3000px">Far</p>
			<script>addEventListener('scroll', () => { far.style.cssText = 'position:absolute;top:-500px' })</script>`)
		require.Equal(t, "✓ Done", c.Do("scrollintoview", "#far").Result.Text)
		require.Contains(t, sessiontest.Notes(c.Do("get", "url")), "since `scrollintoview #far`: #far is out of view again")
	})
}

// A scroll begins where the one before has come to rest, with what that brought.
func TestScrollAfterScroll(t *testing.T) {
	t.Parallel()
	grows := host.Showing(t, `<body style="height:2000px"><script>
		addEventListener('scroll', () => { document.body.style.height = document.body.clientHeight + 1000 + 'px' })</script>`)
	for range 3 {
		require.Equal(t, true, grows.Data("scroll", "to", "bottom")["scrolled"])
	}
	c := host.Opened(t, "/pages/acting-move-feed.html")
	require.Equal(t, false, c.Data("scroll", "up", "50%", "-s", "#rows")["scrolled"])
	// What the last scroll said is not taken for another's.
	require.Equal(t, true, c.Data("scroll", "down", "400", "-s", "#rows")["scrolled"])
	require.Equal(t, true, c.Data("scroll", "up", "300", "-s", "#rows", "--settle")["scrolled"])
	require.NotContains(t, sessiontest.Notes(c.Do("get", "url")), "put")
	require.Equal(t, 100.0, c.Page("rows.scrollTop"))
}

// The ref of a part that a reply names can be used.
func TestScrollNamesTheContainer(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-app.html")
	label := c.Data("scroll", "down", "100")["container"].(string)
	c.Do("scroll", "down", "50", "-s", label[strings.LastIndex(label, "@"):])
	require.Equal(t, 150.0, c.Page("main.scrollTop"))
}

func TestScrollInFrames(t *testing.T) {
	t.Parallel()
	for _, where := range []func(string) string{site.URL, site.Elsewhere} {
		c := host.Showing(t,
			`<style>html, body { margin: 0; height: 100%; overflow: hidden } iframe { width: 100%; height: 100%; border: 0 }</style>
			<iframe id=f src="`+where("/pages/acting-move-app.html")+`"></iframe>`)
		c.Do("wait", "--text", "A line")
		data := c.Data("scroll", "down", "300")
		require.Equal(t, object{"x": 0.0, "y": 300.0}, data["to"], "the page has only the frame to scroll")
		require.Contains(t, data["container"], `main "Room" @e`)
		data = c.Data("scroll", "down", "40", "-s", "#f")
		require.Equal(t, object{"x": 0.0, "y": 340.0}, data["to"])
		data = c.Data("scroll", "left", "90", "-s", c.Ref(`region "Dates"`))
		require.Equal(t, object{"x": -90.0, "y": 0.0}, data["to"])
	}
}

func TestScrollToRefused(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-feed.html")
	for _, place := range []string{"middle", "50", "101%", "-1%", "NaN%", "%"} {
		require.Contains(t, c.Fails(fault.Usage, "scroll", "to", place).Error(), place)
	}
	c.Fails(fault.Usage, "scroll", "to")
	require.Equal(t, 0.0, c.Page("scrollY"))
}

// In view is what a person sees.
func TestScrollIntoSight(t *testing.T) {
	t.Parallel()
	const seen = `(id => { const e = document.getElementById(id), r = e.getBoundingClientRect();
		return [r.top + 3, r.bottom - 3].every((y) => e.contains(document.elementFromPoint(r.left + r.width / 2, y))) })`
	tests := []struct {
		name, page, before, id string
	}{
		{"below a sticky header", "acting-move-feed", "scrollTo(0, 450)", "a1"},
		{"far below", "acting-move-feed", "", "a8"},
		{"content that is laid out late", "acting-move-snap", "layOutLate()", "note3"},
		{"behind more of it", "acting-move-snap", "layOutLate()", "note4"},
		{
			"in boxes in a box", "acting-move-app", "main.scrollTo({ top: 3000, behavior: 'instant' }); inner.scrollTop = 500",
			"deep",
		},
		{"in a list that begins at its bottom", "acting-move-app", "chat.lastElementChild.id = 'first'", "first"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/"+tt.page+".html")
			c.Page(tt.before + ";0")
			require.Equal(t, true, c.Data("scrollintoview", "#"+tt.id)["moved"])
			c.Do("get", "url") // which waits until it is at rest
			require.Equal(t, true, c.Page(seen+"('"+tt.id+"')"))
			require.Contains(t, c.Do("scrollintoview", "#"+tt.id).Result.Text, "in view already")
		})
	}
	c := host.Opened(t, "/pages/acting-move-snap.html")
	c.Do("scrollintoview", "#cut p") // a box that hides its overflow can be scrolled by scripts
	require.Equal(t, true, c.Page("cut.scrollTop > 0"))
}
