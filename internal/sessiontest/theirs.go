package sessiontest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
)

// Theirs is a browser that another program started. It has a pipe as well, so that it ends with this process however that ends.
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
	owner, err := engine.Launch(ctx, chrome.Options{Headless: true, UserDataDir: profile, Args: []string{"--remote-debugging-port=0"}})
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
