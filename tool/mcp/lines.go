package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lineTransport carries messages over a pair of streams, one message per line. Unlike [sdk.IOTransport], which reads a
// stream of JSON values and ends with the first one that is malformed, it answers a bad line with an error and reads
// the next one.
type lineTransport struct {
	in  io.ReadCloser
	out io.WriteCloser
}

// Connect implements [sdk.Transport].
func (t *lineTransport) Connect(context.Context) (sdk.Connection, error) {
	c := &lineConn{
		in:     t.in,
		out:    t.out,
		lines:  make(chan line),
		closed: make(chan struct{}),
		calls:  map[jsonrpc.ID]*batch{},
	}
	// The goroutine ends at the end of the stream or after Close. A read of standard input that Close cannot interrupt
	// outlives the connection.
	go c.readLines()
	return c, nil
}

// line is one line of the client's.
type line struct {
	text []byte
	err  error // the stream ended, or errTooLong
}

var errTooLong = errors.New("line too long")

// lineConn is a [sdk.Connection] over lines.
type lineConn struct {
	in     io.ReadCloser
	out    io.WriteCloser
	lines  chan line
	unread []jsonrpc.Message // of a batch; Read alone uses it

	mu sync.Mutex // of writing, and of what follows
	// the client's calls that are not answered; the value is nil for a call outside a batch
	calls      map[jsonrpc.ID]*batch
	initialize jsonrpc.ID // of the call whose result names the version
	version    string     // negotiated; empty before

	once     sync.Once
	closed   chan struct{}
	closeErr error
}

// SessionID implements [sdk.Connection].
func (c *lineConn) SessionID() string { return "" }

// Close implements [sdk.Connection].
func (c *lineConn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.closeErr = errors.Join(c.in.Close(), c.out.Close())
	})
	return c.closeErr
}

func (c *lineConn) readLines() {
	from := bufio.NewReaderSize(c.in, 64<<10)
	for {
		text, err := readLine(from, maxMessage)
		if len(text) > 0 || err != nil {
			select {
			case c.lines <- line{text, err}:
			case <-c.closed:
				return
			}
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return
		}
	}
}

// readLine returns the next line without its end. The rest of a line that is longer than most is skipped. The last line
// may lack its end.
func readLine(from *bufio.Reader, most int) ([]byte, error) {
	var text []byte
	long := false
	for {
		part, err := from.ReadSlice('\n')
		if long = long || len(text)+len(part) > most; long {
			text = nil
		} else {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && (err == nil || errors.Is(err, io.EOF)):
			return nil, errTooLong
		case errors.Is(err, io.EOF) && len(text) > 0:
			return text, nil // the next call returns io.EOF
		}
		return text, err
	}
}

// Read implements [sdk.Connection].
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(c.unread) > 0 {
			next := c.unread[0]
			c.unread = c.unread[1:]
			return next, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l := <-c.lines:
			if err := c.receive(l); err != nil {
				return nil, err
			}
		}
	}
}

// receive puts the messages of a line into unread, and answers what is not a message. An error ends the connection.
func (c *lineConn) receive(l line) error {
	if errors.Is(l.err, errTooLong) {
		return c.answer(refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the line is longer than %d MiB", maxMessage>>20)))
	}
	if l.err != nil {
		return l.err
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(l.text), byteOrderMark))
	switch {
	case len(text) == 0:
		return nil
	case !utf8.Valid(text):
		return c.answer(refuse(jsonrpc.CodeParseError, "the line is not valid UTF-8"))
	case !json.Valid(text):
		return c.answer(refuse(jsonrpc.CodeParseError, "the line is not one JSON value: "+syntaxError(text)))
	case text[0] == '[':
		return c.receiveBatch(text)
	}
	m, refused := c.accept(text, nil)
	if refused != nil {
		return c.answer(refused)
	}
	c.unread = append(c.unread, m)
	return nil
}

// byteOrderMark begins the output of programs that write UTF-8 as Windows does. A reader of JSON may skip it.
var byteOrderMark = []byte("\uFEFF")

