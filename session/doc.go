// Package session is what outlives one command: named sessions, each a set of tabs in a browser context with the refs that its
// snapshots handed out. A [Manager] holds the sessions of one host and runs command lines in them; browsers come from its pool, where
// sessions with the same launch options share one. Commands of a session run one after another; those that control it (closing,
// tabs, dialogs) never wait behind a page.
//
// Package session/daemon lets clients reach a Manager over a private socket.
//
// The package must not know what a page looks like inside, nor how a caller prints what it gets.
package session
