package gate_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guard/gate"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// names is a resolver whose names have one answer after the other; the last one stays.
type names struct {
	mu      sync.Mutex
	answers map[string][]string
	asked   map[string]int
}

func (n *names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	all, ok := n.answers[host]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if n.asked == nil {
		n.asked = map[string]int{}
	}
	at := min(n.asked[host], len(all)-1)
	n.asked[host]++
	return []netip.Addr{netip.MustParseAddr(all[at])}, nil
}

func rules(t testing.TB, r policy.NetworkRules) *policy.Network {
	t.Helper()
	n, err := policy.NewNetwork(r)
	require.NoError(t, err)
	return n
}

func open(t testing.TB, o gate.Options) *gate.Gate {
	t.Helper()
	g, err := gate.Open(o)
	require.NoError(t, err)
	t.Cleanup(g.Close)
	return g
}

// through is a client that uses the gate, as the user with the password says.
func through(t testing.TB, g *gate.Gate, user, password string) *http.Client {
	t.Helper()
	u, err := url.Parse(g.Address())
	require.NoError(t, err)
	if user != "" {
		u.User = url.UserPassword(user, password)
	}
	tr := &http.Transport{Proxy: http.ProxyURL(u)}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: time.Minute}
}

// server counts who reaches it.
func server(t testing.TB) (s *httptest.Server, reached *atomic.Int64, port string) {
	t.Helper()
	reached = &atomic.Int64{}
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "hello")
	}))
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	require.NoError(t, err)
	return s, reached, port
}

// A public name that turns out to be an address of the machine is reached without the rule, and not with it: the server
// tells.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	resolver := func() *names {
		return &names{answers: map[string][]string{
			"turned.example": {"127.0.0.1"}, "mapped.example": {"::ffff:127.0.0.1"}, "0x7f.1": {"127.0.0.1"},
			"2130706433": {"127.0.0.1"},
			"0177.0.0.1": {"127.0.0.1"},
		}}
	}
	for _, c := range []struct{ name, host string }{
		{"a name that turns private", "turned.example"},
		{"a name with a mapped address", "mapped.example"},
		{"localhost", "localhost"},
		{"below localhost", "x.localhost"},
		{"a dot at the end", "localhost."},
		{"an address", "127.0.0.1"},
		{"a mapped address", "[::ffff:127.0.0.1]"},
		{"a mapped address in hex", "[::ffff:7f00:1]"},
		{"hex", "0x7f.1"},
		{"one number", "2130706433"},
		{"octal", "0177.0.0.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, reached, port := server(t)
			address := "http://" + c.host + ":" + port + "/"

			g := open(t, gate.Options{Rules: rules(t, policy.NetworkRules{Domains: "*"}), Resolver: resolver()})
			user, password := g.Credentials()
			res, err := through(t, g, user, password).Get(address)
			require.NoError(t, err)
			_ = res.Body.Close()
			require.Equal(t, http.StatusOK, res.StatusCode)
			require.EqualValues(t, 1, reached.Load(), "without the rule")

			var refused atomic.Int64
			g = open(t, gate.Options{
				Rules: rules(t, policy.NetworkRules{BlockPrivate: true}), Resolver: resolver(),
				Refuse: func(policy.Kind, string, string, string) { refused.Add(1) },
			})
			user, password = g.Credentials()
			_, err = through(t, g, user, password).Get(address)
			require.Error(t, err)
			require.EqualValues(t, 1, reached.Load(), "with the rule")
			require.Positive(t, refused.Load())
			require.Equal(t, fault.PolicyBlocked, fault.CodeOf(g.Failed(address)))
		})
	}
}

// What does not exist on a test's machine is refused before any connection.
func TestPrivateAddressesOfOthers(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{
		"169.254.169.254", "10.0.0.1", "172.16.3.4", "192.168.1.1", "100.64.0.1", "fd00::1", "fe80::1", "224.0.0.1",
		"0.0.0.0", "::",
		"64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "::ffff:10.0.0.1",
	} {
		t.Run(addr, func(t *testing.T) {
			t.Parallel()
			o := gate.Options{
				Rules:    rules(t, policy.NetworkRules{BlockPrivate: true}),
				Resolver: &names{answers: map[string][]string{"some.example": {addr}}},
			}
			d, err := gate.NewDialer(o)
			require.NoError(t, err)
			for _, host := range []string{"some.example", addr} {
				_, err = d.DialContext(t.Context(), "tcp", net.JoinHostPort(host, "80"))
				require.Equal(t, fault.PolicyBlocked, fault.CodeOf(err), "%s: %v", host, err)
				require.Equal(t, fault.PolicyBlocked,
					fault.CodeOf(d.CheckHost(t.Context(), "http://"+net.JoinHostPort(host, "80")+"/")), host)
			}
		})
	}
}

