// Release makes what a version of skua is given to users as: archives, packages of npm, Debian and RPM, manifests of
// other package managers, a list of what is in them, checksums, and notes. scripts/release calls it.
//
//	spec       what is released: version, commit, systems, names
//	stage      the folder of each system, with programs and documents
//	licenses   the licenses of what the programs contain
//	archive    tar.gz and zip
//	packages   .deb and .rpm
//	npm        packages of npm
//	bundles    MCP bundles
//	clients    the libraries for TypeScript and Python
//	manifests  Homebrew, Scoop, Nix
//	sbom       SPDX
//	trial      tests that install and use all of it
package main
