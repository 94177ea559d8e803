// Package stage puts together what a user installs: for each system a folder with the programs, their licenses, manual
// pages, shell completions and guides, in the layout of /usr/local. Archives, packages and everything else are made of
// such a [Folder].
package stage
