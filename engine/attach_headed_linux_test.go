package engine_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/fault"
)

// person is a user's browser with windows, in which the tests act as its user. They have a connection of their own,
// since the code under test must not be attached to the tabs.
type person struct {
	t    testing.TB
	root *cdp.Session
	conn *cdp.Conn
	// host and port of the pages, behind any host that ends with ".localhost": each is a site, with a process, of its own
	site string
	url  string // where we connect
}

// newPerson starts a browser on a display of its own.
func newPerson(t testing.TB) *person {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium with windows here; scripts/need browsers installs it")
	}
	profile := t.TempDir()
	// chrome://discards is for people who develop Chromium, and has to be asked for.
	require.NoError(t,
		os.WriteFile(filepath.Join(profile, "Local State"), []byte(`{"internal_only_uis_enabled":true}`), 0o600))
	p, err := chrome.Launch(timed(t, limit), chrome.Options{
		ExecutablePath: program, UserDataDir: profile, Args: []string{"--remote-debugging-port=0"},
		Env: append(os.Environ(), "DISPLAY="+newDisplay(t)),
	})
	require.NoError(t, err)
	conn := cdp.NewConn(cdp.NewPipe(p.Pipe()))
	t.Cleanup(func() {
		_ = conn.Close()
		require.NoError(t, p.Close(context.Background()))
	})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%s</title><h1>%[1]s</h1><button>Go</button>%s", strings.Trim(r.URL.Path, "/"), tracing)
		fmt.Fprint(w, map[string]string{
			"/hung":   "<script>go = () => { for (;;) {} }</script>",
			"/dialog": "<script>go = () => { confirm('Really?') }</script>",
		}[r.URL.Path])
	}))
	t.Cleanup(s.Close)
	return &person{
		t: t, root: conn.Root(), conn: conn, site: strings.TrimPrefix(s.URL, "http://127.0.0.1"),
		url: debuggingURL(t, profile),
	}
}

// tracing records everything by which a page may notice that a client attaches to it.
const tracing = `<script>trace = []; for (const type of ['visibilitychange', 'freeze', 'resume']) document.addEventListener(type, () => trace.push(type));
for (const type of ['focus', 'blur', 'resize']) addEventListener(type, () => trace.push(type));</script>`

// newDisplay starts a virtual X server and returns its name.
func newDisplay(t testing.TB) string {
	t.Helper()
	program, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip("there is no Xvfb here; scripts/need embedder installs it")
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	x := exec.Command(program, "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{w}
	x.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, x.Start())
	t.Cleanup(func() {
		_ = x.Process.Kill()
		_ = x.Wait()
	})
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	require.NoError(t, err)
	return ":" + strings.TrimSpace(line)
}

func (p *person) call(s *cdp.Session, method string, params any) map[string]any {
	p.t.Helper()
	raw, err := s.CallRaw(timed(p.t, limit), method, params)
	require.NoError(p.t, err, method)
	var v map[string]any
	require.NoError(p.t, json.Unmarshal(raw, &v))
	return v
}

// open opens a tab in the background and returns its target id.
func (p *person) open(name string) string {
	p.t.Helper()
	address := name
	if !strings.Contains(name, "://") {
		address = p.address(name)
	}
	return p.call(p.root, "Target.createTarget", map[string]any{"url": address, "background": true})["targetId"].(string)
}

func (p *person) address(name string) string {
	return "http://" + name + ".localhost" + p.site + "/" + kindOf(name)
}

// kindOf is what the pages show whose names differ by their numbers only.
func kindOf(name string) string {
	kind, _, _ := strings.Cut(name, "-")
	return kind
}

