package neterror

import (
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// Aborted is the code of a navigation that something stopped.
const Aborted = "net::ERR_ABORTED"

// hints are the ways out, by a part of the code. The first that matches counts.
var hints = []struct{ code, hint string }{
	{"ERR_NAME_NOT_RESOLVED", "The host name could not be resolved; check its spelling."},
	{"ERR_CONNECTION_REFUSED", "Nothing listens at this address; check the port and that the server runs."},
	{
		"ERR_UNSAFE_PORT",
		"Browsers open nothing at this port, which belongs to another protocol; let the server listen at another one.",
	},
	{"ERR_FILE_NOT_FOUND", "There is no such file; relative paths start at the working directory."},
	{"ERR_SSL_PROTOCOL_ERROR", "The server does not speak TLS here; try http://."},
	{
		"SSL_CLIENT_AUTH",
		"The server wants a client certificate, and this browser has none to give. `connect` to a browser of yours that " +
			"has one and may use it here.",
	},
	{"ERR_CERT", "The certificate is not trusted; --ignore-https-errors accepts it."},
	{"ERR_PROXY_AUTH", proxyCredentials},
	{"ERR_UNEXPECTED_PROXY_AUTH", proxyCredentials},
	{
		"ERR_PROXY_CERTIFICATE",
		"The proxy's certificate is not trusted; --ignore-https-errors accepts it, and --ca-cert trusts the one " +
			"that issued it.",
	},
	{"ERR_PROXY", unreachableProxy},
	{"ERR_SOCKS", unreachableProxy},
	{"ERR_NO_SUPPORTED_PROXIES", unreachableProxy},
	{
		"ERR_TUNNEL_CONNECTION_FAILED",
		"The proxy did not connect to the server: it may not reach or not allow this address. Check the address, and the " +
			"proxy of --proxy; --proxy-bypass leaves a host out.",
	},
	{
		"AUTH_CREDENTIALS",
		"The server wants a user name and a password: give them with `set credentials <user> <password>`, and open the " +
			"address again.",
	},
	{
		"ERR_TOO_MANY_REDIRECTS",
		"The server sends the browser in a circle, often for want of a cookie or a login: see where to with `network " +
			"requests`, and remove cookies that may be the cause with `cookies clear`.",
	},
	{
		"URL_SCHEME",
		"Addresses of this kind show no page: the browser hands them to other programs. Open an http, https, file, data or " +
			"about address.",
	},
	{"ERR_ABORTED", "The page or a download stopped the navigation; the tab stays where it was."},
	{"ERR_CONNECTION_RESET", brokenOff},
	{"ERR_CONNECTION_CLOSED", brokenOff},
	{"ERR_CONNECTION_ABORTED", brokenOff},
	{"ERR_SOCKET_NOT_CONNECTED", brokenOff},
	{"ERR_EMPTY_RESPONSE", brokenOff},
	{
		"TIMED_OUT",
		"Nothing answers at this address: a firewall may swallow the connection, or the server is down. Check the host " +
			"and the port.",
	},
	{"ERR_INVALID_HTTP_RESPONSE", "What listens at this address does not speak HTTP; check the port."},
	{"ERR_INTERNET_DISCONNECTED", unreachable},
	{"ERR_ADDRESS_UNREACHABLE", unreachable},
	{"ERR_NETWORK", unreachable},
}

const (
	proxyCredentials = "The proxy wants a user name and a password, or refused those that it got: give them with " +
		"--proxy http://user:password@host:port to a new session (`close` ends this one's browser)."
	unreachableProxy = "The proxy cannot be reached, or does not speak its protocol: check the address in --proxy and " +
		"that the proxy runs, then start the session again with `close`."
	brokenOff    = "The server took the connection and ended it without an answer; it may have received the request."
	brokenOffTLS = " A server that wants a client certificate may end it so, too; this browser has none to give: " +
		"`connect` to one of yours that has one."
	unreachable = "The network does not reach this address."
)

// New keeps the browser's own code, which scripts match on, and says what it means.
func New(url, code string) *fault.Error {
	e := fault.New(fault.NavigationFailed, "Navigation failed: %s at %s.", code, url).About(url).With("netError", code)
	for _, h := range hints {
		if strings.Contains(code, h.code) {
			e.Hint = h.hint
			// The browser may see that the connection ended before it sees why the server refuses a client.
			if h.hint == brokenOff && strings.HasPrefix(url, "https:") {
				e.Hint += brokenOffTLS
			}
			break
		}
	}
	return e
}
