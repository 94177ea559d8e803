// Package testpasskey is a site for tests that registers passkeys and lets users log in with them: a relying party of
// WebAuthn that checks what browsers send, signatures included.
package testpasskey
