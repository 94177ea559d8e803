// Package running finds Electron apps that run on this machine, launched from here or not, and opens the inspector of
// their main process. [List] finds them by what their processes run, never by a name; [App.OpenInspector] asks one to
// listen.
//
// Only Linux tells enough of other processes. The package must not know launches, sessions or commands.
package running
