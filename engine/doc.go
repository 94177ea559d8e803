// Package engine is a browser over CDP: a [Browser] holds [Context]s, a Context holds [Page]s (its tabs), a Page holds
// [Frame]s, whichever process they live in. It navigates, evaluates and answers dialogs, and it calls the in-page
// script in the isolated world of a frame.
//
// State that events carry (frames, documents, loading, dialogs, crashes) is kept by hooks that run on the connection's
// reader, so that whatever the browser sent before a reply is known when the reply arrives. Hooks only change state and
// wake waiters; what needs a CDP call of its own runs on a goroutine that the Page owns.
//
// A page has parts, which share its lock (engine/monitor) so that callers wait for any of them at once: its [Frames],
// its [Sessions], its dialogs (engine/dialogs) and what it asks for (engine/traffic). A navigation that a caller asks
// for is a visit.
//
// What only one area of the protocol needs is a package on top of this one, such as engine/capture: functions that take
// a Page or a Context. It works on [Page.Session], follows events with [Page.Observe] and [Context.Observe], sets what
// all pages are told with [Context.Overrides], and keeps its own state of a page or context in a [State]. This package
// knows none of them.
//
// The package knows nothing of refs, command lines or sessions.
package engine
