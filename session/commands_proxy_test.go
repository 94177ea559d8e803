package session_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// askingProxy is a proxy that wants a name and a password, and takes all hosts for one of two servers.
type askingProxy struct {
	*httptest.Server
	auth          string
	plain, secure string // addresses of the servers

	mu    sync.Mutex
	asked map[string]int // what came with the right credentials: the method, a blank and the host with its port, or the path
}

func (p *askingProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Proxy-Authorization") != p.auth {
		w.Header().Set("Proxy-Authenticate", `Basic realm="theirs"`)
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	p.mu.Lock()
	p.asked[r.Method+" "+r.URL.Host+r.URL.Path]++
	p.mu.Unlock()
	if r.Method != http.MethodConnect {
		res, err := http.Get("http://" + p.plain + r.URL.Path) // the test's own server
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer res.Body.Close()
		w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
		_, _ = io.Copy(w, res.Body)
		return
	}
	server, err := net.Dial("tcp", p.secure)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer server.Close()
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	_, _ = io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
	go func() {
		_, _ = io.Copy(server, buffered)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
}

func (p *askingProxy) saw(what string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[what] > 0
}

func startAskingProxy(t *testing.T, name, password string) *askingProxy {
	t.Helper()
	serve := func(title string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/data" {
				_, _ = io.WriteString(w, "data")
				return
			}
			writePage(w, `<title>`+title+`</title><script>
				const source = 'fetch("' + location.origin + '/data").then((r) => r.text()).then(postMessage)';
				new Worker(URL.createObjectURL(new Blob([source]))).onmessage = (e) => { window.told = e.data };</script>`)
		}
	}
	plain, secure := httptest.NewServer(serve("Plain")), httptest.NewTLSServer(serve("Secure"))
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	p := &askingProxy{
		auth:  "Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+password)),
		plain: plain.Listener.Addr().String(), secure: secure.Listener.Addr().String(), asked: map[string]int{},
	}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.CloseClientConnections)
	t.Cleanup(p.Close)
	return p
}

// A proxy that wants a name and a password gets them for pages, for what is encrypted and for workers, and no other request does.
func TestProxyWithCredentials(t *testing.T) {
	t.Parallel()
	for n := range 2 { // each session has credentials of its own, in whichever browser
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			password := fmt.Sprintf("s3cret-%d-of-proxy@", n)
			p := startAskingProxy(t, "ada", password)
			c := newClient(t)
			address := strings.Replace(p.URL, "://", fmt.Sprintf("://ada:s3cret-%d-of-proxy%%40@", n), 1)
			reply := c.do("--proxy", address, "--ignore-https-errors", "open", "http://plain.example/")
			require.Equal(t, "Plain", c.page("document.title"))
			require.True(t, p.saw("GET plain.example/"))
			c.do("wait", "--fn", "window.told == 'data'")
			require.True(t, p.saw("GET plain.example/data"), "the worker's request")
			c.do("open", "https://secure.example/")
			require.Equal(t, "Secure", c.page("document.title"))
			c.do("wait", "--fn", "window.told == 'data'")
			require.True(t, p.saw("CONNECT secure.example:443"))

			said := fmt.Sprint(reply, c.do("session", "info"), c.do("journal"), c.do("network", "requests"))
			require.NotContains(t, said, "s3cret")
			lines, err := filepath.Glob("/proc/[0-9]*/cmdline") // none where there is no such folder
			require.NoError(t, err)
			for _, line := range lines {
				argv, _ := os.ReadFile(line)
				require.NotContains(t, string(argv), fmt.Sprintf("s3cret-%d", n), "of another process")
			}
		})
	}
	t.Run("loopback, where that is wanted", func(t *testing.T) {
		t.Parallel()
		p := startAskingProxy(t, "ada", "pw")
		c := newClient(t)
		c.do("--proxy", strings.Replace(p.URL, "://", "://ada:pw@", 1), "--proxy-bypass", "<-loopback>", "open", "http://127.0.0.1:40404/")
		require.Equal(t, "Plain", c.page("document.title"))
	})
}

func TestProxyWithWrongCredentials(t *testing.T) {
	t.Parallel()
	p := startAskingProxy(t, "ada", "right")
	for _, address := range []string{"http://plain.example/", "https://secure.example/"} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			c := newClient(t)
			err := c.fails(fault.NavigationFailed, "--proxy", strings.Replace(p.URL, "://", "://ada:s3cret@", 1), "open", address)
			require.Contains(t, err.Error(), "refuses the user name and the password of --proxy")
			require.Contains(t, err.Error(), p.Listener.Addr().String())
			require.NotContains(t, err.Error(), "s3cret")
			require.False(t, p.saw("GET plain.example/"))
		})
	}
}
