package planning

import (
	"net/netip"
	"net/url"
	"strings"
)

// Domains reads a list of allowed domains: separated by commas or blanks, each a host with or without scheme and `*.`.
func Domains(list string) []string {
	var domains []string
	for _, d := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' }) {
		d = strings.ToLower(d)
		if _, after, ok := strings.Cut(d, "://"); ok {
			d = after
		}
		d, _, _ = strings.Cut(d, "/")
		d = strings.TrimPrefix(d, "*.")
		if u, err := url.Parse("//" + d); err == nil && u.Hostname() != "" {
			d = u.Hostname()
		}
		if d = strings.Trim(d, "."); d != "" {
			domains = append(domains, d)
		}
	}
	return domains
}

// NativeDomains writes a list of allowed domains for a session, where a host stands for itself alone and `*.` for what is below it.
func NativeDomains(list string) string {
	var hosts []string
	for _, d := range Domains(list) {
		hosts = append(hosts, d)
		if _, err := netip.ParseAddr(d); err != nil {
			hosts = append(hosts, "*."+d)
		}
	}
	return strings.Join(hosts, ",")
}

// Outside returns the host of an http or https page that none of the domains allows, empty when the page may be shown. A domain allows itself
// and what is below it.
func Outside(domains []string, page string) string {
	u, err := url.Parse(page)
	if len(domains) == 0 || err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	for _, d := range domains {
		if host == d || strings.HasSuffix(host, "."+d) {
			return ""
		}
	}
	return host
}

// OutsideText says that a page is outside of the allowed domains.
func OutsideText(list, host, page string) string {
	return "policy-blocked: --allowed-domains " + list + " does not allow " + host + ", where the session is now (" + page + "). " +
		"Go back or open a page of an allowed domain; sessionMode \"fresh\" starts a browser with another list."
}
