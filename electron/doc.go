// Package electron finds and runs desktop apps that are built on Electron: Discover lists what is installed, Inspect says whether an
// executable is such an app and by which marks, and the rest launches one with a profile of its own, watches it and clears it away.
//
// Whether something is an Electron app is read from what Electron puts beside its executable, archives of the app included, never from
// a name. The package must not know the tool's contract or sessions.
package electron
