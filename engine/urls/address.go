package urls

import (
	"net/url"
	"strings"

	"github.com/skua-browser/skua/engine/pagetext"
)

// Public is an address as it may be told: without the user and the password in it, and bounded.
func Public(address string) string {
	return pagetext.Bounded(WithoutUser(address), pagetext.MaxAddress)
}

// WithoutUser is an address without the user and the password. One that has none is returned as it is.
func WithoutUser(address string) string {
	begin := strings.Index(address, "://")
	if begin < 0 {
		return address
	}
	begin += len("://")
	end := len(address)
	if i := strings.IndexAny(address[begin:], "/?#"); i >= 0 {
		end = begin + i
	}
	at := strings.LastIndexByte(address[begin:end], '@')
	if at < 0 {
		return address
	}
	return address[:begin] + address[begin+at+1:]
}

// Origin returns the origin of an address as pages and headers write it: no default port. It is empty when there is
// none.
func Origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	}
	if scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	}
	return scheme + "://" + host
}
