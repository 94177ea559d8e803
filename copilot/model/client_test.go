package model

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testmodel"
)

const secret = "sk-very-secret"

// dialects are the ways to an endpoint, as environments.
func dialects(address string) map[string]map[string]string {
	return map[string]map[string]string{
		"gateway":   {"AI_GATEWAY_API_KEY": secret, "AI_GATEWAY_URL": address},
		"openai":    {"OPENAI_API_KEY": secret, "OPENAI_BASE_URL": address + "/v1"},
		"anthropic": {"ANTHROPIC_API_KEY": secret, "ANTHROPIC_BASE_URL": address},
	}
}

func open(t *testing.T, env map[string]string) *Client {
	t.Helper()
	c, err := Open(func(name string) string { return env[name] }, "")
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// each runs a test with each dialect, streamed and not.
func each(
	t *testing.T, script func(t *testing.T) testmodel.Script,
	test func(t *testing.T, c *Client, s *testmodel.Server, onText func(string)),
) {
	for _, name := range []string{"gateway", "openai", "anthropic"} {
		for _, streamed := range []bool{false, true} {
			t.Run(name+map[bool]string{true: " in pieces", false: " at once"}[streamed], func(t *testing.T) {
				t.Parallel()
				s := testmodel.Start(t, script(t))
				c := open(t, dialects(s.URL)[name])
				c.pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
				var onText func(string)
				if streamed {
					onText = func(string) {}
				}
				test(t, c, s, onText)
			})
		}
	}
}

func ask(text string) Request {
	return Request{
		System: "be brief", Messages: []Message{{Role: User, Text: text}},
		Tools: []Tool{{
			Name: "look", About: "looks",
			Schema: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}}}`),
		}},
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	script := func(t *testing.T) testmodel.Script {
		return testmodel.Say(t,
			testmodel.Answer{Text: "Ich schaue nach – gleich.", Calls: []testmodel.Call{
				{Name: "look", Args: map[string]any{"at": "Zürich, \"quoted\""}}, {Name: "look", Args: map[string]any{}},
			}},
			testmodel.Answer{Text: "Done."},
		)
	}
	each(t, script, func(t *testing.T, c *Client, s *testmodel.Server, onText func(string)) {
		var heard strings.Builder
		r := ask("hello")
		if onText != nil {
			r.OnText = func(text string) { heard.WriteString(text) }
		}
		a, err := c.Complete(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, "Ich schaue nach – gleich.", a.Text)
		require.Equal(t, Calling, a.Stop)
		require.Equal(t, Usage{Input: 11, Output: 7}, a.Usage)
		require.Len(t, a.Calls, 2)
		require.Equal(t, "look", a.Calls[0].Name)
		require.JSONEq(t, `{"at":"Zürich, \"quoted\""}`, string(a.Calls[0].Args))
		require.JSONEq(t, `{}`, string(a.Calls[1].Args))
		if onText != nil {
			require.Equal(t, a.Text, heard.String())
		}
		r.Messages = append(r.Messages, a.message(), Message{Role: Results, Results: []Outcome{
			{ID: a.Calls[0].ID, Text: "one"}, {ID: a.Calls[1].ID, Text: "two", Failed: true},
		}})
		a, err = c.Complete(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, Answer{Text: "Done.", Stop: Ended, Usage: Usage{Input: 11, Output: 7}}, a)
		turns := s.Turns()
		require.Len(t, turns, 2)
		require.Equal(t, secret, turns[0].Key)
		require.Equal(t, "be brief", turns[0].System)
		require.Equal(t, []string{"hello"}, turns[0].User)
		require.Contains(t, turns[0].Tools, "look")
		require.Equal(t, onText != nil, turns[0].Stream)
		require.Equal(t, []string{"one", "two"}, []string{turns[1].Last[0].Text, turns[1].Last[1].Text})
	})
}

// Endpoints leave out what they do not need, and write more than is known.
func TestTolerance(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		env    string
		answer string
		stream bool
		want   Answer
	}{
		"no done, no usage, no index": {
			env: "openai", stream: true,
			answer: "data: {\"choices\":[{\"delta\":{\"content\":null,\"tool_calls\":[{\"id\":\"a\"," +
				"\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}},{\"id\":\"b\",\"function\":{\"name\":\"look\"," +
				"\"arguments\":\"{\"}}]}}]}\r\n\r\n" +
				"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"}\"}}]}," +
				"\"finish_reason\":\"stop\"}],\"new\":[1]}",
			want: Answer{
				Stop:  Calling,
				Calls: []Call{{"a", "look", json.RawMessage("{}")}, {"b", "look", json.RawMessage("{}")}},
			},
		},
		"an event that is new": {
			env: "anthropic", stream: true,
			answer: "event: x\ndata: {\"type\":\"x\"}\n\nevent: content_block_start\ndata: " +
				"{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"hm\"}}\n\n" +
				"data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"Hi\"}}\n\n" +
				"data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"pause_turn\"}}\n\ndata: " +
				"{\"type\":\"message_stop\"}\n\n",
			want: Answer{Text: "Hi", Stop: Ended},
		},
		"an endpoint that does not stream": {
			env: "openai", stream: false, answer: `{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}`,
			want: Answer{Text: "Hi", Stop: Ended},
		},
		"cut off by its length": {
			env: "openai", answer: `{"choices":[{"message":{"content":"Hi"},"finish_reason":"length"}]}`,
			want: Answer{Text: "Hi", Stop: TooLong},
		},
		"refused": {
			env: "openai", answer: `{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]}`,
			want: Answer{Text: "No.", Stop: Refused},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if tc.stream {
					w.Header().Set("Content-Type", "text/event-stream")
				}
				_, _ = w.Write([]byte(tc.answer))
			}))
			t.Cleanup(s.Close)
			c, r := open(t, dialects(s.URL)[tc.env]), ask("hello")
			for _, r.OnText = range []func(string){nil, func(string) {}} {
				a, err := c.Complete(t.Context(), r)
				require.NoError(t, err)
				require.Equal(t, tc.want, a)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answers []testmodel.Answer
		says    string // empty: it works in the end
		asked   int
	}{
		"the key is wrong": {
			[]testmodel.Answer{{Status: 401, Body: `{"error":{"message":"bad key ` + secret + `"}}`}},
			"does not accept the key in", 1,
		},
		"no such model": {[]testmodel.Answer{{Status: 404}}, "The requested model was", 1},
		"no JSON": {
			[]testmodel.Answer{{Status: 400, Body: "<html>no</html>"}},
			"answered 400 Bad Request: <html>no</html>", 1,
		},
		"a redirect":          {[]testmodel.Answer{{Status: 307}}, "Redirects are not followed", 1},
		"too many, then fine": {[]testmodel.Answer{{Status: 429, RetryAfter: "0"}, {Status: 529}, {Text: "Hi"}}, "", 3},
		"too many, for long":  {[]testmodel.Answer{{Status: 429, RetryAfter: "3600"}}, "It asks to retry in 1h0m0s", 1},
		"always broken":       {[]testmodel.Answer{{Status: 500}, {Status: 502}, {Status: 503}}, "answered 503", 3},
		"cut off, then fine":  {[]testmodel.Answer{{Cut: true}, {Text: "Hi"}}, "", 2},
		"nothing but cuts":    {[]testmodel.Answer{{Cut: true}, {Cut: true}, {Cut: true}}, "did not answer", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := func(t *testing.T) testmodel.Script { return testmodel.Say(t, tc.answers...) }
			each(t, script, func(t *testing.T, c *Client, s *testmodel.Server, onText func(string)) {
				r := ask("hello")
				r.OnText = onText
				a, err := c.Complete(t.Context(), r)
				require.Len(t, s.Turns(), tc.asked)
				if tc.says == "" {
					require.NoError(t, err)
					require.Equal(t, "Hi", a.Text)
					return
				}
				require.ErrorContains(t, err, tc.says)
				require.Equal(t, fault.ModelFailed, fault.CodeOf(err))
				require.NotContains(t, err.Error(), secret)
			})
		})
	}
}

// Text that was shown is not asked for again.
func TestBrokenStream(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]testmodel.Answer{
		"cut":      {Text: "Half of", Cut: true},
		"an error": {Text: "Half of", Error: "Overloaded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T) testmodel.Script {
				return testmodel.Say(t, answer)
			}, func(t *testing.T, c *Client, s *testmodel.Server, onText func(string)) {
				if onText == nil {
					return
				}
				heard := ""
				r := ask("hello")
				r.OnText = func(text string) { heard += text }
				_, err := c.Complete(t.Context(), r)
				require.ErrorContains(t, err, map[string]string{"cut": "did not answer", "an error": "says: Overloaded"}[name])
				require.Equal(t, "Half of", heard)
				require.Len(t, s.Turns(), 1)
			})
		})
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	var asked sync.Map // by test: what gives the call up
	each(t, func(t *testing.T) testmodel.Script {
		ctx, cancel := context.WithCancel(t.Context())
		asked.Store(t, ctx)
		return func(testmodel.Turn) testmodel.Answer {
			cancel()
			return testmodel.Answer{Text: "late", Wait: make(chan struct{})}
		}
	}, func(t *testing.T, c *Client, _ *testmodel.Server, onText func(string)) {
		ctx, _ := asked.Load(t)
		r := ask("hello")
		r.OnText = onText
		_, err := c.Complete(ctx.(context.Context), r)
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestNoNetwork(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	c := open(t,
		map[string]string{
			"OPENAI_API_KEY":  secret,
			"OPENAI_BASE_URL": strings.Replace(s.URL, "://", "://user:"+secret+"@", 1),
		})
	c.pause = func(context.Context, time.Duration) error { return nil }
	_, err := c.Complete(t.Context(), ask("hello"))
	require.ErrorContains(t, err, "did not answer: dial tcp")
	require.NotContains(t, err.Error(), secret)
}

func TestFind(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		env     map[string]string
		model   string
		address string
		want    string
	}{
		"gateway": {
			map[string]string{"AI_GATEWAY_API_KEY": "k", "OPENAI_API_KEY": "k"},
			"",
			"https://ai-gateway.vercel.sh/v1/chat/completions", "anthropic/claude-sonnet-4.6",
		},
		"gateway with a model": {
			map[string]string{"AI_GATEWAY_API_KEY": "k", "AI_GATEWAY_MODEL": "openai/x"},
			"",
			"https://ai-gateway.vercel.sh/v1/chat/completions", "openai/x",
		},
		"the flag counts more": {
			map[string]string{"AI_GATEWAY_API_KEY": "k", "AI_GATEWAY_MODEL": "openai/x"},
			"y/z",
			"https://ai-gateway.vercel.sh/v1/chat/completions", "y/z",
		},
		"gateway elsewhere": {
			map[string]string{"AI_GATEWAY_API_KEY": "k", "AI_GATEWAY_URL": "http://127.0.0.1:9/"},
			"",
			"http://127.0.0.1:9/v1/chat/completions", "anthropic/claude-sonnet-4.6",
		},
		"openai": {
			map[string]string{"OPENAI_API_KEY": "k"},
			"",
			"https://api.openai.com/v1/chat/completions", "gpt-4o",
		},
		"openai with its maker": {
			map[string]string{"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"},
			"openai/gpt-5",
			"https://api.openai.com/v1/chat/completions", "gpt-5",
		},
		"no key for this machine": {
			map[string]string{"OPENAI_BASE_URL": "http://localhost:11434/v1/"},
			"llama3",
			"http://localhost:11434/v1/chat/completions", "llama3",
		},
		"anthropic": {
			map[string]string{"ANTHROPIC_API_KEY": "k"},
			"", "https://api.anthropic.com/v1/messages",
			"claude-sonnet-4-6",
		},
		"anthropic by its model": {
			map[string]string{"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"},
			"claude-opus-4",
			"https://api.anthropic.com/v1/messages", "claude-opus-4",
		},
		"anthropic by its maker": {map[string]string{
			"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k",
			"ANTHROPIC_BASE_URL": "http://h/v1",
		}, "anthropic/x", "http://h/v1/messages", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := find(func(name string) string { return tc.env[name] }, tc.model)
			require.NoError(t, err)
			require.Equal(t, tc.address, e.address)
			require.Equal(t, tc.want, e.model)
		})
	}
	_, err := find(func(string) string { return "" }, "")
	require.ErrorContains(t, err,
		"AI_GATEWAY_API_KEY not set. Set the AI_GATEWAY_API_KEY environment variable to enable chat.")
	_, err = find(func(name string) string { return map[string]string{"OPENAI_BASE_URL": "nonsense"}[name] }, "")
	require.ErrorContains(t, err, "OPENAI_BASE_URL is not the address of an endpoint.")
}

func FuzzEvents(f *testing.F) {
	f.Add("event: a\r\ndata: {}\r\n\r\ndata: [DONE]\n\n")
	f.Fuzz(func(_ *testing.T, text string) {
		for _, d := range []dialect{openAI{}, anthropic{}} {
			p := d.stream(func(string) {})
			_ = events(strings.NewReader(text), p.add)
			p.answer()
			_, _ = d.whole([]byte(text))
		}
	})
}
