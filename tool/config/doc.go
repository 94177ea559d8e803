// Package config reads what a person has set down for the tool: keys of the companion search, and which browser to
// prefer.
//
// [Load] puts up to three layers together, each a JSON file, the later ones on top: the user's, the project's when it
// is trusted, and the one that the environment names. A key may be written out, be taken from the environment, or be
// what a command prints; see [Credential].
//
// The package must not know who uses the settings.
package config
