package policy

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"github.com/skua-browser/skua/internal/fault"
)

// Domains is a list of hosts. The zero value means that there is no list: every host is allowed.
type Domains struct {
	text    string
	entries []domain
}

// domain is an entry of a list: a host, with its subdomains or only one port, or a scheme without hosts.
type domain struct {
	host   string // in the form that browsers use; empty means any
	below  bool   // includes subdomains
	port   int    // the only allowed port; 0 means any
	scheme string // "file" or "chrome"; empty means that the entry is about hosts
	addr   netip.Addr
}

// ParseDomains reads a list, separated by commas or spaces: `a.com` is that host, `*.a.com` includes its subdomains,
// `a.com:8080` is one port, `10.1.2.3` and `[::1]` are addresses, `*` is every host, and `file:` and `chrome:` are the
// browser's own schemes. flag is the flag that contains the list.
func ParseDomains(flag, list string) (Domains, error) {
	d := Domains{text: strings.TrimSpace(list)}
	for _, word := range strings.FieldsFunc(list, func(r rune) bool {
		return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r'
	}) {
		e, ok := parseDomain(word)
		if !ok {
			return Domains{}, fault.New(fault.Usage, "--%s: %q is not a host.", flag, word).About("--" + flag).
				WithHint("Give hosts, separated by commas: example.com,*.example.org,localhost:3000.")
		}
		d.entries = append(d.entries, e)
	}
	if len(d.entries) == 0 {
		return Domains{}, fault.New(fault.Usage, "--%s names no host.", flag).About("--" + flag).
			WithHint("Give hosts, separated by commas: example.com,*.example.org,localhost:3000.")
	}
	return d, nil
}

func parseDomain(word string) (e domain, ok bool) {
	lower := strings.ToLower(word)
	switch strings.TrimRight(lower, "/") {
	case "*":
		return domain{}, true
	case "file:", "chrome:":
		return domain{scheme: strings.TrimRight(lower, ":/")}, true
	}
	if _, after, is := strings.Cut(lower, "://"); is {
		lower = after
	}
	lower, _, _ = strings.Cut(lower, "/")
	lower, e.below = strings.CutPrefix(lower, "*.")
	if addr, err := netip.ParseAddr(strings.Trim(lower, "[]")); err == nil {
		e.addr, e.host = addr.Unmap().WithZone(""), hostOf(addr)
		return e, !e.below
	}
	u, err := url.Parse("//" + lower)
	if err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return e, false
	}
	if port := u.Port(); port != "" {
		if e.port, err = strconv.Atoi(port); err != nil || e.port < 1 || e.port > 65535 {
			return e, false
		}
	}
	if addr, err := netip.ParseAddr(u.Hostname()); err == nil {
		e.addr, e.host = addr.Unmap().WithZone(""), hostOf(addr)
		return e, !e.below
	}
	e.host = Host(u.Hostname())
	return e, e.host != "" && !strings.ContainsAny(e.host, "*%:\\\"'<>^`{|}")
}

// Host returns a host in the form in which browsers compare them: lower case, punycode, without a final dot. An address
// has no brackets.
func Host(host string) string {
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if addr, err := netip.ParseAddr(host); err == nil {
		return hostOf(addr)
	}
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

func hostOf(addr netip.Addr) string { return addr.Unmap().WithZone("").String() }

// Given reports whether there is a list.
func (d Domains) Given() bool { return len(d.entries) > 0 }

// severalHosts reports whether more than one host is allowed.
func (d Domains) severalHosts() bool {
	return len(d.entries) > 1 || len(d.entries) == 1 && strings.Contains(d.text, "*")
}

// String returns the list as it was given.
func (d Domains) String() string { return d.text }

// Allows reports whether the list contains the host with the port. Without a list, every host is allowed.
func (d Domains) Allows(host string, port int) bool {
	return !d.Given() || d.names(host, port, false)
}

// names reports whether an entry matches the host. literal: only entries without a wildcard count.
func (d Domains) names(host string, port int, literal bool) bool {
	host = Host(host)
	return slices.ContainsFunc(d.entries, func(e domain) bool {
		switch {
		case e.scheme != "", e.port != 0 && e.port != port:
			return false
		case e.host == host:
			return !literal || !e.below
		}
		return !literal && (e.host == "" || e.below && strings.HasSuffix(host, "."+e.host))
	})
}

// allowsScheme reports whether the list allows a scheme without hosts.
func (d Domains) allowsScheme(scheme string) bool {
	return !d.Given() || slices.ContainsFunc(d.entries, func(e domain) bool { return e.scheme == scheme })
}

// Widened returns the list as the contract of the tool reads it: a host includes its subdomains, on all ports.
func (d Domains) Widened() Domains {
	wide := Domains{}
	var words []string
	add := func(e domain, word string) {
		if !slices.Contains(wide.entries, e) {
			wide.entries, words = append(wide.entries, e), append(words, word)
		}
	}
	for _, e := range d.entries {
		e.port = 0
		switch {
		case e.scheme != "":
			add(e, e.scheme+":")
		case e.host == "":
			add(e, "*")
		case e.addr.Is6():
			add(e, "["+e.host+"]")
		case e.addr.IsValid():
			add(e, e.host)
		default:
			if !e.below {
				add(e, e.host) // named as it is, which counts for private addresses
			}
			e.below = true
			add(e, "*."+e.host)
		}
	}
	wide.text = strings.Join(words, ",")
	return wide
}

// Union returns a list of what either allows.
func (d Domains) Union(more Domains) Domains {
	if !d.Given() || !more.Given() {
		return Domains{}
	}
	return Domains{text: d.text + "," + more.text, entries: slices.Concat(d.entries, more.entries)}
}

// Intersect returns a list of what both allow.
func (d Domains) Intersect(o Domains) Domains {
	switch {
	case !d.Given():
		return o
	case !o.Given():
		return d
	}
	both := Domains{text: d.text + " and " + o.text}
	for _, a := range d.entries {
		for _, b := range o.entries {
			if e, ok := a.intersect(b); ok && !slices.Contains(both.entries, e) {
				both.entries = append(both.entries, e)
			}
		}
	}
	if len(both.entries) == 0 {
		both.entries = []domain{{scheme: "none"}} // a list that matches no host
	}
	return both
}

// intersect returns the entry for what both match.
func (e domain) intersect(o domain) (domain, bool) {
	if e.scheme != "" || o.scheme != "" {
		return e, e.scheme == o.scheme
	}
	port := max(e.port, o.port)
	if e.port != 0 && o.port != 0 && e.port != o.port {
		return e, false
	}
	narrow := e
	switch {
	case e.host == o.host:
		narrow.below = e.below && o.below
	case e.host == "", e.below && strings.HasSuffix(o.host, "."+e.host):
		narrow = o
	case o.host == "", o.below && strings.HasSuffix(e.host, "."+o.host):
	default:
		return e, false
	}
	narrow.port = port
	return narrow, true
}

// patterns returns the hosts as URL patterns of the browser; nil means that every host is allowed.
func (d Domains) patterns() []string {
	if !d.Given() {
		return nil
	}
	all := []string{}
	for _, e := range d.entries {
		host, port := e.host, ":*"
		switch {
		case e.scheme != "":
			continue
		case e.host == "":
			return nil
		case e.addr.Is6():
			host = "[" + host + "]"
		}
		if e.port != 0 {
			port = ":" + strconv.Itoa(e.port)
		}
		all = append(all, host+port)
		if e.below {
			all = append(all, "*."+host+port)
		}
	}
	return all
}
