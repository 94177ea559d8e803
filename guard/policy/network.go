package policy

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// Network are the rules about what a session's pages may reach. A nil *Network allows everything.
type Network struct {
	domains      Domains // hosts that the tab may show
	resources    Domains // hosts that pages may load from, which include domains
	blockPrivate bool
	exceptions   Exceptions

	rules  NetworkRules // the source of this Network
	within *Network     // must allow it as well, or nil
}

// NetworkRules are the values of the network flags. Empty ones are not given.
type NetworkRules struct {
	Domains      string // hosts that the tab may open
	Resources    string // further hosts that pages may load from
	BlockPrivate bool   // addresses outside the public internet are refused
	AllowPrivate string // except for these hosts and networks
}

// The flags that the rules come by.
const (
	FlagDomains      = "allowed-domains"
	FlagResources    = "allowed-resources"
	FlagBlockPrivate = "block-private"
	FlagAllowPrivate = "allow-private"
)

// NewNetwork parses the rules. It returns nil if they forbid nothing.
func NewNetwork(r NetworkRules) (*Network, error) {
	n := &Network{blockPrivate: r.BlockPrivate, rules: r}
	var err error
	if r.Domains != "" {
		if n.domains, err = ParseDomains(FlagDomains, r.Domains); err != nil {
			return nil, err
		}
		n.resources = n.domains
	}
	if r.Resources != "" {
		more, err := ParseDomains(FlagResources, r.Resources)
		if err != nil {
			return nil, err
		}
		if r.Domains == "" {
			return nil, fault.New(fault.Usage, "--%s extends what --%s allows, but that flag is not given.", FlagResources,
				FlagDomains).
				About("--"+FlagResources).WithHint("Give --%s, too; * stands for every host.", FlagDomains)
		}
		n.resources = n.domains.Union(more)
	}
	if r.AllowPrivate != "" {
		if n.exceptions, err = parseExceptions(FlagAllowPrivate, r.AllowPrivate); err != nil {
			return nil, err
		}
		if !r.BlockPrivate {
			return nil, fault.New(fault.Usage, "--%s makes exceptions to --%s, but that flag is not given.", FlagAllowPrivate,
				FlagBlockPrivate).
				About("--" + FlagAllowPrivate)
		}
	}
	if !n.domains.Given() && !n.blockPrivate {
		return nil, nil
	}
	return n, nil
}

// Within returns what both allow, each by its own rules: an exception of one does not apply to the other.
func (n *Network) Within(outer *Network) *Network {
	switch {
	case outer == nil:
		return n
	case n == nil:
		return outer
	case outer.has(n.rules):
		return n.within.Within(outer)
	}
	inner := *n
	inner.within = n.within.Within(outer)
	return &inner
}

// has reports whether the network contains these rules.
func (n *Network) has(r NetworkRules) bool {
	for ; n != nil; n = n.within {
		if n.rules == r {
			return true
		}
	}
	return false
}

// Includes reports whether all rules of the other network are among this one's.
func (n *Network) Includes(other *Network) bool {
	for ; other != nil; other = other.within {
		if !n.has(other.rules) {
			return false
		}
	}
	return true
}

// BlocksPrivate reports whether private addresses are refused.
func (n *Network) BlocksPrivate() bool {
	return n != nil && (n.blockPrivate || n.within.BlocksPrivate())
}

// Split reports whether pages may load from more hosts than the tab may show.
func (n *Network) Split() bool {
	return n != nil && (len(n.resources.entries) != len(n.domains.entries) || n.within.Split())
}

// Several reports whether tabs may show more than one host.
func (n *Network) Several() bool { return n != nil && n.domains.severalHosts() }

// Rules returns the rules for display.
func (n *Network) Rules() []Rule {
	if n == nil {
		return nil
	}
	all := n.within.Rules()
	if n.domains.Given() {
		all = append(all, Rule{Kind: Domain, Text: "open " + n.domains.String(), From: "--" + FlagDomains})
	}
	if n.Split() {
		all = append(all, Rule{Kind: Domain, Text: "load from " + n.resources.String(), From: "--" + FlagResources})
	}
	if n.blockPrivate {
		all = append(all, Rule{Kind: Address, Text: "no private addresses", From: "--" + FlagBlockPrivate})
	}
	return all
}

