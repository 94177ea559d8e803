package policy

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// special are the networks outside the public internet. The first one that contains an address names it.
var special = []struct {
	prefix netip.Prefix
	what   string
}{
	{netip.MustParsePrefix("169.254.169.254/32"), "cloud metadata"},
	{netip.MustParsePrefix("fd00:ec2::254/128"), "cloud metadata"},
	{netip.MustParsePrefix("168.63.129.16/32"), "cloud metadata"},
	{netip.MustParsePrefix("100.100.100.200/32"), "cloud metadata"},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("::1/128"), "loopback"},
	{netip.MustParsePrefix("0.0.0.0/8"), "this machine"},
	{netip.MustParsePrefix("::/128"), "this machine"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private"},
	{netip.MustParsePrefix("fc00::/7"), "unique-local"},
	{netip.MustParsePrefix("fec0::/10"), "site-local"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local"},
	{netip.MustParsePrefix("fe80::/10"), "link-local"},
	{netip.MustParsePrefix("100.64.0.0/10"), "carrier-grade NAT"},
	{netip.MustParsePrefix("192.0.0.0/24"), "reserved"},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation"},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation"},
	{netip.MustParsePrefix("2001:db8::/32"), "documentation"},
	{netip.MustParsePrefix("3fff::/20"), "documentation"},
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarking"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},
	{netip.MustParsePrefix("100::/64"), "discard"},
	{netip.MustParsePrefix("5f00::/16"), "segment routing"},
}

// embedding are prefixes of addresses that contain an IPv4 address, and the byte at which it starts.
var embedding = []struct {
	prefix netip.Prefix
	at     int
	what   string
}{
	{netip.MustParsePrefix("::ffff:0:0/96"), 12, "IPv4-mapped"},
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12, "IPv4-translated"},
	{netip.MustParsePrefix("64:ff9b::/96"), 12, "NAT64"},
	{netip.MustParsePrefix("2002::/16"), 2, "6to4"},
	{netip.MustParsePrefix("::/96"), 12, "IPv4-compatible"},
}

// natLocal is for translation within a network, where each network chooses the position of the IPv4 address.
var (
	natLocal = netip.MustParsePrefix("64:ff9b:1::/48")
	teredo   = netip.MustParsePrefix("2001::/32")
)

// Special describes an address outside the public internet: "loopback", "private", "cloud metadata" and so on. It is
// empty for a public address. For an address that contains an IPv4 address, it describes that one.
func Special(addr netip.Addr) string {
	addr = addr.WithZone("")
	if addr.Is4In6() {
		if what := Special(addr.Unmap()); what != "" {
			return what + " (IPv4-mapped)"
		}
		return ""
	}
	for _, s := range special {
		if s.prefix.Contains(addr) {
			return s.what
		}
	}
	switch {
	case natLocal.Contains(addr):
		return "local NAT64"
	case teredo.Contains(addr):
		return "Teredo"
	}
	if addr.Is4() {
		return ""
	}
	bytes := addr.As16()
	for _, e := range embedding {
		if e.prefix.Contains(addr) {
			if what := Special(netip.AddrFrom4([4]byte(bytes[e.at : e.at+4]))); what != "" {
				return what + " (" + e.what + ")"
			}
		}
	}
	return ""
}

// Exceptions are hosts and networks that may be private. The zero value has none.
type Exceptions struct {
	hosts    Domains
	networks []netip.Prefix
}

// parseExceptions reads a list, separated by commas or spaces, of hosts as in [ParseDomains] and of networks such as
// 10.1.0.0/16. flag is the flag that contains the list.
func parseExceptions(flag, list string) (Exceptions, error) {
	var e Exceptions
	var hosts []string
	for _, word := range strings.FieldsFunc(list, func(r rune) bool {
		return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r'
	}) {
		if prefix, err := netip.ParsePrefix(word); err == nil {
			e.networks = append(e.networks, prefix.Masked())
			continue
		}
		if addr, err := netip.ParseAddr(strings.Trim(word, "[]")); err == nil {
			addr = addr.Unmap()
			e.networks = append(e.networks, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		if strings.Contains(word, "/") && !strings.Contains(word, "://") {
			return e, fault.New(fault.Usage, "--%s: %q is neither a host nor a network.", flag, word).About("--" + flag).
				WithHint("Give hosts and networks, separated by commas: localhost,intranet.example.com,10.1.0.0/16.")
		}
		hosts = append(hosts, word)
	}
	if len(hosts) == 0 {
		if len(e.networks) == 0 {
			_, err := ParseDomains(flag, "") // returns the error of an empty list
			return e, err
		}
		return e, nil
	}
	var err error
	e.hosts, err = ParseDomains(flag, strings.Join(hosts, ","))
	return e, err
}

func (e Exceptions) allow(host string, port int, addr netip.Addr) bool {
	addr = addr.WithZone("")
	return e.hosts.Given() && e.hosts.names(host, port, false) ||
		slices.ContainsFunc(e.networks, func(p netip.Prefix) bool { return p.Contains(addr) || p.Contains(addr.Unmap()) })
}
