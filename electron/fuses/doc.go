// Package fuses reads the fuses of an Electron executable: switches that its maker set in the file when the app was
// packaged, such as whether the app takes --inspect.
//
// The form is that of @electron/fuses: a sentinel, a version byte, a count byte, and one character for each fuse.
package fuses
