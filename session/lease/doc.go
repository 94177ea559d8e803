// Package lease gets browsers for sessions: started ones, from the pool or a session's own, those that share a profile,
// and running ones that a session attaches to. What network rules forbid applies to each from its start. A [Lease] says
// how to give a browser back.
//
// It keeps nothing of a session, and must not know its tabs.
package lease
