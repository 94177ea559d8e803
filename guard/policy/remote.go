package policy

import (
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The words by which rules call what a caller may put in place of the owner's own: `connect` is a running browser,
// `provider` rents one, and `proxy` is what the pages' requests go through.
const (
	Connect  = "connect"
	Provider = "provider"
	Proxy    = "proxy"
)

// Remote is an address that a caller names as its browser, provider or proxy. It receives what pages show and what the
// caller puts into the address, so that it would get around rules: their owner has to name it, by its address.
type Remote struct {
	Kind  string // one of the words
	Shown string // for messages: the host with its port, or a word without any

	host string
	port int // 0 means unknown
}

// RemoteAt reads an address: a port of this machine, a URL, a host with a port, or a word such as the name of a
// provider.
func RemoteAt(kind, address string) Remote {
	r := Remote{Kind: kind}
	if n, err := strconv.ParseUint(address, 10, 16); err == nil {
		r.host, r.port = "localhost", int(n)
		r.Shown = net.JoinHostPort("127.0.0.1", address)
		return r
	}
	if !strings.Contains(address, "://") {
		address = "//" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return r // no rule names it
	}
	r.Shown, r.host = u.Host, loopback(Host(u.Hostname()))
	if r.port, _ = strconv.Atoi(u.Port()); r.port == 0 {
		switch u.Scheme {
		case "http", "ws":
			r.port = 80
		case "https", "wss":
			r.port = 443
		}
	}
	return r
}

// loopback gives the loopback addresses of a browser's port one name.
func loopback(host string) string {
	if host == "127.0.0.1" || host == "::1" {
		return "localhost"
	}
	return host
}

// Same reports whether both are the same browser, provider or proxy.
func (r Remote) Same(o Remote) bool {
	return r.host != "" && r.Kind == o.Kind && r.host == o.host && r.port == o.port
}

// Name returns the name by which a rule allows it.
func (r Remote) Name() string { return strings.TrimSpace(r.Kind + " " + r.Shown) }

// isNamed reports whether a name of a rule is this address.
func (r Remote) isNamed(name string) bool {
	kind, at, ok := parseRemoteName(name)
	if !ok || kind != r.Kind || r.host == "" {
		return false
	}
	return Domains{entries: []domain{at}}.names(r.host, r.port, false)
}

// parseRemoteName reads a name such as `connect localhost:9222`, `provider browserless` or `proxy *.example.com`.
func parseRemoteName(name string) (kind string, at domain, ok bool) {
	kind, address, found := strings.Cut(name, " ")
	if !found || !slices.Contains([]string{Connect, Provider, Proxy}, kind) {
		return "", domain{}, false
	}
	if n, err := strconv.ParseUint(address, 10, 16); err == nil && n > 0 {
		return kind, domain{host: "localhost", port: int(n)}, true
	}
	at, ok = parseDomain(address)
	at.host = loopback(at.host)
	return kind, at, ok && at.scheme == ""
}

// isRemoteName reports whether a rule's name is the address of a browser, a provider or a proxy.
func isRemoteName(name string) bool {
	_, _, ok := parseRemoteName(name)
	return ok
}

// AutoConnect is the address of whatever browser runs on the machine.
const AutoConnect = "auto"

// RemoteOption is a launch option whose value is an address of the caller's.
type RemoteOption struct{ Flag, Kind string }

// RemoteOptions returns the launch options that name an address.
func RemoteOptions() []RemoteOption {
	return []RemoteOption{{"cdp", Connect}, {"auto-connect", Connect}, {"provider", Provider}, {"proxy", Proxy}}
}

// Remote reads the value of the option. It reports false for a value that names nothing.
func (o RemoteOption) Remote(value string) (Remote, bool) {
	switch {
	case value == "", value == "false":
		return Remote{}, false
	case value == "true":
		value = AutoConnect
	}
	return RemoteAt(o.Kind, value), true
}

// Request is the action of reaching the address, by a launch option or, if that is empty, by the command itself.
func (r Remote) Request(option string) ActionRequest {
	return ActionRequest{
		Action:   r.Name(),
		Names:    []string{r.Kind},
		Reach:    WhenNamed,
		Families: Does(),
		Granted:  true,
		Option:   option,
		Remote:   &r,
	}
}

// RemoteRequests returns the actions of the addresses that a caller gives as launch options. A command without a
// browser uses a proxy only.
func RemoteRequests(
	typed func(flag string) bool, value func(flag string) string, browser bool,
) (requests []ActionRequest) {
	for _, option := range RemoteOptions() {
		if !typed(option.Flag) || !browser && option.Kind != Proxy {
			continue
		}
		if at, ok := option.Remote(value(option.Flag)); ok {
			requests = append(requests, at.Request(option.Flag))
		}
	}
	return requests
}
