package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/fault"
)

// ofDriver returns the processes that use the folder which holds a driver's files.
func ofDriver(tmp string) (pids []string) {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range environs {
		dir := filepath.Dir(file)
		environ, _ := os.ReadFile(file)
		command, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if strings.Contains(string(environ)+string(command), tmp+"/skua-driver-") {
			pids = append(pids, filepath.Base(dir))
		}
	}
	return pids
}

// These tests share the folder for temporary files, and so do not run in parallel.

func TestChromedriver(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	c := newClient(t)
	c.env["PATH"] = os.Getenv("PATH")
	reply := c.do("-p", "chromedriver", "-v", "--args", "--user-agent=driven", "open", site.url(site.write("<title>Driven</title><button onclick=\"document.title = 'Clicked'\">Go</button>")))
	require.Contains(t, strings.Join(reply.Details, "\n"), "a browser of chromedriver, chrome ")
	require.NotEmpty(t, ofDriver(tmp))
	c.do("snapshot", "-i")
	c.do("click", "@e1")
	require.Equal(t, "Clicked", c.page("document.title"))
	require.Equal(t, "driven", c.page("navigator.userAgent"))
	require.Equal(t, true, c.page("navigator.webdriver"))

	c.do("close")
	require.Empty(t, ofDriver(tmp), "nothing runs")
	left, err := filepath.Glob(filepath.Join(tmp, "skua-driver-*"))
	require.NoError(t, err)
	require.Empty(t, left, "nothing of it is on the disk")
}

// A chromedriver whose browser does not start is ended, and its own words say why.
func TestChromedriverWithoutBrowser(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	c := newClient(t)
	c.env["PATH"] = os.Getenv("PATH")
	f := c.fails(fault.ProviderFailed, "-p", "chromedriver", "--executable-path", "/bin/false", "--timeout", "60000", "open", "about:blank")
	require.Contains(t, f.Message, "chromedriver API error (500): session not created")
	require.Empty(t, ofDriver(tmp))
	left, err := filepath.Glob(filepath.Join(tmp, "skua-driver-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
