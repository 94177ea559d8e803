package doctor

import (
	"context"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/skua-browser/skua/browsers/install"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/fetch"
)

// answerLimit is how long a server may take to answer.
const answerLimit = 8 * time.Second

func network(ctx context.Context, o *Options) []Check {
	var l list
	var roots strings.Builder
	roots.WriteString("TLS roots: those of the system")
	for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR"} {
		if path := o.Getenv(name); path != "" {
			if _, err := os.Stat(path); err != nil {
				l.add("net.trust_store", Fail, "%s names %s, which cannot be read", name, path).todo("correct or unset %s", name)
				continue
			}
			roots.WriteString(", from " + name)
		}
	}
	if o.Roots != nil {
		roots.WriteString(", and those of --ca-cert")
	}
	l.add("net.trust_store", Info, "%s", roots.String())
	client := fetch.New(fetch.Options{Getenv: o.Getenv, Roots: o.Roots, Proxy: o.Proxy, KeepTLS: true})
	defer client.Close()
	address := install.EndpointFile(o.Getenv)
	l.asked(ctx, client, "net.chrome_cdn", "Chrome for Testing", address,
		"check network connectivity, firewall and proxy settings; only `skua install` needs it")
	if c := &l[len(l)-1]; c.Status == Fail {
		if _, err := chrome.Find(true, o.Executable, o.Getenv); err == nil {
			c.Status = Info // there is a browser, so that nothing has to be downloaded
		}
	}
	if release := install.ReleaseAddress(o.Getenv); release != "" && !said(o.Getenv("SKUA_NO_VERSION_CHECK")) &&
		!said(o.Getenv("AGENT_BROWSER_NO_VERSION_CHECK")) {
		l.asked(ctx, client, "net.release", "The release address", release+"/SHA256SUMS", "check SKUA_RELEASE_URL")
	}
	return l
}

// said reports whether a variable says yes.
func said(value string) bool { return value != "" && value != "0" && value != "false" }

func (l *list) asked(ctx context.Context, client *fetch.Client, id, name, address, todo string) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	start := time.Now()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		l.add(id, Fail, "%s has no usable address: %v", name, err).todo("%s", todo)
		return
	}
	res, err := client.Do(req)
	took := time.Since(start).Round(time.Millisecond)
	if err != nil {
		l.add(id, Fail, "%s unreachable after %s: %v", name, took, err).todo("%s", todo)
		return
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		l.add(id, Fail, "%s answers with HTTP %d: %s", name, res.StatusCode, address).todo("%s", todo)
		return
	}
	l.add(id, Pass, "%s answers in %s", name, took)
}
