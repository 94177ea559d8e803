package sessiontest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
)

// Theirs is a browser that another program started. It has a pipe as well, so that it ends with this process however
// that ends.
type Theirs struct {
	Owner   *engine.Browser
	Profile string
	Port    string
	Path    string // of its websocket
}

// StartTheirs starts such a browser, which ends with the test.
func StartTheirs(t testing.TB, profile string) *Theirs {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), CommandLimit)
	defer cancel()
	owner, err := engine.Launch(ctx, chrome.Options{
		Headless:    true,
		UserDataDir: profile,
		Args:        []string{"--remote-debugging-port=0"},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	b := &Theirs{Owner: owner, Profile: profile}
	require.Eventually(t, func() bool {
		file, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		var ok bool
		b.Port, b.Path, ok = strings.Cut(string(file), "\n")
		return ok
	}, CommandLimit, 10*time.Millisecond)
	return b
}

// Show opens a tab in their browser, as its user would.
func (b *Theirs) Show(t testing.TB, url string) *engine.Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), CommandLimit)
	defer cancel()
	page, err := b.Owner.DefaultContext(engine.ContextOptions{}).NewPage(ctx)
	require.NoError(t, err)
	_, err = page.Navigate(ctx, url, engine.WaitLoad)
	require.NoError(t, err)
	return page
}

// Relay opens a way to a browser and returns its address. pass gets each message to the browser before that goes out,
// with what sends another message and what cuts the way, and reports whether the message goes out; reply gets each
// message from the browser.
func (b *Theirs) Relay(
	t testing.TB, pass func(data []byte, send func([]byte), cut func()) (goesOut bool), reply func([]byte),
) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		ours, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = ours.CloseNow() }()
		its, _, err := websocket.Dial(ctx, "ws://127.0.0.1:"+b.Port+b.Path, nil)
		if err != nil {
			return
		}
		defer func() { _ = its.CloseNow() }()
		ours.SetReadLimit(-1)
		its.SetReadLimit(-1)
		carry := func(from, to *websocket.Conn, pass func([]byte) bool) {
			defer cancel()
			for {
				kind, data, err := from.Read(ctx)
				if err != nil || (pass(data) && to.Write(ctx, kind, data) != nil) {
					return
				}
			}
		}
		send := func(data []byte) { _ = its.Write(ctx, websocket.MessageText, data) }
		var back sync.WaitGroup
		back.Go(func() { carry(its, ours, func(data []byte) bool { reply(data); return true }) })
		carry(ours, its, func(data []byte) bool { return pass(data, send, cancel) })
		back.Wait()
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "http://", "ws://", 1) + b.Path
}