// The address that was looked at is the one that is connected to: a second answer is looked at, too.
func TestRebinding(t *testing.T) {
	t.Parallel()
	_, reached, port := server(t)
	n := &names{answers: map[string][]string{"rebound.example": {"127.0.0.1", "127.0.0.2"}}}
	d, err := gate.NewDialer(gate.Options{Rules: rules(t,
		policy.NetworkRules{BlockPrivate: true, AllowPrivate: "127.0.0.1"}), Resolver: n})
	require.NoError(t, err)
	c, err := d.DialContext(t.Context(), "tcp", "rebound.example:"+port)
	require.NoError(t, err, "the first answer is allowed")
	require.Equal(t, "127.0.0.1:"+port, c.RemoteAddr().String())
	_ = c.Close()
	require.Equal(t, 1, n.asked["rebound.example"], "asked once: it is not resolved again after the check")
	_, err = d.DialContext(t.Context(), "tcp", "rebound.example:"+port)
	require.Equal(t, fault.PolicyBlocked, fault.CodeOf(err), "%v", err)
	require.Zero(t, reached.Load())
}

// A server that may be reached sends its visitor to one that may not.
func TestRedirectToAPrivateAddress(t *testing.T) {
	t.Parallel()
	_, reached, port := server(t)
	_, inner, innerPort := server(t)
	n := &names{answers: map[string][]string{"front.example": {"127.0.0.1"}, "inner.example": {"127.0.0.1"}}}
	get := func(r policy.NetworkRules) error {
		g := open(t, gate.Options{Rules: rules(t, r), Resolver: n})
		user, password := g.Credentials()
		res, err := through(t, g, user, password).
			Get("http://front.example:" + port + "/?to=" + url.QueryEscape("http://inner.example:"+innerPort+"/"))
		if err == nil {
			_ = res.Body.Close()
		}
		return err
	}
	require.NoError(t, get(policy.NetworkRules{Domains: "*"}))
	require.EqualValues(t, 1, inner.Load())
	require.Error(t, get(policy.NetworkRules{BlockPrivate: true, AllowPrivate: "front.example"}))
	require.EqualValues(t, 2, reached.Load(), "the first server was asked")
	require.EqualValues(t, 1, inner.Load(), "the second was not")
}

func TestSecret(t *testing.T) {
	t.Parallel()
	_, reached, port := server(t)
	g := open(t, gate.Options{Rules: rules(t, policy.NetworkRules{Domains: "127.0.0.1"})})
	user, password := g.Credentials()
	for _, c := range []struct {
		name, user, password string
		status               int
	}{
		{"right", user, password, http.StatusOK},
		{"none", "", "", http.StatusProxyAuthRequired},
		{"wrong", user, password + "x", http.StatusProxyAuthRequired},
		{"of another user", "root", password, http.StatusProxyAuthRequired},
	} {
		before := reached.Load()
		res, err := through(t, g, c.user, c.password).Get("http://127.0.0.1:" + port + "/")
		require.NoError(t, err, c.name)
		_ = res.Body.Close()
		require.Equal(t, c.status, res.StatusCode, c.name)
		require.Equal(t, c.status == http.StatusOK, reached.Load() > before, c.name)
	}
}

// connect asks the gate for a tunnel, and returns the status; 0: it hung up.
func connect(t testing.TB, g *gate.Gate, host string) (int, net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(g.Address(), "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	user, password := g.Credentials()
	auth := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	_, err = fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\nProxy-Authorization: Basic %s\r\n\r\n", host, host, auth)
	require.NoError(t, err)
	r := bufio.NewReader(c)
	res, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return 0, c, r
	}
	return res.StatusCode, c, r
}

