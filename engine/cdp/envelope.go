package cdp

import (
	"bytes"
	"errors"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// options read and write JSON as Chromium does: it may send text that is not valid UTF-8, and lone surrogates.
var options = jsonv2.JoinOptions(jsonv2.DefaultOptionsV2(), jsonv2.AllowInvalidUTF8(true))

// envelope is one message from the browser, with its payload still encoded. Its slices are parts of the message where
// it has the browser's usual shape.
type envelope struct {
	id      int64 // of a reply; events have none and leave it 0
	method  []byte
	session []byte
	params  jsonv2.Value
	result  jsonv2.Value
	failure jsonv2.Value // the error object of a reply
}

var errShape = errors.New("neither a reply nor an event")

// parse reads the envelope of a message.
func parse(msg []byte) (envelope, error) {
	if e, ok := slice(msg); ok {
		return e, nil
	}
	return decodeEnvelope(msg)
}

// The two shapes that Chromium writes: {"id":N,"result":{...},"sessionId":"S"} and
// {"method":"M","params":{...},"sessionId":"S"}, the last member being absent on the browser's own session, and "error"
// taking the place of "result".
var (
	keyID      = []byte(`{"id":`)
	keyMethod  = []byte(`{"method":"`)
	keyResult  = []byte(`,"result":{`)
	keyError   = []byte(`,"error":{`)
	keyParams  = []byte(`,"params":{`)
	keySession = []byte(`,"sessionId":"`)
)

// slice reads the envelope of a message in one of Chromium's own shapes without decoding the payload, and reports
// whether it was in one. Of a message that is not valid JSON it may accept what looks right from outside; decoding the
// payload shows that.
func slice(msg []byte) (e envelope, ok bool) {
	if rest, found := bytes.CutPrefix(msg, keyID); found {
		if e.id, rest, ok = cutID(rest); !ok {
			return envelope{}, false
		}
		if payload, found := cutOpening(rest, keyResult); found {
			e.result, e.session, ok = cutPayload(payload)
		} else if payload, found := cutOpening(rest, keyError); found {
			e.failure, e.session, ok = cutPayload(payload)
		} else {
			ok = false
		}
	} else if rest, found := bytes.CutPrefix(msg, keyMethod); found {
		if e.method, rest, ok = cutPlain(rest); !ok || len(e.method) == 0 {
			return envelope{}, false
		}
		payload, found := cutOpening(rest, keyParams)
		if !found {
			return envelope{}, false
		}
		e.params, e.session, ok = cutPayload(payload)
	}
	if !ok {
		return envelope{}, false
	}
	return e, true
}

// cutOpening cuts a key and keeps the brace that ends it, the first byte of the payload.
func cutOpening(b, key []byte) ([]byte, bool) {
	if !bytes.HasPrefix(b, key) {
		return nil, false
	}
	return b[len(key)-1:], true
}

// cutID reads a positive decimal number that needs no more than 18 digits.
func cutID(b []byte) (id int64, rest []byte, ok bool) {
	i := 0
	for ; i < len(b) && i < 18 && '0' <= b[i] && b[i] <= '9'; i++ {
		id = id*10 + int64(b[i]-'0')
	}
	return id, b[i:], i > 0 && b[0] != '0'
}

// cutPlain reads the rest of a string that holds plain ASCII only, up to and with its closing quote.
func cutPlain(b []byte) (s, rest []byte, ok bool) {
	for i, c := range b {
		switch {
		case c == '"':
			return b[:i], b[i+1:], true
		case c < ' ' || c == '\\' || c >= 0x7f:
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// cutPayload splits what follows the payload's key: the payload, then the session if there is one, then the end of the
// envelope.
func cutPayload(b []byte) (payload jsonv2.Value, session []byte, ok bool) {
	n := objectLen(b)
	if n == 0 {
		return nil, nil, false
	}
	payload, rest := b[:n:n], b[n:]
	if after, found := bytes.CutPrefix(rest, keySession); found {
		if session, rest, ok = cutPlain(after); !ok {
			return nil, nil, false
		}
	}
	return jsonv2.Value(payload), session, len(rest) == 1 && rest[0] == '}'
}

// objectLen returns the length of the object at the start of b, and 0 when it does not end. It looks at strings and
// brackets only.
func objectLen(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			n := stringLen(b[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
		}
	}
	return 0
}

// stringLen returns the length of the string at the start of b, quotes included, and 0 when it does not end.
func stringLen(b []byte) int {
	for i := 1; ; {
		j := bytes.IndexByte(b[i:], '"')
		if j < 0 {
			return 0
		}
		j += i
		escapes := 0
		for k := j - 1; k >= i && b[k] == '\\'; k-- {
			escapes++
		}
		if i = j + 1; escapes%2 == 0 {
			return i
		}
	}
}

// decodeEnvelope reads an envelope of any shape.
func decodeEnvelope(msg []byte) (envelope, error) {
	var wire struct {
		ID        *int64       `json:"id"`
		Method    string       `json:"method"`
		SessionID string       `json:"sessionId"`
		Params    jsonv2.Value `json:"params"`
		Result    jsonv2.Value `json:"result"`
		Error     jsonv2.Value `json:"error"`
	}
	if err := jsonv2.Unmarshal(msg, &wire, options); err != nil {
		return envelope{}, err
	}
	e := envelope{session: []byte(wire.SessionID)}
	switch {
	case wire.ID != nil && *wire.ID > 0:
		e.id = *wire.ID
		if wire.Error != nil && wire.Error.Kind() != 'n' {
			e.failure = wire.Error
		} else {
			e.result = wire.Result
		}
	case wire.ID == nil && wire.Method != "":
		e.method, e.params = []byte(wire.Method), wire.Params
	default:
		return envelope{}, errShape
	}
	return e, nil
}
