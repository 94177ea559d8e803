package read_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// renderedSite has pages whose text comes from scripts, and counts what is asked for.
func renderedSite() (folder string, asked func(path string) int) {
	var mu sync.Mutex
	count := map[string]int{}
	folder = site.Answering(func(w http.ResponseWriter, r *http.Request) {
		path := r.PathValue("rest")
		mu.Lock()
		count[path]++
		mu.Unlock()
		switch path {
		case "one", "two", "three":
			sessiontest.WritePage(w,
				`<!doctype html><title>`+path+`</title><h1>Page `+path+`</h1><p id=size></p><p id=late></p><p id=who></p>
				<img src=picture.svg onload="size.textContent = this.naturalWidth + ' wide'"><script>
				who.textContent = document.cookie
				addEventListener('load', async () => { late.textContent = await (await fetch('data')).text() })</script>`)
		case "picture.svg":
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"></svg>`))
		case "data":
			_, _ = w.Write([]byte("what the server has"))
		case "file":
			w.Header().Set("Content-Disposition", "attachment; filename=file.bin")
			w.Header().Set("Content-Type", "application/octet-stream")
			_, _ = w.Write([]byte("bytes"))
		default:
			http.NotFound(w, r)
		}
	})
	return folder, func(path string) int {
		mu.Lock()
		defer mu.Unlock()
		return count[path]
	}
}

// What scripts write is read, with the session's cookies; the tab of the session stays where it is and no other one is
// left.
func TestReadRendered(t *testing.T) {
	t.Parallel()
	path, asked := renderedSite()
	folder := site.URL(path)
	c := host.Opened(t, site.Write("<title>Mine</title>"))
	c.Do("cookies", "set", "who", "me", "--url", folder)
	one := c.Data("read", folder+"one", "--rendered")
	require.Equal(t, "rendered-html", one["source"])
	require.Equal(t, "one", one["title"])
	require.Equal(t, folder+"one", one["finalUrl"])
	for _, text := range []string{"Page one", "what the server has", "who=me"} {
		require.Contains(t, one["content"], text)
	}
	require.Zero(t, asked("picture.svg"))
	require.Contains(t, one["content"], "1 wide")
	require.Equal(t, "Mine", c.Data("get", "title")["title"])
	require.Len(t, c.Data("tab")["tabs"], 1)

	require.Contains(t, c.Data("read", folder+"one", "--rendered", "--pictures")["content"], "40 wide")
	require.Equal(t, 1, asked("picture.svg"))
}

func TestReadSeveral(t *testing.T) {
	t.Parallel()
	path, _ := renderedSite()
	folder := site.URL(path)
	c := host.NewClient(t)
	for _, how := range [][]string{{}, {"--rendered"}, {"--rendered", "--tabs", "1"}} {
		reply := c.Try(append([]string{"read", folder + "one", folder + "file", folder + "two", folder + "three"}, how...)...)
		require.NoError(t, reply.Err)
		require.True(t, reply.Result.Failed)
		data := sessiontest.Decode[struct {
			Pages  []object
			Failed int
		}](t, reply.Result.Data)
		require.Equal(t, 1, data.Failed)
		require.Len(t, data.Pages, 4)
		for i, name := range []string{"one", "", "two", "three"} {
			if name == "" {
				require.NotEmpty(t, data.Pages[i]["error"])
				require.NotEmpty(t, data.Pages[i]["code"])
				continue
			}
			require.Equal(t, name, data.Pages[i]["title"])
			require.Contains(t, data.Pages[i]["content"], "Page "+name)
		}
		require.Less(t, strings.Index(reply.Result.Text, "# Page one"), strings.Index(reply.Result.Text, "✗ "+folder+"file"))
	}
}

// The rules of the session hold for what is read in its tabs.
func TestReadRenderedKeepsRules(t *testing.T) {
	t.Parallel()
	path, asked := renderedSite()
	folder := site.URL(path)
	c := host.NewClient(t)
	c.Fails(fault.PolicyBlocked, "read", folder+"one", "--rendered", "--allowed-domains", "example.com")
	require.Zero(t, asked("one"))
}

func TestReadRenderedRefuses(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	for _, args := range [][]string{
		{"read", "--rendered"},
		{"read", "example.com", "--pictures"},
		{"read", "example.com", "--rendered", "--llms", "index"},
		{"read", "example.com", "--tabs", "17"},
	} {
		c.Fails(fault.Usage, args...)
	}
}
