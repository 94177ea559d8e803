// Package gate is the way to the network for a session that may not reach everything: a proxy on loopback which the session's browser is made
// to use ([Open]), and the dialer behind it ([Dialer]), which what the host itself fetches uses, too.
//
// It resolves names itself, asks the rules about the host and then about each address that the name has, and connects to the very address that
// was asked about, so that an answer which changes between two questions gains nothing. The user's own proxy comes after it, if there is one;
// then names are that proxy's to resolve.
//
// It knows the rules (package policy), and nothing of browsers, pages or sessions.
package gate
