package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/launch"
)

// service is one browser with a profile folder, and the managers of the tasks in it.
type service struct {
	t        testing.TB
	browsers *launch.Browsers

	mu    sync.Mutex
	tasks []*session.Manager
}

func newService(t testing.TB, profile string) *service {
	t.Helper()
	b, err := launch.NewBrowsers(launch.BrowsersOptions{Registry: catalog.Registry(), Profile: profile})
	require.NoError(t, err)
	s := &service{t: t, browsers: b}
	t.Cleanup(s.end)
	return s
}

// end closes it as at the end of the program. It may be called twice.
func (s *service) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.tasks {
		m.Close(context.Background())
	}
	s.tasks = nil
	s.browsers.Close(context.Background())
}

// task makes a caller with a manager of its own.
func (s *service) task() *sessiontest.Client {
	s.t.Helper()
	m, err := session.New(session.Options{Registry: catalog.Registry(), Browsers: s.browsers})
	require.NoError(s.t, err)
	s.mu.Lock()
	s.tasks = append(s.tasks, m)
	s.mu.Unlock()
	c := &sessiontest.Client{T: s.t, Manager: m, Session: "main", Dir: s.t.TempDir()}
	c.Env = map[string]string{"HOME": c.Dir}
	return c
}

// evaluated is what a script in the page yields, as its text.
func evaluated(c *sessiontest.Client, script string) string {
	c.T.Helper()
	return c.Do("eval", script).Result.Text
}

func TestProfileIsKept(t *testing.T) {
	t.Parallel()
	profile := t.TempDir()
	url := site.URL(site.Write("<h1>Login</h1>"))
	s := newService(t, profile)
	first := s.task()
	first.Do("open", url)
	evaluated(first,
		`document.cookie = "lasting=yes; max-age=100000"; document.cookie = "passing=yes"; localStorage.setItem("kept", "here")`)
	first.Do("close")
	second := s.task() // the last task ended; the browser stays with what it knows
	second.Do("open", url)
	require.Contains(t, evaluated(second, "document.cookie"), "passing=yes")
	s.end()

	again := newService(t, profile).task()
	again.Do("open", url)
	require.Contains(t, evaluated(again, "document.cookie"), "lasting=yes")
	require.Contains(t, evaluated(again, "document.cookie"), "passing=yes",
		"a login in a cookie that ends with the browser is a login, too")
	require.Contains(t, evaluated(again, `localStorage.getItem("kept")`), "here")
	info, err := os.Stat(filepath.Join(profile, "skua-session-cookies.json"))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077, "other users cannot read it")
	saved, err := os.ReadFile(filepath.Join(profile, "skua-session-cookies.json"))
	require.NoError(t, err)
	require.Contains(t, string(saved), "lasting", "the browser may lose it as it ends")
}

// Chromium writes cookies to a profile when it has time, and loses those that it has not written when it ends.
func TestCookiesThatTheBrowserLost(t *testing.T) {
	t.Parallel()
	profile := t.TempDir()
	url := site.URL(site.Write("<h1>Login</h1>"))
	saved, err := json.Marshal([]storage.NewCookie{
		{Name: "lasting", Value: "yes", URL: url, Expires: float64(time.Now().Add(time.Hour).Unix())},
		{Name: "over", Value: "yes", URL: url, Expires: 1},
	})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(profile, "skua-session-cookies.json"), saved, 0o600))
	task := newService(t, profile).task()
	task.Do("open", url)
	require.Equal(t, `"lasting=yes"`, evaluated(task, "document.cookie"))
}

func TestTasksShareLoginsButNotTabs(t *testing.T) {
	t.Parallel()
	s := newService(t, t.TempDir())
	url := site.URL(site.Write("<h1>Shop</h1>"))
	a, b := s.task(), s.task()
	a.Do("open", url)
	evaluated(a, `document.cookie = "user=ann"; window.mine = "a"`)
	b.Do("open", url)
	require.Contains(t, evaluated(b, "document.cookie"), "user=ann")
	require.NotContains(t, evaluated(b, "String(window.mine)"), `"a"`)
	a.Do("tab", "new", site.URL(site.Write("<title>Second of a</title>")))
	require.Contains(t, a.Do("tab", "list").Result.Text, "Second of a")
	require.NotContains(t, b.Do("tab", "list").Result.Text, "Second of a")
	require.Equal(t, 1, strings.Count(b.Do("tab", "list").Result.Text, "http"))
	other := b.In(t)
	other.Session = "other"
	other.Do("open", url)
	require.Contains(t, b.Do("session", "list").Result.Text, "other")
	require.NotContains(t, a.Do("session", "list").Result.Text, "other", "sessions of one task are not those of another")
}

