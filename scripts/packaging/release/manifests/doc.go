// Package manifests writes what other package managers install the archives of a release by: a formula of Homebrew, a
// manifest of Scoop, and an expression of Nix. All name the addresses of the archives and their checksums.
package manifests
