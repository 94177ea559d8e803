// Package embedder asks pages for what a browser refuses that another program embeds: that of an Electron app manages
// no browser contexts, and has neither their cookies nor their downloads. [StandIn] says which page to ask. The package
// must not know what the program is.
package embedder