// Navigable returns why a tab may not show an address, or nil. An address without a host is allowed, since the page
// that leads to it is, except for files and the browser's own pages.
func (n *Network) Navigable(address string) error {
	if n == nil {
		return nil
	}
	if err := n.within.Navigable(address); err != nil {
		return err
	}
	return n.check(n.domains, address)
}

// Loadable returns why a page may not load from an address, or nil.
func (n *Network) Loadable(address string) error {
	if n == nil {
		return nil
	}
	if err := n.within.Loadable(address); err != nil {
		return err
	}
	return n.check(n.resources, address)
}

func (n *Network) check(list Domains, address string) error {
	scheme, _, _ := strings.Cut(address, ":")
	switch scheme = strings.ToLower(scheme); scheme {
	case "http", "https", "ws", "wss":
	case "file", "chrome":
		if list.allowsScheme(scheme) {
			return nil
		}
		return outside(scheme + ":")
	default: // data, blob, about, javascript, extensions: these request nothing from a host
		return nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return outside(address)
	}
	port := portOf(u)
	if !list.Allows(u.Hostname(), port) {
		return outside(Host(u.Hostname()))
	}
	if addr, err := netip.ParseAddr(Host(u.Hostname())); err == nil {
		return n.address(u.Hostname(), port, addr)
	}
	return nil
}

// Reachable returns why nothing in the session may reach a host and port, or nil. [Network.Address] checks the resolved
// address.
func (n *Network) Reachable(host string, port int) error {
	for ; n != nil; n = n.within {
		if !n.resources.Allows(host, port) {
			return outside(Host(host))
		}
	}
	return nil
}

// Address returns why an address of a host is refused, or nil. A list that contains localhost or an address allows it.
func (n *Network) Address(host string, port int, addr netip.Addr) error {
	for ; n != nil; n = n.within {
		if err := n.address(host, port, addr); err != nil {
			return err
		}
	}
	return nil
}

// address applies only this network's own rules.
func (n *Network) address(host string, port int, addr netip.Addr) error {
	if !n.blockPrivate {
		return nil
	}
	what := Special(addr)
	if what == "" || n.exceptions.allow(host, port, addr) {
		return nil
	}
	name := Host(host)
	literal := name == hostOf(addr) ||
		addr.Unmap().IsLoopback() && (name == "localhost" || strings.HasSuffix(name, ".localhost"))
	if literal && n.resources.Given() && n.resources.names(name, port, true) {
		return nil
	}
	said := name
	if name != hostOf(addr) {
		said += " (" + addr.String() + ")"
	}
	return fault.New(fault.PolicyBlocked, "%s is a %s address, which --%s does not allow.", said, what, FlagBlockPrivate).
		About(name).
		With("rule", FlagBlockPrivate).With("address", addr.String()).
		WithHint("To allow it, name it in --%s.", FlagAllowPrivate)
}

// outside is the error for a host that is not allowed. It starts with agent-browser's words.
func outside(host string) error {
	return fault.New(fault.PolicyBlocked, "Domain '%s' is not in the allowed domains list", host).About(host).With("rule",
		FlagDomains)
}

// portOf returns the port of a URL, or its scheme's default.
func portOf(u *url.URL) int {
	if port, err := strconv.Atoi(u.Port()); err == nil {
		return port
	}
	if u.Scheme == "https" || u.Scheme == "wss" {
		return 443
	}
	return 80
}

// Hosts returns the hosts that pages may load from, as URL patterns of the browser; nil means all.
func (n *Network) Hosts() []string {
	if n == nil {
		return nil
	}
	list := n.resources
	for o := n.within; o != nil; o = o.within {
		list = list.Intersect(o.resources)
	}
	return list.patterns()
}
