// Package liveness tells whether a page can answer, and if not, what keeps it from that: another document that it is on
// its way to, or a script that keeps it busy. It knows sessions, not pages: the owner of a page keeps its [Log]
// informed of navigations.
package liveness
