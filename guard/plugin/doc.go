// Package plugin runs programs that extend the product: they give logins out of other vaults, make browsers elsewhere, add to how a browser is started,
// or answer requests of their own. A plugin is an executable that reads one JSON request from its standard input and writes one JSON response to
// its standard output, in the protocol agent-browser.plugin.v1, so that those of agent-browser work here and the other way round.
//
// A plugin is called for what it declares and for nothing else. It runs in a process group of its own that ends with the call and with this process, for
// a limited time, with output of limited size, and with an environment of a few harmless variables and those that its configuration names.
//
// The package knows no command and no session. What a plugin answers to a request for a login appears in no error and no log.
package plugin
