// Package webauthn gives the pages of a context a virtual authenticator, which registers and uses passkeys as a phone
// or a security chip would. Tabs have an authenticator each, which the package keeps alike. [On] turns it on, [List]
// has the passkeys of the context, and [Lend] gives one page passkeys for a while.
//
// Its functions take an [engine.Page] or [engine.Context]. It knows no other package on top of engine, no vault and no
// files.
package webauthn
