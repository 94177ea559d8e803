package gate

import (
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/skua-browser/skua/guard/policy"
)

// bypassRule is one rule of Chromium's list of hosts that are reached without the proxy.
type bypassRule struct {
	scheme, pattern, port string       // empty scheme and port: all
	prefix                netip.Prefix // valid: of the addresses, instead of a pattern
	local                 bool         // <local>: names without a dot
	loopback              bool         // <-loopback>: this machine is reached through the proxy, too
}

// parseBypass reads rules that commas, semicolons or blanks separate, as Chromium does.
func parseBypass(list string) []bypassRule {
	var all []bypassRule
	for _, text := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		text = strings.ToLower(text)
		switch text {
		case "<local>":
			all = append(all, bypassRule{local: true})
			continue
		case "<-loopback>":
			all = append(all, bypassRule{loopback: true})
			continue
		}
		var r bypassRule
		if scheme, rest, ok := strings.Cut(text, "://"); ok {
			r.scheme, text = scheme, rest
		}
		if prefix, err := netip.ParsePrefix(text); err == nil {
			r.prefix = prefix.Masked()
			all = append(all, r)
			continue
		}
		r.pattern = text
		if i := strings.LastIndexByte(text, ':'); i >= 0 &&
			(strings.Count(text, ":") == 1 || strings.HasSuffix(text[:i], "]")) {
			r.pattern, r.port = text[:i], text[i+1:]
		}
		r.pattern = strings.Trim(r.pattern, "[]")
		if strings.HasPrefix(r.pattern, ".") {
			r.pattern = "*" + r.pattern
		}
		all = append(all, r)
	}
	return all
}

// bypasses reports whether an address is reached without the proxy. A later rule goes before an earlier one; this
// machine is left out unless a rule has it.
func bypasses(rules []bypassRule, u *url.URL) bool {
	host := policy.Host(strings.ToLower(u.Hostname()))
	addr, err := netip.ParseAddr(host)
	addr = addr.Unmap()
	isAddress := err == nil
	here := host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		isAddress && (addr.IsLoopback() || addr.IsLinkLocalUnicast())
	for _, r := range slices.Backward(rules) {
		switch {
		case r.loopback:
			if here {
				return false
			}
		case r.local:
			if !isAddress && !strings.Contains(host, ".") {
				return true
			}
		case r.scheme != "" && r.scheme != u.Scheme, r.port != "" && r.port != u.Port():
		case r.prefix.IsValid():
			if isAddress && r.prefix.Contains(addr) {
				return true
			}
		default:
			if fits, err := path.Match(r.pattern, host); err == nil && fits { // host names contain no slashes
				return true
			}
		}
	}
	return here
}
