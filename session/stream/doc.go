// Package stream shows a session live over a WebSocket and accepts input from its viewer. [Accept] serves one
// connection; a [Server] listens for clients that know its secret. The messages are those of agent-browser.
//
//	client ── reader ── input → page
//	       ── writer ← newest frame, state, console
//	             └── follower: screencast of the active tab
//
// The package must not know how sessions work: it sees one as a [Source].
package stream
