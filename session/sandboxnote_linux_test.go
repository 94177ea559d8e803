package session_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/session"
)

// The caller is told once that a host's browsers lack Chromium's sandbox, if the system refuses it, but not if the caller turned it off.
func TestMissingSandboxIsToldOnce(t *testing.T) {
	t.Parallel()
	path, err := chrome.Find(true, "", os.Getenv)
	require.NoError(t, err)
	_, refused, reason := chrome.Sandbox(path, nil, os.Getenv)
	const told = "runs without Chromium's own sandbox"

	c := ownHost(t)
	accepted := c.do("open", "--args", "--no-sandbox", site.url(site.write("<title>One</title>")))
	require.NotContains(t, notes(accepted), told)
	knowing := c.in(t)
	knowing.session, knowing.env = "knowing", map[string]string{"HOME": c.dir, "SKUA_NO_SANDBOX_NOTE": "1"}
	require.NotContains(t, notes(knowing.do("open", site.url(site.write("<title>Known</title>")))), told)
	other := c.in(t)
	other.session = "other"
	first := other.do("open", site.url(site.write("<title>Two</title>")), "--json")
	if !refused {
		require.NotContains(t, notes(first), told)
		return
	}
	require.Contains(t, notes(first), told+", since "+reason)
	require.Contains(t, notes(first), "run `doctor` to see what to do")
	var envelope struct{ Warnings []string }
	require.NoError(t, json.Unmarshal([]byte(written(t, first)), &envelope))
	require.Contains(t, strings.Join(envelope.Warnings, "\n"), told)
	require.NotContains(t, notes(other.do("get", "title")), told)
	third := c.in(t)
	third.session = "third"
	require.NotContains(t, notes(third.do("open", site.url(site.write("<title>Three</title>")))), told)
}

// written is what the client prints of a reply on standard output.
func written(t testing.TB, r session.Reply) string {
	t.Helper()
	var out, errOut strings.Builder
	require.Zero(t, r.Write(&out, &errOut))
	return out.String()
}
