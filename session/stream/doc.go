// Package stream shows a session live over a WebSocket and takes the input of a person who looks at it. [Accept] carries one connection, a
// [Server] listens for those of clients that know its secret. The messages are those of agent-browser.
//
//	client ── reader ── input → page
//	       ── writer ← newest frame, state, console
//	             └── follower: screencast of the active tab
//
// The package must not know how sessions are kept: it sees one as a [Source].
package stream
