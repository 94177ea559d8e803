// Package gate is the network access of a session with network rules: a proxy on loopback for its browser ([Open]), and
// the [Dialer] behind it, which the host's own requests use as well.
//
// The gate resolves names itself. It checks the host, then each resolved address, and connects to exactly the address
// that it checked, so that a changing DNS answer cannot bypass the rules (DNS rebinding). If the user has a proxy, the
// gate connects through it, and the proxy resolves the names.
//
// The package knows the rules (package policy), and must not know browsers, pages and sessions.
package gate
