// Package launch is how the browser of a session is had. [Options] are what a call says of it, with the profile, the plugins and the rules of what
// may be reached; [Kept] is what of them a file may keep. A browser that skua starts comes from [Browsers], where equal options share one; one
// that runs already, or that a provider starts, is an [External].
//
// The package must not know a session: who uses a browser, with which tabs, and what its user is told of it.
package launch
