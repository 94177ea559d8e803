package wire

import "errors"

// The errors of a peer.
var (
	// ErrMalformed: the bytes are not of this protocol.
	ErrMalformed = errors.New("not a message of the skua protocol")
	// ErrTooLarge: the request announces more than MaxRequest bytes.
	ErrTooLarge = errors.New("the request is larger than 64 MiB")
	// ErrVersion: the request is of another version of the protocol.
	ErrVersion = errors.New("the request is of another version of the skua protocol")
)