func TestClosingATaskClosesItsTabsOnly(t *testing.T) {
	t.Parallel()
	gone := make(chan string, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			gone <- r.URL.RawQuery
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<h1>Page</h1><script>fetch("/hang?%s")</script>`, r.URL.RawQuery)
	}))
	t.Cleanup(server.Close)
	s := newService(t, t.TempDir())
	a, b := s.task(), s.task()
	a.Do("open", server.URL+"/?a", "--wait-until", "domcontentloaded")
	b.Do("open", server.URL+"/?b", "--wait-until", "domcontentloaded")
	evaluated(b, "window.mine = 1")
	a.Do("close", "--all")
	require.Equal(t, "a", <-gone, "the tab is closed: the server sees its request end")
	require.Contains(t, evaluated(b, "String(window.mine)"), "1")
	require.Empty(t, gone)
	b.Do("close")
	require.Equal(t, "b", <-gone)
}

func TestTasksInParallel(t *testing.T) {
	t.Parallel()
	s := newService(t, t.TempDir())
	for i := range 4 {
		c := s.task()
		t.Run("", func(t *testing.T) {
			t.Parallel()
			c, name := c.In(t), fmt.Sprintf("task %d", i)
			c.Do("open", site.URL(site.Write("<h1>"+name+`</h1><button onclick="this.textContent += '!'">`+name+`</button>`)))
			for range 3 {
				c.Do("click", "button")
			}
			require.Equal(t, name+"!!!", c.Do("get", "text", "button").Result.Text)
			c.Do("close")
		})
	}
}

func TestWhatATaskOpensIsItsOwn(t *testing.T) {
	t.Parallel()
	s := newService(t, t.TempDir())
	a, b := s.task(), s.task()
	popup := site.URL(site.Write("<title>Popup</title>"))
	a.Do("open", site.URL(site.Write(`<a href="`+popup+`" target="_blank">go</a>`)))
	b.Do("open", site.URL(site.Write("<title>Other</title>")))
	a.Do("click", "a")
	require.Contains(t, a.Do("tab", "list").Result.Text, "Popup")
	require.NotContains(t, b.Do("tab", "list").Result.Text, "Popup")
	a.Do("network", "route", "*/secret", "--body", "of a")
	evaluated(a, `fetch("/secret").then(r => r.text()).then(t => window.got = t)`)
	require.Contains(t, evaluated(a, "window.got"), "of a")
	require.NotContains(t, evaluated(b, `fetch("/secret").then(r => r.text())`), "of a",
		"a route of one task is not for another")
}

func TestDownloadsOfTasks(t *testing.T) {
	t.Parallel()
	s := newService(t, t.TempDir())
	for i := range 2 {
		c := s.task()
		t.Run("", func(t *testing.T) {
			t.Parallel()
			c, text := c.In(t), fmt.Sprintf("file of %d", i)
			c.Do("open", site.URL(site.Write(`<a download="f.txt" href="data:text/plain,`+text+`">get</a>`)))
			c.Do("download", "a", "f.txt")
			have, err := os.ReadFile(filepath.Join(c.Dir, "f.txt"))
			require.NoError(t, err)
			require.Equal(t, text, string(have))
		})
	}
}

func TestSharedBrowserKeepsItsOptions(t *testing.T) {
	t.Parallel()
	s := newService(t, t.TempDir())
	a := s.task()
	reply := a.Try("--proxy", "http://127.0.0.1:1", "open", "about:blank")
	require.Error(t, reply.Err)
	require.Equal(t, fault.Usage, fault.CodeOf(reply.Err))
	require.Contains(t, reply.Err.Error(), "--proxy")
	a.Do("--user-agent", "Mine/1.0", "open", site.URL(site.Write("<h1>x</h1>")))
	require.Contains(t, evaluated(a, "navigator.userAgent"), "Mine/1.0")
	b := s.task()
	b.Do("open", site.URL(site.Write("<h1>x</h1>")))
	require.NotContains(t, evaluated(b, "navigator.userAgent"), "Mine/1.0")
}

func TestSharedBrowserThatEndedIsReplaced(t *testing.T) {
	t.Parallel()
	s := newService(t, t.TempDir())
	a := s.task()
	url := site.URL(site.Write("<h1>x</h1>"))
	a.Do("open", url)
	about := a.Do("--verbose", "get", "url").Details[0]
	_, after, _ := strings.Cut(about, ", process ")
	pid, err := strconv.Atoi(after[:strings.IndexByte(after, ',')])
	require.NoError(t, err, about)
	browser, err := os.FindProcess(pid)
	require.NoError(t, err)
	require.NoError(t, browser.Kill())
	require.Eventually(t, func() bool {
		return a.Try("get", "title").Err != nil || a.Do("get", "url").Result.Text != url
	}, sessiontest.CommandLimit, 10*time.Millisecond)
	a.Do("open", url)
	require.Equal(t, url, a.Do("get", "url").Result.Text)
}
