package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/chrome"
)

// releaseServer offers one headless shell, which is a script around the one of this machine, with something beside it
// that does not compress. The first download ends in the middle.
func releaseServer(t *testing.T) (server *httptest.Server, sum string) {
	t.Helper()
	own, err := chrome.Find(true, "", os.Getenv)
	require.NoError(t, err)
	const folder = "chrome-headless-shell-linux64/"
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	program := &zip.FileHeader{Name: folder + "chrome-headless-shell", Method: zip.Deflate}
	program.SetMode(fs.FileMode(0o755))
	w, err := z.CreateHeader(program)
	require.NoError(t, err)
	_, err = fmt.Fprintf(w, "#!/bin/sh\nexec '%s' \"$@\"\n", own)
	require.NoError(t, err)
	w, err = z.Create(folder + "noise.pak")
	require.NoError(t, err)
	noise := make([]byte, 4<<20)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	_, err = w.Write(noise)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	archive, made := b.Bytes(), time.Now()
	var asked atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("GET /last-known-good-versions-with-downloads.json", func(w http.ResponseWriter, r *http.Request) {
		download := map[string]any{"platform": "linux64", "url": "http://" + r.Host + "/shell.zip"}
		channel := map[string]any{
			"channel": "Stable", "version": "140.0.1.2", "revision": "1",
			"downloads": map[string]any{"chrome-headless-shell": []any{download}},
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"channels": map[string]any{"Stable": channel}})
	})
	mux.HandleFunc("GET /shell.zip", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		if asked.Add(1) == 1 {
			w.Header().Set("Content-Length", fmt.Sprint(len(archive)))
			_, _ = w.Write(archive[:len(archive)/2])
			return // the connection ends before the archive does
		}
		http.ServeContent(w, r, "shell.zip", made, bytes.NewReader(archive))
	})
	server = httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s := sha256.Sum256(archive)
	return server, hex.EncodeToString(s[:])
}

// A person who installs a browser sees how far it is. The download goes on where it ended, is compared with its
// SHA-256, and the browser is the one that sessions start from then on.
func TestInstallAtATerminal(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		t.Skip("the archive of this test is for linux64")
	}
	u := newUser(t)
	server, sum := releaseServer(t)
	u.env = []string{"SKUA_CFT_URL=" + server.URL}
	text, err := u.atTerminal(t, "install", "--sha256", sum)
	u.env = nil
	require.NoError(t, err, text)
	require.Regexp(t, `\r\x1b\[Kchrome-headless-shell \[#*\.*\] \d+% of 4\.0 MB`, text)
	require.Contains(t, text, "next try in", "the download ended early, and that is said")
	require.Contains(t, text, "✓ Installed chrome-headless-shell 140.0.1.2")
	require.Contains(t, text, "SHA-256 "+sum+", as --sha256 says")
	last := text[strings.LastIndex(text, "\x1b[K"):]
	require.NotContains(t, last, "%", "the bar is gone at the end")
	require.DirExists(t, filepath.Join(u.cwd, ".skua", "browsers", "chrome-headless-shell-140.0.1.2"))
	if os.Getenv("SKUA_EXECUTABLE_PATH") == "" && os.Getenv("AGENT_BROWSER_EXECUTABLE_PATH") == "" {
		// which name another one
		require.Contains(t, u.call(t, "--verbose", "open", "about:blank").Err,
			"started in "+filepath.Join(u.cwd, ".skua", "browsers"))
	}
}

// An agent that follows the call hears what a person sees.
func TestInstallOverMCP(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		t.Skip("the archive of this test is for linux64")
	}
	u := newUser(t)
	server, sum := releaseServer(t)
	u.env = []string{"SKUA_CFT_URL=" + server.URL}
	a := u.mcp(t, "skua", "mcp")
	r := a.ask("tools/call", map[string]any{
		"name":      "agent_browser",
		"arguments": map[string]any{"args": []string{"install", "--sha256", sum}, "timeoutMs": callLimit.Milliseconds()},
		"_meta":     map[string]any{"progressToken": "followed"},
	})
	require.NotEqual(t, true, r["isError"], "%v", r["content"])
	told := strings.Join(a.told, "\n")
	require.Contains(t, told, "next try in", "the download ended early, and that is said")
	require.Contains(t, fmt.Sprint(r["content"]), "Installed chrome-headless-shell 140.0.1.2")
	require.DirExists(t, filepath.Join(u.cwd, ".skua", "browsers", "chrome-headless-shell-140.0.1.2"))
}
