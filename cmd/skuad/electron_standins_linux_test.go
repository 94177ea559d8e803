package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What the browser of an app refuses is asked of a page, or of the main process, and an address of a scheme that only
// the app knows can be opened.
func TestElectronStandIns(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.True(t, u.realLaunch(t, "custom").Success)
	requireOwnScheme(t, u)
	at := func(name string) string { return filepath.Join(u.cwd, name) }

	u.works(t, "pdf", at("page.pdf"), "--format", "a5", "--landscape")
	printed, err := os.ReadFile(at("page.pdf"))
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(printed, []byte("%PDF-")))
	require.Contains(t, string(printed), "MediaBox [0 0 59", "A5 is 595 points wide in landscape")

	u.works(t, "cookies", "set", "seen", "yes", "--url", "https://example.com/")
	require.Equal(t, "seen=yes", u.works(t, "cookies", "--all"))
	u.works(t, "storage", "local", "set", "draft", "Milk")
	u.works(t, "state", "save", at("state.json"))
	u.works(t, "cookies", "clear")
	require.Empty(t, u.works(t, "cookies", "--all"))
	loaded := u.call(t, "state", "load", at("state.json"), "--only", "cookies")
	require.Zero(t, loaded.Code, loaded.Err)
	require.Equal(t, "seen=yes", u.works(t, "cookies", "--all"))

	u.works(t, "download", "a[download]", at("saved.txt"))
	saved, err := os.ReadFile(at("saved.txt"))
	require.NoError(t, err)
	require.Equal(t, "Milk\n", string(saved))

	hidden := u.tabOf(t, "Held Hidden")
	u.works(t, "screenshot", "--tab", hidden, at("hidden.png"))
	file, err := os.ReadFile(at("hidden.png"))
	require.NoError(t, err)
	picture, err := png.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	r, g, b, _ := picture.At(5, picture.Bounds().Dy()-5).RGBA()
	require.Equal(t, [3]uint32{0, 0x8080, 0}, [3]uint32{r, g, b}, "the page's background")

	refused := u.call(t, "set", "permissions", "geolocation")
	require.Equal(t, 1, refused.Code)
	require.Contains(t, refused.Err, "`electron main` sets them")
	_, script, _ := strings.Cut(refused.Err, "`electron main` sets them: ")
	u.works(t, "electron", "main", strings.TrimSuffix(strings.TrimSpace(script), "."))
	requireLateWebview(t, u)
}

// An address of a scheme that only the app knows can be opened.
func requireOwnScheme(t *testing.T, u *user) {
	t.Helper()
	require.Contains(t, u.works(t, "open", "app://held/other.html"), "Held Other")
	require.Contains(t, u.call(t, "open", "other://held/other.html").Err, "other:// addresses cannot be opened")
	u.works(t, "back")
	require.Equal(t, "app://held/index.html", u.works(t, "get", "url"))
}

// A webview that comes when the session works already names its window, and is in the window's snapshot.
func requireLateWebview(t *testing.T, u *user) {
	t.Helper()
	main := u.tabOf(t, "Held Custom")
	u.works(t, "find", "role", "button", "click", "--name", "Embed")
	require.Eventually(t, func() bool {
		return strings.Contains(u.works(t, "tab", "list"), "Held Guest - app://held/guest.html")
	}, appLimit, 20*time.Millisecond)
	guest := u.tabOf(t, "Held Guest")
	require.Contains(t, u.works(t, "snapshot", "-i"), "the page embeds the webview "+guest)
	require.Contains(t, u.works(t, "tab", "list"), "(webview in "+main+")")
	u.works(t, "find", "role", "button", "click", "--name", "Embed")
	require.Eventually(t, func() bool {
		return strings.Count(u.works(t, "tab", "list"), "(webview in "+main+")") == 2
	}, appLimit, 20*time.Millisecond, "one more")
}
