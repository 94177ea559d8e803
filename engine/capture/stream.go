package capture

import (
	"context"
	"encoding/base64"
	"io"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// streamChunk is how many bytes of a stream are asked for at a time.
const streamChunk = 1 << 20

// readStream copies a stream of the browser's until its end, and closes it. Only one piece of it is in memory at a
// time.
func readStream(ctx context.Context, sess *cdp.Session, handle string, w io.Writer) error {
	defer sess.Start("IO.close", map[string]string{"handle": handle})
	for {
		eof, _, err := readChunk(ctx, sess, handle, w)
		if err != nil || eof {
			return err
		}
	}
}

// copyStream copies a stream of the browser's that can be read again, from its beginning. It stays open.
func copyStream(ctx context.Context, sess *cdp.Session, handle string, w io.Writer) error {
	for offset := 0; ; {
		eof, n, err := readChunkAt(ctx, sess, chunkWish{handle, streamChunk, &offset}, w)
		if err != nil || eof {
			return err
		}
		offset += n
	}
}

// readChunk copies what there is of a stream, at most a piece, and returns how many bytes that was.
func readChunk(ctx context.Context, sess *cdp.Session, handle string, w io.Writer) (eof bool, n int, err error) {
	return readChunkAt(ctx, sess, chunkWish{Handle: handle, Size: streamChunk}, w)
}

// chunkWish says which piece of a stream is asked for: the next one, unless Offset says.
type chunkWish struct {
	Handle string `json:"handle"`
	Size   int    `json:"size"`
	Offset *int   `json:"offset,omitempty"`
}

func readChunkAt(ctx context.Context, sess *cdp.Session, which chunkWish, w io.Writer) (eof bool, n int, err error) {
	raw, err := sess.CallRaw(ctx, "IO.read", which)
	if err != nil {
		return false, 0, err
	}
	var part struct {
		Data   string `json:"data"`
		Base64 bool   `json:"base64Encoded"`
		EOF    bool   `json:"eof"`
	}
	if err := cdp.Unmarshal(raw, &part); err != nil {
		return false, 0, err
	}
	content := []byte(part.Data)
	if part.Base64 {
		if content, err = base64.StdEncoding.DecodeString(part.Data); err != nil {
			return false, 0, fault.New(fault.Internal, "reading a stream of the browser: %w", err)
		}
	}
	_, err = w.Write(content)
	return part.EOF, len(content), err
}
