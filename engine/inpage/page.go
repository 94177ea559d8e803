package inpage

import _ "embed" // the scripts of the page's own world are files of their own

// AwaitScript is the source of a function that runs in the page's own world, where the caller's script has to run: (script, patience in
// ms, source of the script) to a promise of {done, value | kind | failed | invalid}. It leaves nothing behind in that world.
//
//go:embed page/awaitscript.js
var AwaitScript string

// Info is the source of a function that runs in the page's own world and returns {title, status, readyState} of its document.
//
//go:embed page/info.js
var Info string

// PushState is the source of a function that runs in the page's own world: an address to a promise of {url, by | elsewhere | failed}.
//
//go:embed page/pushstate.js
var PushState string
