package vault

import (
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/fault"
)

// Origin returns the origin of an http or https address, as browsers write it: without the port that its scheme has by itself.
func Origin(address string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https"}, strings.ToLower(u.Scheme)) {
		return "", fault.New(fault.Usage, "%q is no http or https address.", shown(address)).About(shown(address)).
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

// shown is an address without what may be secret in it.
func shown(address string) string {
	address, _, _ = strings.Cut(address, "?")
	if scheme, rest, ok := strings.Cut(address, "://"); ok {
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			rest = rest[at+1:]
		}
		return scheme + "://" + rest
	}
	return address
}

// Bound says which pages a login may be typed into.
type Bound struct{ origins []string }

// Bind binds a login to the origin of an address, and to more origins that its owner named. An http address binds to https on the same host as
// well, where sites send people on to.
func Bind(address string, more ...string) (Bound, error) {
	var b Bound
	for i, a := range append([]string{address}, more...) {
		origin, err := Origin(a)
		if err != nil {
			return Bound{}, err
		}
		b.origins = append(b.origins, origin)
		if rest, ok := strings.CutPrefix(origin, "http://"); ok && i == 0 && !strings.Contains(strings.TrimPrefix(rest, "["), ":") {
			b.origins = append(b.origins, "https://"+rest)
		}
	}
	return b, nil
}

// Allows reports whether the login may be typed into a page of this origin.
func (b Bound) Allows(origin string) bool { return slices.Contains(b.origins, origin) }

// Home returns the origin that the login belongs to.
func (b Bound) Home() string { return b.origins[0] }

// Only returns what a login may be typed into when just these of its origins are wanted. Other is one that it does not belong to; empty: all do.
func (b Bound) Only(addresses []string) (narrow Bound, other string, err error) {
	for _, a := range addresses {
		origin, err := Origin(a)
		if err != nil {
			return Bound{}, "", err
		}
		if !b.Allows(origin) {
			return Bound{}, origin, nil
		}
		narrow.origins = append(narrow.origins, origin)
	}
	return narrow, "", nil
}
