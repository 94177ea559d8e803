package explore

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// Limits say where a search may go.
type Limits struct {
	// Allow are the hosts that it may go to: a name, "*.example.com" for what is below one, with a port or without. None:
	// the site of the page where it begins, which is the registered domain with all that is below it.
	Allow      []string
	SameOrigin bool // only the scheme, host and port of the page where it begins
}

// Check returns why the limits cannot be used, or nil.
func (l Limits) Check() error {
	for _, pattern := range l.Allow {
		host := strings.TrimPrefix(pattern, "*.")
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if host == "" || strings.Contains(host, "*") || strings.ContainsAny(pattern, "/@? \t") {
			return fault.New(fault.Usage, "host pattern %q: not a valid limit for a search.", pattern).About(pattern).
				WithHint("Give a host such as docs.example.com, or *.example.com for all below it.")
		}
	}
	return nil
}

// Reason is why a link was not followed.
type Reason string

// The reasons.
const (
	Elsewhere Reason = "elsewhere" // outside of the limits
	Scheme    Reason = "scheme"    // neither http nor https
	Effects   Reason = "effects"   // it reads as if following it did something
	Download  Reason = "download"  // it leads to a file
	Unseen    Reason = "unseen"    // a person does not see it
	Disabled  Reason = "disabled"
	Budget    Reason = "budget" // there were better ones, or nothing was left to open it with
)

// bounds are limits around the page where a search begins.
type bounds struct {
	Limits
	origin, site string
}

func (l Limits) around(start string) bounds {
	b := bounds{Limits: l}
	if u, err := url.Parse(start); err == nil && u.Host != "" {
		b.origin, b.site = origin(u), site(u)
	}
	return b
}

// within reports whether the search may go to an address.
func (b bounds) within(u *url.URL) bool {
	if b.SameOrigin && origin(u) != b.origin {
		return false
	}
	if len(b.Allow) == 0 {
		return b.SameOrigin || site(u) == b.site
	}
	return slices.ContainsFunc(b.Allow, func(pattern string) bool { return allows(pattern, u) })
}

func allows(pattern string, u *url.URL) bool {
	host, port := strings.ToLower(pattern), ""
	if h, p, err := net.SplitHostPort(host); err == nil {
		host, port = h, p
	}
	if port != "" && port != effectivePort(u) {
		return false
	}
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if below, ok := strings.CutPrefix(host, "*."); ok {
		return strings.HasSuffix(name, "."+below)
	}
	return name == strings.Trim(host, "[]")
}

// judge returns the canonical form of the address that a link leads to and why it is not followed; empty means that it
// may be. The canonical form is empty when the address says nothing.
func (b bounds) judge(l Link) (canonical string, why Reason) {
	u, err := url.Parse(strings.TrimSpace(l.URL))
	if err != nil {
		return "", Scheme
	}
	if canonical = Canonical(l.URL); canonical == "" {
		return "", Scheme
	}
	switch {
	case l.Unseen:
		return canonical, Unseen
	case l.Disabled:
		return canonical, Disabled
	case !b.within(u):
		return canonical, Elsewhere
	case effectful(l.Kind, l.Label, u):
		return canonical, Effects
	case l.Download || leadsToFile(l.Kind, u):
		return canonical, Download
	}
	return canonical, ""
}
