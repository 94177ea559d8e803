package session_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Whatever a page asks the browser or its user for, no command waits for the answer: the click returns, the page did ask, and it goes on
// to be usable.
func TestPermissionsDoNotHang(t *testing.T) {
	t.Parallel()
	for _, what := range []string{
		"geolocation", "notification", "camera", "clipboard", "midi", "persistence", "screen", "usb", "payment", "credential", "picker",
		"print", "fullscreen", "pointerlock", "sync",
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			c := opened(t, "/pages/acting-dialog-permissions.html")
			promptly(t, func() {
				c.do("click", "#"+what)
				require.Equal(t, what, c.page("asked.join()"))
				c.do("snapshot", "-i")
				c.do("open", site.url("/echo?after"))
				require.Equal(t, "after", c.page("document.getElementById('query').textContent"))
			})
		})
	}
}

// Pickers of the browser's own, and addresses that belong to other programs.
func TestPermissionsOfLinksAndFields(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"file", "color", "mail", "tel", "app"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			c := opened(t, "/pages/acting-dialog-permissions.html")
			promptly(t, func() {
				c.page("document.getElementById('" + id + "').addEventListener('click', () => log.push('clicked')), 0")
				c.do("click", "#"+id)
				require.Equal(t, "clicked", c.log())
				require.Contains(t, c.do("get", "url").Result.Text, "acting-dialog-permissions.html", "the page stays")
				c.do("click", "#persistence")
				require.Equal(t, "persistence", c.page("asked.join()"))
			})
		})
	}
}

func TestPermissionsPrintWhileLoading(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	promptly(t, func() {
		c.do("open", site.url(site.write(`<title>Invoice</title><script>print(); log.push('printed')</script><script>addEventListener('load', () => print())</script>`)))
		require.Equal(t, "printed", c.log())
	})
}

// A page that wants a user name and a password is shown as the server answers without them, and the reply says what it wants.
func TestPermissionsBasicAuth(t *testing.T) {
	t.Parallel()
	folder := site.answering(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user == "ada" && password == "secret" {
			writePage(w, "<title>Inside</title><p id=who>"+user)
			return
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="Staff"`)
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte("<title>Outside</title><p>No entry"))
	})
	c := newClient(t)
	promptly(t, func() {
		reply := c.do("open", site.url(folder))
		require.Contains(t, notes(reply), "HTTP 401")
		require.Contains(t, notes(reply), "user name and a password")
		require.Equal(t, 401.0, c.page("performance.getEntriesByType('navigation')[0].responseStatus"))
	})
	c = showing(t, `<a id=a href="`+folder+`">Staff</a><img src="`+folder+`pic.png"><script>fetch('`+folder+`data').then(r => log.push(r.status))</script>`)
	promptly(t, func() {
		c.do("wait", "--fn", "log.includes(401)")
		c.do("click", "#a")
		require.Equal(t, site.url(folder), c.do("get", "url").Result.Text)
	})
}

// Untrusted certificates, and servers that ask for a client certificate.
func TestPermissionsOfTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { writePage(w, "<title>Secure</title>") }))
	t.Cleanup(server.Close)
	c := newClient(t)
	promptly(t, func() {
		err := c.fails(fault.NavigationFailed, "open", server.URL)
		require.Contains(t, err.Error(), "net::ERR_CERT_AUTHORITY_INVALID")
		require.Contains(t, err.Error(), "--ignore-https-errors")
	})
	other := newClient(t)
	other.do("--ignore-https-errors", "open", server.URL)
	require.Equal(t, "Secure", other.page("document.title"))
}
