// Page makes the project's page out of its documents: static files with a search that needs no server, and no address
// of anybody else's that a browser would load from. scripts/page calls it.
package main
