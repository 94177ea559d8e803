package chrome

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/procgroup"
)

// installed returns the paths of a real headless shell and a real full browser.
func installed(t testing.TB) map[string]string {
	t.Helper()
	getenv := func(name string) string {
		if strings.HasSuffix(name, "EXECUTABLE_PATH") {
			return ""
		}
		return os.Getenv(name)
	}
	shell, err := Find(true, "", getenv)
	require.NoError(t, err)
	require.True(t, isShell(shell), "the tests need a headless shell: %s", shell)
	full, err := Find(false, "", getenv)
	require.NoError(t, err)
	return map[string]string{"shell": shell, "full": full}
}

// forEach runs a test with each of the installed browsers.
func forEach(t *testing.T, test func(t *testing.T, path string)) {
	for name, path := range installed(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, path)
		})
	}
}

func TestBrowserLaunchAndClose(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, path string) {
		var log bytes.Buffer
		p := launch(t, Options{ExecutablePath: path, Headless: true, Log: slog.New(slog.NewTextHandler(&log, nil))})
		require.Equal(t, unwrap(path), p.Path())
		require.Equal(t, os.Geteuid() != 0 && sandboxObstacle(path, os.Getenv) == "", p.Sandboxed())
		require.Equal(t, !p.Sandboxed(), strings.Contains(log.String(), "without its sandbox"), log.String())
		if os.Geteuid() == 0 {
			require.Contains(t, log.String(), "level=INFO")
			require.Contains(t, log.String(), "root")
		}

		c := newPeer(p)
		version, err := c.call("Browser.getVersion", nil, "")
		require.NoError(t, err)
		require.Contains(t, version["product"], "Chrom")
		_, err = c.open("data:text/html,<title>hello</title>")
		require.NoError(t, err)
		require.NotEmpty(t, procgroup.Members(p.PID()))
		require.DirExists(t, p.profile.Dir())
		require.FileExists(t, p.profile.LockFile())

		_, err = c.call("Browser.close", nil, "")
		require.NoError(t, err)
		require.NoError(t, p.Close(t.Context()))
		require.NoError(t, p.Err())
		awaitGone(t, p.PID())
		require.NoDirExists(t, p.profile.Dir())
		require.NoFileExists(t, p.profile.LockFile())
	})
}

// The switches for speed must not cost the page anything.
func TestBrowserAbilities(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, path string) {
		c := newPeer(launch(t, Options{ExecutablePath: path, Headless: true, Width: 1000, Height: 600}))
		session, err := c.open("data:text/html,<title>abilities</title>")
		require.NoError(t, err)
		for expression, want := range map[string]any{
			`document.createElement("canvas").getContext("webgl") !== null`:  true,
			`document.createElement("canvas").getContext("webgl2") !== null`: true,
			`(() => { const c = document.createElement("canvas").getContext("2d"); c.fillStyle = "#f00"; c.fillRect(0, 0, 2, 2);
				return [...c.getImageData(0, 0, 1, 1).data].join() })()`: "255,0,0,255",
			`matchMedia("(hover: hover) and (pointer: fine)").matches`: true,
			`outerWidth + "x" + outerHeight`:                           "1000x600",
			`screen.width + "x" + screen.height`:                       "1000x600",
			`typeof WebAssembly`:                                       "object",
			`typeof RTCPeerConnection`:                                 "function",
		} {
			got, err := c.eval(session, expression)
			require.NoError(t, err)
			require.Equal(t, want, got, expression)
		}
	})
}

// A frame of another site is a target of its own only when it runs in another process.
func TestBrowserIsolatesSites(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			_, port, _ := net.SplitHostPort(r.Host)
			fmt.Fprintf(w, `<iframe src="http://localhost:%s/inner"></iframe>`, port)
		}
	}))
	t.Cleanup(server.Close)
	forEach(t, func(t *testing.T, path string) {
		c := newPeer(launch(t, Options{ExecutablePath: path, Headless: true}))
		_, err := c.open(server.URL)
		require.NoError(t, err)
		targets, err := c.call("Target.getTargets", map[string]any{"filter": []any{map[string]any{}}}, "")
		require.NoError(t, err)
		var frames, others []string
		for _, target := range targets["targetInfos"].([]any) {
			info := target.(map[string]any)
			switch {
			case info["type"] == "iframe":
				frames = append(frames, info["url"].(string))
			case info["url"] != server.URL+"/" && info["type"] != "browser" && info["type"] != "tab":
				others = append(others, fmt.Sprint(info["type"], " ", info["url"]))
			}
		}
		require.Len(t, frames, 1)
		require.Contains(t, frames[0], "http://localhost:")
		require.Empty(t, others, "nothing is open but what was opened")
	})
}

