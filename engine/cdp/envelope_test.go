package cdp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// plain is an envelope in a form that compares and prints well.
type plain struct {
	ID                                       int64
	Method, Session, Params, Result, Failure string
}

func plainOf(e envelope) plain {
	return plain{e.id, string(e.method), string(e.session), string(e.params), string(e.result), string(e.failure)}
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		msg    string
		want   plain
		sliced bool
	}{
		// As Chromium writes.
		{"reply", `{"id":7,"result":{"a":1}}`, plain{ID: 7, Result: `{"a":1}`}, true},
		{"empty reply", `{"id":123456789,"result":{}}`, plain{ID: 123456789, Result: `{}`}, true},
		{
			"reply of a session", `{"id":7,"result":{"a":[{}]},"sessionId":"AB"}`,
			plain{ID: 7, Session: "AB", Result: `{"a":[{}]}`},
			true,
		},
		{
			"refusal", `{"id":7,"error":{"code":-32601,"message":"no"}}`,
			plain{ID: 7, Failure: `{"code":-32601,"message":"no"}`},
			true,
		},
		{
			"refusal of a session", `{"id":7,"error":{"code":1},"sessionId":"AB"}`,
			plain{ID: 7, Session: "AB", Failure: `{"code":1}`},
			true,
		},
		{"event", `{"method":"A.b","params":{"a":1}}`, plain{Method: "A.b", Params: `{"a":1}`}, true},
		{
			"event of a session", `{"method":"A.b","params":{},"sessionId":"AB"}`,
			plain{Method: "A.b", Session: "AB", Params: `{}`},
			true,
		},

		// Payloads that look like the end of an envelope.
		{
			"session inside", `{"id":7,"result":{"targetId":"x","sessionId":"AB"}}`,
			plain{ID: 7, Result: `{"targetId":"x","sessionId":"AB"}`},
			true,
		},
		{
			"session inside and outside", `{"id":7,"result":{"a":{},"sessionId":"AB"},"sessionId":"CD"}`,
			plain{ID: 7, Session: "CD", Result: `{"a":{},"sessionId":"AB"}`},
			true,
		},
		{
			"session in text", `{"id":7,"result":{"a":"},\"sessionId\":\"AB\"}"}}`,
			plain{ID: 7, Result: `{"a":"},\"sessionId\":\"AB\"}"}`},
			true,
		},
		{
			"brackets in text", `{"id":7,"result":{"a":"}]\"}{[","b":"\\"},"sessionId":"AB"}`,
			plain{ID: 7, Session: "AB", Result: `{"a":"}]\"}{[","b":"\\"}`},
			true,
		},
		{
			"backslashes", `{"id":7,"result":{"a":"\\\\\"}","b":"\\\\"}}`,
			plain{ID: 7, Result: `{"a":"\\\\\"}","b":"\\\\"}`},
			true,
		},
		{"invalid UTF-8", "{\"id\":7,\"result\":{\"a\":\"\xff\xc0\"}}", plain{ID: 7, Result: "{\"a\":\"\xff\xc0\"}"}, true},
		{"lone surrogate", `{"id":7,"result":{"a":"\ud800"}}`, plain{ID: 7, Result: `{"a":"\ud800"}`}, true},

		// Other orders, spaces, members and values.
		{
			"error first", `{"error":{"code":-32001,"message":"gone"},"id":7}`,
			plain{ID: 7, Failure: `{"code":-32001,"message":"gone"}`},
			false,
		},
		{"session first", `{"sessionId":"AB","id":7,"result":{}}`, plain{ID: 7, Session: "AB", Result: `{}`}, false},
		{"session in the middle", `{"id":7,"sessionId":"AB","result":{}}`, plain{ID: 7, Session: "AB", Result: `{}`}, false},
		{"params first", `{"params":{"a":1},"method":"A.b"}`, plain{Method: "A.b", Params: `{"a":1}`}, false},
		{"no params", `{"method":"A.b"}`, plain{Method: "A.b"}, false},
		{"no params of a session", `{"method":"A.b","sessionId":"AB"}`, plain{Method: "A.b", Session: "AB"}, false},
		{"no result", `{"id":7}`, plain{ID: 7}, false},
		{
			"unknown member between", `{"id":7,"result":{},"new":{},"sessionId":"AB"}`,
			plain{ID: 7, Session: "AB", Result: `{}`},
			false,
		},
		{"unknown member at the end", `{"id":7,"result":{},"new":{}}`, plain{ID: 7, Result: `{}`}, false},
		{"unknown member at the start", `{"new":[1],"method":"A.b","params":{}}`, plain{Method: "A.b", Params: `{}`}, false},
		{"spaces", " { \"id\" : 7 , \"result\" : { } }\n", plain{ID: 7, Result: `{ }`}, false},
		{"space at the end", `{"id":7,"result":{}} `, plain{ID: 7, Result: `{}`}, false},
		{"result that is not an object", `{"id":7,"result":[1,"}"]}`, plain{ID: 7, Result: `[1,"}"]`}, false},
		{"null error", `{"id":7,"error":null,"result":{}}`, plain{ID: 7, Result: `{}`}, false},
		{"error that is text", `{"id":7,"error":"no"}`, plain{ID: 7, Failure: `"no"`}, false},
		{"null session", `{"id":7,"result":{},"sessionId":null}`, plain{ID: 7, Result: `{}`}, false},
		{"empty session", `{"id":7,"result":{},"sessionId":""}`, plain{ID: 7, Result: `{}`}, true},
		{"escaped session", `{"id":7,"result":{},"sessionId":"A\u0042"}`, plain{ID: 7, Session: "AB", Result: `{}`}, false},
		{"escaped method", `{"method":"A\u002eb","params":{}}`, plain{Method: "A.b", Params: `{}`}, false},
		{"long id", `{"id":9223372036854775807,"result":{}}`, plain{ID: 9223372036854775807, Result: `{}`}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := parse([]byte(test.msg))
			require.NoError(t, err)
			if diff := cmp.Diff(test.want, plainOf(got)); diff != "" {
				t.Errorf("envelope (-want +got):\n%s", diff)
			}
			_, sliced := slice([]byte(test.msg))
			require.Equal(t, test.sliced, sliced, "read without decoding")
			slow, err := decodeEnvelope([]byte(test.msg))
			require.NoError(t, err)
			if diff := cmp.Diff(test.want, plainOf(slow)); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, msg string }{
		{"nothing", ``},
		{"no JSON", `DevTools listening on`},
		{"no object", `[1]`},
		{"empty object", `{}`},
		{"error without id", `{"error":{"code":-32700,"message":"JSON: syntax"}}`},
		{"cut off in the id", `{"id":1`},
		{"cut off in the key", `{"id":1,"resu`},
		{"cut off in the payload", `{"id":1,"result":{"a":[`},
		{"cut off in text", `{"id":1,"result":{"a":"\"`},
		{"cut off behind the payload", `{"id":1,"result":{}`},
		{"cut off in the session", `{"id":1,"result":{},"sessionId":"A`},
		{"cut off in the method", `{"method":"A.`},
		{"id that is text", `{"id":"1","result":{}}`},
		{"id with a fraction", `{"id":1.5,"result":{}}`},
		{"id zero", `{"id":0,"result":{}}`},
		{"id below zero", `{"id":-1,"result":{}}`},
		{"id too long", `{"id":99999999999999999999,"result":{}}`},
		{"id with a leading zero", `{"id":01,"result":{}}`},
		{"empty method", `{"method":"","params":{}}`},
		{"method that is not a string", `{"method":1,"params":{}}`},
		{"two messages", `{"id":1,"result":{}}{"id":2,"result":{}}`},
		{"two results", `{"id":1,"result":{},"result":{}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e, err := parse([]byte(test.msg))
			require.Error(t, err, "%+v", plainOf(e))
		})
	}
}

// oracle reads an envelope the slow way: the whole message, member by member.
func oracle(msg []byte) (plain, bool) {
	var members map[string]jsonv2.Value
	if jsonv2.Unmarshal(msg, &members, options) != nil || members == nil {
		return plain{}, false
	}
	ok := true
	read := func(name string, into any) {
		if v, there := members[name]; there && jsonv2.Unmarshal(v, into, options) != nil {
			ok = false
		}
	}
	var id *int64
	var method, session string
	read("id", &id)
	read("method", &method)
	read("sessionId", &session)
	failure := string(members["error"])
	switch {
	case !ok:
	case id != nil && *id > 0 && failure != "" && failure != "null":
		return plain{ID: *id, Session: session, Failure: failure}, true
	case id != nil && *id > 0:
		return plain{ID: *id, Session: session, Result: string(members["result"])}, true
	case id == nil && method != "":
		return plain{Method: method, Session: session, Params: string(members["params"])}, true
	}
	return plain{}, false
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"id":7,"result":{"a":1}}`,
		`{"id":7,"result":{"a":[{"b":"\"}"}]},"sessionId":"AB"}`,
		`{"id":7,"error":{"code":-32601,"message":"no"},"sessionId":"AB"}`,
		`{"method":"A.b","params":{"a":"\\\\"},"sessionId":"AB"}`,
		`{"error":{"code":-32001},"id":7}`,
		`{"id":7,"result":{},"new":{},"sessionId":"AB"}`,
		`{"id":1,"result":{}}{"id":2,"result":{}}`,
		"{\"id\":7,\"result\":{\"a\":\"\xff\"}}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		before := bytes.Clone(msg)
		got, err := parse(msg)
		if !bytes.Equal(before, msg) {
			t.Fatal("the message was changed")
		}
		want, valid := oracle(msg)
		switch {
		case valid && err != nil:
			t.Fatalf("refused: %v", err)
		case valid:
			if diff := cmp.Diff(want, plainOf(got)); diff != "" {
				t.Fatalf("envelope (-oracle +got):\n%s", diff)
			}
		case err == nil:
			// Only the payload may still be invalid; decoding it fails then.
			payload := got.params
			if got.id != 0 {
				payload = append(got.result, got.failure...)
			}
			if payload.IsValid() {
				t.Fatalf("accepted what the oracle refuses: %+v", plainOf(got))
			}
		}
	})
}

// replies of the sizes that matter: a click's, a small snapshot's, and the accessibility tree of a large table.
func sampleReply(nodes int) []byte {
	node := `{"nodeId":"1234","ignored":false,"role":{"type":"role","value":"cell"},"name":{"type":"computedString","value":"Row 12, \"x\"",` +
		`"sources":[{"type":"contents","value":{"type":"computedString","value":"Row 12"}}]},"properties":[],"childIds":["12","13"],"backendDOMNodeId":77},`
	return []byte(`{"id":12,"result":{"nodes":[` + strings.TrimSuffix(strings.Repeat(node, nodes), ",") +
		`]},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`)
}

func BenchmarkParse(b *testing.B) {
	for _, size := range []struct {
		name  string
		nodes int
	}{{"small", 1}, {"medium", 300}, {"large", 18000}} {
		msg := sampleReply(size.nodes)
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(msg)))
			for b.Loop() {
				if e, err := parse(msg); err != nil || e.id != 12 {
					b.Fatal(err)
				}
			}
		})
		b.Run(size.name+" decoded", func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(msg)))
			for b.Loop() {
				if e, err := decodeEnvelope(msg); err != nil || e.id != 12 {
					b.Fatal(err)
				}
			}
		})
	}
}
