// Package install gets browsers and new builds of skua itself: it downloads, checks, unpacks, tries out and only then
// puts in place.
//
// [Installer.Install] gets Chrome for Testing and chrome-headless-shell by the JSON files that Chrome for Testing
// documents, from its public address or another one that follows the same protocol. [Installer.UpgradeBrowsers] gets
// the newer build of what was installed. [Libraries] says which shared libraries a program lacks, [Manager] which
// packages of the system have them. [FindOrigin] says how the running programs came here, and [Replace] puts newer ones
// in their place.
//
// Everything is below the folder "browsers" of the user's files, one folder a browser, whose name engine/chrome looks
// for. A folder that has such a name is whole and its browser has answered. The file manifest.json has the checksums of
// all files. The package knows no sessions.
package install
