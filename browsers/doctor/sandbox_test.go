package doctor

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/chrome"
)

// The report says whether pages are confined, and what to do where they are not.
func TestTellsOfTheSandbox(t *testing.T) {
	t.Parallel()
	path, err := chrome.Find(true, "", os.Getenv)
	require.NoError(t, err)
	sandboxed, _, reason := chrome.Sandbox(path, nil, os.Getenv)
	o := options(t, nil)
	o.Executable = path
	check := one(t, Run(t.Context(), o), "chrome.sandbox")
	if sandboxed {
		require.Equal(t, Pass, check.Status)
		return
	}
	require.Equal(t, Warn, check.Status)
	require.Contains(t, check.Message, "without its sandbox: "+reason)
	require.Contains(t, check.Fix, "ordinary user")
}
