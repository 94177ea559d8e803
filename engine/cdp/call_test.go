package cdp

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestCall(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			large := strings.Repeat("x", 3<<20) // more than the buffers of any transport hold
			tests := []struct {
				name    string
				session *Session
				params  any
				want    command
			}{
				{"root", c.Root(), map[string]int{"a": 1}, command{Method: "A.b", Params: jsonv2.Value(`{"a":1}`)}},
				{
					"session", c.Session("AB"),
					map[string]int{"a": 1},
					command{Method: "A.b", SessionID: "AB", Params: jsonv2.Value(`{"a":1}`)},
				},
				{"no params", c.Root(), nil, command{Method: "A.b"}},
				{
					"large", c.Root(),
					map[string]string{"a": large},
					command{Method: "A.b", Params: jsonv2.Value(`{"a":"` + large + `"}`)},
				},
			}
			for _, test := range tests {
				got := inBackground(t.Context(), test.session, "A.b", test.params)
				cmd := f.next()
				require.Equal(t, test.want.Method, cmd.Method)
				require.Equal(t, test.want.SessionID, cmd.SessionID)
				require.True(t, bytes.Equal(test.want.Params, cmd.Params), test.name)
				f.answer(cmd, `{"text":"`+large+`"}`)
				r := <-got
				require.NoError(t, r.err)
				require.True(t, `{"text":"`+large+`"}` == string(r.raw), test.name)
			}
		})
	}
}

