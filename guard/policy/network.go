package policy

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/engine/fault"
)

// Network is what pages of a session may reach. A nil *Network allows everything.
type Network struct {
	domains      Domains // that the tab itself may show
	resources    Domains // that pages may load from; all of domains among them
	blockPrivate bool
	exceptions   Exceptions

	rules  NetworkRules // that it was made of
	within *Network     // which has to allow it as well; nil: nothing else has to
}

// NetworkRules are the lists of a Network as flags give them. Empty ones are not given.
type NetworkRules struct {
	Domains      string // hosts that may be opened
	Resources    string // hosts that pages may load from, beside those
	BlockPrivate bool   // addresses that are not of the public internet are refused
	AllowPrivate string // except for these hosts and networks
}

// The flags that the rules come by.
const (
	FlagDomains      = "allowed-domains"
	FlagResources    = "allowed-resources"
	FlagBlockPrivate = "block-private"
	FlagAllowPrivate = "allow-private"
)

// NewNetwork reads the rules. It returns nil when they forbid nothing.
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
			return nil, fault.New(fault.Usage, "--%s says what pages may load beside what --%s allows, which is not given.", FlagResources, FlagDomains).
				About("--"+FlagResources).WithHint("Give --%s, too; * stands for every host.", FlagDomains)
		}
		n.resources = n.domains.With(more)
	}
	if r.AllowPrivate != "" {
		if n.exceptions, err = ParseExceptions(FlagAllowPrivate, r.AllowPrivate); err != nil {
			return nil, err
		}
		if !r.BlockPrivate {
			return nil, fault.New(fault.Usage, "--%s makes exceptions from --%s, which is not given.", FlagAllowPrivate, FlagBlockPrivate).
				About("--" + FlagAllowPrivate)
		}
	}
	if !n.domains.Given() && !n.blockPrivate {
		return nil, nil
	}
	return n, nil
}

// Within returns what both allow, each by its own rules: a host that one of them names for an exception is none for the other.
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

// has reports whether rules are among those of the network.
func (n *Network) has(r NetworkRules) bool {
	for ; n != nil; n = n.within {
		if n.rules == r {
			return true
		}
	}
	return false
}

// Holds reports whether everything that the other one refuses is refused by the same rule here.
func (n *Network) Holds(other *Network) bool {
	for ; other != nil; other = other.within {
		if !n.has(other.rules) {
			return false
		}
	}
	return true
}

// BlocksPrivate reports whether addresses are looked at.
func (n *Network) BlocksPrivate() bool {
	return n != nil && (n.blockPrivate || n.within.BlocksPrivate())
}

// Split reports whether pages may load from more hosts than the tab may show.
func (n *Network) Split() bool {
	return n != nil && (len(n.resources.entries) != len(n.domains.entries) || n.within.Split())
}

// Rules are the rules in words, for people who ask.
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

// Navigable returns why a tab may not show an address, or nil. Addresses without a host are of the page that leads to them, except for those of
// the machine's files and of the browser's own pages.
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
	default: // data, blob, about, javascript, extensions: nothing is asked of a host
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

// Reachable returns why nothing of the session may reach a host at a port, whatever it is for, or nil. The address that the host turns out to
// have is another question: [Network.Address].
func (n *Network) Reachable(host string, port int) error {
	for ; n != nil; n = n.within {
		if !n.resources.Allows(host, port) {
			return outside(Host(host))
		}
	}
	return nil
}

// Address returns why an address that a host has may not be connected to, or nil. A list that names localhost, or an address itself, means it.
func (n *Network) Address(host string, port int, addr netip.Addr) error {
	for ; n != nil; n = n.within {
		if err := n.address(host, port, addr); err != nil {
			return err
		}
	}
	return nil
}

// address asks the network's own rules alone.
func (n *Network) address(host string, port int, addr netip.Addr) error {
	if !n.blockPrivate {
		return nil
	}
	what := Special(addr)
	if what == "" || n.exceptions.allow(host, port, addr) {
		return nil
	}
	name := Host(host)
	literal := name == hostOf(addr) || addr.Unmap().IsLoopback() && (name == "localhost" || strings.HasSuffix(name, ".localhost"))
	if literal && n.resources.Given() && n.resources.names(name, port, true) {
		return nil
	}
	said := name
	if name != hostOf(addr) {
		said += " (" + addr.String() + ")"
	}
	return fault.New(fault.PolicyBlocked, "%s is a %s address, which --%s does not allow.", said, what, FlagBlockPrivate).About(name).
		With("rule", FlagBlockPrivate).With("address", addr.String()).
		WithHint("If it is meant, name it in --%s.", FlagAllowPrivate)
}

// outside is the refusal of a host; its first words are agent-browser's.
func outside(host string) error {
	return fault.New(fault.PolicyBlocked, "Domain '%s' is not in the allowed domains list", host).About(host).With("rule", FlagDomains)
}

// portOf is the port of an address, or that of its scheme.
func portOf(u *url.URL) int {
	if port, err := strconv.Atoi(u.Port()); err == nil {
		return port
	}
	if u.Scheme == "https" || u.Scheme == "wss" {
		return 443
	}
	return 80
}

// Hosts are the hosts that pages may load from, as the browser's URL patterns want them; nil: all.
func (n *Network) Hosts() []string {
	if n == nil {
		return nil
	}
	list := n.resources
	for o := n.within; o != nil; o = o.within {
		list = list.Both(o.resources)
	}
	return list.patterns()
}
