// Package plugin runs programs that extend skua: they provide logins from other vaults, start browsers elsewhere,
// change how a browser starts, or answer requests of their own. A [Plugin] is an executable that reads a JSON request
// from standard input and writes a JSON response to standard output. The protocol is agent-browser.plugin.v1, so that
// plugins work with both programs. A [Host] runs plugins for a caller.
//
// A plugin is called only for the capabilities that it declares. It runs in its own process group, which ends with the
// call and with this process, with limits on time and output, and with only a few harmless variables and those that its
// configuration names.
//
// The package must not know commands and sessions. Credentials from a plugin never appear in an error or a log.
package plugin
