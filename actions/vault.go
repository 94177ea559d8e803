package actions

import "github.com/skua-browser/skua/vault"

// OpenVault opens the caller's vault.
func OpenVault(c *Call) (*vault.Vault, error) {
	return vault.Open(vault.Options{Getenv: c.Getenv, Namespace: c.String("namespace")})
}
