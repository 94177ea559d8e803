package session_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/procgroup"
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

// temporary gives the test a folder of its own for temporary files. The browser that the tests share must run already:
// it would lose its profile with that folder.
func temporary(t *testing.T) string {
	t.Helper()
	host.Manager()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	return tmp
}

func TestChromedriver(t *testing.T) {
	c, tmp := host.NewClient(t), temporary(t)
	c.Env["PATH"] = os.Getenv("PATH")
	reply := c.Do("-p", "chromedriver", "-v", "--args", "--user-agent=driven", "open",
		site.URL(site.Write("<title>Driven</title><button onclick=\"document.title = 'Clicked'\">Go</button>")))
	require.Contains(t, strings.Join(reply.Details, "\n"), "a browser of chromedriver, chrome ")
	require.NotEmpty(t, ofDriver(tmp))
	c.Do("snapshot", "-i")
	c.Do("click", "@e1")
	require.Equal(t, "Clicked", c.Page("document.title"))
	require.Equal(t, "driven", c.Page("navigator.userAgent"))
	require.Equal(t, true, c.Page("navigator.webdriver"))

	c.Do("close")
	require.Empty(t, ofDriver(tmp), "nothing runs")
	left, err := filepath.Glob(filepath.Join(tmp, "skua-driver-*"))
	require.NoError(t, err)
	require.Empty(t, left, "nothing of it is on the disk")
}

// A chromedriver whose browser does not start is ended, and its own words say why.
func TestChromedriverWithoutBrowser(t *testing.T) {
	c, tmp := host.NewClient(t), temporary(t)
	c.Env["PATH"] = os.Getenv("PATH")
	f := c.Fails(fault.ProviderFailed, "-p", "chromedriver", "--executable-path", "/bin/false", "--timeout", "60000",
		"open", "about:blank")
	require.Contains(t, f.Message, "chromedriver API error (500): session not created")
	require.Empty(t, ofDriver(tmp))
	left, err := filepath.Glob(filepath.Join(tmp, "skua-driver-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// A websocket of WebDriver BiDi cannot be used, and the error says so; it is not that of a browser which refuses a
// command. The server's http address can be used.
func TestWebDriverAddresses(t *testing.T) {
	c := host.NewClient(t)
	temporary(t)
	ctx, cancel := context.WithTimeout(t.Context(), sessiontest.CommandLimit)
	defer cancel()
	driver := exec.CommandContext(ctx, "chromedriver", "--port=0")
	said, err := driver.StdoutPipe()
	require.NoError(t, err)
	group, err := procgroup.Start(driver, procgroup.Options{})
	require.NoError(t, err)
	defer func() { group.Kill(); <-group.Done() }()
	var port string
	for lines := bufio.NewScanner(said); port == "" && lines.Scan(); {
		if _, after, ok := strings.Cut(lines.Text(), "successfully on port "); ok {
			port = strings.TrimSuffix(after, ".")
		}
	}
	require.NotEmpty(t, port)
	server := "http://127.0.0.1:" + port
	options := `"goog:chromeOptions":{"args":["--headless=new","--no-sandbox"]}`
	body := `{"capabilities":{"alwaysMatch":{"browserName":"chrome","webSocketUrl":true,` + options + `}}}`
	res, err := http.Post(server+"/session", "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer res.Body.Close()
	var made struct {
		Value struct {
			ID           string `json:"sessionId"`
			Capabilities struct {
				BiDi string `json:"webSocketUrl"`
			} `json:"capabilities"`
		} `json:"value"`
	}
	require.NoError(t, json.NewDecoder(res.Body).Decode(&made))
	f := c.Fails(fault.ConnectFailed, "-p", made.Value.Capabilities.BiDi, "open", "about:blank")
	require.Contains(t, f.Message, "speaks WebDriver BiDi and not CDP")

	c.Env["SELENIUM_REMOTE_CAPABILITIES"] = "{" + options + "}"
	c.Do("-p", server, "open", site.URL(site.Write("<title>Through WebDriver</title>")))
	require.Equal(t, "Through WebDriver", c.Page("document.title"))
	sessions := func() string {
		res, err := http.Get(server + "/sessions")
		require.NoError(t, err)
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, 2, strings.Count(sessions(), `"capabilities"`), sessions())
	c.Do("close")
	require.Equal(t, 1, strings.Count(sessions(), `"capabilities"`), "ours is ended, the other one is not")
	require.Contains(t, sessions(), made.Value.ID)
}
