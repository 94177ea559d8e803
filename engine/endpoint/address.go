package endpoint

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// ShownAddress returns an address without the parts that may be secret: the user, the query and the fragment.
func ShownAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" { // no address, and yet it may hold what people meant to be one
		address, _, _ = strings.Cut(address, "?")
		address, _, _ = strings.Cut(address, "#")
		if at := strings.LastIndexByte(address, '@'); at >= 0 {
			address = address[at+1:]
		}
		return address
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// whereabouts is what an address says of a browser.
type whereabouts struct {
	given string     // without secrets, for messages
	bases []*url.URL // where its HTTP side may be; several when the host has several addresses
	ws    *url.URL   // its websocket; nil means that it has to be asked for
	tab   string     // the target id of the tab that is named, or empty
}

// parseAddress reads a port of this machine, an http URL or a ws URL.
func parseAddress(address string) (whereabouts, error) {
	if n, err := strconv.ParseUint(address, 10, 16); err == nil && n > 0 {
		return whereabouts{
			given: "127.0.0.1:" + address,
			bases: loopbacks(&url.URL{Scheme: "http", Host: "localhost:" + address}),
		}, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme) {
		return whereabouts{}, notAnAddress(address)
	}
	u.Fragment = ""
	base := *u
	base.Scheme = strings.Replace(u.Scheme, "ws", "http", 1)
	before, id, isTab := strings.Cut(u.Path, "/devtools/page/")
	w := whereabouts{given: u.Host}
	switch {
	case isTab:
		base.Path, w.tab = before, id
		w.ws = u
		if u.Scheme != base.Scheme {
			break
		}
		w.ws = new(*u)
		w.ws.Scheme = strings.Replace(u.Scheme, "http", "ws", 1)
	case u.Scheme != base.Scheme:
		w.ws = u
		return w, nil
	}
	base.Path = strings.TrimSuffix(strings.TrimSuffix(base.Path, "/"), "/json/version")
	w.bases = loopbacks(&base)
	return w, nil
}

// notAnAddress says what an address looks like. Some of what people write by mistake can be told from it.
func notAnAddress(address string) error {
	shown := ShownAddress(address)
	f := fault.New(fault.Usage, "Invalid value: '%s' is not a valid port number or URL.", shown).About(shown)
	if host, port, ok := strings.Cut(shown, ":"); ok && host != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err == nil && n > 0 {
			return f.WithHint("Write it with its scheme: http://%s", shown)
		}
	}
	return f.WithHint("Give a port such as 9222, or an http or ws address.")
}

// loopbacks gives the name localhost its two addresses: a browser listens at one of them, and something else may at the
// other.
func loopbacks(base *url.URL) []*url.URL {
	if base.Scheme != "http" || !strings.EqualFold(base.Hostname(), "localhost") || base.Port() == "" {
		return []*url.URL{base}
	}
	four, six := *base, *base
	four.Host, six.Host = "127.0.0.1:"+base.Port(), "[::1]:"+base.Port()
	return []*url.URL{&four, &six}
}

// reached returns the WebSocket URL that a browser reported, with the host and the secrets of base: behind a port
// forward or in a container the browser does not know the host under which it is reached, and it never knows the
// secrets that a proxy in front of it requires.
func reached(address string, base *url.URL) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	u.Host, u.User, u.Scheme = base.Host, base.User, strings.Replace(base.Scheme, "http", "ws", 1)
	if u.RawQuery == "" {
		u.RawQuery = base.RawQuery
	}
	return u, nil
}
