package sessiontest

import (
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// AskingProxy is a proxy that wants a name and a password, and takes all hosts for one of two servers.
type AskingProxy struct {
	*httptest.Server
	auth          string
	plain, secure string // addresses of the servers

	mu sync.Mutex
	// what came with the right credentials: the method, a blank and the host with its port, or the path
	asked map[string]int
}

func (p *AskingProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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

func (p *AskingProxy) Saw(what string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[what] > 0
}

func StartAskingProxy(t testing.TB, name, password string) *AskingProxy {
	t.Helper()
	serve := func(title string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/data" {
				_, _ = io.WriteString(w, "data")
				return
			}
			WritePage(w, `<title>`+title+`</title><script>
				const source = 'fetch("' + location.origin + '/data").then((r) => r.text()).then(postMessage)';
				new Worker(URL.createObjectURL(new Blob([source]))).onmessage = (e) => { window.told = e.data };</script>`)
		}
	}
	plain, secure := httptest.NewServer(serve("Plain")), httptest.NewTLSServer(serve("Secure"))
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	p := &AskingProxy{
		auth:  "Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+password)),
		plain: plain.Listener.Addr().String(), secure: secure.Listener.Addr().String(), asked: map[string]int{},
	}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.CloseClientConnections)
	t.Cleanup(p.Close)
	return p
}
