package vault

import (
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/passkey"
)

// Origin returns the origin of an http or https URL in the form of browsers, without a default port.
func Origin(address string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https"}, strings.ToLower(u.Scheme)) {
		return "", fault.New(fault.Usage, "%q is not an http or https URL.", withoutSecrets(address)).
			About(withoutSecrets(address)).
			WithHint("Give one such as https://example.com/login.")
	}
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" || scheme == "http" && port == "80" || scheme == "https" && port == "443" {
		return scheme + "://" + host, nil
	}
	return scheme + "://" + host + ":" + port, nil
}

// withoutSecrets returns a URL without its user and query.
func withoutSecrets(address string) string {
	address, _, _ = strings.Cut(address, "?")
	if scheme, rest, ok := strings.Cut(address, "://"); ok {
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			rest = rest[at+1:]
		}
		return scheme + "://" + rest
	}
	return address
}

// Binding says into which pages a login may be typed.
type Binding struct{ origins []string }

// Bind binds a login to the origin of a URL and to further origins that its owner named. An http URL also binds to
// https on the same host, to which sites redirect.
func Bind(address string, more ...string) (Binding, error) {
	var b Binding
	for i, a := range append([]string{address}, more...) {
		origin, err := Origin(a)
		if err != nil {
			return Binding{}, err
		}
		b.origins = append(b.origins, origin)
		if rest, ok := strings.CutPrefix(origin, "http://"); ok && i == 0 &&
			!strings.Contains(strings.TrimPrefix(rest, "["), ":") {
			b.origins = append(b.origins, "https://"+rest)
		}
	}
	return b, nil
}

// Allows reports whether the login may be typed into a page of this origin.
func (b Binding) Allows(origin string) bool { return slices.Contains(b.origins, origin) }

// Owns reports whether a passkey belongs to one of the login's origins.
func (b Binding) Owns(p *passkey.Passkey) bool { return slices.ContainsFunc(b.origins, p.Belongs) }

// Home returns the login's own origin.
func (b Binding) Home() string { return b.origins[0] }

// Restrict returns the binding to only these of its origins. other is an origin that does not belong to it; empty means
// all do.
func (b Binding) Restrict(addresses []string) (narrow Binding, other string, err error) {
	for _, a := range addresses {
		origin, err := Origin(a)
		if err != nil {
			return Binding{}, "", err
		}
		if !b.Allows(origin) {
			return Binding{}, origin, nil
		}
		narrow.origins = append(narrow.origins, origin)
	}
	return narrow, "", nil
}
