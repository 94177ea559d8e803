package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// rawClient is a client that writes and reads lines.
type rawClient struct {
	t      testing.TB
	to     io.WriteCloser
	lines  chan string
	served chan error
}

func connectRaw(t testing.TB, s *mcp.Server) *rawClient {
	t.Helper()
	return connectRawBy(t, s.ServeStdio)
}

func connectRawBy(t testing.TB, serve func(context.Context, io.ReadCloser, io.WriteCloser) error) *rawClient {
	t.Helper()
	near, far := pipes()
	c := &rawClient{t: t, to: near.out, lines: make(chan string, 1000), served: make(chan error, 1)}
	go func() { c.served <- serve(context.Background(), far.in, far.out) }()
	go func() {
		defer close(c.lines)
		from := bufio.NewScanner(near.in)
		from.Buffer(nil, 16<<20)
		for from.Scan() {
			c.lines <- from.Text()
		}
	}()
	t.Cleanup(func() {
		_ = near.out.Close()
		for range c.lines { // what it still says is let go; it hangs up when it has ended
		}
		_ = near.in.Close()
	})
	return c
}

// initialize starts a session of a version of the protocol.
func (c *rawClient) initialize(version string) {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + version +
		`","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}` + "\n")
	require.Contains(c.t, c.next(), `"protocolVersion":"`+version+`"`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
}

func (c *rawClient) send(text string) {
	c.t.Helper()
	_, err := io.WriteString(c.to, text)
	require.NoError(c.t, err)
}

func (c *rawClient) next() string {
	c.t.Helper()
	select {
	case line, ok := <-c.lines:
		if !ok {
			c.t.Fatalf("the server has hung up: %v", <-c.served)
		}
		return line
	case <-time.After(30 * time.Second):
		c.t.Fatal("the server does not answer")
		return ""
	}
}

// ping sends a valid call, and returns the lines before its answer.
func (c *rawClient) ping(id string) (before []string) {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":"` + id + `","method":"ping"}` + "\n")
	return c.until(id)
}

// until returns the lines before the successful answer with an id.
func (c *rawClient) until(id string) (before []string) {
	c.t.Helper()
	for {
		line := c.next()
		var m struct {
			ID     any             `json:"id"`
			Result json.RawMessage `json:"result"`
		}
		if json.Unmarshal([]byte(line), &m) == nil && m.ID == id && m.Result != nil {
			return before
		}
		before = append(before, line)
	}
}

func ping(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }

// A line that is not a message is answered with an error, and the next one is served.
func TestBadLines(t *testing.T) {
	t.Parallel()
	const parse, invalid = `"error":{"code":-32700,`, `"error":{"code":-32600,`
	for _, tt := range []struct {
		name, version, text string
		want                []string // parts of the answers, in their order
	}{
		{name: "not JSON", text: "npm warn something\n", want: []string{parse}},
		{name: "cut", text: `{"jsonrpc":"2.0","id":1,"meth` + "\n", want: []string{parse}},
		{name: "null", text: "null\n", want: []string{invalid}},
		{name: "a number", text: "17\n", want: []string{invalid}},
		{name: "an empty object", text: "{}\n", want: []string{invalid}},
		{name: "an empty batch", text: "[]\n", want: []string{invalid}},
		{name: "two messages", text: ping("1") + ping("2") + "\n", want: []string{parse}},
		{name: "a batch", text: "[" + ping("1") + "]\n", want: []string{invalid}},
		{name: "invalid UTF-8", text: strings.Replace(ping(`"x"`), "x", "\xff", 1) + "\n", want: []string{parse}},
		{name: "UTF-16", text: "{\x00}\x00\n", want: []string{parse}},
		{
			name: "another version of JSON-RPC", text: `{"jsonrpc":"1.0","id":7,"method":"ping"}` + "\n",
			want: []string{invalid + `"message":"invalid message version tag`},
		},
		{
			name: "another version, to its id", text: `{"jsonrpc":"1.0","id":7,"method":"ping"}` + "\n",
			want: []string{`"id":7`},
		},
		{name: "an object as id", text: ping("{}") + "\n", want: []string{invalid}},
		{name: "null as id", text: ping("null") + "\n", want: []string{invalid}},
		{name: "a fraction as id", text: ping("1.5") + "\n", want: []string{invalid}},
		{name: "an empty method", text: `{"jsonrpc":"2.0","id":6,"method":""}` + "\n", want: []string{`"id":6`}},
		{name: "neither request nor response", text: `{"jsonrpc":"2.0","id":8}` + "\n", want: []string{`"id":8`}},
		{name: "a number as method", text: `{"jsonrpc":"2.0","id":9,"method":5}` + "\n", want: []string{`"id":9`}},
		{name: "frames of another protocol", text: "Content-Length: 40\r\n\r\n", want: []string{parse}},
		{
			name: "deep nesting",
			text: `{"jsonrpc":"2.0","id":10,"method":"ping","params":` + strings.Repeat(`{"a":`, 5000) + "1" +
				strings.Repeat("}", 5001) + "\n", want: []string{invalid},
		},
		{name: "empty lines", text: "\n\r\n  \n"},
		{name: "an answer to nothing", text: `{"jsonrpc":"2.0","id":99,"result":{}}` + "\n"},
		{name: "a byte order mark", text: "\uFEFF" + ping("11") + "\n", want: []string{`"id":11,"result":{}`}},
		{name: "a carriage return", text: ping("12") + "\r\n", want: []string{`"id":12,"result":{}`}},
		{
			name: "a batch of an old version", version: "2025-03-26", text: "[" + ping("1") + "," + ping("2") + "]\n",
			want: []string{`"id":2,"result":{}`},
		},
		{
			name: "a batch of calls, notifications and others", version: "2025-03-26",
			text: "[" + ping("3") +
				`,5,{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}]` + "\n",
			want: []string{invalid},
		},
		{
			name: "a batch with one id twice", version: "2025-03-26", text: "[" + ping("4") + "," + ping("4") + "]\n",
			want: []string{invalid},
		},
		{
			name: "a batch of notifications", version: "2025-03-26",
			text: `[{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}]` + "\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{})
			c := connectRaw(t, s)
			version := tt.version
			if version == "" {
				version = "2025-06-18"
			}
			c.initialize(version)
			c.send(tt.text)
			// A batch's answers are written when all are there, which may be after the answer to the next line.
			var got []string
			if got = c.ping("next"); len(got) == 0 && len(tt.want) > 0 {
				got = append(got, c.next())
			}
			require.Len(t, got, len(tt.want), "%v", got)
			for i, part := range tt.want {
				require.True(t, json.Valid([]byte(got[i])), got[i])
				require.Contains(t, got[i], part)
			}
		})
	}
}

