//go:build unix

package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/testprogram"
)

// The time that a command has by default is for its page. A browser that takes longer to start does not use it up.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	browser, err := chrome.Find(true, "", os.Getenv)
	require.NoError(t, err)
	slow := testprogram.Write(t, filepath.Join(c.dir, "slow", "chromium"), "#!/bin/sh\nsleep 4\nexec '"+browser+"' \"$@\"\n")
	c.env["AGENT_BROWSER_DEFAULT_TIMEOUT"] = "1000"
	c.do("--executable-path", slow, "open", site.url("/pages/demo.html"))
	require.Equal(t, site.url("/pages/demo.html"), c.do("get", "url").Result.Text)
}