func TestParams(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		params any
		want   string
	}{
		{"none", nil, ``},
		{"raw", jsonv2.Value(`{ "a" : 1 }`), `{ "a" : 1 }`},
		{"raw bytes", []byte(`{"a":[]}`), `{"a":[]}`},
		{"no raw", jsonv2.Value(nil), ``},
		{"struct", struct {
			A string `json:"a"`
		}{"x\n"}, `{"a":"x\n"}`},
		{"invalid UTF-8", map[string]string{"a": "\xff"}, `{"a":"` + "\ufffd" + `"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, f := newFake(t)
			pending := c.Root().Start("A.b", test.params)
			cmd := f.next()
			require.Equal(t, test.want, string(cmd.Params))
			f.answer(cmd, `{}`)
			require.NoError(t, pending.Decode(t.Context(), nil))
		})
	}
}

func TestParamsWithoutJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		params any
	}{
		{"function", func() {}},
		{"not a number", map[string]float64{"a": math.NaN()}},
		{"NUL", jsonv2.Value("{\"a\":\"\x00\"}")},
		{"NUL in bytes", []byte("{\"a\":\"\x00\"}")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, f := newFake(t)
			s := c.Session("AB")
			_, err := s.CallRaw(t.Context(), "A.b", test.params)
			require.Equal(t, fault.Internal, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, "A.b")
			_, err = s.Start("A.b", test.params).Wait(t.Context())
			require.Equal(t, fault.Internal, fault.CodeOf(err), "%v", err)
			for _, p := range s.Batch(Call{Method: "A.ok"}, Call{"A.b", test.params}, Call{Method: "A.ok"}) {
				require.Equal(t, fault.Internal, fault.CodeOf(p.Decode(t.Context(), nil)))
			}
			last := s.Start("A.last", nil)
			cmd := f.next()
			require.Equal(t, "A.last", cmd.Method, "nothing else was written")
			f.answer(cmd, `{}`)
			require.NoError(t, last.Decode(t.Context(), nil))
		})
	}
}

// Names with characters that JSON escapes do not break out of the envelope.
func TestNamesAreQuoted(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"A.b", `A","x":"`, `A\`, "A\x00\n", "Ä.\U0001f600", "\x7f"} {
		c, f := newFake(t)
		c.Session(name).Start(name, nil)
		cmd := f.next()
		require.Equal(t, name, cmd.Method)
		require.Equal(t, name, cmd.SessionID)
	}
}

func TestResults(t *testing.T) {
	t.Parallel()
	type value struct {
		A string `json:"a"`
	}
	var decoded value
	var raw jsonv2.Value
	tests := []struct {
		name   string
		reply  string
		result any
		want   any
		code   fault.Code
	}{
		{"decoded", `{"a":"x","new":{"b":[]}}`, &decoded, &value{"x"}, ""},
		{"raw", `{"a": 1}`, &raw, new(jsonv2.Value(`{"a": 1}`)), ""},
		{"not wanted", `{"a":1}`, nil, nil, ""},
		{"missing member", `{}`, new(value), new(value), ""},
		{"null", `null`, new(value), new(value), ""},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", new(value), &value{"\ufffd"}, ""},
		{"lone surrogate", `{"a":"\ud800"}`, new(value), &value{"\ufffd"}, ""},
		{"another shape", `{"a":5}`, new(value), nil, fault.Protocol},
		{"not JSON inside", `{"a":x}`, new(value), nil, fault.Protocol},
	}
	c, f := newFake(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := c.Root().Start("A.b", nil)
			f.answer(f.next(), test.reply)
			err := p.Decode(t.Context(), test.result)
			require.Equal(t, test.code, fault.CodeOf(err), "%v", err)
			if err != nil {
				require.ErrorContains(t, err, "A.b")
				return
			}
			if diff := cmp.Diff(test.want, test.result); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnmarshal(t *testing.T) {
	t.Parallel()
	var got []string
	require.NoError(t, Unmarshal(jsonv2.Value("[\"a\xff\",\"\\udc00\"]"), &got))
	require.Equal(t, []string{"a\ufffd", "\ufffd"}, got)
	require.Error(t, Unmarshal(jsonv2.Value(`["a"`), &got))
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		session string
		reply   string
		code    fault.Code
		message string
		want    Error
	}{
		{
			"plain", "", `"error":{"code":-32000,"message":"Cannot navigate to invalid URL"}`,
			fault.Protocol, "the browser refused Page.navigate: Cannot navigate to invalid URL",
			Error{"Page.navigate", -32000, "Cannot navigate to invalid URL", ""},
		},
		{
			"with data", "AB", `"error":{"code":-32602,"message":"Invalid parameters","data":"url: string value expected"}`,
			fault.Protocol, "the browser refused Page.navigate: Invalid parameters: url: string value expected",
			Error{"Page.navigate", -32602, "Invalid parameters", "url: string value expected"},
		},
		{
			"data that is not a string", "", `"error":{"code":1,"message":"m","data":{"a":1}}`,
			fault.Protocol, `the browser refused Page.navigate: m: {"a":1}`,
			Error{"Page.navigate", 1, "m", `{"a":1}`},
		},
		{
			"an unknown shape", "", `"error":{"code":"x"}`,
			fault.Protocol, `the browser refused Page.navigate: {"code":"x"}`,
			Error{"Page.navigate", 0, `{"code":"x"}`, ""},
		},
		{
			"no session", "AB", `"error":{"code":-32001,"message":"Session with given id not found."}`,
			fault.PageGone, "the page or frame went away before it answered Page.navigate",
			Error{"Page.navigate", -32001, "Session with given id not found.", ""},
		},
		{
			"no session, but the browser's", "", `"error":{"code":-32001,"message":"Session with given id not found."}`,
			fault.Protocol, "the browser refused Page.navigate: Session with given id not found.",
			Error{"Page.navigate", -32001, "Session with given id not found.", ""},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, f := newFake(t)
			p := c.Session(test.session).Start("Page.navigate", nil)
			f.say(`{"id":%d,%s}`, f.next().ID, test.reply)
			_, err := p.Wait(t.Context())
			require.Equal(t, test.code, fault.CodeOf(err))
			require.Equal(t, test.message, err.Error())
			refusal, ok := errors.AsType[*Error](err)
			require.True(t, ok)
			require.Equal(t, test.want, *refusal)
			require.Contains(t, refusal.Error(), refusal.Message)
			e, ok := errors.AsType[*fault.Error](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, "Page.navigate", e.Facts["method"])
		})
	}
}

func TestRepliesInAnyOrder(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			pending := make([]*Pending, 20)
			cmds := make([]command, len(pending))
			for i := range pending {
				pending[i] = c.Session(fmt.Sprint(i%3)).Start(fmt.Sprintf("A.%d", i), nil)
				cmds[i] = f.next()
			}
			for i, cmd := range slices.Backward(cmds) {
				f.answer(cmd, fmt.Sprintf(`{"i":%d}`, i))
			}
			for i, p := range pending {
				raw, err := p.Wait(t.Context())
				require.NoError(t, err)
				require.Equal(t, fmt.Sprintf(`{"i":%d}`, i), string(raw))
			}
		})
	}
}

// Start and Batch neither wait nor change the order, also when the browser reads nothing for a while.
func TestWriteOrder(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			s := c.Session("AB")
			filler := map[string]string{"a": strings.Repeat("x", 40_000)}
			var pending []*Pending
			for i := range 200 {
				if i%2 == 0 {
					pending = append(pending, s.Start(fmt.Sprintf("A.%d", len(pending)), filler))
					continue
				}
				n := len(pending)
				pending = append(pending, s.Batch(
					Call{Method: fmt.Sprintf("A.%d", n)}, Call{fmt.Sprintf("A.%d", n+1), filler},
					Call{Method: fmt.Sprintf("A.%d", n+2)})...)
			}
			for i := range pending {
				cmd := f.next()
				require.Equal(t, fmt.Sprintf("A.%d", i), cmd.Method)
				f.answer(cmd, `{}`)
			}
			for _, p := range pending {
				require.NoError(t, p.Decode(t.Context(), nil))
			}
		})
	}
}

// Many callers at once: each gets its own reply, and the commands of one caller arrive in its order.
func TestConcurrentCallers(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			last := map[string]int{} // of the fake browser's goroutine
			f.serve(func(cmd command) string {
				var params struct{ Caller, N int }
				if err := jsonv2.Unmarshal(cmd.Params, &params); err != nil {
					t.Errorf("params %s: %v", cmd.Params, err)
				}
				if last[cmd.SessionID] != params.N-1 {
					t.Errorf("caller %s: %d came behind %d", cmd.SessionID, params.N, last[cmd.SessionID])
				}
				last[cmd.SessionID] = params.N
				return fmt.Sprintf(`{"id":%d,"result":%s,"sessionId":%q}`, cmd.ID, cmd.Params, cmd.SessionID)
			})
			var callers sync.WaitGroup
			for caller := range 16 {
				callers.Go(func() {
					s := c.Session(fmt.Sprint(caller))
					for n := 1; n <= 50; n++ {
						var got, sent struct{ Caller, N int }
						sent.Caller, sent.N = caller, n
						if err := s.Call(t.Context(), "A.b", sent, &got); err != nil || got != sent {
							t.Errorf("caller %d got %v for %v, %v", caller, got, sent, err)
							return
						}
					}
				})
			}
			callers.Wait()
		})
	}
}

func TestBatchIsOneWrite(t *testing.T) {
	t.Parallel()
	r, _ := memoryPipes()
	writes := make(chan string, 10)
	c := NewConn(NewPipe(r.(*pipe).r, writeFunc(func(b []byte) { writes <- string(b) })))
	defer c.Close()
	require.Empty(t, c.Root().Batch())
	c.Session("AB").Batch(Call{"Input.a", nil}, Call{"Input.b", jsonv2.Value(`{}`)}, Call{"Input.c", nil})
	require.Equal(t, `{"id":1,"method":"Input.a","sessionId":"AB"}`+"\x00"+
		`{"id":2,"method":"Input.b","sessionId":"AB","params":{}}`+"\x00"+
		`{"id":3,"method":"Input.c","sessionId":"AB"}`+"\x00", <-writes)
}

// writeFunc is a writer that hands on what is written.
type writeFunc func([]byte)

func (f writeFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}

func (writeFunc) Close() error { return nil }

func TestWaitTwice(t *testing.T) {
	t.Parallel()
	c, f := newFake(t)
	p := c.Root().Start("A.b", nil)
	f.answer(f.next(), `{}`)
	require.NoError(t, p.Decode(t.Context(), nil))
	_, err := p.Wait(t.Context())
	require.Equal(t, fault.Internal, fault.CodeOf(err))
}

// The protocol's ids have 31 bits; a long-lived connection starts over and leaves out those in use.
func TestIDsStartOver(t *testing.T) {
	t.Parallel()
	c, f := newFake(t)
	first := c.Root().Start("A.first", nil)
	firstCmd := f.next()
	c.mu.Lock()
	c.nextID = math.MaxInt32 - 1
	c.mu.Unlock()
	for _, want := range []int64{math.MaxInt32, 2, 3} {
		p := c.Root().Start("A.b", nil)
		cmd := f.next()
		require.Equal(t, want, cmd.ID)
		f.answer(cmd, `{}`)
		require.NoError(t, p.Decode(t.Context(), nil))
	}
	f.answer(firstCmd, `{}`)
	require.NoError(t, first.Decode(t.Context(), nil))
}

func TestGarbageIsSkipped(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			events, cancel := c.Root().Subscribe("A.event")
			defer cancel()
			p := c.Root().Start("A.b", nil)
			cmd := f.next()
			for _, garbage := range []string{
				"x", "[]", "{}", `{"id":"1"}`, `{"error":{"code":-32700,"message":"JSON"}}`,
				"\xff",
			} {
				f.say("%s", garbage)
			}
			f.say(`{"id":999,"result":{}}`) // a reply without a caller is not an error
			f.event("unknown", "A.event", `{}`)
			f.event("", "A.event", `{"ok":true}`)
			f.answer(cmd, `{}`)
			require.NoError(t, p.Decode(t.Context(), nil))
			require.Equal(t, `{"ok":true}`, string(<-events))
			require.Equal(t, 6, c.Skipped())
		})
	}
}
