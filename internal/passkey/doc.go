// Package passkey says what is kept of a passkey (a discoverable WebAuthn credential) in states and in the vault, and
// where it may be used. A [Passkey] has a private key: it is written to files only, and prints as the name of its
// relying party.
//
// The package must not know browsers, files and commands.
package passkey
