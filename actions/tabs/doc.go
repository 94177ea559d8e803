// Package tabs has the commands about tabs, windows, frames, dialogs and sessions as a whole.
package tabs
