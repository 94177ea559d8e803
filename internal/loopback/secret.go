package loopback

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"strings"
)

// Secret is a bearer token. The zero value matches no request.
type Secret string

// NewSecret makes one that cannot be guessed: it has 130 bits.
func NewSecret() Secret { return Secret(rand.Text()) }

// Is compares in a time that does not depend on where the two differ.
func (s Secret) Is(given string) bool {
	return s != "" && subtle.ConstantTimeCompare([]byte(given), []byte(s)) == 1
}

// InPath reports whether the path of a request begins with the secret, and returns what comes behind it: "page/1" of
// /SECRET/page/1.
func (s Secret) InPath(r *http.Request) (rest string, ok bool) {
	given, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	return rest, s.Is(given)
}

// InHeader reports whether a request bears the secret, as in "Authorization: Bearer SECRET".
func (s Secret) InHeader(r *http.Request) bool {
	kind, given, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return ok && strings.EqualFold(kind, "Bearer") && s.Is(given)
}

// InCookie reports whether a request has the secret in a cookie.
func (s Secret) InCookie(r *http.Request, name string) bool {
	c, err := r.Cookie(name)
	return err == nil && s.Is(c.Value)
}
