// Package wire is the language between the client and the engine host: one request and one reply on one connection.
//
//	request = "skua" uvarint(len(body)) body
//	body    = version kind mtime size  token name cwd tty  args env  hasStdin stdin
//	reply   = frame* ; the last one is Exit, Pong, Again or Refused
//	frame   = kind(1 byte) uvarint(len(payload)) payload
//	answer  = answered(1 byte) uvarint(len(line)) line
//
// Integers are unsigned varints, strings and stdin are a length and bytes, lists are a count and strings. The first four
// fields of a body stay where they are in every version, so that a host can tell the build of a client whose version it
// does not speak. A client that closes the connection cancels its request. A client says
// nothing after its request but an answer to each Ask frame.
//
// Request is what the client asks, Frame and its payloads are what the host answers. Encoding appends to the caller's
// buffer and allocates nothing by itself: the client encodes before its Go runtime has started. Decoding never panics and
// allocates in proportion to what was really sent.
//
// The package knows nothing of sockets, commands or sessions, and imports next to nothing, since the client links it.
package wire
