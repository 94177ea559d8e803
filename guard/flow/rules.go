package flow

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Mode says what to do about a flow from one site to another.
type Mode uint8

// The modes, the strictest last.
const (
	Off  Mode = iota // nothing is looked for
	Log              // it is noted
	Ask              // a person must confirm it
	Deny             // it is refused
)

var modes = map[string]Mode{"off": Off, "log": Log, "ask": Ask, "deny": Deny}

// ParseMode reads a mode by its name.
func ParseMode(name string) (Mode, error) {
	m, ok := modes[name]
	if !ok {
		return Off, fmt.Errorf("'%s' must be log, ask, deny or off", name)
	}
	return m, nil
}

func (m Mode) String() string {
	for name, mode := range modes {
		if mode == m {
			return name
		}
	}
	return ""
}

// Pair is a flow that is allowed: from the sites of one pattern to those of another.
type Pair struct {
	From, To string // a host, *.host for its subdomains, or * for all
	Secrets  bool   // also what pages keep secret, such as cookies
}

// ParsePair reads "mail.example -> crm.example"; "(secrets)" behind it allows secrets as well.
func ParsePair(text string) (Pair, error) {
	rest, secrets := strings.CutSuffix(strings.TrimSpace(text), "(secrets)")
	from, to, ok := strings.Cut(rest, "->")
	p := Pair{pattern(from), pattern(to), secrets}
	if !ok || !isPattern(p.From) || !isPattern(p.To) {
		return Pair{}, fmt.Errorf("'%s' must be two sites, such as mail.example -> crm.example", text)
	}
	return p, nil
}

func pattern(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

func isPattern(p string) bool {
	rest := strings.TrimPrefix(p, "*.")
	return p == "*" || rest != "" && !strings.ContainsAny(rest, "*/ @?#")
}

func (p Pair) String() string {
	if p.Secrets {
		return p.From + " -> " + p.To + " (secrets)"
	}
	return p.From + " -> " + p.To
}

// Rules say what to do about flows.
type Rules struct {
	Mode  Mode
	Allow []Pair
}

// Allows reports whether the owner's pairs let a flow go.
func (r Rules) Allows(f Flow) bool {
	return slices.ContainsFunc(r.Allow, func(p Pair) bool {
		return (p.Secrets || !f.Secret) && covers(p.From, f.From) && covers(p.To, f.To)
	})
}

// covers reports whether a pattern is of a site. One without a port is of all ports.
func covers(pattern, site string) bool {
	if pattern == "*" || pattern == site {
		return true
	}
	host := site
	if u, err := url.Parse("//" + site); err == nil && u.Port() != "" {
		host = strings.TrimSuffix(site, ":"+u.Port())
	}
	if parent, ok := strings.CutPrefix(pattern, "*."); ok {
		_, err := netip.ParseAddr(host)
		return err != nil && strings.HasSuffix(host, "."+parent)
	}
	return pattern == host
}

// Site returns whose an address is: its host, with the port where that is not the scheme's; for what has no host its
// scheme with a colon, as of data:. An empty page has no site: "".
func Site(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		scheme, _, _ := strings.Cut(address, ":")
		return strings.ToLower(scheme) + ":"
	case u.Scheme == "about" || address == "":
		return ""
	case u.Scheme == "blob" || u.Scheme == "view-source" || u.Scheme == "filesystem":
		return Site(u.Opaque)
	case u.Host == "":
		return u.Scheme + ":"
	}
	host := strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && (u.Scheme != "https" || port != "443") && (u.Scheme != "http" || port != "80") {
		host += ":" + port
	}
	return host
}
