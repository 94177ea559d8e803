package tool_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
)

func TestPolicy(t *testing.T) {
	t.Parallel()
	t.Run("3.20 domains that are allowed are remembered and checked", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		url := site.Show(`<title>x</title><a href="` + strings.Replace(site.URL(), "127.0.0.1", "localhost", 1) +
			`/page-1">away</a>`)
		c.do("--allowed-domains", "127.0.0.1", "open", url)
		require.False(t, c.try("get", "title").IsError)
		r := c.try("open", strings.Replace(url, "127.0.0.1", "localhost", 1))
		require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "--allowed-domains 127.0.0.1 does not allow localhost")
		require.Equal(t, url, textOf(c.do("get", "url")), "it was not opened")
		r = c.do("click", "a")
		require.Contains(t, textOf(r), "refused: Domain 'localhost' is not in the allowed domains list")
		require.Equal(t, url, textOf(c.do("get", "url")), "the page could not leave")
	})
	t.Run("3.20 what pages load keeps to the domains, too", func(t *testing.T) {
		t.Parallel()
		var reached atomic.Int32
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
		t.Cleanup(other.Close)
		away := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
		page := site.Show(`<title>x</title><script>onload = () => fetch("` + away +
			`", {mode: "no-cors"}).then(() => document.title = "reached", () => document.title = "refused")</script>`)
		free := newCaller(t)
		free.do("open", page)
		free.do("wait", "--fn", "document.title !== 'x'")
		require.Equal(t, "reached", textOf(free.do("get", "title")))
		require.Equal(t, int32(1), reached.Load())
		kept := newCaller(t)
		kept.do("--allowed-domains", "http://127.0.0.1/", "open", page)
		kept.do("wait", "--fn", "document.title !== 'x'")
		require.Equal(t, "refused", textOf(kept.do("get", "title")))
		require.Equal(t, int32(1), reached.Load())
	})
	t.Run("18.6 what sessions keep on the disk is out of reach", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		store := filepath.Join(c.dir, ".agent-browser")
		require.NoError(t, os.Mkdir(store, 0o700))
		c.do("open", site.Show(`<title>x</title>`))
		stdin := `[["get","title"],["screenshot","` + store + `/a.png"]]`
		path := ".agent-browser/out.json"
		for name, p := range map[string]contract.Params{
			"an address":       {Args: []string{"open", "file://" + store + "/a.html"}},
			"a path":           {Args: []string{"pdf", ".agent-browser/a.pdf"}},
			"a row of a batch": {Args: []string{"batch"}, Stdin: &stdin},
			"a raw row":        {Args: []string{"batch", "pdf " + store + "/a.pdf"}},
			"outputPath":       {Args: []string{"get", "title"}, OutputPath: &path},
		} {
			r := c.call(p)
			require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory, name)
			require.Contains(t, textOf(r), "Browser access to local .agent-browser storage is blocked", name)
		}
		files, err := os.ReadDir(store)
		require.NoError(t, err)
		require.Empty(t, files)
	})
	t.Run("18.7 local files are opened in browsers of ours", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		file := filepath.Join(c.dir, "a.html")
		require.NoError(t, os.WriteFile(file, []byte(`<title>Local</title>`), 0o600))
		require.Equal(t, "Local", asJSON(c.do("open", "file://"+file).Details.Data).(map[string]any)["title"])
		r := c.try("--session", "attached", "--cdp", "9", "open", "file://"+file)
		require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "is a local file")
	})
	t.Run("18.9 a batch in a batch, and another browser in its middle", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		for _, row := range []string{"connect 9222", "batch back"} {
			r := c.try("batch", row)
			require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
			require.Contains(t, textOf(r), "A batch cannot hold `"+strings.Fields(row)[0]+"`")
		}
	})
}
