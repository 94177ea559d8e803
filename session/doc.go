// Package session has the named sessions of a host, which outlive single commands. A [Session] is a set of tabs in a
// browser context, with the refs of their snapshots. A [Manager] has the sessions of one host and runs command lines in
// them with [Manager.Do]. Browsers come from a pool (package launch): sessions with the same launch options share one.
//
// A session runs the commands of a tab one after another, and those of different tabs beside each other, if their
// definitions say that they work in their tab alone (actions.InTab); all others have the session for themselves, as
// have those that start, restore or replace a browser (lane.go). The tab of a command is fixed when it arrives.
// Commands that control the session (closing, tabs, dialogs) do not wait for a page. After a crash of a page, the
// browser or the host, the session restores its tabs with the next command (recovery.go).
//
// Package daemon makes a Manager reachable for clients over a private socket. This package must not know what a page
// contains, nor how a caller prints a reply.
package session
