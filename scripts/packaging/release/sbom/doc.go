// Package sbom writes the list of what a release contains in the form SPDX 2.3, JSON: its programs, and the modules in
// each of them.
package sbom
