// Package session has the named sessions of a host, which outlive single commands. A [Session] is a set of tabs in a browser context, with
// the refs of their snapshots. A [Manager] has the sessions of one host and runs command lines in them with [Manager.Do]. Browsers come from
// a pool (package launch): sessions with the same launch options share one.
//
// A session runs its commands one after another. Commands that control it (closing, tabs, dialogs) do not wait for a page. After a crash of
// a page, the browser or the host, the session restores its tabs with the next command (recovery.go).
//
// Package daemon makes a Manager reachable for clients over a private socket. This package must not know what a page contains, nor how a
// caller prints a reply.
package session
