package cdp

import (
	"bytes"
	"slices"
	"strconv"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/internal/fault"
)

// keepBuffer is the size from which a buffer is left to the garbage collector after use.
const keepBuffer = 1 << 20

// outgoing builds commands, each of them terminated with NUL.
type outgoing struct{ b []byte }

var outgoings = sync.Pool{New: func() any { return &outgoing{b: make([]byte, 0, 512)} }}

func newOutgoing() *outgoing { return outgoings.Get().(*outgoing) }

func (o *outgoing) release() {
	if cap(o.b) <= keepBuffer {
		o.b = o.b[:0]
		outgoings.Put(o)
	}
}

// add appends a command.
func (o *outgoing) add(id int64, session, method string, params []byte) {
	// 80: more than the rest takes, unless a name needs escapes
	b := slices.Grow(o.b, len(method)+len(session)+len(params)+80)
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, id, 10)
	b = append(b, `,"method":`...)
	b = appendString(b, method)
	if session != "" {
		b = append(b, `,"sessionId":`...)
		b = appendString(b, session)
	}
	if len(params) > 0 {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	o.b = append(b, '}', 0)
}

// appendString appends a JSON string.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			quoted, _ := jsonv2.Marshal(s, options) // with invalid UTF-8 allowed, every string has a JSON form
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// encodeParams returns the JSON of params, which is empty for none.
func encodeParams(method string, params any) ([]byte, error) {
	var raw []byte
	switch v := params.(type) {
	case nil:
		return nil, nil
	case jsonv2.Value:
		raw = v
	case []byte:
		raw = v
	default:
		b, err := jsonv2.Marshal(params, options)
		if err != nil {
			return nil, fault.New(fault.Internal, "the parameters of %s have no JSON form: %w", method, err).With("method",
				method)
		}
		return b, nil
	}
	// No JSON holds a NUL, and on a pipe it would end the message.
	if bytes.IndexByte(raw, 0) >= 0 {
		return nil, fault.New(fault.Internal, "the parameters of %s are not JSON: they hold a NUL byte", method).
			With("method", method)
	}
	return raw, nil
}

// Unmarshal decodes JSON of the browser's, which may hold text that is not valid UTF-8, and lone surrogates.
func Unmarshal(raw jsonv2.Value, v any) error { return jsonv2.Unmarshal(raw, v, options) }

// Words returns a JSON value of the browser's as words: a string, a number or a boolean; "" for everything else.
func Words(v jsonv2.Value) string {
	switch v.Kind() {
	case '"':
		var s string
		if Unmarshal(v, &s) != nil {
			return ""
		}
		return s
	case '0':
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return ""
		}
		// Chrome computes with 32 bits, and tells 0.6 as 0.6000000238418579.
		if f == float64(float32(f)) {
			return strconv.FormatFloat(f, 'f', -1, 32)
		}
		return strconv.FormatFloat(f, 'f', -1, 64)
	case 't', 'f':
		return string(v)
	}
	return ""
}

// decodeResult decodes a result into result, unless that is nil.
func decodeResult(method string, raw jsonv2.Value, result any) error {
	switch r := result.(type) {
	case nil:
		return nil
	case *jsonv2.Value:
		*r = raw
		return nil
	}
	if len(raw) == 0 {
		return nil
	}
	if err := jsonv2.Unmarshal(raw, result, options); err != nil {
		return fault.New(fault.Protocol, "the browser's answer to %s does not have the expected form: %w", method, err).
			With("method", method)
	}
	return nil
}
