package gate

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
)

// Road sends HTTP requests as the rules allow and through the user's proxy: for an http address the proxy is asked for
// the whole address, for an https one for a tunnel. It is an [http.RoundTripper].
type Road struct {
	dialer  *Dialer
	plain   *http.Transport // to servers, without TLS
	relayed *http.Transport // the same, through the user's proxy
	secure  *http.Transport // to servers with TLS
}

// NewRoad returns a road that trusts servers as the configuration says; nil means as the system does.
func NewRoad(d *Dialer, trust *tls.Config) *Road {
	through := func(scheme string) func(ctx context.Context, _, address string) (net.Conn, error) {
		return func(ctx context.Context, _, address string) (net.Conn, error) { return d.dialFor(ctx, scheme, address) }
	}
	return &Road{
		dialer: d,
		plain: &http.Transport{
			DialContext:        through("http"),
			DisableCompression: true,
			IdleConnTimeout:    idleLimit,
			MaxIdleConns:       maxIdle,
		},
		relayed: &http.Transport{
			Proxy:              func(r *http.Request) (*url.URL, error) { return d.proxyFor("http", hostPort(r.URL)), nil },
			DisableCompression: true, IdleConnTimeout: idleLimit, MaxIdleConns: maxIdle,
		},
		secure: &http.Transport{
			DialContext:       through("https"),
			TLSClientConfig:   trust,
			ForceAttemptHTTP2: true,
			IdleConnTimeout:   idleLimit,
			MaxIdleConns:      maxIdle,
		},
	}
}

// RoundTrip sends a request to its server, or to the user's proxy for it.
func (r *Road) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != "http" {
		return r.secure.RoundTrip(req)
	}
	address := hostPort(req.URL)
	via := r.dialer.proxyFor("http", address)
	if via == nil || via.Scheme != "http" && via.Scheme != "https" {
		return r.plain.RoundTrip(req)
	}
	host, port, err := split(address)
	if err == nil {
		err = r.dialer.allowed(host, port)
	}
	if err != nil {
		return nil, err
	}
	res, err := r.relayed.RoundTrip(req)
	if err == nil && res.StatusCode == http.StatusProxyAuthRequired { // a client would think that the server asks
		_ = res.Body.Close()
		return nil, proxyAuthError(via)
	}
	return res, err
}

// CloseIdleConnections ends the connections that nothing uses.
func (r *Road) CloseIdleConnections() {
	for _, t := range []*http.Transport{r.plain, r.relayed, r.secure} {
		t.CloseIdleConnections()
	}
}
