// Package conversation holds what a tool knows of the sessions that its calls work in: which one is the managed
// session, which of them the tool has begun and so has to end, and of each the page that it shows, its refs, routes and
// rules.
//
// [Sessions] are those of one backend, [State] is what is known about one of them, [Names] gives those of a tool their
// names, and [Outcome] says what a call did to the managed session. A call waits for the session's [Turn] before it
// reads or writes the State. The package knows no parameters of calls and makes no results.
package conversation
