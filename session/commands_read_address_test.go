package session_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// manualSite is a site with an index for agents.
func manualSite() (folder string) {
	return site.answering(func(w http.ResponseWriter, r *http.Request) {
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
			send("text/plain", "# Manual\n\n## Basics\n\n- [Guide](guide): the way in\n\n## Reference\n\n- [Flags](ref/flags.md)\n- [Codes](ref/codes.md): exit codes\n")
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
	c := newClient(t)
	folder := site.url(manualSite())
	guide := "# Guide\n\n## Install\n\nRun it.\n\n## Use\n\nGo on.\n"
	reply := c.do("read", folder+"guide")
	require.Equal(t, guide, reply.Result.Text, "Markdown is printed as it is")
	require.Empty(t, cmp.Diff(object{
		"content": guide, "contentType": "text/markdown", "finalUrl": folder + "guide", "url": folder + "guide", "source": "accept-markdown",
		"truncated": false, "status": 200.0,
	}, decode[object](t, reply.Result.Data)))
	require.Equal(t, guide, c.do("read", folder+"guide", "--require-md").Result.Text)
	require.Equal(t, "# Outline\n\nSource: "+folder+"guide\n\n- Guide\n  - Install\n  - Use", c.do("read", folder+"guide", "--outline").Result.Text)
	require.Equal(t, "## Use\n\nGo on.", c.do("read", folder+"guide", "--filter", "go on").Result.Text)
	require.Equal(t, "accept-markdown-filtered", c.data("read", folder+"guide", "--filter", "go on")["source"])

	article := c.data("read", folder+"article")
	require.Equal(t, "html-fallback", article["source"])
	require.Equal(t, true, article["mainContent"])
	require.Contains(t, article["content"], "## Arches")
	require.NotContains(t, article["content"], "newsletter")
	require.Contains(t, c.data("read", folder+"article", "--full")["content"], "newsletter")
	require.Equal(t, articlePage, c.do("read", folder+"article", "--raw").Result.Text)

	require.Equal(t, "# Café\n\nSource: "+folder+"latin\n\ndéjà vu", c.do("read", folder+"latin").Result.Text)
	moved := c.data("read", site.url("/redirect?to=")+folder+"guide")
	require.Equal(t, []any{site.url("/redirect?to=") + folder + "guide", folder + "guide", guide}, []any{moved["url"], moved["finalUrl"], moved["content"]})
	require.Equal(t, guide, c.do("read", strings.TrimPrefix(folder, "http://")+"guide").Result.Text, "a local address needs no scheme")
}

func TestReadLLMs(t *testing.T) {
	t.Parallel()
	folder := site.url(manualSite())
	c := newClient(t)
	head := "# Links\n\nSource: " + folder + "llms.txt\n"
	require.Equal(t, head+"\n## Basics\n\n- [Guide]("+folder+"guide): the way in\n\n## Reference\n\n- [Flags]("+folder+"ref/flags.md)\n- [Codes]("+folder+
		"ref/codes.md): exit codes", c.do("read", folder+"deep/page", "--llms", "index").Result.Text)
	require.Equal(t, head+"\n## Reference\n\n- [Codes]("+folder+"ref/codes.md): exit codes",
		c.do("read", folder, "--llms", "index", "--filter", "EXIT").Result.Text)
	require.Equal(t, "## Flags\n\nEach one.", c.do("read", folder, "--llms", "full", "--filter", "flags").Result.Text)
	require.Equal(t, "llms-full", c.data("read", folder, "--llms", "full")["source"])
	require.Contains(t, c.fails(fault.NavigationFailed, "read", site.url("/echo"), "--llms", "index").Error(), "llms.txt failed with HTTP 404")

	c.do("open", folder+"article")
	require.Equal(t, "llms-index", c.data("read", "--llms", "index")["source"], "the tab's own address")
	require.Contains(t, c.fails(fault.TargetUnsuitable, "read", "--require-md").Error(), "Expected text/markdown, got text/html")
}

func TestReadAddressRefused(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	e := c.fails(fault.NavigationFailed, "read", site.url("/status/404"))
	require.Contains(t, e.Error(), "Read failed with HTTP 404")
	require.Equal(t, 404, e.Facts["status"])
	require.Contains(t, c.fails(fault.NavigationFailed, "read", "http://127.0.0.1:1/").Error(), "Read request failed: error sending request for url")
	silent := site.gate(t, "")
	e = c.fails(fault.Timeout, "read", site.url(silent.path), "--timeout", "200")
	require.Contains(t, e.Error(), "Read request failed: no answer from "+site.url(silent.path))
	silent.waitAsked(t)
	c.fails(fault.Usage, "read", "")
	c.fails(fault.Usage, "read", "two words")
	c.fails(fault.Usage, "read", site.url("/"), "--llms", "full", "--raw")
}
