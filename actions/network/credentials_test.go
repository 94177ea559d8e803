package network_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Who is asked for a user name and a password learns how to give them, and whether those that were given were refused.
func TestCredentialsWanted(t *testing.T) {
	t.Parallel()
	folder := site.Answering(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "ada" || password != "right" {
			w.Header().Set("WWW-Authenticate", `Basic realm="theirs"`)
			w.WriteHeader(http.StatusUnauthorized)
			sessiontest.WritePage(w, "<title>No</title>")
			return
		}
		sessiontest.WritePage(w, "<title>Yes</title>")
	})
	c := host.NewClient(t)
	require.Contains(t, sessiontest.Notes(c.Do("open", site.URL(folder+"page"))),
		"requires a user name and a password: give them with `set credentials")
	c.Do("set", "credentials", "ada", "wrong")
	require.Contains(t, sessiontest.Notes(c.Do("open", site.URL(folder+"page"))),
		"refused the user name and the password of `set credentials`")
	c.Do("set", "credentials", "ada", "right")
	require.NotContains(t, sessiontest.Notes(c.Do("open", site.URL(folder+"page"))), "password")
	require.Equal(t, "Yes", c.Page("document.title"))
}

func TestProxyWantsCredentials(t *testing.T) {
	t.Parallel()
	p := sessiontest.StartAskingProxy(t, "ada", "right")
	for _, tt := range []struct{ name, user, says, gives string }{
		{"none", "", "requires a user name and a password", "--proxy http://user:password@host:port"},
		{
			"wrong ones", "ada:wrong@", "refuses the user name and the password of --proxy",
			"--proxy http://<user>:<password>@",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			reply := c.Try("--proxy", strings.Replace(p.URL, "://", "://"+tt.user, 1), "open", "http://plain.example/")
			said := sessiontest.Told(reply)
			if reply.Err != nil {
				said = reply.Err.Error()
			}
			require.Contains(t, said, tt.says)
			require.Contains(t, said, tt.gives)
			require.False(t, p.Saw("GET plain.example/"))
		})
	}
}

// A navigation that comes to nothing for a reason of the network says what to do about it.
func TestNetworkErrorsNameAWayOut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, proxy, url, hint string }{
		{"proxy that is not there", sessiontest.UnusedAddress(t), "http://plain.example/", "check the address in --proxy"},
		{
			"SOCKS proxy that is not there", strings.Replace(sessiontest.UnusedAddress(t), "http:", "socks5:", 1),
			"http://plain.example/", "check the address in --proxy",
		},
		{"client certificate", "", wantsCertificate(t, tls.VersionTLS12), "wants a client certificate"},
		{
			"client certificate, asked for after the handshake", "", wantsCertificate(t, tls.VersionTLS13),
			"wants a client certificate",
		},
		{"a connection that the server ends", "", endsConnections(t), "ended it without an answer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			args := []string{"--ignore-https-errors", "open", tt.url}
			if tt.proxy != "" {
				args = append([]string{"--proxy", strings.TrimSuffix(tt.proxy, "/")}, args...)
			}
			require.Contains(t, c.Fails(fault.NavigationFailed, args...).Error(), tt.hint)
		})
	}
}

func TestTimeoutOfNothing(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	for _, words := range []string{
		"--timeout 0 open about:blank", "--timeout 0 get url", "--timeout 0 wait 5",
		"--timeout 0s read",
	} {
		err := c.Fails(fault.Usage, strings.Fields(words)...)
		require.Contains(t, err.Error(), "--timeout 0")
	}
	rows := c.Try("batch", "get url --timeout 0")
	require.Contains(t, sessiontest.PrintedReply(rows).Out+sessiontest.PrintedReply(rows).Err, "--timeout 0",
		"each row has its own")
}

// wantsCertificate is the address of a server that takes only clients with a certificate. The browser may see that the
// connection ended before it sees why.
func wantsCertificate(t *testing.T, version uint16) string {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS12, MaxVersion: version}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

// endsConnections is the address of a server that ends each connection when the request has come.
func endsConnections(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	t.Cleanup(s.Close)
	return s.URL
}
