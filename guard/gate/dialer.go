package gate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// Options configure a [Dialer] and a [Gate].
type Options struct {
	Rules *policy.Network // nil means that everything may be reached

	Proxy       string              // the user's proxy, with its credentials; empty means from the environment
	ProxyBypass string              // hosts, separated by commas or semicolons, that are reached without the proxy
	Getenv      func(string) string // for the proxy variables, or nil

	Resolver  Resolver // nil means the system's
	HostRules string   // Chromium's --host-resolver-rules: host names to map, or empty

	Refuse policy.RefusalFunc // called for each refusal; may be nil
}

// Resolver resolves a host name. [net.Resolver] is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dialer connects as the rules allow.
type Dialer struct {
	rules    *policy.Network
	refuse   policy.RefusalFunc
	resolver Resolver
	mapped   hostRules
	upstream func(*url.URL) (*url.URL, error) // the proxy for an address, or nil
	dial     net.Dialer
}

// NewDialer returns a dialer.
func NewDialer(o Options) (*Dialer, error) {
	d := &Dialer{rules: o.Rules, refuse: o.Refuse, resolver: o.Resolver}
	if d.refuse == nil {
		d.refuse = func(policy.Kind, string, string, string) {}
	}
	if d.resolver == nil {
		d.resolver = net.DefaultResolver
	}
	var err error
	if d.mapped, err = parseHostRules(o.HostRules); err != nil {
		return nil, err
	}
	getenv := func(name string) string {
		if o.Getenv == nil {
			return ""
		}
		if v := o.Getenv(strings.ToLower(name)); v != "" {
			return v
		}
		return o.Getenv(name)
	}
	proxies := httpproxy.Config{
		HTTPProxy:  getenv("HTTP_PROXY"),
		HTTPSProxy: getenv("HTTPS_PROXY"),
		NoProxy:    getenv("NO_PROXY"),
	}
	if o.Proxy == "direct://" {
		return d, nil
	}
	if o.Proxy != "" {
		address := o.Proxy
		if !strings.Contains(address, "://") {
			address = "http://" + address
		}
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || !knownProxy(u.Scheme) {
			return nil, fault.New(fault.Usage,
				"--proxy is not an address that works together with passwords, host lists, address blocks and requests "+
					"without a browser.").About("--proxy").
				WithHint("Give http://, https:// or socks5:// with a host and a port.")
		}
		rules := parseBypass(o.ProxyBypass)
		d.upstream = func(to *url.URL) (*url.URL, error) {
			if bypasses(rules, to) {
				return nil, nil
			}
			return u, nil
		}
		return d, nil
	}
	if proxies.HTTPProxy != "" || proxies.HTTPSProxy != "" {
		d.upstream = proxies.ProxyFunc()
	}
	return d, nil
}

func knownProxy(scheme string) bool {
	switch scheme {
	case "http", "https", "socks5", "socks5h":
		return true
	}
	return false
}

// Upstream reports whether the user's proxy resolves names.
func (d *Dialer) Upstream() bool { return d.upstream != nil }

// Failure is why an allowed connection failed.
type Failure struct {
	Reason string // a CDP error reason: NameNotResolved, ConnectionRefused, TimedOut, AddressUnreachable, ConnectionFailed
	Err    error
}

func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Time limits of a connection.
const (
	lookupLimit  = 15 * time.Second
	connectLimit = 30 * time.Second
	nextAddress  = 250 * time.Millisecond // the head start of an address before the next one is tried, as in RFC 8305
)

// DialContext connects to a host and port ("tcp"). It fails with a *fault.Error of code PolicyBlocked for what the
// rules forbid, else with a *Failure.
func (d *Dialer) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	return d.dialFor(ctx, "https", address)
}

// dialFor connects for a URL scheme, for which the environment may name a proxy.
func (d *Dialer) dialFor(ctx context.Context, scheme, address string) (net.Conn, error) {
	host, port, err := split(address)
	if err != nil {
		return nil, err
	}
	if err := d.allowed(host, port); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	if proxy := d.proxyFor(scheme, address); proxy != nil {
		return d.tunnel(ctx, proxy, host, port)
	}
	return d.direct(ctx, host, port)
}

// allowed checks a host against the rules, and its address if it is one.
func (d *Dialer) allowed(host string, port int) error {
	if err := d.rules.Reachable(host, port); err != nil {
		d.refuse(policy.Domain, policy.Host(host), "--"+policy.FlagDomains, "")
		return err
	}
	if addr, err := netip.ParseAddr(policy.Host(host)); err == nil {
		return d.address(host, port, addr)
	}
	if name := policy.Host(host); name == "localhost" || strings.HasSuffix(name, ".localhost") {
		// whichever resolver is used
		return d.address(host, port, netip.AddrFrom4([4]byte{127, 0, 0, 1}))
	}
	return nil
}

