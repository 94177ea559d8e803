package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// reader is somebody with a browser, which skua drives.
type reader struct{ program, dir string }

func newReader(t *testing.T) reader {
	t.Helper()
	if testing.Short() {
		t.Skip("builds skua, and opens every page in a browser")
	}
	dir, err := os.MkdirTemp("", "s-") // short, since it holds a socket
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	out, err := exec.Command("../../build", filepath.Join(dir, "bin")).CombinedOutput()
	require.NoError(t, err, string(out))
	r := reader{filepath.Join(dir, "bin", "skua"), dir}
	t.Cleanup(func() {
		cmd := exec.Command(filepath.Join(dir, "bin", "skuad"), "stop")
		cmd.Env = r.env()
		require.NoError(t, cmd.Run())
	})
	return r
}

func (r reader) env() []string {
	return []string{
		"HOME=" + r.dir, "TMPDIR=" + r.dir, "SKUA_SOCKET_DIR=" + filepath.Join(r.dir, "run"),
		"PATH=" + os.Getenv("PATH"),
	}
}

// do runs a command of skua and returns what it prints.
func (r reader) do(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(r.program, args...)
	cmd.Env, cmd.Dir = r.env(), r.dir
	out, err := cmd.Output()
	require.NoError(t, err, "skua %s\n%s", strings.Join(args, " "), out)
	return strings.TrimSpace(string(out))
}

func TestInABrowser(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	dist := made(t)
	files := http.FileServer(http.Dir(dist))
	var mu sync.Mutex
	missing := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if _, err := os.Stat(filepath.Join(dist, filepath.FromSlash(q.URL.Path))); err != nil {
			mu.Lock()
			missing[q.URL.Path] = true
			mu.Unlock()
		}
		files.ServeHTTP(w, q)
	}))
	t.Cleanup(server.Close)

	// On a phone no page is wider than the screen.
	r.do(t, "open", server.URL+"/")
	r.do(t, "set", "viewport", "390", "844")
	for name := range documentsOf(t, dist) {
		r.do(t, "open", server.URL+"/"+name)
		require.Equal(t, "390", r.do(t, "eval", "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"),
			name)
	}
	require.NotContains(t, r.do(t, "console"), "Content Security Policy")

	// Search finds a section by words of its heading and its text, shows that nothing has them, and leads there.
	r.do(t, "open", server.URL+"/docs/decisions/index.html")
	r.do(t, "fill", "#search", "zyzzyva quokka nowhere")
	r.do(t, "wait", "#found .none")
	r.do(t, "fill", "#search", "chromium's sandbox namespaces")
	r.do(t, "wait", "#found a")
	require.Contains(t, r.do(t, "get", "text", "#found li:first-child strong"), "andbox")
	r.do(t, "press", "Enter")
	r.do(t, "wait", "h1")
	require.Contains(t, r.do(t, "get", "url"), "andbox")

	// Both colorings have one, and the text is far from it.
	for _, scheme := range []string{"light", "dark"} {
		r.do(t, "set", "media", scheme)
		var colors []string
		text := r.do(t, "eval",
			`JSON.stringify([getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor])`)
		if strings.HasPrefix(text, `"`) { // eval prints a string as JSON
			var inner string
			require.NoError(t, json.Unmarshal([]byte(text), &inner))
			text = inner
		}
		require.NoError(t, json.Unmarshal([]byte(text), &colors))
		want := []string{"rgb(29, 35, 41)", "rgb(255, 255, 255)"}
		if scheme == "dark" {
			want = []string{"rgb(223, 229, 234)", "rgb(19, 23, 27)"}
		}
		require.Equal(t, want, colors, scheme)
	}

	mu.Lock()
	defer mu.Unlock()
	require.Empty(t, missing, "what browsers asked for and did not get")
}
