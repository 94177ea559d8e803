// Package electron finds and runs desktop apps that are built on Electron: Discover lists what is installed, Resolve
// finds the one that is meant and how it is started, and the rest launches it with a profile of its own, watches it and
// clears it away.
//
// Whether something is an Electron app is read from what Electron puts beside its executable, archives of the app
// included, never from a name: see appfiles. The package must not know the tool's contract or sessions.
package electron
