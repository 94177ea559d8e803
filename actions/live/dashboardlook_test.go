package live_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// The dashboard is as dark as the system, or as the person wants, and keeps to that.
func TestDashboardColors(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	person := host.NewClient(t)
	person.Do("open", agent.StartDashboard().AccessURLs[0])
	person.Do("wait", "#take")
	dark := func() bool {
		return person.Page(
			"getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).slice(0, 3).every(v => v < 60)").(bool)
	}
	require.False(t, dark())
	person.Do("set", "media", "dark")
	require.True(t, dark())
	person.Do("select", "header select", "light")
	require.False(t, dark())
	person.Do("press", "d")
	person.Do("wait", "--fn", "document.documentElement.dataset.theme == 'dark'")
	person.Do("set", "media", "light")
	require.True(t, dark())
	person.Do("reload")
	person.Do("wait", "#take")
	require.True(t, dark())
}

// Everything is within reach of the keyboard.
func TestDashboardKeyboard(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	agent.Do("get", "title")
	other := *agent
	other.Session = "zebra"
	other.Do("open", site.URL(site.Write("<title>Other</title>")))
	person := host.NewClient(t)
	person.Do("open", agent.StartDashboard().AccessURLs[0])
	person.Do("wait", "--text", "get title")
	person.Do("press", "?")
	person.Do("wait", "--fn", "document.getElementById('help').open")
	person.Do("press", "Escape")
	person.Do("wait", "--fn", "!document.getElementById('help').open")
	person.Do("press", "j")
	person.Do("wait", "--fn", "document.getElementById('name').textContent == 'zebra'")
	person.Do("press", "k")
	person.Do("wait", "--fn", "document.getElementById('name').textContent == 'agent'")
	person.Do("press", "/")
	person.Do("keyboard", "type", "title")
	person.Do("wait", "--fn", "document.querySelectorAll('#commands li').length == 1")
	require.Equal(t, "title", person.Page("document.querySelector('#commands mark').textContent"))
	person.Do("press", "Escape")
	person.Do("wait", "--fn", "document.querySelectorAll('#commands li').length > 1")

	person.Do("press", "t")
	person.Do("wait", "--fn", "document.activeElement.id == 'live' && document.activeElement.classList.contains('taken')")
	person.Do("press", "t") // goes to the page
	person.Do("press", "Control+Tab")
	person.Do("click", "#take")
	person.Do("wait", "--fn", "document.getElementById('take').textContent == 'Take over'")

	person.Do("press", "a")
	person.Do("wait", "#sheet")
	person.Do("wait", "--fn", "document.activeElement.id == 'annotating'") // which takes the focus when it is drawn
	person.Do("focus", ".tools button")
	person.Do("press", "Enter") // a box in the middle
	person.Do("wait", "--fn", "document.activeElement.tagName == 'TEXTAREA'")
	person.Do("keyboard", "type", "This")
	before := person.Page("document.querySelector('#sheet rect').getAttribute('x')")
	person.Do("focus", "#sheet g")
	person.Do("press", "ArrowLeft")
	person.Do("press", "Shift+ArrowRight")
	require.NotEqual(t, before, person.Page("document.querySelector('#sheet rect').getAttribute('x')"))
	require.Equal(t, "170", person.Page("document.querySelector('#sheet rect').getAttribute('width')"))
	person.Do("press", "Control+Enter")
	person.Do("wait", "--text", "The agent is told")
	told := sessiontest.Decode[struct {
		Annotations []struct{ Marks []struct{ Text string } }
	}](t, agent.Do("annotations").Result.Data)
	require.Equal(t, "This", told.Annotations[0].Marks[0].Text)
}

// The page fits a phone, and every control of each of its states has a name and enough contrast, light and dark.
func TestDashboardOnAPhone(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	agent.Try("click", "#a-selector-that-is-quite-long-and-has-no-blank-at-which-it-could-be-broken")
	agent.Do("annotations", "add", "This one?", "--at", "#field")
	person := host.NewClient(t)
	person.Env["SKUA_AXE"] = sessiontest.Axe(t)
	person.Do("set", "viewport", "390", "844")
	person.Do("open", agent.StartDashboard().AccessURLs[0])
	person.Do("wait", "--text", "a-selector-that-is-quite-long")
	fits := func(what string) {
		t.Helper()
		require.Equal(t, true, person.Page("document.documentElement.scrollWidth <= innerWidth"), what)
	}
	fits("the session")
	require.NotEqual(t, person.Page("getComputedStyle(document.querySelector('.card')).backgroundColor"),
		person.Page("getComputedStyle(document.querySelector('.card strong')).color"),
		"axe does not judge text that has the color of what is behind it")
	person.Freeze()
	person.DrawOnSheet(1280, 20, 20, 400, 200)
	person.Do("wait", ".written textarea")
	for _, scheme := range []string{"light", "dark"} {
		person.Do("set", "media", scheme, "reduced-motion") // colors change at once
		require.Empty(t, person.Data("a11y")["violations"], scheme)
	}
	fits("while annotating")
	person.Do("find", "role", "button", "click", "--name", "Cancel")
	person.Do("click", "#keys")
	fits("the list of shortcuts")
}

// What the page showed behind a command is in the timeline, as far as someone watched.
func TestDashboardThumbnails(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open",
		site.URL(
			site.Write(
				`<title>Colors</title><body style="background:#f00"><button onclick="document.body.style.background='#0f0'">Green</button>`)))
	person := host.NewClient(t)
	person.Do("set", "viewport", "1600", "1000")
	person.Do("open", agent.StartDashboard().AccessURLs[0])
	person.Do("wait", "--fn", sessiontest.CanvasIs(255, 0, 0))
	agent.Do("click", "button")
	person.Do("wait", "--fn", sessiontest.CanvasIs(0, 255, 0))
	color := func(line string) string { // of the middle of the picture of a command
		return `(() => { const li = [...document.querySelectorAll('#commands li')].find(li => li.querySelector('code').textContent == '` + line + `'), i = li?.querySelector('img');
			if (!i?.complete) return ''; const c = document.createElement('canvas'), x = c.getContext('2d'); x.drawImage(i, 0, 0, 3, 3); const [r, g] = x.getImageData(1, 1, 1, 1).data; return r > g ? 'red' : 'green' })()`
	}
	person.Do("wait", "--fn", color("click button")+" == 'green'")
	agent.Do("eval", "document.body.style.background = '#f00'")
	person.Do("wait", "--fn", color("eval •••")+" == 'red'")
	require.Equal(t, "green", person.Page(color("click button")), "it stays")
	require.Equal(t, true, person.Page("document.querySelectorAll('#commands img').length <= 300"))
}
