package emulate_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Whatever a page asks the browser or its user for, no command waits for the answer: the click returns, the page did
// ask, and it goes on to be usable.
func TestPermissionsDoNotHang(t *testing.T) {
	t.Parallel()
	for _, what := range []string{
		"geolocation", "notification", "camera", "clipboard", "midi", "persistence", "screen", "usb", "payment", "credential",
		"picker",
		"print", "fullscreen", "pointerlock", "sync",
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-dialog-permissions.html")
			sessiontest.Promptly(t, func() {
				c.Do("click", "#"+what)
				require.Equal(t, what, c.Page("asked.join()"))
				c.Do("snapshot", "-i")
				c.Do("open", site.URL("/echo?after"))
				require.Equal(t, "after", c.Page("document.getElementById('query').textContent"))
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
			c := host.Opened(t, "/pages/acting-dialog-permissions.html")
			sessiontest.Promptly(t, func() {
				c.Page("document.getElementById('" + id + "').addEventListener('click', () => log.push('clicked')), 0")
				c.Do("click", "#"+id)
				require.Equal(t, "clicked", c.Log())
				require.Contains(t, c.Do("get", "url").Result.Text, "acting-dialog-permissions.html", "the page stays")
				c.Do("click", "#persistence")
				require.Equal(t, "persistence", c.Page("asked.join()"))
			})
		})
	}
}

func TestPermissionsPrintWhileLoading(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	sessiontest.Promptly(t, func() {
		c.Do("open",
			site.URL(
				site.Write(
					`<title>Invoice</title><script>print(); log.push('printed')</script><script>addEventListener('load', () => print())</script>`)))
		require.Equal(t, "printed", c.Log())
	})
}

// A page that wants a user name and a password is shown as the server answers without them, and the reply says what it
// wants.
func TestPermissionsBasicAuth(t *testing.T) {
	t.Parallel()
	folder := site.Answering(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user == "ada" && password == "secret" {
			sessiontest.WritePage(w, "<title>Inside</title><p id=who>"+user)
			return
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="Staff"`)
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte("<title>Outside</title><p>No entry"))
	})
	c := host.NewClient(t)
	sessiontest.Promptly(t, func() {
		reply := c.Do("open", site.URL(folder))
		require.Contains(t, sessiontest.Notes(reply), "HTTP 401")
		require.Contains(t, sessiontest.Notes(reply), "user name and a password")
		require.Equal(t, 401.0, c.Page("performance.getEntriesByType('navigation')[0].responseStatus"))
	})
	c = host.Showing(t,
		`<a id=a href="`+folder+`">Staff</a><img src="`+folder+`pic.png"><script>fetch('`+folder+
			`data').then(r => log.push(r.status))</script>`)
	sessiontest.Promptly(t, func() {
		c.Do("wait", "--fn", "log.includes(401)")
		c.Do("click", "#a")
		require.Equal(t, site.URL(folder), c.Do("get", "url").Result.Text)
	})
}

// Untrusted certificates, and servers that ask for a client certificate.
func TestPermissionsOfTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		sessiontest.WritePage(w, "<title>Secure</title>")
	}))
	t.Cleanup(server.Close)
	c := host.NewClient(t)
	sessiontest.Promptly(t, func() {
		err := c.Fails(fault.NavigationFailed, "open", server.URL)
		require.Contains(t, err.Error(), "net::ERR_CERT_AUTHORITY_INVALID")
		require.Contains(t, err.Error(), "--ignore-https-errors")
	})
	other := host.NewClient(t)
	other.Do("--ignore-https-errors", "open", server.URL)
	require.Equal(t, "Secure", other.Page("document.title"))
}
