package read_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// manualSite is a site with an index for agents.
func manualSite() (folder string) {
	return site.Answering(func(w http.ResponseWriter, r *http.Request) {
		send := func(media, body string) {
			w.Header().Set("Content-Type", media)
			_, _ = w.Write([]byte(body))
		}
		switch r.PathValue("rest") {
		case "guide":
			if strings.Contains(r.Header.Get("Accept"), "text/markdown") {
				send("text/markdown", "# Guide\n\n## Install\n\nRun it.\n\n## Use\n\nGo on.\n")
			}
		case "llms.txt":
			send("text/plain",
				"# Manual\n\n## Basics\n\n- [Guide](guide): the way in\n\n## Reference\n\n- [Flags](ref/flags.md)\n- "+
					"[Codes](ref/codes.md): exit codes\n")
		case "llms-full.txt":
			send("text/plain", "# Manual\n\n## Guide\n\nAll of it.\n\n## Flags\n\nEach one.\n")
		case "latin":
			send("text/html; charset=iso-8859-1", "<title>Caf\xe9</title><p>d\xe9j\xe0 vu</p>")
		case "article":
			send("text/html", articlePage)
		default:
			http.NotFound(w, r)
		}
	})
}

func TestReadAddress(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	folder := site.URL(manualSite())
	guide := "# Guide\n\n## Install\n\nRun it.\n\n## Use\n\nGo on.\n"
	reply := c.Do("read", folder+"guide")
	require.Equal(t, guide, reply.Result.Text, "Markdown is printed as it is")
	require.Empty(t, cmp.Diff(object{
		"content": guide, "contentType": "text/markdown", "finalUrl": folder + "guide", "url": folder + "guide",
		"source":    "accept-markdown",
		"truncated": false, "status": 200.0,
	}, sessiontest.Decode[object](t, reply.Result.Data)))
	require.Equal(t, guide, c.Do("read", folder+"guide", "--require-md").Result.Text)
	require.Equal(t, "# Outline\n\nSource: "+folder+"guide\n\n- Guide\n  - Install\n  - Use",
		c.Do("read", folder+"guide", "--outline").Result.Text)
	require.Equal(t, "## Use\n\nGo on.", c.Do("read", folder+"guide", "--filter", "go on").Result.Text)
	require.Equal(t, "accept-markdown-filtered", c.Data("read", folder+"guide", "--filter", "go on")["source"])

	article := c.Data("read", folder+"article")
	require.Equal(t, "html-fallback", article["source"])
	require.Equal(t, true, article["mainContent"])
	require.Contains(t, article["content"], "## Arches")
	require.NotContains(t, article["content"], "newsletter")
	require.Contains(t, c.Data("read", folder+"article", "--full")["content"], "newsletter")
	require.Equal(t, articlePage, c.Do("read", folder+"article", "--raw").Result.Text)

	require.Equal(t, "# Café\n\nSource: "+folder+"latin\n\ndéjà vu", c.Do("read", folder+"latin").Result.Text)
	moved := c.Data("read", site.URL("/redirect?to=")+folder+"guide")
	require.Equal(t, []any{site.URL("/redirect?to=") + folder + "guide", folder + "guide", guide},
		[]any{moved["url"], moved["finalUrl"], moved["content"]})
	require.Equal(t, guide, c.Do("read", strings.TrimPrefix(folder, "http://")+"guide").Result.Text,
		"a local address needs no scheme")
}

func TestReadLLMs(t *testing.T) {
	t.Parallel()
	folder := site.URL(manualSite())
	c := host.NewClient(t)
	head := "# Links\n\nSource: " + folder + "llms.txt\n"
	require.Equal(t,
		head+"\n## Basics\n\n- [Guide]("+folder+"guide): the way in\n\n## Reference\n\n- [Flags]("+folder+
			"ref/flags.md)\n- [Codes]("+folder+
			"ref/codes.md): exit codes", c.Do("read", folder+"deep/page", "--llms", "index").Result.Text)
	require.Equal(t, head+"\n## Reference\n\n- [Codes]("+folder+"ref/codes.md): exit codes",
		c.Do("read", folder, "--llms", "index", "--filter", "EXIT").Result.Text)
	require.Equal(t, "## Flags\n\nEach one.", c.Do("read", folder, "--llms", "full", "--filter", "flags").Result.Text)
	require.Equal(t, "llms-full", c.Data("read", folder, "--llms", "full")["source"])
	require.Contains(t, c.Fails(fault.NavigationFailed, "read", site.URL("/echo"), "--llms", "index").Error(),
		"llms.txt failed with HTTP 404")

	c.Do("open", folder+"article")
	require.Equal(t, "llms-index", c.Data("read", "--llms", "index")["source"], "the tab's own address")
	require.Contains(t, c.Fails(fault.TargetUnsuitable, "read", "--require-md").Error(),
		"Expected text/markdown, got text/html")
}

func TestReadAddressRefused(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	e := c.Fails(fault.NavigationFailed, "read", site.URL("/status/404"))
	require.Contains(t, e.Error(), "Read failed with HTTP 404")
	require.Equal(t, 404, e.Facts["status"])
	require.Contains(t, c.Fails(fault.NavigationFailed, "read", "http://127.0.0.1:1/").Error(),
		"Read request failed: error sending request for url")
	silent := site.Gate(t, "")
	e = c.Fails(fault.Timeout, "read", site.URL(silent.Path), "--timeout", "200")
	require.Contains(t, e.Error(), "Read request failed: no answer from "+site.URL(silent.Path))
	silent.WaitAsked(t)
	c.Fails(fault.Usage, "read", "")
	c.Fails(fault.Usage, "read", "two words")
	c.Fails(fault.Usage, "read", site.URL("/"), "--llms", "full", "--raw")
}