// openAll opens tabs, of which the special ones have names of their own, and returns their target ids when all are
// loaded.
func (p *person) openAll(many int, special []string) map[string]string {
	p.t.Helper()
	ids := map[string]string{}
	for i := range many - len(special) {
		name := fmt.Sprintf("plain-%d", i+1)
		ids[name] = p.open(name)
	}
	for _, name := range special {
		ids[name] = p.open(name)
	}
	p.until("all tabs are loaded", func() bool {
		shown := p.targets()
		for name := range ids {
			if info := shown[p.address(name)]; info == nil || info["title"] != kindOf(name) {
				return false
			}
		}
		return true
	})
	for name, info := range p.targets() {
		if name == "about:blank" || strings.HasPrefix(name, "chrome://newtab") { // the one that the window came with
			p.call(p.root, "Target.closeTarget", map[string]any{"targetId": info["targetId"]})
		}
	}
	return ids
}

// crash ends the process of a tab.
func (p *person) crash(id string) {
	p.t.Helper()
	crashed, stop := p.root.Subscribe("Target.targetCrashed")
	defer stop()
	p.call(p.root, "Target.setDiscoverTargets", map[string]any{"discover": true})
	s := p.conn.Session(p.call(p.root, "Target.attachToTarget",
		map[string]any{"targetId": id, "flatten": true})["sessionId"].(string))
	s.Start("Page.crash", nil)
	select {
	case <-crashed:
	case <-time.After(limit):
		require.Fail(p.t, "the page did not crash")
	}
	p.call(p.root, "Target.detachFromTarget", map[string]any{"sessionId": s.ID()})
}

// sleeping is the state at chrome://discards that a button there leads to.
var sleeping = map[string]string{"Freeze": " frozen ", "Urgent Discard": " discarded "}

// in runs a script in a tab, which is attached to for that long, and returns its value.
func (p *person) in(id, script string) any {
	p.t.Helper()
	s := p.conn.Session(p.call(p.root, "Target.attachToTarget",
		map[string]any{"targetId": id, "flatten": true})["sessionId"].(string))
	defer p.call(p.root, "Target.detachFromTarget", map[string]any{"sessionId": s.ID()})
	params := map[string]any{"expression": script, "returnByValue": true}
	return p.call(s, "Runtime.evaluate", params)["result"].(map[string]any)["value"]
}

// until waits for what no event tells.
func (p *person) until(what string, is func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(3 * limit); !is(); time.Sleep(50 * time.Millisecond) {
		require.True(p.t, time.Now().Before(deadline), what)
	}
}

// targets returns what the browser has, by address.
func (p *person) targets() map[string]map[string]any {
	p.t.Helper()
	all := map[string]map[string]any{}
	for _, info := range p.call(p.root, "Target.getTargets", nil)["targetInfos"].([]any) {
		m := info.(map[string]any)
		all[m["url"].(string)] = m
	}
	return all
}

// discardsScript works at chrome://discards: it presses the button in the row of a tab, and returns the row as it is
// then.
const discardsScript = `(name, button) => {
  let text = '';
  const walk = root => { for (const e of root.querySelectorAll('*')) {
    if (e.shadowRoot) walk(e.shadowRoot);
    if (e.tagName !== 'TR' || !e.innerText.includes('//' + name + '.localhost') || !e.innerText.includes('[Freeze]')) continue;
    text = e.innerText.replace(/\s+/g, ' ');
    if (button) for (const b of e.querySelectorAll('[is=action-link]')) if (b.innerText.includes('[' + button + ']')) b.click();
  } };
  walk(document);
  return text;
}`

func (p *person) row(board, name, button string) string {
	p.t.Helper()
	text, _ := p.in(board, fmt.Sprintf("(%s)(%q, %q)", discardsScript, name, button)).(string)
	return text
}