// Before the version is known, there are no batches.
func TestBatchBeforeInitialize(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connectRaw(t, s)
	c.send("[" + ping("1") + "]\n")
	require.Contains(t, c.next(), "-32600")
	c.initialize("2025-03-26")
}

// A message above the limit is skipped, not kept.
func TestLongLine(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connectRaw(t, s)
	c.initialize("2025-06-18")
	part := strings.Repeat("x", 1<<20)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`)
	for range 65 {
		c.send(part)
	}
	c.send("\"}}\n")
	require.Contains(t, c.next(), "longer than 64 MiB")
	require.Empty(t, c.ping("next"))
}

// A second request with the id of one that is being answered would be answered in its name.
func TestIDInUse(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connectRaw(t, s)
	c.initialize("2025-06-18")
	c.send(
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"agent_browser","arguments":{"args":["wait","300"]}}}` + "\n")
	c.send(ping(`"a"`) + "\n")
	before := c.until("a")
	require.Len(t, before, 1)
	require.Contains(t, before[0], `"id":null`)
	require.Contains(t, before[0], "-32600")
}

// Whatever is sent between valid calls, each of them is answered, and nothing else than JSON is written.
func TestRandomLinesBetweenCalls(t *testing.T) {
	t.Parallel()
	fuzzLines(t, connectRaw)
}

// The same holds where a bridge passes the messages on.
func TestRandomLinesOverBridge(t *testing.T) {
	t.Parallel()
	fuzzLines(t, func(t testing.TB, s *mcp.Server) *rawClient {
		to := mcp.Remote{URL: serveHTTP(t, s, mcp.Guard{Token: secret}), Token: secret}
		return connectRawBy(t, func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
			return mcp.Bridge(ctx, in, out, to)
		})
	})
}

func fuzzLines(t *testing.T, connect func(testing.TB, *mcp.Server) *rawClient) {
	t.Helper()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{})
			random := rand.New(rand.NewPCG(seed, 43))
			c := connect(t, s)
			c.initialize([]string{"2025-03-26", "2025-06-18", "2025-11-25"}[seed%3])
			for i := range 200 {
				line := randomLine(random)
				c.send(line + "\n")
				id := fmt.Sprintf("call-%d", i)
				for _, line := range c.ping(id) {
					require.True(t, json.Valid([]byte(line)), line)
				}
			}
		})
	}
}

// randomLine returns bytes, pieces of messages, or a message that was changed in a few places.
func randomLine(random *rand.Rand) string {
	pieces := []string{
		`{`, `}`, `[`, `]`, `"`, `,`, `:`, `null`, `"jsonrpc":"2.0"`, `"id":`, `"method":"tools/list"`, `"method":"ping"`,
		`"params":{}`, `"result":{}`, `"error":{}`,
		`"params":[1]`, `"params":3`, `-1`, `1e999`, `\u0000`, "\x00", "\xff", "\xc3(", "\uFEFF", " ", "\r", "\t",
		`"notifications/cancelled"`, `"_meta"`,
	}
	message := []byte(`{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":7,"reason":"x"}}`)
	switch random.IntN(4) {
	case 0:
		line := make([]byte, random.IntN(200))
		for i := range line {
			if line[i] = byte(random.UintN(256)); line[i] == '\n' {
				line[i] = '{'
			}
		}
		return string(line)
	case 1:
		var b strings.Builder
		for range random.IntN(20) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	case 2: // valid JSON of the wrong kind
		members := []string{`"jsonrpc":"2.0"`}
		for _, m := range []string{
			`"id":[]`, `"id":1.5`, `"id":true`, `"method":"tools/call"`, `"method":"initialize"`, `"method":""`, `"params":"x"`,
			`"params":[]`, `"result":5`, `"error":"x"`, `"error":null`,
			`"method":"notifications/initialized"`, `"method":"notifications/cancelled"`,
		} {
			if random.IntN(4) == 0 {
				members = append(members, m)
			}
		}
		return "{" + strings.Join(members, ",") + "}"
	default:
		for range 1 + random.IntN(4) {
			if b := byte(random.UintN(256)); b != '\n' {
				message[random.IntN(len(message))] = b
			}
		}
		return string(message)
	}
}
