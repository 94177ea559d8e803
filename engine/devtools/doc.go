// Package devtools lets another client of the protocol, such as Chromium's DevTools, work on one page: a [Relay] gives
// it a session of its own, and refuses what reaches beyond the page.
//
// It knows no other package on top of engine, and no transport: messages are bytes.
package devtools
