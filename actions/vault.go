package actions

import "github.com/skua-browser/skua/vault"

// Vault opens the caller's vault.
func (c *Call) Vault() (*vault.Vault, error) {
	return vault.Open(vault.Options{Getenv: c.Getenv, Namespace: c.String("namespace")})
}
