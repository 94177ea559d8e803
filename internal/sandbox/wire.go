package sandbox

import (
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/skua-browser/skua/internal/plainjson"
)

// order is what the host tells its worker: first the start, then answers to calls, and perhaps that the script must
// end.
type order struct {
	Start  *start  `json:"start,omitempty"`
	Answer *reply  `json:"answer,omitempty"`
	End    *ending `json:"end,omitempty"`
}

// start is what a worker needs to run a script.
type start struct {
	Source    string                     `json:"source"`
	Memory    uint64                     `json:"memory"`  // bytes
	Seconds   uint64                     `json:"seconds"` // of the processor
	Calls     int                        `json:"calls"`
	Functions []string                   `json:"functions"`
	Values    map[string]json.RawMessage `json:"values,omitempty"`
}

// reply is an answer to a call, in a size that a script may get.
type reply struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error *thrown         `json:"error,omitempty"`
}

// thrown is what a call throws.
type thrown struct {
	Message string                     `json:"message"`
	Fields  map[string]json.RawMessage `json:"fields,omitempty"`
}

// ending is why a script has to end before its time.
type ending struct {
	Category Failure `json:"category"`
	Message  string  `json:"message"`
}

// news is what a worker tells its host: a call, or how the script ended.
type news struct {
	Call *request `json:"call,omitempty"`
	Done *report  `json:"done,omitempty"`
}

// request is a call of a function.
type request struct {
	Function int             `json:"function"` // its index
	Args     json.RawMessage `json:"args,omitempty"`
	Invalid  string          `json:"invalid,omitempty"` // why the arguments cannot be handed out
}

// report is how a script ended, as its worker saw it.
type report struct {
	Data    json.RawMessage `json:"data,omitempty"` // absent: none
	Failure Failure         `json:"failure,omitempty"`
	Message string          `json:"message,omitempty"`
	Thrown  int             `json:"thrown,omitempty"` // which call threw what nothing caught, counted from 1
	Line    int             `json:"line,omitempty"`   // of that call
	Emits   int             `json:"emits,omitempty"`
}

// fail notes the first failure.
func (r *report) fail(kind Failure, message string) {
	if r.Failure == "" {
		r.Failure, r.Message = kind, message
	}
}

// link is one end of the two pipes between a host and its worker.
type link struct {
	from *json.Decoder
	size *io.LimitedReader
	mu   sync.Mutex // of to
	to   io.Writer
}

// messageLimit bounds a message between the two. Escapes make a text up to six times as long as it is.
const messageLimit = 8 * MessageBytes

var errTooLong = errors.New("the message is too long")

func newLink(from io.Reader, to io.Writer) *link {
	size := &io.LimitedReader{R: from}
	return &link{from: json.NewDecoder(size), size: size, to: to}
}

// receive reads the next message.
func (l *link) receive(message any) error {
	l.size.N = messageLimit
	err := l.from.Decode(message)
	if err != nil && l.size.N == 0 {
		return errTooLong
	}
	return err
}

// send writes a message.
func (l *link) send(message any) error {
	raw, err := plainjson.Marshal(message)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err = l.to.Write(append(raw, '\n'))
	return err
}