func TestConnect(t *testing.T) {
	t.Parallel()
	_, reached, port := server(t)
	n := &names{answers: map[string][]string{"good.example": {"127.0.0.1"}, "evil.example": {"127.0.0.1"}}}
	g := open(t, gate.Options{Rules: rules(t, policy.NetworkRules{Domains: "good.example"}), Resolver: n})

	status, c, r := connect(t, g, "good.example:"+port)
	require.Equal(t, http.StatusOK, status)
	_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n\r\n")
	require.NoError(t, err)
	answer, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Contains(t, string(answer), "hello")
	require.EqualValues(t, 1, reached.Load())

	status, _, _ = connect(t, g, "evil.example:"+port)
	require.Zero(t, status)
	require.EqualValues(t, 1, reached.Load())
	require.Zero(t, n.asked["evil.example"], "a name that is not allowed is not even looked up")
	require.Equal(t, fault.PolicyBlocked, fault.CodeOf(g.Failed("https://evil.example:"+port+"/")))
}

// The user's own proxy comes after the gate, and is asked for nothing that the rules forbid.
func TestUpstream(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	theirs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.Method+" "+r.URL.Host+" "+r.Header.Get("Proxy-Authorization"))
		mu.Unlock()
		_, _ = io.WriteString(w, "by proxy")
	}))
	t.Cleanup(theirs.Close)
	g := open(t, gate.Options{
		Rules: rules(t, policy.NetworkRules{Domains: "good.example"}),
		Proxy: strings.Replace(theirs.URL, "://", "://me:secret@", 1), Resolver: &names{},
	})
	user, password := g.Credentials()
	client := through(t, g, user, password)
	res, err := client.Get("http://good.example/")
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	_ = res.Body.Close()
	require.Equal(t, "by proxy", string(body))
	_, err = client.Get("http://evil.example/")
	require.Error(t, err)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, []string{"GET good.example Basic " + base64.StdEncoding.EncodeToString([]byte("me:secret"))}, asked,
		"it learns its own secret, and not the gate's")
}

// A proxy is not asked for this machine by its name either, where private addresses are blocked: it would look that
// name up itself.
func TestUpstreamIsNotAskedForThisMachine(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	theirs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(theirs.Close)
	g := open(t,
		gate.Options{Rules: rules(t, policy.NetworkRules{BlockPrivate: true}), Proxy: theirs.URL, Resolver: &names{}})
	user, password := g.Credentials()
	client := through(t, g, user, password)
	for _, address := range []string{
		"http://localhost/", "http://app.localhost/", "http://127.0.0.1/",
		"http://10.0.0.1/",
	} {
		_, err := client.Get(address)
		require.Error(t, err, address)
		require.Zero(t, asked.Load(), address)
	}
}

// Close ends tunnels that are open, and what carried their bytes.
func TestClose(t *testing.T) { // alone: it counts goroutines
	_, _, port := server(t)
	runtime.GC()
	before := runtime.NumGoroutine()
	g, err := gate.Open(gate.Options{Rules: rules(t, policy.NetworkRules{Domains: "127.0.0.1"})})
	require.NoError(t, err)
	tunnels := make([]net.Conn, 20)
	for i := range tunnels {
		var status int
		status, tunnels[i], _ = connect(t, g, "127.0.0.1:"+port)
		require.Equal(t, http.StatusOK, status)
	}
	require.Greater(t, runtime.NumGoroutine(), before+len(tunnels))
	g.Close()
	for _, c := range tunnels {
		_, err := c.Read(make([]byte, 1))
		require.Error(t, err)
	}
	_, err = net.Dial("tcp", strings.TrimPrefix(g.Address(), "http://"))
	require.Error(t, err)
	// one asks
	require.Eventually(t, func() bool {
		return runtime.NumGoroutine() <= before+1
	}, time.Minute, 5*time.Millisecond, "goroutines are left")
}

// More connections than a session needs are not taken, and those that end make room.
func TestConnectionsAreBounded(t *testing.T) {
	g := open(t, gate.Options{Rules: rules(t, policy.NetworkRules{Domains: "127.0.0.1"})})
	address := strings.TrimPrefix(g.Address(), "http://")
	_, _, port := server(t)
	var held []net.Conn
	for range 512 { // each of them answers once, so that it is known to be taken
		c, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer c.Close()
		_, err = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusBadRequest, res.StatusCode)
		held = append(held, c)
	}
	more, err := net.Dial("tcp", address)
	require.NoError(t, err)
	_, err = more.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
	_ = held[0].Close()
	require.Eventually(t, func() bool {
		status, c, _ := connect(t, g, "127.0.0.1:"+port)
		_ = c.Close()
		return status == http.StatusOK
	}, time.Minute, 5*time.Millisecond)
}
