package session_test

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/internal/testport"
)

// displayed starts an invisible X server and returns its name.
func displayed(t *testing.T) string {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	group, err := procgroup.Start(cmd, procgroup.Options{})
	require.NoError(t, err)
	t.Cleanup(func() {
		group.Kill()
		<-group.Gone()
	})
	require.NoError(t, w.Close())
	number, err := bufio.NewReader(r).ReadString('\n')
	require.NoError(t, err, "Xvfb: %s", group.Exit())
	return ":" + strings.TrimSpace(number)
}

// embedder starts a browser that is not ours in any way, QtWebEngine in qutebrowser, which shows a page. It returns its
// debugging port and its process.
func embedder(t *testing.T, url string) (port string, group *procgroup.Group) {
	t.Helper()
	for _, program := range []string{"qutebrowser", "Xvfb"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed; scripts/need embedder installs it", program)
		}
	}
	port = testport.Free(t) // QtWebEngine cannot choose a port by itself

	home, err := os.MkdirTemp("", "qb") // the paths of its sockets must be short
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(home) }) // it may have files there that are being written by what was just killed
	said, err := os.Create(filepath.Join(home, "said"))
	require.NoError(t, err)
	defer said.Close()
	cmd := exec.Command("qutebrowser", "--temp-basedir", "--qt-flag", "remote-debugging-port="+port, url)
	cmd.Stdout, cmd.Stderr = said, said
	cmd.Env = append(os.Environ(), "DISPLAY="+displayed(t), "HOME="+home, "XDG_RUNTIME_DIR="+home, "TMPDIR="+home,
		"QTWEBENGINE_DISABLE_SANDBOX=1")
	group, err = procgroup.Start(cmd, procgroup.Options{})
	require.NoError(t, err)
	t.Cleanup(func() {
		group.Kill()
		<-group.Gone()
	})
	require.Eventually(t, func() bool {
		reply, err := http.Get("http://127.0.0.1:" + port + "/json/list")
		if err != nil {
			return false
		}
		defer reply.Body.Close()
		list := new(strings.Builder)
		_, err = bufio.NewReader(reply.Body).WriteTo(list)
		return err == nil && strings.Contains(list.String(), url)
	}, 2*time.Minute, 50*time.Millisecond, "qutebrowser shows no page, see %s", said.Name())
	return port, group
}

// A browser that embeds a Chromium of years ago is worked in as far as it can: what it lacks is told, at once, and
// takes nothing with it.
func TestForeignEmbedder(t *testing.T) {
	if testing.Short() {
		t.Skip("deep tier: it starts another program that embeds a Chromium")
	}
	t.Parallel()
	inner := site.URL(site.Write("<button>Inner</button>"))
	first := site.URL(site.Write(fmt.Sprintf(`<title>Foreign</title><h1>Foreign</h1>
<button onclick="document.title = 'clicked ' + event.isTrusted">Press</button>
<label>Name <input id=name></label><label><input type=checkbox> Dark</label>
<select aria-label=Size><option>small<option>large</select>
<div contenteditable role=textbox aria-label=Body>text</div>
<details><summary>More</summary><p>Hidden words</p></details><p style="visibility:hidden">Unseen words</p><div style="opacity:0"><a href=#>Faint</a></div>
<iframe src="%s"></iframe><div style="height:3000px"></div>`, inner)))
	port, group := embedder(t, first)
	c := host.NewClient(t)
	c.Do("connect", port)

	c.Do("wait", "h1") // the embedder may have opened its window before the page is there
	require.Eventually(t, func() bool {
		return strings.Contains(c.Do("tab", "list").Result.Text, "Foreign - "+first)
	}, sessiontest.CommandLimit, 50*time.Millisecond)
	tree := c.Do("snapshot", "-i").Result.Text
	for _, line := range []string{
		`button "Press"`, `textbox "Name"`, `checkbox "Dark"`, `combobox "Size"`,
		`textbox "Body"`, `button "Inner"`,
	} {
		require.Contains(t, tree, line)
	}
	whole := c.Do("snapshot").Result.Text
	require.NotContains(t, whole, "Hidden words")
	require.NotContains(t, whole, "Unseen words")

	c.Do("click", c.Ref(`button "Press"`))
	require.Equal(t, "clicked true", c.Do("get", "title").Result.Text)
	c.Do("fill", c.Ref(`textbox "Name"`), "Ada")
	c.Do("type", c.Ref(`textbox "Name"`), " L.")
	require.Equal(t, "Ada L.", c.Page(`document.querySelector("#name").value`), "typed, though not by keys")
	c.Do("fill", c.Ref(`textbox "Body"`), "other words")
	require.Equal(t, "other words", c.Page(`document.querySelector("[contenteditable]").textContent`))
	c.Do("check", c.Ref(`checkbox "Dark"`))
	require.Equal(t, true, c.Page(`document.querySelector("[type=checkbox]").checked`))
	c.Do("select", c.Ref(`combobox "Size"`), "large")
	require.Equal(t, "large", c.Page(`document.querySelector("select").value`))
	for _, picture := range [][]string{{"screenshot", "seen.png"}, {"screenshot", "--full", "whole.png"}} {
		c.Do(picture...)
		require.Equal(t, []byte("\x89PNG"), fileHead(t, filepath.Join(c.Dir, picture[len(picture)-1])))
	}

	// What it lacks.
	lack := func(says string, args ...string) {
		t.Helper()
		err := c.Fails(fault.Protocol, args...)
		require.ErrorContains(t, err, says)
	}
	lack("opens no tabs", "tab", "new", inner)
	lack("opens no tabs", "window", "new")
	lack("QtWebEngine/5.", "press", "Enter")
	lack("QtWebEngine/5.", "press", "Control+a")
	lack("printToPDF", "pdf", "page.pdf")
	c.Do("click", c.Ref(`button "Press"`)) // a key would have ended all input

	c.Do("open", inner)
	require.Contains(t, c.Do("snapshot", "-i").Result.Text, `button "Inner"`)
	c.Do("back")
	require.Equal(t, first, c.Do("get", "url").Result.Text)
	c.Do("close")
	select {
	case <-group.Done():
		t.Fatal("closing the session ended a browser that is not ours: ", group.Exit())
	default:
	}
	require.Equal(t, true, newClientAt(t, port).Page("true"), "and it still answers")
}

// newClientAt makes a caller that works in the browser at a port.
func newClientAt(t *testing.T, port string) *sessiontest.Client {
	t.Helper()
	c := host.NewClient(t)
	c.Do("connect", port)
	return c
}

// fileHead returns the first bytes of a file.
func fileHead(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return text[:min(4, len(text))]
}
