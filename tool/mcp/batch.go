package mcp

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// unbatched is the first version of the protocol without batches.
const unbatched = "2025-06-18"

// batch is a line with several messages. Its answers are written together, when there are all of them.
type batch struct {
	waiting int // calls without an answer; guarded by the connection's mu, as answers are
	answers [][]byte
}

// receiveBatch is receive for a batch.
func (c *lineConn) receiveBatch(text []byte) error {
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		return c.answer(refuse(jsonrpc.CodeParseError, err.Error()))
	}
	c.mu.Lock()
	version := c.version
	c.mu.Unlock()
	switch {
	case len(items) == 0:
		return c.answer(refuse(jsonrpc.CodeInvalidRequest, "the batch is empty"))
	case version == "" || version >= unbatched:
		return c.answer(refuse(jsonrpc.CodeInvalidRequest,
			"batches are part of protocol versions before "+unbatched+
				" only; send a line per message, after the result of initialize"))
	}
	b := &batch{waiting: 1} // one for the reading, so that no answer completes it before
	for _, item := range items {
		m, refused := c.accept(item, b)
		c.mu.Lock()
		switch call, ok := m.(*jsonrpc.Request); {
		case refused != nil:
			b.answers = append(b.answers, refused.encode())
		case ok && call.IsCall():
			b.waiting++
		}
		c.mu.Unlock()
		if m != nil {
			c.unread = append(c.unread, m)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writeBatch(b, nil)
}

// writeBatch notes the answer of a call in a batch, nil for the end of reading it, and writes all answers after the
// last one. The caller holds mu.
func (c *lineConn) writeBatch(b *batch, answer []byte) error {
	if answer != nil {
		b.answers = append(b.answers, answer)
	}
	b.waiting--
	if b.waiting > 0 || len(b.answers) == 0 {
		return nil
	}
	return c.writeLine(append(append([]byte("["), bytes.Join(b.answers, []byte(","))...), ']'))
}
