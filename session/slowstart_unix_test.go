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
	c := host.NewClient(t)
	browser, err := chrome.Find(true, "", os.Getenv)
	require.NoError(t, err)
	slow := testprogram.Write(t, filepath.Join(c.Dir, "slow", "chromium"),
		"#!/bin/sh\nsleep 4\nexec '"+browser+"' \"$@\"\n")
	c.Env["AGENT_BROWSER_DEFAULT_TIMEOUT"] = "1000"
	c.Do("--executable-path", slow, "open", site.URL("/pages/demo.html"))
	require.Equal(t, site.URL("/pages/demo.html"), c.Do("get", "url").Result.Text)
}
