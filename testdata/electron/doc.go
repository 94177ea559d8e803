// Package electronapp makes Electron-shaped desktop apps for tests.
//
// [Generate] lays out a folder as electron-builder does (linux-unpacked): the executable, Electron's version and licenses, Chromium's
// resources, and resources/app.asar with the app's package.json and pages. The executable is the program in app: it reads its own archive
// and shows its windows in the Chromium that is installed, and it can misbehave on demand (the flags are in app/flags.go).
//
// Over the DevTools protocol the app is like Electron's: it takes --user-data-dir and --remote-debugging-port, its windows are targets of
// type page, and the main window embeds one of type webview.
package electronapp
