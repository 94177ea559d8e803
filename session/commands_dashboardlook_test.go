package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The dashboard is as dark as the system, or as the person wants, and keeps to that.
func TestDashboardColors(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(livePage)))
	person := newClient(t)
	person.do("open", agent.startDashboard().AccessURLs[0])
	person.do("wait", "#take")
	dark := func() bool {
		return person.page("getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).slice(0, 3).every(v => v < 60)").(bool)
	}
	require.False(t, dark())
	person.do("set", "media", "dark")
	require.True(t, dark())
	person.do("select", "header select", "light")
	require.False(t, dark())
	person.do("press", "d")
	person.do("wait", "--fn", "document.documentElement.dataset.theme == 'dark'")
	person.do("set", "media", "light")
	require.True(t, dark())
	person.do("reload")
	person.do("wait", "#take")
	require.True(t, dark())
}

// Everything is within reach of the keyboard.
func TestDashboardKeyboard(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(livePage)))
	agent.do("get", "title")
	other := *agent
	other.session = "zebra"
	other.do("open", site.url(site.write("<title>Other</title>")))
	person := newClient(t)
	person.do("open", agent.startDashboard().AccessURLs[0])
	person.do("wait", "--text", "get title")
	person.do("press", "?")
	person.do("wait", "--fn", "document.getElementById('help').open")
	person.do("press", "Escape")
	person.do("wait", "--fn", "!document.getElementById('help').open")
	person.do("press", "j")
	person.do("wait", "--fn", "document.getElementById('name').textContent == 'zebra'")
	person.do("press", "k")
	person.do("wait", "--fn", "document.getElementById('name').textContent == 'agent'")
	person.do("press", "/")
	person.do("keyboard", "type", "title")
	person.do("wait", "--fn", "document.querySelectorAll('#commands li').length == 1")
	require.Equal(t, "title", person.page("document.querySelector('#commands mark').textContent"))
	person.do("press", "Escape")
	person.do("wait", "--fn", "document.querySelectorAll('#commands li').length > 1")

	person.do("press", "t")
	person.do("wait", "--fn", "document.activeElement.id == 'live' && document.activeElement.classList.contains('taken')")
	person.do("press", "t") // goes to the page
	person.do("press", "Control+Tab")
	person.do("click", "#take")
	person.do("wait", "--fn", "document.getElementById('take').textContent == 'Take over'")

	person.do("press", "a")
	person.do("wait", "#sheet")
	person.do("wait", "--fn", "document.activeElement.id == 'annotating'") // which takes the focus when it is drawn
	person.do("focus", ".tools button")
	person.do("press", "Enter") // a box in the middle
	person.do("wait", "--fn", "document.activeElement.tagName == 'TEXTAREA'")
	person.do("keyboard", "type", "This")
	before := person.page("document.querySelector('#sheet rect').getAttribute('x')")
	person.do("focus", "#sheet g")
	person.do("press", "ArrowLeft")
	person.do("press", "Shift+ArrowRight")
	require.NotEqual(t, before, person.page("document.querySelector('#sheet rect').getAttribute('x')"))
	require.Equal(t, "170", person.page("document.querySelector('#sheet rect').getAttribute('width')"))
	person.do("press", "Control+Enter")
	person.do("wait", "--text", "The agent is told")
	require.Equal(t, "This", agent.annotations().Annotations[0].Marks[0].Text)
}

// The page fits a phone, and every control of each of its states has a name and enough contrast, light and dark.
func TestDashboardOnAPhone(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(livePage)))
	agent.try("click", "#a-selector-that-is-quite-long-and-has-no-blank-at-which-it-could-be-broken")
	agent.do("annotations", "add", "This one?", "--at", "#field")
	person := newClient(t)
	person.env["SKUA_AXE"] = fromNPM(t, axeFile)
	person.do("set", "viewport", "390", "844")
	person.do("open", agent.startDashboard().AccessURLs[0])
	person.do("wait", "--text", "a-selector-that-is-quite-long")
	fits := func(what string) {
		t.Helper()
		require.Equal(t, true, person.page("document.documentElement.scrollWidth <= innerWidth"), what)
	}
	fits("the session")
	require.NotEqual(t, person.page("getComputedStyle(document.querySelector('.card')).backgroundColor"),
		person.page("getComputedStyle(document.querySelector('.card strong')).color"), "axe does not judge text that has the color of what is behind it")
	person.freeze()
	person.drag(1280, 20, 20, 400, 200)
	person.do("wait", ".written textarea")
	for _, scheme := range []string{"light", "dark"} {
		person.do("set", "media", scheme, "reduced-motion") // colors change at once
		require.Empty(t, person.data("a11y")["violations"], scheme)
	}
	fits("while annotating")
	person.do("find", "role", "button", "click", "--name", "Cancel")
	person.do("click", "#keys")
	fits("the list of shortcuts")
}

// What the page showed behind a command is in the timeline, as far as someone watched.
func TestDashboardThumbnails(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(`<title>Colors</title><body style="background:#f00"><button onclick="document.body.style.background='#0f0'">Green</button>`)))
	person := newClient(t)
	person.do("set", "viewport", "1600", "1000")
	person.do("open", agent.startDashboard().AccessURLs[0])
	person.do("wait", "--fn", canvasIs(255, 0, 0))
	agent.do("click", "button")
	person.do("wait", "--fn", canvasIs(0, 255, 0))
	color := func(line string) string { // of the middle of the picture of a command
		return `(() => { const li = [...document.querySelectorAll('#commands li')].find(li => li.querySelector('code').textContent == '` + line + `'), i = li?.querySelector('img');
			if (!i?.complete) return ''; const c = document.createElement('canvas'), x = c.getContext('2d'); x.drawImage(i, 0, 0, 3, 3); const [r, g] = x.getImageData(1, 1, 1, 1).data; return r > g ? 'red' : 'green' })()`
	}
	person.do("wait", "--fn", color("click button")+" == 'green'")
	agent.do("eval", "document.body.style.background = '#f00'")
	person.do("wait", "--fn", color("eval •••")+" == 'red'")
	require.Equal(t, "green", person.page(color("click button")), "it stays")
	require.Equal(t, true, person.page("document.querySelectorAll('#commands img').length <= 300"))
}
