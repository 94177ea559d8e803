// Package launch gets the browser of a session. [Options] are the launch options of a call, with its profile, plugins
// and network rules; [SavedOptions] are the part that a file may keep. [Browsers] starts and pools browsers: sessions
// with equal options share one. An [External] is a browser that is already running or that a provider starts.
//
// The package must not know sessions: which tabs use a browser, and what users are told about it.
package launch
