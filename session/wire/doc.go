// Package wire is the protocol between the client and the host: one request and one reply per connection.
//
//	request = "skua" uvarint(len(body)) body
//	body    = version kind mtime size  token name cwd tty  args env  hasStdin stdin
//	reply   = frame* ; the last one is Exit, Pong, Retry or Refused
//	frame   = kind(1 byte) uvarint(len(payload)) payload
//	answer  = answered(1 byte) uvarint(len(line)) line
//
// Integers are unsigned varints, strings and stdin are a length and bytes, lists are a count and strings. The first
// four fields of a body are the same in every version, so that a host can read the build of a client with another
// version. A client cancels its request by closing the connection. After its request, it only sends an answer to each
// Ask frame.
//
// [Request] is the client's message; frames and their payloads are the host's. Encoding appends to the caller's buffer
// and does not allocate, since the client encodes before its Go runtime starts. Decoding never panics and allocates in
// proportion to the data that was received.
//
// The package must not know sockets, commands and sessions, and imports almost nothing, since the client links it.
package wire
