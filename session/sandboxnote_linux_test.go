package session_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/session"
)

// The caller is told once that a host's browsers lack Chromium's sandbox, if the system refuses it, but not if the
// caller turned it off.
func TestMissingSandboxIsToldOnce(t *testing.T) {
	t.Parallel()
	path, err := chrome.Find(true, "", os.Getenv)
	require.NoError(t, err)
	_, refused, reason := chrome.Sandbox(path, nil, os.Getenv)
	const told = "runs without Chromium's own sandbox"

	c := host.NewIsolated(t)
	accepted := c.Do("open", "--args", "--no-sandbox", site.URL(site.Write("<title>One</title>")))
	require.NotContains(t, sessiontest.Notes(accepted), told)
	knowing := c.In(t)
	knowing.Session, knowing.Env = "knowing", map[string]string{"HOME": c.Dir, "SKUA_NO_SANDBOX_NOTE": "1"}
	require.NotContains(t, sessiontest.Notes(knowing.Do("open", site.URL(site.Write("<title>Known</title>")))), told)
	other := c.In(t)
	other.Session = "other"
	first := other.Do("open", site.URL(site.Write("<title>Two</title>")), "--json")
	if !refused {
		require.NotContains(t, sessiontest.Notes(first), told)
		return
	}
	require.Contains(t, sessiontest.Notes(first), told+", since "+reason)
	require.Contains(t, sessiontest.Notes(first), "run `doctor` to see what to do")
	var envelope struct{ Warnings []string }
	require.NoError(t, json.Unmarshal([]byte(written(t, first)), &envelope))
	require.Contains(t, strings.Join(envelope.Warnings, "\n"), told)
	require.NotContains(t, sessiontest.Notes(other.Do("get", "title")), told)
	third := c.In(t)
	third.Session = "third"
	require.NotContains(t, sessiontest.Notes(third.Do("open", site.URL(site.Write("<title>Three</title>")))), told)
}

// written is what the client prints of a reply on standard output.
func written(t testing.TB, r session.Reply) string {
	t.Helper()
	var out, errOut strings.Builder
	require.Zero(t, r.Write(&out, &errOut))
	return out.String()
}
