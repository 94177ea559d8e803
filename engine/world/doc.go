// Package world runs scripts in a document of a frame: those of a caller in the page's own world, and the ops of the
// in-page script in the isolated [World] that pages do not see. It hands the in-page script what only the protocol
// tells: closed shadow trees, the parts of controls, what custom elements say by ElementInternals, and event listeners.
//
// It works on a session and the ids of the protocol. It knows no pages or frames: package engine finds the world of the
// document that a frame shows, and does again what failed because the document went away.
package world
