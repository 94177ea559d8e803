package session_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

func TestIsolatedProcess(t *testing.T) {
	t.Parallel()
	c := sessiontest.Caller{T: t, Manager: host.StartManager(t, session.Options{}), Dir: t.TempDir()}
	page := site.URL(site.Write("<title>kept</title>"))
	c.Do("--session", "a", "open", page)
	c.Do("--session", "b", "open", page)
	c.Do("--session", "own", "--isolate", "process", "open", page)
	c.Do("--session", "own2", "--isolate", "process", "open", page)
	require.Equal(t, c.PID("a"), c.PID("b"), "contexts of one browser")
	require.NotEqual(t, c.PID("a"), c.PID("own"))
	require.NotEqual(t, c.PID("own"), c.PID("own2"))

	process, err := os.FindProcess(c.PID("own"))
	require.NoError(t, err)
	require.NoError(t, process.Kill())
	require.Eventually(t, func() bool {
		names, _ := c.Data("session", "list")["sessions"].([]any)
		return len(names) == 3
	}, time.Minute, 10*time.Millisecond)
	for _, name := range []string{"a", "b", "own2"} {
		require.Equal(t, "kept", c.Do("--session", name, "get", "title").Result.Text)
	}
	require.Contains(t, c.Do("--session", "own", "--isolate", "process", "open", page).Result.Notes[0],
		"ended unexpectedly")

	r := c.Try("--session", "a", "--isolate", "process", "get", "title")
	require.Equal(t, fault.BrowserOptions, fault.CodeOf(r.Err), "%v", r.Err)
	require.Contains(t, r.Err.Error(), `runs without --isolate "process"; nothing was done`)
}

// certified makes a certificate, signed by parent or by itself, and writes it as PEM to a file when that is named.
func certified(t *testing.T, path string, isCA bool, parent *tls.Certificate) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: fmt.Sprintf("test %t %d", isCA, time.Now().UnixNano())},
		IsCA:         isCA, BasicConstraintsValid: true, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	if isCA {
		c.KeyUsage, c.ExtKeyUsage, c.IPAddresses = x509.KeyUsageCertSign, nil, nil
	}
	signer, by := any(key), c
	if parent != nil {
		signer, by = parent.PrivateKey, parent.Leaf
	}
	der, err := x509.CreateCertificate(rand.Reader, c, by, key.Public(), signer)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	if path != "" {
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

func secureSite(t *testing.T, cert *tls.Certificate) string {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<title>secure</title>")
	}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{*cert}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that are refused, as they should be
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

func TestTrustedAuthority(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere browsers trust what the system does")
	}
	dir := t.TempDir()
	authority := certified(t, filepath.Join(dir, "ca.pem"), true, nil)
	good, bad := secureSite(t, certified(t, filepath.Join(dir, "server.pem"), false, authority)), secureSite(t,
		certified(t, "", false, nil))
	c := sessiontest.Caller{T: t, Manager: host.StartManager(t, session.Options{}), Dir: dir}
	require.Equal(t, fault.NavigationFailed, fault.CodeOf(c.Try("open", good).Err), "without the flag")
	c.Do("close")
	c.Do("--ca-cert", "ca.pem", "open", good)
	require.Equal(t, "secure", c.Do("get", "title").Result.Text)
	require.Equal(t, fault.NavigationFailed, fault.CodeOf(c.Try("open", bad).Err), "its issuer is not trusted")
	refused := c.Try("--no-ca-cert", "get", "title").Err
	require.Equal(t, fault.BrowserOptions, fault.CodeOf(refused), "what was asked for is not what runs")
	require.ErrorContains(t, refused, "already runs with --ca-cert")
	c.Do("close")

	env := map[string]string{}
	for name, ca := range map[string]string{
		"server.pem": "is not that of an authority",
		"gone.pem":   "Failed to read CA certificate",
	} {
		err := sessiontest.Caller{T: t, Manager: c.Manager, Dir: dir, Env: env}.Try("--session", "x", "--ca-cert", name,
			"open", good).Err
		require.ErrorContains(t, err, ca)
	}
	require.ErrorContains(t, c.Try("--ca-cert", "ca.pem", "--profile", "./kept", "open", good).Err,
		"Cannot use --ca-cert with the kept profile")
}