func syntaxError(text []byte) string {
	var v json.RawMessage
	if err := json.Unmarshal(text, &v); err != nil {
		return err.Error()
	}
	return "it is malformed"
}

// accept decodes a message, and notes a call as one that has to be answered, within a batch or without one.
func (c *lineConn) accept(text []byte, within *batch) (jsonrpc.Message, *refusal) {
	if refused := checkShape(text); refused != nil {
		return nil, refused
	}
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		var of struct {
			ID json.RawMessage `json:"id"`
		}
		_ = json.Unmarshal(text, &of) // without an id the answer has none
		return nil, refuse(jsonrpc.CodeInvalidRequest, err.Error()).to(of.ID)
	}
	call, ok := m.(*jsonrpc.Request)
	if !ok || !call.IsCall() {
		return m, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, waits := c.calls[call.ID]; waits {
		return nil, refuse(jsonrpc.CodeInvalidRequest,
			fmt.Sprintf("a request with the id %v is still being answered; choose another id", call.ID.Raw()))
	}
	c.calls[call.ID] = within
	if call.Method == "initialize" {
		c.initialize = call.ID
	}
	return m, nil
}

// checkShape refuses what the decoder would take for something else: a request whose id is null for a notification, an
// id with a fraction for the whole number below it, and what has neither method nor result for a response.
func checkShape(text []byte) *refusal {
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil || m == nil {
		return refuse(jsonrpc.CodeInvalidRequest, "a message is a JSON object")
	}
	id, hasID := m["id"]
	switch {
	case m["method"] != nil && hasID && !isID(id):
		return refuse(jsonrpc.CodeInvalidRequest, "the id of a request is a whole number or a text")
	case string(m["method"]) == `""`:
		return refuse(jsonrpc.CodeInvalidRequest, "the method is empty").to(id)
	case m["method"] == nil && m["result"] == nil && m["error"] == nil:
		return refuse(jsonrpc.CodeInvalidRequest, `a message has a "method", or is a response with a "result" or an "error"`).
			to(id)
	}
	return nil
}

// isID reports whether a request may have the id.
func isID(text json.RawMessage) bool {
	var id any
	if json.Unmarshal(text, &id) != nil {
		return false
	}
	switch v := id.(type) {
	case string:
		return true
	case float64:
		const exact = 1 << 53
		return v == math.Trunc(v) && math.Abs(v) <= exact
	}
	return false
}

// Write implements [sdk.Connection].
func (c *lineConn) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	response, ok := m.(*jsonrpc.Response)
	if !ok || !response.ID.IsValid() {
		return c.writeLine(text)
	}
	if response.ID == c.initialize && response.Error == nil {
		c.noteVersion(response.Result)
	}
	within := c.calls[response.ID]
	delete(c.calls, response.ID)
	if within == nil {
		return c.writeLine(text)
	}
	return c.writeBatch(within, text)
}

func (c *lineConn) noteVersion(result json.RawMessage) {
	var r struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	if json.Unmarshal(result, &r) == nil {
		c.version = r.ProtocolVersion
	}
}

// writeLine writes a message. The caller holds mu.
func (c *lineConn) writeLine(text []byte) error {
	_, err := c.out.Write(append(text, '\n'))
	return err
}

// answer writes a refusal.
func (c *lineConn) answer(r *refusal) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writeLine(r.encode())
}

// refusal is the answer to what is not a message. Its id is null where the client's is not known.
type refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *jsonrpc.Error  `json:"error"`
}

func refuse(code int64, why string) *refusal {
	return &refusal{Version: "2.0", ID: json.RawMessage("null"), Error: &jsonrpc.Error{Code: code, Message: why}}
}

// to gives the refusal the id of the request, if it is one that a request may have: the client waits for it.
func (r *refusal) to(id json.RawMessage) *refusal {
	if isID(id) {
		r.ID = id
	}
	return r
}

func (r *refusal) encode() []byte {
	text, err := json.Marshal(r)
	if err != nil { // there is nothing in it that cannot be encoded
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`)
	}
	return text
}
