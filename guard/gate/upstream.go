package gate

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"golang.org/x/net/proxy"

	"github.com/skua-browser/skua/internal/fault"
)

// dialProxy connects to the user's proxy, to which the rules do not apply.
func (d *Dialer) dialProxy(ctx context.Context, via *url.URL) (net.Conn, error) {
	port := via.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[via.Scheme]
	}
	c, err := d.dial.DialContext(ctx, "tcp", net.JoinHostPort(via.Hostname(), port))
	if err != nil {
		return nil, &Failure{"ConnectionFailed", fmt.Errorf("the proxy %s cannot be reached: %w", via.Host, err)}
	}
	if via.Scheme != "https" {
		return c, nil
	}
	secure := tls.Client(c, &tls.Config{ServerName: via.Hostname()})
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = c.Close()
		return nil, &Failure{"ConnectionFailed", fmt.Errorf("the proxy %s cannot be reached: %w", via.Host, err)}
	}
	return secure, nil
}

// tunnel connects to a host through the user's proxy, which resolves the name.
func (d *Dialer) tunnel(ctx context.Context, via *url.URL, host string, port int) (net.Conn, error) {
	address := net.JoinHostPort(host, strconv.Itoa(port))
	if via.Scheme == "socks5" || via.Scheme == "socks5h" {
		return d.socks(ctx, via, address)
	}
	c, err := d.dialProxy(ctx, via)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Now()) })
	defer stop()
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if auth := proxyAuthorization(via); auth != "" {
		req.Header.Set("Proxy-Authorization", auth)
	}
	fail := func(err error) (net.Conn, error) {
		_ = c.Close()
		return nil, &Failure{"ConnectionFailed", fmt.Errorf("the proxy %s did not connect to %s: %w", via.Host, address, err)}
	}
	if err := req.Write(c); err != nil {
		return fail(err)
	}
	r := bufio.NewReader(c)
	res, err := http.ReadResponse(r, req)
	if err != nil {
		return fail(err)
	}
	if res.StatusCode == http.StatusProxyAuthRequired {
		_ = c.Close()
		return nil, proxyAuthError(via)
	}
	if res.StatusCode != http.StatusOK {
		return fail(errors.New("HTTP " + res.Status))
	}
	if r.Buffered() > 0 { // the server has sent data already
		return &buffered{Conn: c, r: r}, nil
	}
	return c, nil
}

// proxyAuthError returns the error of a proxy that wants other credentials, or any.
func proxyAuthError(via *url.URL) error {
	f := fault.New(fault.NavigationFailed, "The proxy %s requires a user name and a password, but --proxy has none.",
		via.Host)
	if via.User != nil {
		f = fault.New(fault.NavigationFailed, "The proxy %s refuses the user name and the password of --proxy.", via.Host)
	}
	return f.About("--proxy").
		WithHint(
			"Give them with its address: --proxy %s://<user>:<password>@%s; percent-encode special characters (%%40 is @).",
			via.Scheme, via.Host).With("status", http.StatusProxyAuthRequired)
}

func (d *Dialer) socks(ctx context.Context, via *url.URL, address string) (net.Conn, error) {
	var auth *proxy.Auth
	if via.User != nil {
		password, _ := via.User.Password()
		auth = &proxy.Auth{User: via.User.Username(), Password: password}
	}
	dialer, err := proxy.SOCKS5("tcp", via.Host, auth, forward{d, via})
	if err == nil {
		var c net.Conn
		if c, err = dialer.(proxy.ContextDialer).DialContext(ctx, "tcp", address); err == nil {
			return c, nil
		}
	}
	return nil, &Failure{"ConnectionFailed", fmt.Errorf("the proxy %s did not connect to %s: %w", via.Host, address, err)}
}

// forward dials the proxy for the SOCKS library.
type forward struct {
	dialer *Dialer
	via    *url.URL
}

func (f forward) Dial(network, address string) (net.Conn, error) {
	return f.DialContext(context.Background(), network, address)
}

func (f forward) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	return f.dialer.dialProxy(ctx, f.via)
}

func proxyAuthorization(via *url.URL) string {
	if via.User == nil {
		return ""
	}
	password, _ := via.User.Password()
	return basic(via.User.Username(), password)
}

func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// buffered is a connection of which some bytes were read already.
type buffered struct {
	net.Conn
	r *bufio.Reader
}

func (b *buffered) Read(p []byte) (int, error) { return b.r.Read(p) }