func (d *Dialer) address(host string, port int, addr netip.Addr) error {
	err := d.rules.Address(host, port, addr)
	if err != nil {
		subject := policy.Host(host)
		if subject != addr.String() {
			subject += " (" + addr.String() + ")"
		}
		d.refuse(policy.Address, subject, "--"+policy.FlagBlockPrivate, "")
	}
	return err
}

// CheckHost returns why an address is refused after its host was resolved, or nil. The browser resolves the host again:
// this is for browsers that cannot use a proxy. A host without an address is not refused, since it cannot be reached.
func (d *Dialer) CheckHost(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || !d.rules.BlocksPrivate() {
		return nil
	}
	host, port, err := split(hostPort(u))
	if err != nil {
		return nil
	}
	if err := d.allowed(host, port); err != nil || d.proxyFor(u.Scheme, hostPort(u)) != nil {
		return err
	}
	addrs, port, err := d.lookup(ctx, host, port)
	if err != nil {
		return nil
	}
	for _, addr := range addrs { // the browser may use any of them
		if err := d.address(host, port, addr); err != nil {
			return err
		}
	}
	return nil
}

// proxyFor returns the user's proxy for an address, or nil.
func (d *Dialer) proxyFor(scheme, address string) *url.URL {
	if d.upstream == nil {
		return nil
	}
	u, err := d.upstream(&url.URL{Scheme: scheme, Host: address})
	if err != nil {
		return nil
	}
	return u
}

// direct resolves the host and connects to an address that the rules allow.
func (d *Dialer) direct(ctx context.Context, host string, port int) (net.Conn, error) {
	addrs, port, err := d.lookup(ctx, host, port)
	if err != nil {
		return nil, err
	}
	var refused error
	var usable []netip.AddrPort
	for _, addr := range addrs {
		if err := d.address(host, port, addr); err != nil {
			refused = err
			continue
		}
		usable = append(usable, netip.AddrPortFrom(addr.Unmap(), uint16(port)))
	}
	if len(usable) == 0 {
		return nil, refused
	}
	return d.race(ctx, usable)
}

// lookup returns the addresses of a host and the port to use.
func (d *Dialer) lookup(ctx context.Context, host string, port int) ([]netip.Addr, int, error) {
	host, port, ok := d.mapped.apply(policy.Host(host), port)
	if !ok {
		return nil, 0, &Failure{"NameNotResolved", fmt.Errorf("%s must not be resolved", host)}
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, port, nil
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") { // as browsers do, without a lookup
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, port, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	addrs, err := d.resolver.LookupNetIP(ctx, "ip", host)
	if err == nil && len(addrs) == 0 {
		err = errors.New("the name has no address")
	}
	if err != nil {
		return nil, 0, &Failure{"NameNotResolved", fmt.Errorf("resolving %s: %w", host, err)}
	}
	return addrs, port, nil
}

// race connects to the first address that answers. Each address has a head start before the next one.
func (d *Dialer) race(ctx context.Context, addrs []netip.AddrPort) (net.Conn, error) {
	if len(addrs) == 1 {
		c, err := d.dial.DialContext(ctx, "tcp", addrs[0].String())
		return c, failure(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		conn net.Conn
		err  error
	}
	answers := make(chan answer, len(addrs)) // senders never block
	var first error
	var next <-chan time.Time
	started, open := 0, 0
	start := func() {
		addr := addrs[started]
		started++
		open++
		go func() {
			c, err := d.dial.DialContext(ctx, "tcp", addr.String())
			answers <- answer{c, err}
		}()
		if next = nil; started < len(addrs) {
			next = time.After(nextAddress)
		}
	}
	for start(); open > 0; {
		select {
		case <-next:
			start()
		case a := <-answers:
			open--
			if a.err == nil {
				cancel()
				for ; open > 0; open-- { // the other attempts end at once
					if late := <-answers; late.conn != nil {
						_ = late.conn.Close()
					}
				}
				return a.conn, nil
			}
			if first == nil {
				first = a.err
			}
			if started < len(addrs) {
				start()
			}
		}
	}
	return nil, failure(first)
}

// failure returns a connection error with its CDP error reason.
func failure(err error) error {
	if err == nil {
		return nil
	}
	reason := "ConnectionFailed"
	timeout, _ := errors.AsType[net.Error](err)
	switch {
	case isRefused(err):
		reason = "ConnectionRefused"
	case isUnreachable(err):
		reason = "AddressUnreachable"
	case errors.Is(err, context.DeadlineExceeded), timeout != nil && timeout.Timeout():
		reason = "TimedOut"
	}
	return &Failure{reason, err}
}

func split(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, err
	}
	if port, err = strconv.Atoi(text); err != nil || port < 1 || port > 65535 {
		return "", 0, fmt.Errorf("port %q: use a number from 1 to 65535", text)
	}
	return host, port, nil
}

// FailureReason returns the CDP error reason.
func (f *Failure) FailureReason() string { return f.Reason }
