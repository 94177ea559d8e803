package launch

import (
	"context"
	"crypto/tls"
	"crypto/x509"

	"github.com/skua-browser/skua/guard/gate"
	"github.com/skua-browser/skua/internal/fetch"
)

// Road returns how requests without the browser of the launch are made: through its proxy, as its rules and o allow,
// with its trust and its user agent. refused is called for each address that the rules do not allow.
func (l Options) Road(
	ctx context.Context, o gate.Options, refused func(address string, why error),
) (fetch.Options, error) {
	road := fetch.Options{UserAgent: l.Context.UserAgent, Getenv: o.Getenv}
	var err error
	if o.Proxy, o.ProxyBypass, err = l.EffectiveProxy(); err != nil {
		return road, err
	}
	dialer, err := gate.NewDialer(o)
	if err != nil {
		return road, err
	}
	trust := &tls.Config{InsecureSkipVerify: l.Context.IgnoreHTTPSErrors} // the caller asked for it
	if trust.RootCAs, err = l.authorities(ctx); err != nil {
		return road, err
	}
	road.Road = gate.NewRoad(dialer, trust)
	if l.Network != nil {
		road.Allow = func(address string) error {
			err := l.Network.Navigable(address)
			if err != nil {
				refused(address, err)
			}
			return err
		}
	}
	return road, nil
}

// authorities returns the certificates that the browser trusts; nil means those of the system.
func (l Options) authorities(ctx context.Context) (*x509.CertPool, error) {
	if len(l.Browser.CACerts) == 0 {
		return nil, nil
	}
	own := l.Browser
	own.SystemCA = false // Go trusts those anyway
	authorities, err := own.Authorities(ctx)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	for _, authority := range authorities {
		pool.AddCert(authority)
	}
	return pool, nil
}
