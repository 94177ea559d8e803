// Package lifecycle has the browser of a session: how it starts, what of it is saved, how it ends, and how what it had
// comes back after a crash of the browser, a page or the host.
//
// A [Browser] is a session's browser and tabs, with one mutex for both. A [Use] is what one call does with it: it
// starts the browser, restores, loads and picks tabs, with the options of the call. Nothing is called back under the
// mutex.
//
// It must not know commands, rules for them, queues or people.
package lifecycle
