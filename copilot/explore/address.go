package explore

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Canonical returns the form of an address by which pages are told apart: two addresses with the same one are taken for
// one page. The scheme and the host are in lower case, without the port that is the scheme's default; a fragment is
// left out, unless it is a path of its own (#/ and #!), as are a slash at the end and tracking parameters; the other
// parameters are sorted. It is empty for anything but an http address.
func Canonical(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return ""
	}
	u.Scheme = strings.ToLower(u.Scheme)
	if u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	u.Host, u.User = strings.TrimSuffix(hostOf(u), "."), nil
	if port := u.Port(); port != "" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	if p := portOf(address, u.Scheme); p != "" {
		u.Host += ":" + p
	}
	u = u.JoinPath() // dots and double slashes
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/"), strings.TrimSuffix(u.RawPath, "/")
	if u.Path == "" {
		u.Path, u.RawPath = "/", ""
	}
	u.RawQuery, u.ForceQuery = sortedQuery(u.RawQuery), false
	if !strings.HasPrefix(u.Fragment, "/") && !strings.HasPrefix(u.Fragment, "!") {
		u.Fragment, u.RawFragment = "", ""
	}
	return u.String()
}

// hostOf is the host with its port, in lower case.
func hostOf(u *url.URL) string { return strings.ToLower(u.Host) }

// portOf is the port of an address, empty for that of the scheme.
func portOf(address, scheme string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return ""
	}
	port := u.Port()
	if scheme == "http" && port == "80" || scheme == "https" && port == "443" {
		return ""
	}
	return port
}

// sortedQuery leaves out what tracks, and sorts the rest by name. What has the same name keeps its order, which may
// mean something.
func sortedQuery(raw string) string {
	if raw == "" {
		return ""
	}
	var parts []string
	for part := range strings.SplitSeq(raw, "&") {
		if name, _, _ := strings.Cut(part, "="); part != "" && !tracks(name) {
			parts = append(parts, part)
		}
	}
	slices.SortStableFunc(parts, func(a, b string) int {
		left, _, _ := strings.Cut(a, "=")
		right, _, _ := strings.Cut(b, "=")
		return strings.Compare(left, right)
	})
	return strings.Join(parts, "&")
}

// tracks reports whether a parameter only tells where a visitor comes from.
func tracks(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "twclid", "ttclid", "igshid",
		"mc_cid", "mc_eid", "_ga", "_gl",
		"_hsenc", "_hsmi", "hsctatracking", "vero_id", "oly_anon_id", "oly_enc_id", "mkt_tok", "s_cid", "wickedid",
		"_openstat":
		return true
	}
	return strings.HasPrefix(name, "utm_") || strings.HasPrefix(name, "pk_") || strings.HasPrefix(name, "mtm_")
}

// site is what an address belongs to: its registered domain, and for a host without one, such as this machine, the host
// with its port. A host in the list of public suffixes itself, under which anybody may have a name, is its own site.
func site(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if net.ParseIP(host) != nil || !strings.Contains(host, ".") {
		return net.JoinHostPort(host, effectivePort(u))
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return domain
}

func effectivePort(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case strings.EqualFold(u.Scheme, "http"):
		return "80"
	}
	return "443"
}

// origin is the scheme, host and port of an address.
func origin(u *url.URL) string {
	return strings.ToLower(u.Scheme) + "://" +
		net.JoinHostPort(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), effectivePort(u))
}

// shape is an address with what numbers its page taken out. The days of a calendar and the items of a shop have one
// shape.
func shape(canonical string) string {
	u, err := url.Parse(canonical)
	if err != nil {
		return canonical
	}
	var b strings.Builder
	b.WriteString(u.Host)
	for segment := range strings.SplitSeq(u.Path, "/") {
		b.WriteByte('/')
		digits := false
		for _, r := range segment {
			number := r >= '0' && r <= '9'
			if !number {
				b.WriteRune(r)
			} else if !digits {
				b.WriteByte('#')
			}
			digits = number
		}
	}
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(part, "=")
		b.WriteString("&" + name)
	}
	return b.String()
}
