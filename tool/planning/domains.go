package planning

import (
	"net/url"
	"strconv"

	"github.com/skua-browser/skua/guard/policy"
)

// Domains reads a list of allowed domains as the contract has it: each host includes what is below it, on all ports.
func Domains(list string) (policy.Domains, error) {
	d, err := policy.ParseDomains(policy.FlagDomains, list)
	return d.Widened(), err
}

// Outside returns the host of an http or https page that is not in the list, empty when the page may be shown.
func Outside(domains policy.Domains, page string) string {
	u, err := url.Parse(page)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	port, _ := strconv.Atoi(u.Port()) // 0 means the scheme's own
	if domains.Allows(u.Hostname(), port) {
		return ""
	}
	return policy.Host(u.Hostname())
}

// OutsideText says that a page is outside of the allowed domains.
func OutsideText(list, host, page string) string {
	return "policy-blocked: --allowed-domains " + list + " does not allow " + host + ", where the session is now (" +
		page + "). " +
		"Go back or open a page of an allowed domain; sessionMode \"fresh\" starts a browser with another list."
}