func TestProfileIsCopied(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the browsers of other systems encrypt cookies for their user")
	}
	home := t.TempDir()
	c := sessiontest.Caller{
		T: t, Manager: host.StartManager(t, session.Options{}), Dir: t.TempDir(),
		Env: map[string]string{"HOME": home},
	}
	require.ErrorContains(t, c.Try("profiles").Err, "No Chrome user data directory found")
	require.Equal(t, fault.ProfileNotFound, fault.CodeOf(c.Try("--profile", "Default", "open").Err))

	page, dir := site.URL(site.Write("<title>page</title>")), filepath.Join(home, ".config", "chromium")
	c.Do("--session", "user", "--profile", dir, "open", page)
	c.Do("--session", "user", "eval", `document.cookie = "who=user; max-age=9999"; localStorage.token = "t1"`)
	err := c.Try("--session", "other", "--profile", dir, "open", page).Err
	f, ok := errors.AsType[*fault.Error](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, "profile-in-use", f.Facts["reason"])
	c.Do("--session", "user", "close")
	state := filepath.Join(dir, "Local State")
	require.NoError(t, os.WriteFile(state, []byte(`{"profile":{"info_cache":{"Default":{"name":"Ann"}}}}`), 0o600))

	list := c.Data("profiles")["data"]
	require.Equal(t,
		[]any{map[string]any{"directory": "Default", "name": "Ann", "browser": "Chromium", "userDataDir": dir}}, list)
	require.ErrorContains(t, c.Try("--profile", "Bob", "open").Err,
		"Chrome profile \"Bob\" not found. Available profiles:\n  Default (Ann)")

	const read = `document.cookie + " " + localStorage.token`
	for _, name := range []string{"Default", "Ann", "Chromium:Ann"} {
		c.Do("--profile", name, "open", page)
		require.Equal(t, `"who=user t1"`, c.Eval(read), "%s: what is done in a copy stays there", name)
		c.Eval(`document.cookie = "who=copy; max-age=9999"; localStorage.token = "t2"`)
		c.Do("close")
	}
	c.Do("--session", "user", "--profile", "Ann", "--profile-live", "open", page)
	require.Equal(t, `"who=user t1"`, c.Do("--session", "user", "eval", read).Result.Text)
}

func TestExtension(t *testing.T) {
	t.Parallel()
	if _, err := chrome.Find(false, "", os.Getenv); err != nil {
		t.Skip("extensions need a full browser")
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "ext"), 0o755))
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version":3,"name":"marks","version":"1","content_scripts":[{"matches":["<all_urls>"],"js":["mark.js"]}]}`,
		"mark.js":       `document.documentElement.dataset.marked = "yes"`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "ext", name), []byte(text), 0o600))
	}
	c := sessiontest.Caller{T: t, Manager: host.StartManager(t, session.Options{}), Dir: dir}
	page := site.URL(site.Write("<title>page</title>"))
	c.Do("open", page)
	c.Do("--session", "ext", "--extension", "ext", "open", page)
	require.Equal(t, `"yes"`, c.Do("--session", "ext", "eval", "document.documentElement.dataset.marked").Result.Text)
	require.NotEqual(t, `"yes"`, c.Eval("document.documentElement.dataset.marked"), "others do not have it")
	require.ErrorContains(t, c.Try("--session", "none", "--extension", "nothing", "open", page).Err,
		"nothing cannot be loaded")
	if shell, err := chrome.Find(true, "", os.Getenv); err == nil && filepath.Base(shell) == "chromium-headless-shell" {
		require.ErrorContains(t, c.Try("--session", "none", "--executable-path", shell, "--extension", "ext", "open").Err,
			"has no extensions")
	}
}

func TestScrollbars(t *testing.T) {
	t.Parallel()
	c := sessiontest.Caller{T: t, Manager: host.StartManager(t, session.Options{}), Dir: t.TempDir()}
	page := site.URL(site.Write("<div style='height: 9000px'>"))
	const width = "innerWidth - document.documentElement.clientWidth"
	c.Do("open", page)
	require.Equal(t, "0", c.Eval(width))
	c.Do("--session", "bars", "--hide-scrollbars", "false", "open", page)
	require.NotEqual(t, "0", c.Do("--session", "bars", "eval", width).Result.Text)
}

func TestEngines(t *testing.T) {
	t.Parallel()
	c := sessiontest.Caller{T: t, Manager: host.StartManager(t, session.Options{}), Dir: t.TempDir()}
	require.ErrorContains(t, c.Try("--engine", "bogus", "open").Err,
		"Unknown engine 'bogus'. Supported engines: chrome, lightpanda, obscura")
	require.ErrorContains(t, c.Try("--engine", "lightpanda", "open").Err, "--cdp 9222")
	c.Do("--engine", "bogus", "close") // a mistake does not keep a session from being closed
}