// Of sixty tabs in a browser with windows some hang, sleep, are frozen, or show what blocks them. None of them is
// waited for, and none that is not used notices anything.
func TestAttachHeaded(t *testing.T) {
	if testing.Short() {
		t.Skip("deep tier: it opens sixty tabs")
	}
	u := newPerson(t)
	const many = 60
	blocked := []string{"hung-1", "hung-2", "dialog"} // in the order in which they are used; the last one is in front
	special := append([]string{"frozen", "asleep-1", "asleep-2", "crashed", "last"}, blocked...)
	ids := u.openAll(many, special)
	board := u.open("chrome://discards/")
	for name, button := range map[string]string{
		"frozen": "Freeze", "asleep-1": "Urgent Discard",
		"asleep-2": "Urgent Discard",
	} {
		u.until(name+" is listed", func() bool { return strings.Contains(u.row(board, name, ""), " hidden ") })
		u.row(board, name, button)
		u.until(button+" "+name, func() bool { return strings.Contains(u.row(board, name, ""), sleeping[button]) })
	}
	u.crash(ids["crashed"])
	for _, name := range append([]string{"last"}, blocked...) {
		u.call(u.root, "Target.activateTarget", map[string]any{"targetId": ids[name]})
		u.until(name+" is in front", func() bool { return u.in(ids[name], "document.visibilityState") == "visible" })
		if name != "last" {
			u.in(ids[name], "setTimeout(go)")
		}
	}
	for name, id := range ids {
		if strings.HasPrefix(name, "plain") {
			u.in(id, "trace.length = 0")
		}
	}

	began := time.Now()
	b, err := engine.Attach(timed(t, limit), u.url, nil, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, b.Close(context.Background())) }()
	c := b.DefaultContext(engine.ContextOptions{})
	pages, err := c.ListPages(timed(t, limit))
	require.NoError(t, err)
	listed := time.Since(began)
	require.Len(t, pages, many+1)
	byName := map[string]*engine.Page{}
	for _, p := range pages {
		require.False(t, p.Attached())
		require.Equal(t, "page", p.Type())
		at, err := url.Parse(p.URL())
		require.NoError(t, err)
		byName[strings.TrimSuffix(at.Hostname(), ".localhost")] = p
	}
	for name := range ids {
		require.NotNil(t, byName[name], name)
		require.Equal(t, kindOf(name), byName[name].Title())
	}
	require.Equal(t, u.address("dialog"), pages[many].URL(), "the one last used is the last")
	alive, silent, err := c.AttachResponsive(timed(t, limit), pages)
	require.NoError(t, err)
	t.Logf("%d tabs were listed after %s, and three that hang were passed after %s", len(pages), listed, time.Since(began))
	require.Equal(t, u.address("last"), alive.URL())
	require.Equal(t, "last", textIn(t, alive.Main(), "h1"))
	require.Len(t, silent, len(blocked))
	for _, p := range silent {
		require.Contains(t, blocked, strings.SplitN(strings.TrimPrefix(p.URL(), "http://"), ".", 2)[0])
		require.Equal(t, fault.TabHung, p.Silent().Code)
	}

	shown := u.targets()
	for name, p := range byName {
		require.Equal(t, name == "last", p.Attached(), name)
		require.Equal(t, name == "last", shown[p.URL()]["attached"], name)
	}
	require.Contains(t, u.row(board, "frozen", ""), sleeping["Freeze"])
	for _, name := range []string{"asleep-1", "asleep-2"} {
		require.Contains(t, u.row(board, name, ""), sleeping["Urgent Discard"])
	}
	for name, id := range ids {
		if strings.HasPrefix(name, "plain") {
			require.Empty(t, u.in(id, "trace.join()"), name)
		}
	}

	require.Equal(t, fault.TabHung, fault.CodeOf(byName["hung-1"].Attach(timed(t, limit))), "one that is asked for")
	require.NoError(t, byName["frozen"].Attach(timed(t, limit)))
	require.Equal(t, "frozen", textIn(t, byName["frozen"].Main(), "h1"))
	for _, name := range []string{"asleep-1", "crashed"} {
		p := byName[name]
		require.NoError(t, p.Attach(timed(t, limit)), name)
		require.Equal(t, fault.PageCrashed, fault.CodeOf(p.Err()), name)
		_, err := p.Reload(timed(t, limit), engine.WaitLoad)
		require.NoError(t, err, name)
		require.Equal(t, kindOf(name), textIn(t, p.Main(), "h1"))
	}
	require.Contains(t, u.row(board, "asleep-2", ""), sleeping["Urgent Discard"])

	require.NoError(t, c.Close(timed(t, limit)))
	shown = u.targets()
	for name := range ids {
		require.Equal(t, false, shown[u.address(name)]["attached"], name)
	}
}