// The browser lives on without a page, since sessions come and go.
func TestBrowserOutlivesItsLastPage(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, path string) {
		c := newPeer(launch(t, Options{ExecutablePath: path, Headless: true}))
		for range 2 {
			_, err := c.open("data:text/html,x")
			require.NoError(t, err)
			targets, err := c.call("Target.getTargets", nil, "")
			require.NoError(t, err)
			for _, target := range targets["targetInfos"].([]any) {
				if info := target.(map[string]any); info["type"] == "page" {
					_, err := c.call("Target.closeTarget", map[string]any{"targetId": info["targetId"]}, "")
					require.NoError(t, err)
				}
			}
		}
		_, err := c.call("Browser.getVersion", nil, "")
		require.NoError(t, err)
	})
}

func TestBrowserEndsWithItsPipe(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, path string) {
		p := launch(t, Options{ExecutablePath: path, Headless: true})
		_, err := newPeer(p).open("data:text/html,x")
		require.NoError(t, err)
		_, w := p.Pipe()
		require.NoError(t, w.Close())
		awaitDone(t, p)
		awaitGone(t, p.PID())
	})
}

func TestBrowserCrash(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, path string) {
		p := launch(t, Options{ExecutablePath: path, Headless: true})
		_, err := newPeer(p).open("data:text/html,x")
		require.NoError(t, err)
		require.NoError(t, syscall.Kill(p.PID(), syscall.SIGKILL))
		awaitDone(t, p)
		require.Equal(t, fault.BrowserGone, fault.CodeOf(p.Err()))
		require.ErrorContains(t, p.Err(), "killed")
		awaitGone(t, p.PID())
		require.NoError(t, p.Close(t.Context()))
		require.NoDirExists(t, p.profile.Dir())
	})
}

func TestBrowsersSideBySide(t *testing.T) {
	t.Parallel()
	paths := installed(t)
	var browsers []*Process
	for _, path := range []string{paths["shell"], paths["shell"], paths["full"]} {
		browsers = append(browsers, launch(t, Options{ExecutablePath: path, Headless: true}))
	}
	errs := make([]error, len(browsers))
	var wg sync.WaitGroup
	for i, p := range browsers {
		wg.Go(func() { _, errs[i] = newPeer(p).open(fmt.Sprintf("data:text/html,%d", i)) })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.NotEqual(t, browsers[0].profile.Dir(), browsers[1].profile.Dir())
	require.NoError(t, browsers[0].Close(t.Context()))
	// The end of one must not depend on, or reach, the others.
	for _, p := range browsers[1:] {
		require.NotEmpty(t, procgroup.Members(p.PID()))
		require.NoError(t, p.Err())
	}
}

func TestBrowserKeepsTheUsersProfile(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, path string) {
		dir := filepath.Join(t.TempDir(), "profile")
		p := launch(t, Options{ExecutablePath: path, Headless: true, UserDataDir: dir})
		_, err := newPeer(p).call("Browser.getVersion", nil, "")
		require.NoError(t, err)

		_, err = Launch(t.Context(), Options{ExecutablePath: path, Headless: true, UserDataDir: dir})
		require.Equal(t, fault.BrowserLaunch, fault.CodeOf(err))
		require.ErrorContains(t, err, "in use")
		require.ErrorContains(t, err, dir)

		require.NoError(t, p.Close(t.Context()))
		require.DirExists(t, filepath.Join(dir, "Default"))
		again := launch(t, Options{ExecutablePath: path, Headless: true, UserDataDir: dir})
		_, err = newPeer(again).call("Browser.getVersion", nil, "")
		require.NoError(t, err)
	})
}

// A browser that was started by hand holds its profile without our lock.
func TestProfileOfAForeignBrowser(t *testing.T) {
	t.Parallel()
	paths := installed(t)
	dir := t.TempDir()
	// The owner of the pipe is this test, through a process that takes none of our locks.
	p := launch(t, Options{ExecutablePath: paths["full"], Headless: true, UserDataDir: dir})
	_, err := newPeer(p).call("Browser.getVersion", nil, "")
	require.NoError(t, err)
	require.NoError(t, p.userDir.Unlock())
	for _, path := range paths {
		_, err := Launch(t.Context(), Options{ExecutablePath: path, Headless: true, UserDataDir: dir})
		require.Equal(t, fault.BrowserLaunch, fault.CodeOf(err))
		require.ErrorContains(t, err, "in use")
	}
}

func TestNoDisplay(t *testing.T) {
	t.Parallel()
	var env []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "DISPLAY=") && !strings.HasPrefix(entry, "WAYLAND_DISPLAY=") {
			env = append(env, entry)
		}
	}
	p := launch(t, Options{ExecutablePath: installed(t)["full"], Env: env, NoXvfb: true})
	awaitDone(t, p)
	require.Equal(t, fault.BrowserLaunch, fault.CodeOf(p.Err()))
	e, ok := errors.AsType[*fault.Error](p.Err())
	require.True(t, ok, "%v", p.Err())
	require.Equal(t, "no-display", e.Facts["reason"])
	require.ErrorContains(t, p.Err(), "DISPLAY")
}
