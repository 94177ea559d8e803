// Package desktop has the commands that find, start, look at and end desktop apps that are built on Electron.
//
// What is done to an app is package electron's; a session works in its windows as it does in tabs.
package desktop
